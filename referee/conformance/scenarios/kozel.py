"""Kozel: rounds and games, compulsory leads, named ends, refusals, redeals, fishes, cuts, ends, deals."""

from functools import partial
from typing import Final

from referee.conformance.game import Game
from referee.conformance.kozel_told import KozelTold, Rehearsal
from referee.conformance.scenarios.deals import Deals, must_be_found, must_be_right, seed_of
from referee.conformance.scenarios.future import NEWER, add_newer, with_newer_fields
from referee.conformance.scenarios.refusals import CLOCK_MS, refused_once
from referee.conformance.told import Item, ScriptError
from referee.conformance.verdicts import FailedError, Scenario
from referee.conformance.wording import check_named
from referee.kozel.events import FISH_MADE, KNOCKED, REDEALT, TILE_DRAWN, End
from referee.kozel.setup import Account
from referee.v1 import kozel_pb2, table_pb2

ROUNDS: Final = 3
NEARLY_OVER: Final = (Account(96, 0, True), Account(95, 0, True), Account(0, 7, False))


async def _begins(game: Game, wish: str, players: int = 3, rule_set: str = "kozel/on-one@1") -> KozelTold:
    told = game.kozel_table(wish, players, rule_set=rule_set)
    await game.start()
    await game.begins()
    return told


async def _plays_out(game: Game, told: KozelTold, wish: str, others: str = "last") -> None:
    """Plays the round under way to its end."""
    while not told.is_over():
        if told.to_act == told.seat:
            await game.asks(wish, told)
        else:
            await game.acts(f"p{told.to_act} {others}", told)


async def _rounds(game: Game, players: int) -> None:
    told = await _begins(game, "counted-move", players)
    for _ in range(ROUNDS):
        await game.tell(told, told.begin())
        await _plays_out(game, told, "counted")
    await game.ends(hands=ROUNDS)


async def _lead(game: Game) -> None:
    """The lead is compulsory in the first round, and free in the next one, to the client in both."""
    told = game.kozel_table("last-move", 2)
    await game.start()
    await game.begins()
    told.find("last", "first", lambda one: _leads(one) and len(one.asked[0].moves) == 1)
    await game.tell(told, told.begin())
    await game.asks("last", told)
    await _plays_out(game, told, "last", "first")
    told.find("last", "first", lambda one: len(one.asked) > 1, leader=2, accounts=NEARLY_OVER[1:])
    await game.tell(told, told.begin(leader=2, accounts=NEARLY_OVER[1:]))
    await _plays_out(game, told, "last", "first")
    await game.ends(hands=2)


def _leads(one: Rehearsal) -> bool:
    return bool(one.asked) and all([move.end is End.NONE for move in one.asked[0].moves])


def _both_ends(one: Rehearsal) -> int:
    """How many decisions have a tile that fits both ends."""
    return sum([len({move.tile for move in options.moves}) < len(options.moves) for options in one.asked])


async def _ends_named(game: Game) -> None:
    told = game.kozel_table("last-move")
    await game.start()
    await game.begins()
    told.find("last", "last", lambda one: _both_ends(one) > 1)
    await game.tell(told, told.begin())
    await _plays_out(game, told, "last")
    await game.ends(hands=1)


async def _refusal(game: Game) -> None:
    told = await _begins(game, "wrong-tile")
    await game.tell(told, told.begin())
    refusals = 0
    while not told.is_over():
        if told.to_act != told.seat:
            await game.acts(f"p{told.to_act} last", told)
            continue
        await refused_once(game, told, "first", NEWER if refusals == 1 else 0)
        refusals += 1
    await game.ends(refusals=refusals, hands=1)


async def _end_refused(game: Game) -> None:
    told = game.kozel_table("no-end")
    await game.start()
    await game.begins()
    told.find("first", "last", lambda one: _both_ends(one) > 0)
    await game.tell(told, told.begin())
    refusals = 0
    while not told.is_over():
        if told.to_act != told.seat:
            await game.acts(f"p{told.to_act} last", told)
        elif len({move.tile for move in told.legal().moves}) < len(told.legal().moves):
            await refused_once(game, told, "first")
            refusals += 1
        else:
            await game.asks("first", told)
    await game.ends(refusals=refusals, hands=1)


async def _found(game: Game, players: int, *kinds: int, mine: bool = False) -> None:
    """A round, and the next one, in which all of this happens; to the client itself where it is ``mine``."""
    told = game.kozel_table("counted-move", players)
    await game.start()
    await game.begins()
    told.find("counted", "last", partial(_has, told.seat if mine else 0, kinds))
    await game.tell(told, told.begin())
    await _plays_out(game, told, "counted")
    if not told.game_is_over():
        await game.tell(told, told.begin())
        await _plays_out(game, told, "counted")
    await game.ends(hands=told.number)


def _has(seat: int, kinds: tuple[int, ...], one: Rehearsal) -> bool:
    return all([any([event.kind == kind and seat in (0, event.seat) for event in one.events]) for kind in kinds])


async def _redealt(game: Game) -> None:
    await _found(game, 4, REDEALT)


async def _fish(game: Game) -> None:
    await _found(game, 3, FISH_MADE)


async def _passed_over(game: Game) -> None:
    await _found(game, 3, TILE_DRAWN, KNOCKED, mine=True)


# --- connections ----------------------------------------------------------------------------------------


async def _cut(game: Game) -> None:
    """Cut in the middle of a round: an answer that was lost, one whose ruling was lost, and after every other event."""
    told = game.kozel_table("counted-move")
    await game.start()
    await game.begins()
    told.find("counted", "last", lambda one: len(one.asked) > 4)
    await game.tell(told, told.begin())
    asked = 0
    while not told.is_over():
        if told.to_act != told.seat:
            await game.acts(f"p{told.to_act} last", told)
            await _resumed(game)
            continue
        asked += 1
        if asked == 1:  # cut before any ruling: it must come again as it was
            await game.tell(told, [told.decision()])
            await game.answer(told, "counted")
            await _resumed(game)
            await game.asks("counted", told)
        elif asked == 2:  # taken, and its ruling lost: the events tell so
            await game.tell(told, [told.decision()])
            answer = await game.answer(told, "counted")
            check_named(told, answer)
            game.keep(told, answer, told.rule(answer)[1])
            await _resumed(game)
        else:
            await game.asks("counted", told)
    await game.ends(hands=1)


async def _resumed(game: Game) -> None:
    await game.cut()
    await game.resumes()


# --- the game's end -------------------------------------------------------------------------------------


async def _game_over(game: Game) -> None:
    told = game.kozel_table("counted-move", rule_set="kozel/on-all@1")
    await game.start()
    await game.begins()
    told.find("counted", "last", lambda one: True, accounts=NEARLY_OVER, leader=1)
    await game.tell(told, told.begin(accounts=NEARLY_OVER, leader=1))
    await _plays_out(game, told, "counted")
    while not told.game_is_over():
        await game.tell(told, told.begin())
        await _plays_out(game, told, "counted")
    await _ends_rated(game, told, refusals=0)


async def _time_out(game: Game) -> None:
    """Another player is out of time, which ends everybody's game."""
    told = await _begins(game, "counted-move")
    await game.tell(told, told.begin())
    while told.to_act != told.seat:
        await game.acts(f"p{told.to_act} last", told)
    await game.asks("counted", told)
    while told.to_act == told.seat:
        await game.asks("counted", told)
    await game.acts(f"p{told.to_act} time", told)
    await _ends_rated(game, told, refusals=0)


async def _too_late(game: Game) -> None:
    """The clock was faster than the client: the game is over, and its answer is to a round that has ended."""
    told = await _begins(game, "first-move")
    await game.tell(told, told.begin())
    while told.to_act != told.seat:
        await game.acts(f"p{told.to_act} last", told)
    await game.tell(told, [told.decision(CLOCK_MS)])
    late = await game.answer(told, "first")
    check_named(told, late)
    overtaken = told.act(f"p{told.seat} time")
    answered = told.answered(late, told.would_rule(late))
    game.keep(told, late, answered)
    await game.tell(told, [*overtaken, answered])
    # Whether a client counts an answer that came too late as refused is its own affair.
    await _ends_rated(game, told, refusals=None)


async def _ends_rated(game: Game, told: KozelTold, refusals: int | None) -> None:
    """The table's end, after which a client that prints a rating prints the right one."""
    if not told.game_is_over():
        raise FailedError("a game that is over", "one that goes on")
    await game.tell(told, [told.seen(ended=table_pb2.TableEnded(reason=table_pb2.END_REASON_GAME_OVER))])
    await game.ends(refusals=refusals, hands=told.number)
    line = None if game.client is None else game.client.line(told.table_id)
    state = told.playing()
    player = state.index_of(told.seat)
    right = {"rating": state.ratings[player], "points": state.accounts[player].score}
    for name, value in right.items():
        if line is not None and line.get(name, value) != value:
            raise FailedError(f'"{name}": {value} in the line of JSON', f'"{name}": {line[name]}')


# --- newer servers --------------------------------------------------------------------------------------


async def _future(game: Game) -> None:
    """Unknown fields on every level, and unknown events, numbered as all are."""
    told = game.kozel_table("counted-move")
    await game.start()
    cursor = await game.attached(told)
    await game.tell(told, [with_newer_fields(told.snapshot(told.after(cursor)))])
    await game.tell(told, [with_newer_fields(item) for item in told.begin()])
    await game.tell(told, _unknown_events(told))
    while not told.is_over():
        if told.to_act != told.seat:
            await game.tell(told, [with_newer_fields(item) for item in told.act(f"p{told.to_act} last")])
            continue
        await game.tell(told, [with_newer_fields(told.decision())])
        await game.accepts(told, await game.answer(told, "counted"), "counted")
    await game.tell(told, _unknown_events(told))
    await game.ends(hands=1)


def _unknown_events(told: KozelTold) -> list[Item]:
    of_the_table = told.seen()
    add_newer(of_the_table.event)
    of_the_round = told.seen(kozel_event=kozel_pb2.KozelEvent(kind=NEWER, seat=1, points=77, total=99))  # type: ignore[arg-type]
    told.log[-2].CopyFrom(of_the_table.event)  # for who resumes
    return [of_the_table, of_the_round]


# --- deals ----------------------------------------------------------------------------------------------


async def _dealt(game: Game, wish: str, swapped_hand: int = 0, *places: int) -> Deals:
    """Plays rounds; in one of them the tiles at two places of the last deck are swapped after it was committed to."""
    told = game.kozel_table(wish)
    deals = Deals(told)
    await game.start()
    await game.begins()
    await game.tell(told, deals.opening())
    for number in range(1, ROUNDS + 1):
        dealt = told.setup(partial(deals.decks.deck, 0, number)).decks
        roots = [deals.decks.committed(0, number, redeal).root for redeal in range(len(dealt))]
        decks = [list(deck) for deck in dealt]
        if number == swapped_hand:
            one, other = places
            decks[-1][one], decks[-1][other] = decks[-1][other], decks[-1][one]
        given = [tuple(deck) for deck in decks]
        await game.tell(told, told.begin(decks=given.__getitem__, deck_roots=roots))
        await _plays_out(game, told, "first")
    return deals


async def _fair(game: Game) -> None:
    deals = await _dealt(game, REDEALT_WISH)
    if not any([int(event.kozel_event.kind) == REDEALT for event in deals.told.log]):
        raise ScriptError(f"no deal of match {REDEALT_WISH} is dealt again")
    await must_be_right(game, deals, ROUNDS)


async def _swapped_own(game: Game) -> None:
    await must_be_found(game, await _dealt(game, "first-move", 2, 1, 22), ROUNDS)


async def _swapped_others(game: Game) -> None:
    await must_be_found(game, await _dealt(game, "first-move", 3, 0, 2), ROUNDS)


async def _another_seed(game: Game) -> None:
    await must_be_found(game, await _dealt(game, "first-move"), ROUNDS, seed_of("another referee"))


REDEALT_WISH: Final = "first-move.129"
"""The wish of a match whose first round is dealt again (KOZ-2)."""

_PAGE: Final = "docs/kozel.md"
_COUNTED: Final = f"{_PAGE}, docs/conformance.md (Kozel); match conformance.counted-move"
_DEALS: Final = "docs/fair-deals.md, KOZ-2; clients/vectors/kozel_deals.json"

SCENARIOS: Final = (
    Scenario(
        "kozel-two-players",
        f"{ROUNDS} rounds of two, every tile, count and account followed",
        _COUNTED,
        partial(_rounds, players=2),
    ),
    Scenario("kozel-three-players", f"{ROUNDS} rounds of three", _COUNTED, partial(_rounds, players=3)),
    Scenario(
        "kozel-four-players", f"{ROUNDS} rounds of four, without a boneyard", _COUNTED, partial(_rounds, players=4)
    ),
    Scenario("kozel-lead", "the tile that must be led is led", "KOZ-3; match conformance.last-move", _lead),
    Scenario(
        "kozel-both-ends",
        "a tile that fits both ends is laid with its end named",
        "KOZ-4; match conformance.last-move",
        _ends_named,
    ),
    Scenario(
        "kozel-refusal",
        "a refused tile is replaced by a legal one: same decision, new request id",
        "docs/bot-author.md (Refusals), BET-8, BET-9, KOZ-4; match conformance.wrong-tile",
        _refusal,
    ),
    Scenario(
        "kozel-end-refused",
        "an end that was not named is refused, and then named",
        "docs/bot-author.md (Refusals), KOZ-4; match conformance.no-end",
        _end_refused,
    ),
    Scenario(
        "kozel-redealt", "a deal that is dealt again leaves nothing of the first one", f"KOZ-2; {_COUNTED}", _redealt
    ),
    Scenario(
        "kozel-fish", "a fish ends the round, and the next one goes on from its accounts", f"KOZ-7; {_COUNTED}", _fish
    ),
    Scenario(
        "kozel-passed-over",
        "the client draws and knocks without being asked, and plays what it drew",
        f"KOZ-5; {_COUNTED}",
        _passed_over,
    ),
    Scenario(
        "kozel-cut",
        "cut in the middle of a round: resumed from the last event seen, and nothing counts twice",
        f"docs/bot-author.md (Lost connections), BET-9; {_COUNTED}",
        _cut,
    ),
    Scenario(
        "kozel-game-over", "the game ends at 101, and the table with it", f"KOZ-15, KOZ-16; {_COUNTED}", _game_over
    ),
    Scenario("kozel-time-out", "another player's time-out ends the game", f"KOZ-17; {_COUNTED}", _time_out),
    Scenario(
        "kozel-too-late",
        "an answer that the clock overtook is refused, and the game is over",
        "BET-9, KOZ-17; match conformance.first-move",
        _too_late,
    ),
    Scenario(
        "kozel-future",
        "unknown fields and events are counted and otherwise ignored",
        f"docs/bot-author.md; {_COUNTED}",
        _future,
    ),
    Scenario(
        "kozel-deals-fair", "tiles dealt from committed seeds, a redeal included, are found to be so", _DEALS, _fair
    ),
    Scenario(
        "kozel-deals-swapped-own",
        "a tile of its own that was swapped after the commitment is reported",
        _DEALS,
        _swapped_own,
    ),
    Scenario(
        "kozel-deals-swapped-others",
        "tiles of others that were swapped are reported when they are laid",
        _DEALS,
        _swapped_others,
    ),
    Scenario(
        "kozel-deals-another-seed", "a referee's seed that is not the committed one is reported", _DEALS, _another_seed
    ),
)
