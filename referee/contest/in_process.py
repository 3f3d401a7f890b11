"""A contest's tables played in this process, without a server: the rules, the bots, and nothing between them."""

import inspect
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.client.asking import PROPOSALS, AnyDecision, AnyProposal
from referee.client.decision import Decision
from referee.client.harness import PlayedHand, play_match
from referee.client.kozel_harness import play_game
from referee.contest.bot_files import bot_maker
from referee.contest.deals import TableDecks, contest_decks, first_button
from referee.contest.kozel import block_of, game_result, game_text
from referee.contest.notating import hand_phh
from referee.contest.results import REFUSED, AppliedFault, HandResult, hand_result
from referee.contest.schedule import TablePlan
from referee.contest.settings import GameSettings
from referee.kozel.rulings import Ruling as KozelRuling
from referee.record.kozel_record import recorded
from referee.rules.hand import replay
from referee.rules.rulings import Ruling

RAISED: str = "raised"
"""A bot's own exception; the decision is then answered with a check, else a fold; in Kozel with the first move."""


@dataclass(frozen=True)
class HomeGame:
    """What is played in process: the game, the contest's name and seed, and who plays, by name.

    ``bots`` are what :func:`~referee.contest.bot_files.bot_maker` takes; ``seeds`` are the bots' own.
    """

    game: GameSettings
    contest: str
    seed: bytes
    bots: dict[str, str]
    seeds: dict[str, int]


@dataclass
class PlayedTable:
    """A table that was played: its hands, their PHH by hand number, and what bots raised, by entrant."""

    hands: list[HandResult]
    texts: dict[int, str]
    raised: dict[str, str]


@dataclass
class _Guarded:
    """A bot whose exceptions cost it the decision, not everybody the match."""

    name: str
    bot: Callable[[Any], object]
    faults: Counter[tuple[int, AppliedFault]]
    raised: dict[str, str] = field(default_factory=dict)

    def __call__(self, decision: AnyDecision) -> AnyProposal:
        try:
            answer = self.bot(decision)
            if inspect.iscoroutine(answer):
                answer.close()
                raise TypeError("a bot that is played in process answers at once; async bots play on a server")
        except Exception as fault:  # whatever it raises is its own fault
            self.raised.setdefault(self.name, traceback.format_exc(limit=-3))
            what = AppliedFault(self.name, RAISED, "TIME-4", type(fault).__name__)
            self.faults[decision.hand_number, what] += 1
            return decision.check_or_fold() if isinstance(decision, Decision) else decision.lay_first()
        return answer if isinstance(answer, PROPOSALS) else decision.completed(answer)  # type: ignore[arg-type]


def play_table(home: HomeGame, plan: TablePlan, keep_texts: Callable[[HandResult], bool] | None = None) -> PlayedTable:
    """Plays one table. ``keep_texts`` says of which hands the PHH is kept; None keeps none.

    Raises BotFileError, and whatever a bot's file raises when it is loaded.
    """
    game = home.game
    if game.is_kozel:
        return _play_kozel(home, plan, keep_texts)
    decks = TableDecks(contest_decks(home.contest, home.seed), plan)
    faults: Counter[tuple[int, AppliedFault]] = Counter()
    bots = _guarded(home, plan, faults)
    played = play_match(
        bots,  # type: ignore[arg-type]  # one that answers for another game has itself to blame
        game.rules(),
        game.limit,
        game.stakes(),
        game.stack,
        plan.hands,
        decks=decks,
        first_button=first_button(home.contest, home.seed, plan),
        reset_stacks=game.reset_stacks,
        names=plan.players,
        on_refused=_counting(plan, faults),
        table_id=plan.name,
    )
    table = PlayedTable([], {}, _raised(bots))
    for one in played.hands:
        _add(table, plan, one, faults, keep_texts)
    return table


def _play_kozel(home: HomeGame, plan: TablePlan, keep_texts: Callable[[HandResult], bool] | None) -> PlayedTable:
    """Plays one game of Kozel; its text is that of the only hand."""
    faults: Counter[tuple[int, AppliedFault]] = Counter()
    bots = _guarded(home, plan, faults)
    game = play_game(
        bots,  # type: ignore[arg-type]  # as above
        home.game.kozel_rules(),
        home.contest,
        home.seed,
        block=block_of(plan),
        names=plan.players,
        on_refused=_counting(plan, faults),
        table_id=plan.name,
    )
    counted: Counter[AppliedFault] = Counter()
    for (_, what), times in faults.items():
        counted[what] += times
    own = tuple([what._replace(times=times) for what, times in counted.items()])
    result = game_result(plan, game.rounds[-1].state, own)
    texts = {}
    if keep_texts is not None and keep_texts(result):
        texts[result.hand] = game_text(plan, [recorded(one.setup, one.events) for one in game.rounds])
    return PlayedTable([result], texts, _raised(bots))


def _guarded(home: HomeGame, plan: TablePlan, faults: Counter[tuple[int, AppliedFault]]) -> list[_Guarded]:
    game = "kozel" if home.game.is_kozel else "poker"
    return [_Guarded(name, bot_maker(home.bots[name], game)(home.seeds[name]), faults) for name in plan.players]


def _counting(
    plan: TablePlan, faults: Counter[tuple[int, AppliedFault]]
) -> Callable[[AnyDecision, Ruling | KozelRuling], None]:
    def refused(decision: AnyDecision, ruling: Ruling | KozelRuling) -> None:
        reason = "" if ruling.reason is None else ruling.reason.name
        what = AppliedFault(plan.players[decision.seat - 1], REFUSED, ruling.rule, reason)
        faults[decision.hand_number, what] += 1

    return refused


def _raised(bots: Sequence[_Guarded]) -> dict[str, str]:
    return {name: text for one in bots for name, text in one.raised.items()}


def _add(
    table: PlayedTable,
    plan: TablePlan,
    one: PlayedHand,
    faults: Counter[tuple[int, AppliedFault]],
    keep_texts: Callable[[HandResult], bool] | None,
) -> None:
    hand = replay(one.setup, one.events)
    own = tuple([what._replace(times=times) for (number, what), times in faults.items() if number == one.number])
    place = (plan.match, plan.number, plan.seating, plan.place_of(one.number)[0], one.number)
    result = hand_result(place, hand, one.events, plan.players, own)
    table.hands.append(result)
    if keep_texts is not None and keep_texts(result):
        table.texts[one.number] = hand_phh(result.name, hand, one.events, plan.players)
