"""What a round is worth, and what a game is: pure arithmetic on counts and accounts (KOZ-8 to KOZ-16)."""

from enum import IntEnum
from typing import Final, NamedTuple

from referee.kozel.events import (
    ACCOUNT_OPENED,
    CARRY_GIVEN,
    POINTS_REMEMBERED,
    POINTS_SCORED,
    REMEMBERED_CLEARED,
    SUM_CARRIED,
    EventKind,
)
from referee.kozel.ruleset import FishScoring, RuleSet
from referee.kozel.setup import Account
from referee.kozel.tiles import BLANK, pips_of

NO_PLAYER: Final = -1


class Ending(IntEnum):
    """How a round ended (KOZ-6, KOZ-17)."""

    NOT_YET = 0
    OUT = 1
    FISH = 2
    TIMEOUT = 3


class Entry(NamedTuple):
    """One line of what a round's end does to a player's account, or to the carry (player -1)."""

    kind: EventKind
    rule: str
    player: int
    points: int
    total: int


def count_of(tiles: tuple[int, ...], rule_set: RuleSet) -> int:
    """What a hand counts: its pips, but 0-0 as the only tile counts 10 (KOZ-8)."""
    return rule_set.lone_blank if tiles == (BLANK,) else pips_of(tiles)


def highest_player(counts: tuple[int, ...]) -> int:
    """The single player whose hand counts most, or -1 when several do (KOZ-13, KOZ-14)."""
    most = max(counts)
    return counts.index(most) if counts.count(most) == 1 else NO_PLAYER


def entries_of(
    rule_set: RuleSet,
    accounts: tuple[Account, ...],
    carry: int,
    ending: Ending,
    winner: int,
    counts: tuple[int, ...],
) -> tuple[Entry, ...]:
    """Every entry of a scored round, in the order of players; the carry's come first and last.

    ``winner`` went out or made the fish, and ``counts`` are what the hands count at the end.
    """
    highest = highest_player(counts)
    on_one = ending is Ending.FISH and rule_set.fish_scoring is FishScoring.ON_ONE
    if on_one and highest == NO_PLAYER:
        total = sum(counts)
        return (Entry(SUM_CARRIED, "KOZ-14", NO_PLAYER, total, carry + total),)
    sums = list(counts)
    if on_one:
        sums = [sum(counts) if player == highest else 0 for player in range(len(counts))]
    entries: list[Entry] = []
    if carry and highest != NO_PLAYER:
        sums[highest] += carry
        entries.append(Entry(CARRY_GIVEN, "KOZ-14", highest, carry, 0))
    for player, account in enumerate(accounts):
        if sums[player]:
            entries.append(_credit(rule_set, account, player, sums[player]))
        elif (on_one or (ending is Ending.OUT and player == winner)) and account.remembered:
            rule = "KOZ-13" if on_one else "KOZ-11"
            entries.append(Entry(REMEMBERED_CLEARED, rule, player, account.remembered, 0))
    return tuple(entries)


def _credit(rule_set: RuleSet, account: Account, player: int, points: int) -> Entry:
    """A round's sum on an account: remembered, opening it, or scored (KOZ-9, KOZ-10)."""
    if account.is_open:
        return Entry(POINTS_SCORED, "KOZ-10", player, points, account.score + points)
    if points <= rule_set.remembered_to:
        return Entry(POINTS_REMEMBERED, "KOZ-9", player, points, account.remembered + points)
    return Entry(ACCOUNT_OPENED, "KOZ-10", player, points, account.remembered + points)


def losers_of(scores: tuple[int, ...], ends_at: int) -> tuple[int, ...]:
    """The players who have lost: those with the highest score once it has reached the end; nobody before (KOZ-15)."""
    most = max(scores)
    return tuple([player for player, score in enumerate(scores) if score == most]) if most >= ends_at else ()


def rating_of(score: int) -> int:
    """The rating of somebody who has not lost: (100 - score) / 10 rounded half up, never below 0 (KOZ-16)."""
    return max(0, (105 - score) // 10)


def timeout_rating_of(score: int, late_score: int) -> int:
    """The rating beside a player who was out of time with ``late_score``: at least 1 (KOZ-16)."""
    return max(1, (late_score - score + 5) // 10)
