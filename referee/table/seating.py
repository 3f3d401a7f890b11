"""The table between hands: who plays the next one, who posts what to come in, who owes blinds (SEAT-1 to SEAT-5).

Pure: seats as they stand go in, the beginning of the next hand comes out. A table and its auditor ask the same.
"""

from typing import Final, NamedTuple

from referee.rules.ruleset import ButtonRule, Stakes
from referee.rules.setup import Post
from referee.table.positions import Positions, first_positions, is_between, next_positions

MIN_PLAYERS: Final = 2


class Standing(NamedTuple):
    """How a seat stands between two hands.

    ``plays`` is false for a seat that sits out or has no chips. ``is_new`` is a player who has not been dealt in yet
    (SEAT-2); ``owes_small_blind`` and ``owes_big_blind`` are blinds that a player has missed (SEAT-3). Either waits
    for the big blind, unless it ``posts``: then it comes in as soon as it may.
    """

    seat: int
    plays: bool = True
    is_new: bool = False
    owes_small_blind: bool = False
    owes_big_blind: bool = False
    posts: bool = False

    @property
    def must_enter(self) -> bool:
        """Whether the seat comes in only by the big blind, or by posting (SEAT-2, SEAT-3)."""
        return self.is_new or self.owes_small_blind or self.owes_big_blind


_SIMPLY_PLAYS: Final = Standing(0)[1:]


class Beginning(NamedTuple):
    """How a hand begins: its positions, what is posted besides the blinds, and how each seat stands then."""

    positions: Positions
    posts: tuple[Post, ...]
    standings: tuple[Standing, ...]


def can_begin(standings: tuple[Standing, ...]) -> bool:
    """Whether two players are there to be dealt in."""
    return sum([one.plays for one in standings]) >= MIN_PLAYERS


def first_players(before: Positions | None, standings: tuple[Standing, ...]) -> tuple[int, ...]:
    """The seats among which the button of a new table is drawn (SEAT-6), ascending; none where the table goes on.

    A table begins anew when nobody is left who played the hand before: then nobody waits for anybody.
    """
    if before is not None:
        for one in standings:
            if one.plays and one.seat in before.dealt_in and not one.must_enter:
                return ()
    return tuple(sorted([one.seat for one in standings if one.plays]))


def begin(
    rule: ButtonRule,
    stakes: Stakes,
    before: Positions | None,
    standings: tuple[Standing, ...],
    drawn_button: int = 0,
) -> Beginning:
    """How the next hand begins, of seats of which at least two play (:func:`can_begin`).

    ``before`` are the positions of the hand before, None for a table's first. ``drawn_button`` is the button where
    there are :func:`first_players`. Blinds are placed first, and who waits counts for the big blind alone; then those
    who post come in, where they may; then whoever the blinds have passed owes them.
    """
    if before is not None and not drawn_button and not [one for one in standings if one[1:] != _SIMPLY_PLAYS]:
        return Beginning(next_positions(rule, before, tuple([one.seat for one in standings])), (), standings)
    beginners = first_players(before, standings)
    if beginners:
        assert drawn_button in beginners, "the button is drawn among who begins"
        positions = first_positions(drawn_button, beginners)
        passed_from = Positions(positions.button, positions.button, positions.button, ())
    else:
        assert before is not None, "a table without a hand before has players who begin"
        players = tuple([one.seat for one in standings if one.plays and not one.must_enter])
        waiting = tuple([one.seat for one in standings if one.plays and one.must_enter])
        positions = next_positions(rule, before, players, waiting)
        passed_from = before
    entering = _entering(positions, standings)
    posts = tuple([post for post in [_post(one, stakes) for one in entering] if post.live or post.dead])
    if entering:
        positions = positions.with_players(tuple([one.seat for one in entering]))
    small_blind = _small_blind_passed_to(rule, passed_from, positions)
    after = [
        _entered(one) if one.seat in positions.dealt_in else _passed(one, passed_from, small_blind, positions.big_blind)
        for one in standings
    ]
    return Beginning(positions, posts, tuple(after))


def may_post(positions: Positions, seat: int) -> bool:
    """Whether a seat may come into this hand by posting (SEAT-2, SEAT-3): between the big blind and the button.

    Heads-up nobody may: of three players the third would be small blind or button, if not big blind.
    """
    return len(positions.dealt_in) > MIN_PLAYERS and is_between(positions.big_blind, seat, positions.button)


def _entering(positions: Positions, standings: tuple[Standing, ...]) -> list[Standing]:
    return [
        one
        for one in standings
        if one.plays
        and one.must_enter
        and one.posts
        and one.seat not in positions.dealt_in
        and may_post(positions, one.seat)
    ]


def _post(one: Standing, stakes: Stakes) -> Post:
    """What a seat posts to come in: of each blind at most one, the big one live, the small one dead (SEAT-3)."""
    live = stakes.big_blind if one.is_new or one.owes_big_blind else 0
    return Post(one.seat, live, stakes.small_blind if one.owes_small_blind else 0)


def _entered(one: Standing) -> Standing:
    """A seat that was dealt in: it owes nothing any more."""
    return Standing(one.seat) if one.must_enter or one.posts else one


def _small_blind_passed_to(rule: ButtonRule, before: Positions, after: Positions) -> int:
    """The seat up to which the small blind has gone: without the heads-up rule it follows the big blind."""
    follows = rule == ButtonRule.DEAD or len(after.dealt_in) == MIN_PLAYERS or len(before.dealt_in) == MIN_PLAYERS
    return before.big_blind if follows and before.dealt_in else after.small_blind_position


def _passed(one: Standing, before: Positions, small_blind: int, big_blind: int) -> Standing:
    """A seat that was not dealt in, and owes the blinds that have passed it; one that is new owes none yet.

    Who would play but may not sit here yet has missed nothing.
    """
    if one.is_new or (one.plays and not one.must_enter):
        return one
    missed_small = one.seat == small_blind or is_between(before.small_blind_position, one.seat, small_blind)
    missed_big = is_between(before.big_blind, one.seat, big_blind)
    if not (missed_small or missed_big):
        return one
    return one._replace(
        owes_small_blind=one.owes_small_blind or missed_small, owes_big_blind=one.owes_big_blind or missed_big
    )
