"""Showdowns of room texts: from contributions and cards alone, pots and winners come out as recorded."""

import pytest

from referee.rules.pots import Pot, best_of, form_pots, rake_of, shares
from referee.rules.ranking import strength
from referee.rules.ruleset import Stakes
from tests.corpora.corpus import RoomShowdown, needs_corpora, room_showdowns

pytestmark = needs_corpora

ODD_CHIP_ORDER = {6, 134, 137}
"""Lines where one chip of a shared pot does not divide: who gets it depends on the button (POT-6), which the texts
leave out."""

RAKE_BY_POT = {53}
"""Lines where the room took the recorded rake from several pots, and POT-8 takes a recorded rake from the main pot
first."""

CARD_TWICE = {218}
"""Lines that show a card twice (GAME-5): a player who had folded shows cards that two others hold. Folded hands decide
nothing, so the rest can be compared."""

RAKE_OFF = Stakes(1, 2)


def live(showdown: RoomShowdown) -> list[bool]:
    return [not folded for folded in showdown.folded]


def strengths(showdown: RoomShowdown) -> list[int]:
    return [
        -1 if folded else strength(hole + showdown.board)
        for hole, folded in zip(showdown.holes, showdown.folded, strict=True)
    ]


def pots(showdown: RoomShowdown) -> list[Pot]:
    return form_pots(list(showdown.contributed), live(showdown), 0)


def award(showdown: RoomShowdown) -> tuple[list[int], bool]:
    """What each player gets after the recorded rake, and whether a chip did not divide."""
    got, odd = [0] * len(showdown.stacks), False
    formed = pots(showdown)
    for pot, rake in zip(formed, rake_of(formed, RAKE_OFF, True, showdown.rake), strict=True):
        winners = best_of(pot.eligible, strengths(showdown))
        parts = shares(pot.amount - rake, winners, 1)
        odd = odd or len(set(parts)) > 1
        for player, part in zip(winners, parts, strict=True):
            got[player] += part
    return got, odd


@pytest.mark.rule("POT-1", "POT-3", "POT-4")
def test_pots_are_as_recorded() -> None:
    assert len(room_showdowns()) == 224
    for showdown in room_showdowns():
        formed = [(pot.amount, tuple(sorted(pot.eligible))) for pot in pots(showdown)]
        assert formed == list(showdown.pots), showdown.line
        assert sum(amount for amount, _ in formed) == showdown.total == sum(showdown.contributed), showdown.line


@pytest.mark.rule("POT-7", "POT-8")
def test_what_is_collected_and_the_rake_make_the_total() -> None:
    for showdown in room_showdowns():
        assert sum(showdown.collected) + showdown.rake == showdown.total, showdown.line


@pytest.mark.rule("POT-5", "RANK-1", "RANK-2", "RANK-3", "RANK-4")
def test_winners_are_as_recorded() -> None:
    for showdown in room_showdowns():
        winners = {player for pot in pots(showdown) for player in best_of(pot.eligible, strengths(showdown))}
        assert winners == {player for player, amount in enumerate(showdown.collected) if amount}, showdown.line


@pytest.mark.rule("POT-6", "POT-8")
def test_shares_are_as_recorded_apart_from_odd_chips_and_the_spread_of_rake() -> None:
    odd_chips, rake_by_pot = set(), set()
    for showdown in room_showdowns():
        got, odd = award(showdown)
        recorded = list(showdown.collected)
        if odd:
            odd_chips.add(showdown.line)
            assert sorted(got) == sorted(recorded), showdown.line
        elif got != recorded:
            rake_by_pot.add(showdown.line)
            assert is_rake_spread(showdown), showdown.line
    assert (odd_chips, rake_by_pot) == (ODD_CHIP_ORDER, RAKE_BY_POT)


def is_rake_spread(showdown: RoomShowdown) -> bool:
    """Whether every pot has one winner and what the winners miss of their pots is the rake, taken from each pot."""
    formed = pots(showdown)
    winners = [best_of(pot.eligible, strengths(showdown)) for pot in formed]
    if len(formed) < 2 or any(len(sharing) > 1 for sharing in winners):
        return False
    missing = [
        sum(pot.amount for pot, sharing in zip(formed, winners, strict=True) if sharing == (player,)) - amount
        for player, amount in enumerate(showdown.collected)
    ]
    return min(missing) >= 0 and sum(missing) == showdown.rake and sum(part > 0 for part in missing) > 1


@pytest.mark.rule("GAME-5")
def test_cards_are_shown_once_apart_from_a_folded_hand() -> None:
    twice = set()
    for showdown in room_showdowns():
        in_play = [
            card for hole, folded in zip(showdown.holes, showdown.folded, strict=True) if not folded for card in hole
        ]
        assert len(set(in_play + list(showdown.board))) == len(in_play) + len(showdown.board)
        everything = [card for hole in showdown.holes for card in hole] + list(showdown.board)
        if len(set(everything)) != len(everything):
            twice.add(showdown.line)
    assert twice == CARD_TWICE
