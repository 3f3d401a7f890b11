"""What a seat may see: one pure function, used for streams, reviews and exports alike (DEAL-4, DISC-3, DISC-5).

The auditor sees the events themselves. Everybody else sees them through :func:`view`, which hides cards or, where
even the fact is secret, the whole event.
"""

from typing import Final

from referee.rules.cards import UNKNOWN
from referee.rules.events import Event, EventKind
from referee.rules.ruleset import RuleSet
from referee.rules.state import Hand, Shown

PUBLIC: Final = 0
"""The viewer that is no seat: spectators, and what everybody may know."""


def view(event: Event, viewer: int, rule_set: RuleSet) -> Event | None:
    """The event as the seat ``viewer`` (or PUBLIC) may see it; None when not even its happening may be seen.

    Hole cards and discards are seen by their owner only (DEAL-4, DISC-5): others see how many there are. With
    ``hide_discard_progress`` neither a discard nor a fold by DISC-8 is seen until the round closes (DISC-3). Hands
    shown, discards turned up, the board and all chips are public; a mucked hand's event never carried cards (SHOW-8).
    """
    if event.seat == viewer:
        return event
    in_discard_round = event.kind == EventKind.DISCARDED or (event.kind == EventKind.FOLDED and event.rule == "DISC-8")
    if in_discard_round and rule_set.hide_discard_progress:
        return None
    if event.kind not in (EventKind.HOLE_DEALT, EventKind.DISCARDED):
        return event
    hidden = (UNKNOWN,) * len(event.cards)
    return Event(  # every field by hand, since this is done for every hand of every viewer
        event.kind,
        event.rule,
        event.seat,
        event.amount,
        event.to,
        hidden,
        event.pot,
        event.all_in,
        event.automatic,
    )


def review(hand: Hand, viewer: int) -> dict[int, tuple[int, ...]]:
    """The kept cards by seat that a viewer may look up once the hand is over (SHOW-8); empty before.

    Players dealt into the hand may look up every hand that was live at the showdown, shown or mucked, and always
    their own; anybody may look up a hand that was shown. Folded hands and discards are never in it.
    """
    if not hand.has_ended():
        return {}
    dealt_in = viewer in hand.setup.seats
    showdown = hand.live_count > 1
    seen: dict[int, tuple[int, ...]] = {}
    for player, seat in enumerate(hand.setup.seats):
        if hand.shown[player] == Shown.SHOWN or seat == viewer or (dealt_in and showdown and hand.live[player]):
            seen[seat] = hand.kept[player]
    return seen
