"""Puts together what a record lets be known of each player's hole cards: dealt, discarded, shown."""

from collections.abc import Iterable

from referee.record.hand_record import RecordedStep, Step
from referee.rules.cards import UNKNOWN
from referee.rules.setup import HandSetup, hole_of
from referee.rules.state import without


def merged(hole: tuple[int, ...], seen: Iterable[int]) -> tuple[int, ...]:
    """The hole cards with cards that were seen later put in the places of unknown ones.

    A seen card for which there is no place left contradicts the deal; it is left to the judge.
    """
    cards = list(hole)
    for card in seen:
        if card != UNKNOWN and card not in cards and UNKNOWN in cards:
            cards[cards.index(UNKNOWN)] = card
    return tuple(cards)


def merged_with_steps(
    holes: dict[int, tuple[int, ...]], steps: Iterable[RecordedStep], kept_cards: int
) -> tuple[dict[int, tuple[int, ...]], tuple[RecordedStep, ...]]:
    """Hole cards by seat with discards and shown cards merged in, and the steps with discards that follow from them.

    Where all hole cards and the kept ones are known, so are the discards: a step that hides them is completed.
    """
    listed = tuple(steps)
    known = dict(holes)
    shown: dict[int, tuple[int, ...]] = {}
    has_discards = False
    for step in listed:
        what, seat = step.step, step.seat
        if not (what is Step.SHOW or what is Step.MUCK or what is Step.DISCARD) or seat not in known:
            continue
        has_discards = has_discards or what is Step.DISCARD
        if UNKNOWN in known[seat]:
            known[seat] = merged(known[seat], step.cards)
        if what is Step.SHOW and len(step.cards) == kept_cards:
            shown[seat] = step.cards
    if not has_discards:
        return known, listed
    return known, tuple(_completed(step, known, shown) for step in listed)


def _completed(
    step: RecordedStep, known: dict[int, tuple[int, ...]], shown: dict[int, tuple[int, ...]]
) -> RecordedStep:
    hole, kept = known.get(step.seat, ()), shown.get(step.seat, ())
    if step.step != Step.DISCARD or not kept or UNKNOWN not in step.cards or UNKNOWN in hole + kept:
        return step
    rest = tuple(card for card in hole if card not in kept)
    fits = len(rest) == len(step.cards) and all(card in rest or card == UNKNOWN for card in step.cards)
    return RecordedStep(step.step, step.seat, cards=rest, line=step.line, text=step.text) if fits else step


def shown_seats(steps: Iterable[RecordedStep]) -> tuple[int, ...]:
    """The seats that a record says showed their hand, by number: their preset shows a beaten hand (SHOW-2)."""
    return tuple(sorted({step.seat for step in steps if step.step is Step.SHOW}))


def gave_up_seats(steps: Iterable[RecordedStep], setup: HandSetup) -> tuple[int, ...]:
    """The seats that mucked at the showdown a hand whose kept cards nobody knows, by number."""
    listed = list(steps)
    dealt = len(setup.seats) * setup.rule_set.game.hole_cards
    if setup.deck and UNKNOWN not in setup.deck[:dealt]:
        return ()
    folded = {step.seat for step in listed if step.step == Step.FOLD}
    if len(setup.seats) - len(folded) < 2:
        return ()
    holes = hole_cards(setup)
    for step in listed:
        if step.step == Step.DISCARD and step.seat in holes:
            holes[step.seat] = kept_after(holes[step.seat], step.cards)
    mucked = {step.seat for step in listed if step.step == Step.MUCK} - folded
    return tuple(seat for seat in sorted(mucked) if seat in holes and UNKNOWN in holes[seat])


def kept_after(hole: tuple[int, ...], discards: tuple[int, ...]) -> tuple[int, ...]:
    """What is kept of hole cards; all of them when the discards cannot be among them."""
    try:
        return without(hole, discards)
    except ValueError:
        return hole


def hole_cards(setup: HandSetup) -> dict[int, tuple[int, ...]]:
    """Each seat's hole cards as the setup's deck deals them."""
    return {seat: hole_of(setup, player) for player, seat in enumerate(setup.seats)}
