"""Tells options, proposals and events in the words of the card room, for rulings, reports and the terminal."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from referee.rules.cards import cards_text
from referee.rules.events import Event, EventKind
from referee.rules.rulings import ActionKind, LegalOptions, Proposal
from referee.rules.settlement import pot_name
from referee.rules.state import STREET_NAMES

Names = Mapping[int, str]
"""What each seat is called; seats that are missing are called by their number."""


def seat_name(seat: int, names: Names) -> str:
    """A seat's name, or its number where it has none."""
    return names.get(seat) or f"seat {seat}"


def options_text(options: LegalOptions) -> str:
    """Everything a seat may do, such as ``fold, call 20, raise to 40..200``."""
    if options.discard:
        return f"discard {options.discard} of {cards_text(options.held)}"
    parts: list[str] = []
    if options.fold:
        parts.append("fold")
    if options.check:
        parts.append("check")
    if options.call:
        parts.append(f"call {options.call}")
    if options.max_to:
        verb = "bet" if options.wager == ActionKind.BET else "raise to"
        sizes = str(options.min_to) if options.min_to == options.max_to else f"{options.min_to}..{options.max_to}"
        parts.append(f"{verb} {sizes}" + (f" in steps of {options.step}" if options.step > 1 else ""))
    return ", ".join(parts)


def proposal_text(proposal: Proposal) -> str:
    """What is proposed, such as ``raise to 40`` or ``discard 9h 9c``."""
    match proposal.kind:
        case ActionKind.BET | ActionKind.RAISE:
            return f"{proposal.kind.name.lower()} to {proposal.to}"
        case ActionKind.DISCARD:
            return f"discard {cards_text(proposal.cards)}"
        case _:
            return proposal.kind.name.lower()


def event_text(event: Event, names: Names, pots: int = 1) -> str:
    """One event as a sentence without a full stop; ``pots`` is how many pots there are, to name them."""
    who = seat_name(event.seat, names)
    all_in = ", all-in" if event.all_in else ""
    by_referee = " (forfeited by faults)" if event.rule == "TIME-4" else " (out of time)"
    late = by_referee if event.automatic else ""
    cards = cards_text(event.cards)
    match event.kind:
        case EventKind.ANTE_POSTED:
            return f"{who} antes {event.amount}{all_in}"
        case EventKind.DEAD_POSTED:
            return f"{who} posts {event.amount} dead{all_in}"
        case EventKind.BLIND_POSTED:
            return f"{who} posts {event.amount}{all_in}"
        case EventKind.HOLE_DEALT:
            return f"{who} is dealt {cards}"
        case EventKind.FOLDED:
            return f"{who} folds{late}"
        case EventKind.CHECKED:
            return f"{who} checks{late}"
        case EventKind.CALLED:
            return f"{who} calls {event.amount}{all_in}"
        case EventKind.BET:
            return f"{who} bets {event.to}{all_in}"
        case EventKind.RAISED:
            return f"{who} raises to {event.to}{all_in}"
        case EventKind.BET_RETURNED:
            return f"uncalled {event.amount} returned to {who}"
        case EventKind.ROUND_CLOSED:
            return "the betting round is closed"
        case EventKind.BOARD_DEALT:
            return f"dealt {cards}"
        case EventKind.DISCARDS_OPENED:
            return "the discard round opens"
        case EventKind.DISCARDED:
            return f"{who} discards {cards}{late}"
        case EventKind.DISCARD_SHOWN:
            return f"{who}'s discards are turned up: {cards}"
        case EventKind.DISCARDS_CLOSED:
            return "every live player has discarded"
        case EventKind.LATE_FOLD_SHOWN:
            return f"{who} had folded (out of time)"
        case EventKind.HAND_SHOWN:
            return f"{who} shows {cards}"
        case EventKind.HAND_MUCKED:
            return f"{who} mucks"
        case EventKind.RAKE_TAKEN:
            return f"rake of {event.amount} taken from the {pot_name(event.pot, pots)}"
        case EventKind.POT_AWARDED:
            return f"{who} collects {event.amount} from the {pot_name(event.pot, pots)}"
        case _:
            return "the hand is over"


@dataclass(frozen=True)
class Told:
    """One line of a hand told street by street: the street it belongs to, the rule behind it, and the sentence."""

    street: str
    rule: str
    text: str


def tell(events: Iterable[Event], names: Names) -> Iterator[Told]:
    """Tells a hand's events street by street, each with the rule that decided it."""
    happened = list(events)
    pots = 1 + max([event.pot for event in happened], default=0)
    street, heading = 0, STREET_NAMES[0]
    for event in happened:
        if event.kind == EventKind.BOARD_DEALT:
            street += 1
            heading = STREET_NAMES[street]
        elif event.kind == EventKind.DISCARDS_OPENED:
            heading = "discard round"
        elif event.kind in (EventKind.HAND_SHOWN, EventKind.HAND_MUCKED, EventKind.POT_AWARDED, EventKind.RAKE_TAKEN):
            heading = "settlement"
        yield Told(heading, event.rule, event_text(event, names, pots))
        if event.kind == EventKind.DISCARDS_CLOSED:
            heading = STREET_NAMES[street]
