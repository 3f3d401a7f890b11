"""A contest's hand as PHH."""

from dataclasses import replace
from fractions import Fraction
from typing import Final

from referee.record.hand_record import HandRecord, RecordedResult, RecordedStep, Step
from referee.record.notation import write_phh
from referee.rules.events import Event, EventKind
from referee.rules.settlement import settlement
from referee.rules.setup import deck_from, hole_of
from referee.rules.state import Hand

_STEPS: Final = {
    EventKind.FOLDED: Step.FOLD,
    EventKind.CHECKED: Step.CHECK_OR_CALL,
    EventKind.CALLED: Step.CHECK_OR_CALL,
    EventKind.BET: Step.BET_OR_RAISE,
    EventKind.RAISED: Step.BET_OR_RAISE,
    EventKind.DISCARDED: Step.DISCARD,
    EventKind.BOARD_DEALT: Step.BOARD,
    EventKind.HAND_SHOWN: Step.SHOW,
    EventKind.HAND_MUCKED: Step.MUCK,
}
_WAGERS: Final = (EventKind.BET, EventKind.RAISED)


def hand_phh(name: str, hand: Hand, events: tuple[Event, ...], players: tuple[str, ...]) -> str:
    """A finished hand as the text of a ``.phh`` file; "" for a game or rule set that PHH has no form for.

    ``players`` are by seat, from seat 1. What the clock did stands as if the player had done it; a fold
    of a forfeited hand, which might have been a check, says so (TIME-4).
    """
    setup = hand.setup
    steps = tuple(
        [
            RecordedStep(_step(event), event.seat, event.to if event.kind in _WAGERS else 0, cards=event.cards)
            for event in _listed(events, setup.seats)
            if event.kind in _STEPS
        ]
    )
    holes = tuple([hole_of(setup, player) for player in range(len(setup.seats))])
    record = HandRecord(
        replace(
            setup,
            deck=deck_from(setup.rule_set.game.hole_cards, holes, hand.board),
            show_when_beaten=tuple(sorted({event.seat for event in events if event.kind is EventKind.HAND_SHOWN})),
            recorded_rake=hand.rake,
            hand_id=name,
        ),
        steps,
        RecordedResult(
            tuple([Fraction(stack) for stack in hand.stack]),
            tuple([Fraction(paid) for paid in hand.paid]),
            sum([pot.amount for pot in settlement(hand).pots]),
            hand.rake,
        ),
        tuple([players[seat - 1] for seat in setup.seats]),
        "phh",
        rule_set_named=True,
    )
    try:
        return write_phh(record)
    except ValueError:
        return ""


def _step(event: Event) -> Step:
    is_forfeit = event.kind is EventKind.FOLDED and event.rule == "TIME-4"
    return Step.FORFEIT if is_forfeit else _STEPS[event.kind]


def _listed(events: tuple[Event, ...], seats: tuple[int, ...]) -> list[Event]:
    """The events with the discards of a round clockwise, in whatever order they came in (DISC-3)."""
    discards = sorted([one for one in events if one.kind is EventKind.DISCARDED], key=lambda one: seats.index(one.seat))
    clockwise = iter(discards)
    return [next(clockwise) if one.kind is EventKind.DISCARDED else one for one in events]
