"""`referee match`: bots play one another in this process, and the verdict is told with its interval."""

import multiprocessing
import os
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table as Grid

from referee.bots import ALL_BOTS
from referee.cli.output import AsJson, Exit, err, out, print_json, progress
from referee.contest.bot_files import bot_maker
from referee.contest.in_process import HomeGame, PlayedTable, play_table
from referee.contest.results import AppliedFault, HandResult, largest
from referee.contest.schedule import Match, TablePlan, tables_of
from referee.contest.settings import KOZEL, ContestFileError, GameSettings, ScheduleSettings, parse_contest
from referee.contest.statistics.sprt import Answer, Sprt
from referee.contest.statistics.standings import Options, Standings, standings
from referee.contest.statistics.units import Way
from referee.contest.verdict import Verdict, sequential, verdict

CONTEST = "match"
IRISH = "irish/full-tilt@1"
TOLD_POTS = 5


@dataclass
class _Played:
    """What came of a match."""

    results: list[HandResult] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    raised: dict[str, str] = field(default_factory=dict)

    def add(self, table: PlayedTable, plan: TablePlan) -> None:
        self.results.extend(table.hands)
        self.texts.update({f"{plan.name}-{number}": text for number, text in table.texts.items() if text})
        for name, text in table.raised.items():
            self.raised.setdefault(name, text)


def command(
    bots: Annotated[
        list[str],
        typer.Argument(help=f"Two or more: FILE.py, FILE.py:NAME, or {', '.join(ALL_BOTS)}.", metavar="BOT..."),
    ],
    hands: Annotated[int, typer.Option(min=1, max=10_000_000, help="Hands in all; of Kozel games.")] = 2_000,
    duplicate: Annotated[bool, typer.Option(help="Play the same decks in every seating of the bots.")] = False,
    seed: Annotated[str, typer.Option(help="64 hexadecimal digits that decide all cards; drawn if not given.")] = "",
    block_hands: Annotated[
        int, typer.Option(min=1, help="Hands of a deal block, the unit of the statistics; of Kozel a game is one.")
    ] = 10,
    rules: Annotated[str, typer.Option(help="Rule set, such as irish/tda@1 or kozel/on-one@1.")] = "",
    game: Annotated[
        Path | None, typer.Option(help="A contest file whose [game] is played; else no-limit Irish, 200 big blinds.")
    ] = None,
    sprt: Annotated[
        float, typer.Option(min=0, help="Stop as soon as it is clear whether the first is better by so many bb/100.")
    ] = 0.0,
    confidence: Annotated[float, typer.Option(min=0.5, max=0.999, help="Confidence of the intervals.")] = 0.95,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 takes one for each processor.")] = 0,
    phh: Annotated[
        Path | None, typer.Option(help="Write every hand to this .phhs file; games of Kozel in their notation.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play one another without a server, and say who is better, how sure that is, and why.

    The same seed repeats a match exactly if the bots do. Exit code 0: decided; 1: undecided; 2: cannot be played.
    """
    if len(bots) < 2:
        raise typer.BadParameter("a match needs two bots or more", param_hint="BOT...")
    names = _named(bots)
    try:
        settings = _settings(rules, len(bots)) if game is None else _game_of(game)
        home = _home(settings, seed, dict(zip(names, bots, strict=True)))
    except (OSError, ContestFileError, ValueError) as wrong:
        err.print(str(wrong), markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    block_hands = 1 if settings.is_kozel else block_hands
    seatings = len(bots) if duplicate else 1
    schedule = ScheduleSettings(
        seatings="rotations" if duplicate else "single",
        hands=-(-hands // (seatings * block_hands)) * block_hands,
        block_hands=block_hands,
    )
    plans = sorted(tables_of(Match(1, 1, names), schedule), key=lambda plan: (plan.number, plan.seating))
    test = Sprt(sprt) if sprt else None
    played, answer = _play(home, plans, names, workers, test, phh is not None, not as_json)
    options = Options(confidence)
    found = (
        _verdict(played.results, names, settings, duplicate, options)
        if len(names) == 2
        else standings(played.results, names, settings.unit, options)
    )
    if phh is not None:
        texts = played.texts.values()
        listed = texts if settings.is_kozel else [f"[{at}]\n{text}" for at, text in enumerate(texts, 1)]
        phh.write_text("\n".join(listed))
    if as_json:
        print_json(_as_dict(found, answer, played, home, duplicate))
    else:
        _print(found, answer, played, home)
    if isinstance(found, Verdict) and not found.is_decided:
        raise typer.Exit(Exit.DISAGREES)


def _settings(rules: str, players: int) -> GameSettings:
    """The game of a rule set: of poker no-limit for 200 big blinds."""
    if rules.startswith(KOZEL):
        settings = GameSettings(rule_set=rules, seats=players)
        most = settings.kozel_rules().max_seats()
        if players > most:
            raise ValueError(f"{players} bots; {rules} is for 2 to {most}")
        return settings
    settings = GameSettings(rule_set=rules or IRISH, small_blind=50, big_blind=100, stack=20_000)
    settings.rules()
    return settings


def _verdict(
    results: Sequence[HandResult], names: Sequence[str], game: GameSettings, duplicate: bool, options: Options
) -> Verdict:
    found = verdict(results, names[0], names[1], game.unit, duplicate, options)
    return replace(found, unit="rating/100", played="games") if game.is_kozel else found


def _named(bots: Sequence[str]) -> tuple[str, ...]:
    """A name for each bot, short and different from the others."""
    names: list[str] = []
    for bot in bots:
        plain = Path(bot.partition(":")[0]).stem if ".py" in bot else bot
        name = plain if bot.partition(":")[2] == "" else f"{plain}:{bot.partition(':')[2]}"
        count = sum([one == name or one.startswith(f"{name} #") for one in names])
        names.append(name if not count else f"{name} #{count + 1}")
    return tuple(names)


def _game_of(path: Path) -> GameSettings:
    return parse_contest(path.read_text(encoding="utf-8"), str(path)).game


def _home(game: GameSettings, seed: str, bots: dict[str, str]) -> HomeGame:
    written = seed or secrets.token_hex(32)
    if len(written) != 64 or not all([digit in "0123456789abcdefABCDEF" for digit in written]):
        raise ValueError(f"--seed {seed}: expected 64 hexadecimal digits")
    for bot in bots.values():
        bot_maker(bot, "kozel" if game.is_kozel else "poker")
    seeds = {name: at for at, name in enumerate(bots, 1)}
    return HomeGame(game, CONTEST, bytes.fromhex(written), bots, seeds)


def _play(
    home: HomeGame,
    plans: Sequence[TablePlan],
    names: Sequence[str],
    workers: int,
    test: Sprt | None,
    keep_all: bool,
    shown: bool,
) -> tuple[_Played, Answer | None]:
    """Plays the tables in order; with a test only until it has an answer, which does not depend on who was faster."""
    played = _Played()
    answer: Answer | None = None
    with progress("hands", sum([plan.hands for plan in plans]), shown) as step:
        for plan, table in zip(plans, _tables(home, plans, workers, keep_all), strict=False):
            played.add(table, plan)
            for _ in table.hands:
                step()
            is_whole = plan.seating == len({one.seating for one in plans}) - 1
            if test is not None and is_whole and len(names) == 2:
                answer, _ = sequential(played.results, names[0], names[1], home.game.unit, test)
                if answer is not Answer.OPEN:
                    break
    return played, answer


def _tables(home: HomeGame, plans: Sequence[TablePlan], workers: int, keep_all: bool) -> Iterator[PlayedTable]:
    play = partial(play_table, home, keep_texts=_every if keep_all else _Big(home.game))
    count = min(workers or os.cpu_count() or 1, len(plans))
    if count == 1:
        yield from map(play, plans)
        return
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield from pool.map(play, plans, chunksize=1)
        finally:
            pool.shutdown(cancel_futures=True)


def _every(_: HandResult) -> bool:
    return True


@dataclass(frozen=True)
class _Big:
    """Which hands may be among the largest: a whole stack was in it."""

    game: GameSettings

    def __call__(self, one: HandResult) -> bool:
        return one.pot >= self.game.stack


def _faults(results: Sequence[HandResult]) -> dict[AppliedFault, int]:
    counts: dict[AppliedFault, int] = {}
    for one in results:
        for fault in one.faults:
            alone = fault._replace(times=1)
            counts[alone] = counts.get(alone, 0) + fault.times
    return counts


def _print(found: Verdict | Standings, answer: Answer | None, played: _Played, home: HomeGame) -> None:
    if isinstance(found, Verdict):
        out.print(found.sentence(), markup=False)
        for way, rate in found.rates.items():
            told = f"{rate.value:+9.1f} {_unit(home.game, way)}   {rate.low:+9.1f} to {rate.high:+9.1f}"
            error = f"error {rate.error:7.1f}   {rate.units} units"
            out.print(f"  {_called(home.game, way):10} {told}   {error}", markup=False)
    else:
        grid = Grid("rank", "bot", _unit(home.game, Way.DUPLICATE), "interval", "P(first)")
        for rank, row in enumerate(found.rows, 1):
            spread = f"{row.rate.low:+.1f} to {row.rate.high:+.1f}"
            grid.add_row(str(rank), row.name, f"{row.rate.value:+.1f}", spread, f"{row.ranks[0]:.0%}")
        out.print(grid)
    if answer is not None:
        what = "games" if home.game.is_kozel else "hands"
        out.print(f"test: {answer.value} after {len(played.results)} {what}", markup=False)
    out.print(f"seed {home.seed.hex()}", markup=False)
    for fault, times in _faults(played.results).items():
        out.print(f"fault: {fault.name}: {fault.kind} {times} times, {fault.rule} {fault.reason}", markup=False)
    for name, text in played.raised.items():
        out.print(f"{name} raised first:\n{text.rstrip()}", markup=False)
    for one in largest(played.results, TOLD_POTS):
        nets = ", ".join([f"{name} {net:+d}" for name, net in zip(one.names, one.nets, strict=True)])
        out.print(f"pot of {one.pot} in hand {one.name}: {nets}", markup=False)


def _called(game: GameSettings, way: Way) -> str:
    """A way of reckoning: where luck is taken out at poker, Kozel counts points instead of ratings."""
    return "points" if game.is_kozel and way is Way.ADJUSTED else way.value


def _unit(game: GameSettings, way: Way) -> str:
    if not game.is_kozel:
        return "bb/100"
    return "points/100" if way is Way.ADJUSTED else "rating/100"


def _as_dict(
    found: Verdict | Standings, answer: Answer | None, played: _Played, home: HomeGame, duplicate: bool
) -> dict[str, Any]:
    values: dict[str, Any] = {"seed": home.seed.hex(), "hands": len(played.results), "duplicate": duplicate}
    if isinstance(found, Verdict):
        values |= {"one": found.one, "other": found.other, "decided": found.is_decided, "verdict": found.sentence()}
        values["rates"] = {_called(home.game, way): _rate(found.rates[way]) for way in Way}
    else:
        values["standings"] = [
            {"name": row.name, "chips": row.chips, "ranks": row.ranks} | {"rate": _rate(row.rate)} for row in found.rows
        ]
    if answer is not None:
        values["test"] = answer.value
    values["faults"] = [one._replace(times=times)._asdict() for one, times in _faults(played.results).items()]
    values["largest_pots"] = [
        {"hand": one.name, "pot": one.pot, "nets": dict(zip(one.names, one.nets, strict=True))}
        | {"phh": played.texts.get(one.name, "")}
        for one in largest(played.results, TOLD_POTS)
    ]
    return values


def _rate(rate: Any) -> dict[str, Any]:
    return {key: getattr(rate, key) for key in ("value", "error", "low", "high", "units")}
