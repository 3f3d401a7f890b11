"""From a hand's setup to the constants of ``IrishHand.tla``: the same options under the specification's names."""

from typing import Any

from referee.rules.ruleset import Limit
from referee.rules.setup import NOBODY, HandSetup
from spec.binding.tla_values import Record, record

LIMITS = {Limit.NO_LIMIT: "NL", Limit.POT_LIMIT: "PL", Limit.FIXED_LIMIT: "FL"}

MOST = 2**31 - 1
"""The largest number that TLC knows; it stops at an overflow."""

NO_RAKE_CAP = MOST
"""What the specification calls NoRakeCap."""


class OutsideSpecificationError(ValueError):
    """A hand that the specification does not speak of, and why."""


def constants_of(setup: HandSetup) -> dict[str, Any]:
    """Every constant of IrishHand but StackChoices, ShowsAfterEnd and Forfeits, which belong to a model, not a hand."""
    rules, stakes = setup.rule_set, setup.stakes
    game = rules.game
    rake, cap, if_flop = stakes.rake_basis_points, stakes.rake_cap, stakes.no_flop_no_drop
    if setup.recorded_rake >= 0:
        # A replay takes the recorded rake (POT-8), filled from the main pot up: all of each pot, capped at that much.
        rake, cap, if_flop = 10_000 if setup.recorded_rake else 0, setup.recorded_rake, False
    if rake * sum(setup.stacks) > MOST:
        raise OutsideSpecificationError("TLC cannot count the rake of so many chips")
    return {
        "N": len(setup.seats),
        "Limit": LIMITS[setup.limit],
        "SmallBlind": stakes.small_blind,
        "BigBlind": stakes.big_blind,
        "SmallBlindPosted": setup.small_blind_seat != NOBODY,
        "BigBet": stakes.late_bet(),
        "ChipUnit": stakes.chip_unit,
        "AnteKind": stakes.ante_kind.name,
        "Ante": stakes.ante,
        "LivePosts": _players(setup, [post.seat for post in setup.posts if post.live]),
        "DeadPosts": _players(setup, [post.seat for post in setup.posts if post.dead]),
        "HoleCards": game.hole_cards,
        "Discards": game.discards,
        "DiscardPoint": game.discard_point.name,
        "DiscardTimeout": rules.discard_timeout.name,
        "OpenFold": rules.open_fold.name,
        "MaxRaises": rules.max_raises,
        "CapHeadsUp": rules.cap_heads_up.name,
        "LateMinimum": rules.late_minimum.name,
        "ShowdownOrder": rules.showdown_order.name,
        "AllInExposure": rules.all_in_exposure.name,
        "ShowWhenBeaten": _players(setup, list(setup.show_when_beaten)),
        "RakeBasisPoints": rake,
        "RakeCap": NO_RAKE_CAP if cap < 0 else cap,
        "NoFlopNoDrop": if_flop,
    }


def constants_record(setup: HandSetup) -> Record:
    """The same as a TLA+ record."""
    return record(**constants_of(setup))


def _players(setup: HandSetup, seats: list[int]) -> frozenset[int]:
    return frozenset(setup.seats.index(seat) for seat in seats)
