"""From a row of ``spec/configurations/table.toml`` to the setups from which the engine plays the same hands."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from referee.rules.ruleset import (
    AllInExposure,
    AnteKind,
    CapHeadsUp,
    DiscardPoint,
    DiscardTimeout,
    DiscardVisibility,
    Game,
    LateMinimum,
    Limit,
    OpenFold,
    RuleSet,
    ShowdownOrder,
    Stakes,
)
from referee.rules.setup import NOBODY, HandSetup, Post
from spec.binding.constants import LIMITS, NO_RAKE_CAP, constants_of
from spec.tools.tlc import Configuration

_LIMITS = {name: limit for limit, name in LIMITS.items()}


def setups_of(configuration: Configuration) -> Iterator[HandSetup]:
    """One setup for every choice of starting stacks; players sit at seats 1, 2, 3 ... clockwise from the button."""
    constants = configuration.constants
    starts = configuration.starts or product(constants["StackChoices"], repeat=constants["N"])
    for start in starts:
        setup = _setup(constants, tuple(start))
        told = constants_of(setup)
        wrong = {name for name in told if told[name] != _frozen(constants[name])}
        assert not wrong, f"{configuration.name}: the setup does not have its {', '.join(sorted(wrong))}"
        yield setup


def _frozen(value: Any) -> Any:
    return frozenset(value) if isinstance(value, list) else value


def _setup(constants: Mapping[str, Any], start: tuple[int, ...]) -> HandSetup:
    players: int = constants["N"]
    seats = tuple(range(1, players + 1))
    small = seats[1] if players == 2 else seats[0] if constants["SmallBlindPosted"] else NOBODY
    return HandSetup(
        _rule_set(constants),
        _LIMITS[constants["Limit"]],
        _stakes(constants),
        seats,
        start,
        button_seat=seats[-1],
        small_blind_seat=small,
        big_blind_seat=seats[0] if players == 2 or small == NOBODY else seats[1],
        posts=tuple(_posts(constants, seats)),
        show_when_beaten=tuple([seats[player] for player in constants["ShowWhenBeaten"]]),
    )


def _posts(constants: Mapping[str, Any], seats: tuple[int, ...]) -> Iterator[Post]:
    for player in sorted({*constants["LivePosts"], *constants["DeadPosts"]}):
        live = constants["BigBlind"] if player in constants["LivePosts"] else 0
        dead = constants["SmallBlind"] if player in constants["DeadPosts"] else 0
        yield Post(seats[player], live, dead)


def _rule_set(constants: Mapping[str, Any]) -> RuleSet:
    late = LateMinimum[constants["LateMinimum"]]
    limits = tuple(Limit) if late == LateMinimum.BIG_BLIND else (Limit.NO_LIMIT, Limit.POT_LIMIT)
    point = DiscardPoint[constants["DiscardPoint"]]
    return RuleSet(
        "binding/configuration",
        1,
        Game(constants["HoleCards"], constants["Discards"], point, DiscardVisibility.HIDDEN),
        limits,
        showdown_order=ShowdownOrder[constants["ShowdownOrder"]],
        all_in_exposure=AllInExposure[constants["AllInExposure"]],
        open_fold=OpenFold[constants["OpenFold"]],
        cap_heads_up=CapHeadsUp[constants["CapHeadsUp"]],
        max_raises=constants["MaxRaises"],
        discard_timeout=DiscardTimeout[constants["DiscardTimeout"]],
        late_minimum=late,
    )


def _stakes(constants: Mapping[str, Any]) -> Stakes:
    return Stakes(
        constants["SmallBlind"],
        constants["BigBlind"],
        big_bet=constants["BigBet"],
        ante_kind=AnteKind[constants["AnteKind"]],
        ante=constants["Ante"],
        chip_unit=constants["ChipUnit"],
        rake_basis_points=constants["RakeBasisPoints"],
        rake_cap=-1 if constants["RakeCap"] == NO_RAKE_CAP else constants["RakeCap"],
        no_flop_no_drop=constants["NoFlopNoDrop"],
    )
