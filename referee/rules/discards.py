"""The discard round (DISC-1 to DISC-8): what a discard must name, and what a late one becomes."""

from referee.rules.betting import Fault
from referee.rules.cards import DECK_SIZE, UNKNOWN, card_text
from referee.rules.events import Event, EventKind
from referee.rules.pots import is_sole_contender
from referee.rules.ruleset import DiscardPoint, DiscardTimeout, DiscardVisibility
from referee.rules.rulings import LegalOptions, Reason
from referee.rules.state import Hand


def discard_is_due(hand: Hand) -> bool:
    """Whether the discard round opens now, a betting round having closed or a flop having been dealt (DISC-1)."""
    if hand.discards_done:
        return False
    match hand.setup.rule_set.game.discard_point:
        case DiscardPoint.BEFORE_FLOP:
            return hand.street == 0
        case DiscardPoint.BEFORE_FLOP_BETTING:
            return hand.street == 1 and not hand.closed
        case DiscardPoint.AFTER_FLOP_BETTING:
            return hand.street == 1
        case _:
            return False


def discard_options(hand: Hand, player: int) -> LegalOptions:
    """The one thing a player may do who owes a discard."""
    return LegalOptions(
        hand.setup.seats[player],
        hand.answered[player] + 1,
        discard=hand.setup.rule_set.game.discards,
        held=hand.hole[player],
    )


def discard_fault(hand: Hand, player: int, cards: tuple[int, ...]) -> Fault | None:
    """Why these cards cannot be the player's discard, or None if they can (DISC-2).

    Where cards are unknown, a card that nobody else shows may be one of the player's unknown ones.
    """
    count = hand.setup.rule_set.game.discards
    for card in cards:
        if not UNKNOWN <= card < DECK_SIZE:
            return Reason.MALFORMED_ACTION, "GAME-5", "a card is 0 to 51, or -1 when unknown"
    if len(cards) != count:
        return Reason.CARD_COUNT_WRONG, "DISC-2", f"{len(cards)} cards named, {count} are discarded"
    named = 0
    for card in cards:
        if card != UNKNOWN:
            bit = 1 << card
            if named & bit:
                return Reason.CARD_REPEATED, "DISC-2", "a card is named twice"
            named |= bit
    held = hand.hole[player]
    hidden = 0
    for card in cards:
        if card in held and card != UNKNOWN:
            continue
        hidden += 1
        if hidden > held.count(UNKNOWN) or (card != UNKNOWN and _is_elsewhere(hand, card)):
            return Reason.CARD_NOT_HELD, "DISC-2", f"{card_text(card)} is not held"
    return None


def _is_elsewhere(hand: Hand, card: int) -> bool:
    """Whether a known card lies in another hand, on the board, or among the discards of another (GAME-5)."""
    return card in hand.setup.deck or any([card in discarded for discarded in hand.discarded])


def late_fold_events(hand: Hand) -> list[Event]:
    """Tells everybody, clockwise, who folded by DISC-8 while the progress of the round was hidden (DISC-3)."""
    return [Event(EventKind.LATE_FOLD_SHOWN, "DISC-3", hand.setup.seats[player]) for player in sorted(hand.late_folds)]


def closing_events(hand: Hand) -> list[Event]:
    """Turns up what the game shows, clockwise, and closes the discard round (DISC-5)."""
    events = late_fold_events(hand)
    if hand.setup.rule_set.game.discard_visibility != DiscardVisibility.HIDDEN:
        for player, seat in enumerate(hand.setup.seats):
            if hand.live[player]:
                events.append(Event(EventKind.DISCARD_SHOWN, "DISC-5", seat, cards=hand.discarded[player]))
    events.append(Event(EventKind.DISCARDS_CLOSED, "DISC-1"))
    return events


def late_discard(hand: Hand, player: int) -> Event:
    """What a discard not made in time becomes (DISC-8)."""
    seat = hand.setup.seats[player]
    folds = (
        hand.setup.rule_set.discard_timeout == DiscardTimeout.FOLD
        and not hand.all_in(player)
        and not is_sole_contender(player, hand.total, hand.live)
    )
    if folds:
        return Event(EventKind.FOLDED, "DISC-8", seat, automatic=True)
    return automatic_discard(hand, player, "DISC-8")


def automatic_discard(hand: Hand, player: int, rule: str) -> Event:
    """The cards dealt last, discarded in the player's place by the rule that has it so (DISC-8, TIME-4)."""
    dealt_last = hand.hole[player][-hand.setup.rule_set.game.discards :]
    return Event(EventKind.DISCARDED, rule, hand.setup.seats[player], cards=dealt_last, automatic=True)
