"""Blinds, antes and posts of a PHH hand as the rulebook has them (BLIND, SEAT-3), and what it has no form for.

PHH lists them by player, p1 first, who sits left of the button. Heads-up p1 is the big blind and p2 the button; the
lists are usually given small blind first even then, so both orders are read. What the rulebook cannot express is
refused by name:

- straddles: a third blind above 0. (A negative entry is a post: a live bet of the big blind.)
- antes of different sizes, and equal antes that are dead money where a player cannot pay his in full: a short ante
  would then compete for all antes, while BLIND-5 layers it. Where everybody pays in full the two come to the same.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from referee.record.notation.amounts import ONE, whole_chips
from referee.record.notation.phh_fields import SMALL_BLIND, Amount, Fields
from referee.rules.ruleset import AnteKind, Limit
from referee.rules.setup import NOBODY, Post


@dataclass(frozen=True)
class Posting:
    """What is posted, in chips; seats are those of the setup."""

    small_blind: int
    big_blind: int
    small_blind_seat: int
    big_blind_seat: int
    posts: tuple[Post, ...]
    ante_kind: AnteKind
    ante: int


@dataclass(frozen=True)
class _Blinds:
    small: int
    big: int
    small_player: int
    big_player: int
    live_posts: tuple[int, ...] = ()


NO_PLAYER = -1


def read_posting(
    fields: Fields, unit: Decimal, seats: tuple[int, ...], stacks: tuple[int, ...], limit: Limit
) -> Posting:
    """Reads blinds, posts and antes; raises NotationError for what the rulebook does not know."""
    amounts, antes = fields.amounts("blinds_or_straddles", len(seats)), fields.amounts("antes", len(seats))
    trimming = fields.values.get("ante_trimming_status", False)
    if unit is not ONE or any(antes) or SMALL_BLIND in fields or not isinstance(trimming, bool):
        return _read_posting(fields, unit, seats, stacks, limit)
    # Without antes stacks do not matter, and hands of an archive mostly share their blinds.
    key = (tuple(amounts), seats, limit)
    known = _REMEMBERED.get(key)
    if known is None:
        known = _read_posting(fields, unit, seats, stacks, limit)
        if len(_REMEMBERED) >= _REMEMBERED_POSTINGS:
            _REMEMBERED.clear()
        _REMEMBERED[key] = known
    return known


_REMEMBERED: Final[dict[tuple[tuple[Amount, ...], tuple[int, ...], Limit], Posting]] = {}
_REMEMBERED_POSTINGS: Final = 1_024


def _read_posting(
    fields: Fields, unit: Decimal, seats: tuple[int, ...], stacks: tuple[int, ...], limit: Limit
) -> Posting:
    players = len(seats)
    key = "blinds_or_straddles"
    entries = [whole_chips(amount, unit) for amount in fields.amounts(key, players)]
    if players == 2:
        blinds = _heads_up(fields, entries)
    else:
        blinds = _ring(fields, entries, _named_small_blind(fields, unit), limit)
    kind, ante, dead = _antes(fields, unit, blinds, stacks, entries)
    posts = [
        Post(seats[player], blinds.big if player in blinds.live_posts else 0, blinds.small if player in dead else 0)
        for player in range(players)
        if player in blinds.live_posts or player in dead
    ]
    return Posting(
        blinds.small,
        blinds.big,
        NOBODY if blinds.small_player == NO_PLAYER else seats[blinds.small_player],
        seats[blinds.big_player],
        tuple(posts),
        kind,
        ante,
    )


def _heads_up(fields: Fields, entries: list[int]) -> _Blinds:
    """p1 is the big blind, p2 the button and small blind, whichever way round the amounts are listed."""
    small, big = min(entries), max(entries)
    if small < 0 or big == 0:
        fields.fail("blinds_or_straddles", "expected a small blind of 0 or more and a big blind above 0")
    return _Blinds(small, big, 1, 0)


def _named_small_blind(fields: Fields, unit: Decimal) -> int | None:
    if SMALL_BLIND not in fields:
        return None
    try:
        return whole_chips(fields.amount(SMALL_BLIND), unit)
    except ValueError as error:
        fields.fail(SMALL_BLIND, f"expected whole chips: {error}")


def _ring(fields: Fields, entries: list[int], named_small: int | None, limit: Limit) -> _Blinds:
    """Three players or more: small blind, big blind, then posts; or a big blind alone (SEAT-1, a dead small blind).

    A first entry of 0 before a big blind is a game without a small blind: p1 sits there and posts nothing. A big
    blind as the first entry with nothing after it means that nobody posts the small blind; its size, which counts
    only for pot-limit (SIZE-4) and dead posts, is half the big blind unless the field ``_small_blind`` says more.
    """
    key = "blinds_or_straddles"
    first, second = entries[0], entries[1]
    if second > 0 and 0 <= first <= second:
        blinds = _Blinds(first, second, 0, 1)
    elif second <= 0 < first:
        half, odd = divmod(first, 2)
        if named_small is None and odd and limit == Limit.POT_LIMIT:
            fields.fail(key, f"expected the field {SMALL_BLIND}: nobody posts it, and half of {first} is not whole")
        blinds = _Blinds((0 if odd else half) if named_small is None else named_small, first, NO_PLAYER, 0)
    else:
        fields.fail(key, "expected the small blind first, 0 or more, and then the big blind, not smaller")
    posted = [player for player, entry in enumerate(entries) if entry and player > blinds.big_player]
    for player in posted:
        if entries[player] > 0:
            fields.fail(
                key,
                f"p{player + 1} straddles, which the rulebook does not know; "
                f"a post of the big blind is written as a negative entry, -{blinds.big} in chips",
            )
        if entries[player] != -blinds.big:
            fields.fail(key, f"p{player + 1} posts {-entries[player]} chips; a live post is the big blind (SEAT-3)")
    return _Blinds(blinds.small, blinds.big, blinds.small_player, blinds.big_player, tuple(posted))


def _antes(
    fields: Fields, unit: Decimal, blinds: _Blinds, stacks: tuple[int, ...], entries: list[int]
) -> tuple[AnteKind, int, tuple[int, ...]]:
    """The ante, and the players whose ante is a dead small blind."""
    antes = [whole_chips(amount, unit) for amount in fields.amounts("antes", len(stacks))]
    if min(antes) < 0:
        fields.fail("antes", "expected antes of 0 or more")
    if len(stacks) == 2 and entries[0] <= entries[1]:  # Listed by blind, as the blinds are.
        antes.reverse()
    trimmed = fields.flag("ante_trimming_status", False)
    if not any(antes):
        return AnteKind.NONE, 0, ()
    if len(set(antes)) == 1:
        if not trimmed and min(stacks) < antes[0]:
            fields.fail("antes", "a short ante that competes for all antes: the rulebook has no such ante (BLIND-5)")
        return AnteKind.EACH, antes[0], ()
    if trimmed:
        fields.fail("antes", "antes of different sizes that are not dead money: the rulebook has none such (BLIND-5)")
    dead = tuple(player for player, ante in enumerate(antes) if ante and player != blinds.big_player)
    for player in dead:
        if player == blinds.small_player or antes[player] != blinds.small:
            fields.fail("antes", "antes of different sizes: the rulebook has none such (BLIND-5)")
    ante = antes[blinds.big_player]
    return (AnteKind.BIG_BLIND if ante else AnteKind.NONE), ante, dead
