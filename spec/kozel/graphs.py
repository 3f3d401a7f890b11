"""Graph equality for Kozel: TLC's complete state graph of a configuration against the engine's reachable graph.

    python -m spec.kozel.graphs NAME ...     # rows of spec/kozel/configurations.toml and games.toml
    python -m spec.kozel.graphs --run full   # all of them; also: ci

Every node and every labelled edge must be in both graphs. In every state a complete menu of proposals is made to the
engine: each is an edge of the specification, or it is refused and changes nothing. The specification's boneyard has no
order: before each draw every one of its tiles is made the next one.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

from referee.kozel.events import CARRY_GIVEN, POINTS_REMEMBERED, REMEMBERED_CLEARED, SUM_CARRIED, TILE_DRAWN, End
from referee.kozel.round import forced, legal_options, open_round, propose
from referee.kozel.ruleset import Fish, FishScoring, RuleSet
from referee.kozel.rulings import ActionKind, Proposal
from referee.kozel.scoring import Ending, entries_of, losers_of, rating_of, timeout_rating_of
from referee.kozel.setup import EMPTY_ACCOUNT, Account, RoundSetup, redeal_player
from referee.kozel.state import Phase, Round, apply, encode
from referee.kozel.tiles import HIGH, LOW
from spec.binding.tla_values import Function, Record, by_index, read, record
from spec.kozel.check import GAME, configurations, explore, module_of
from spec.tools import tlc

Tile = tuple[int, int]
Edge = tuple[Record, str, Record]

STRANGER = 9
_PHASES = {Phase.DEALING: "dealing", Phase.PLAYING: "playing", Phase.COUNTING: "counting", Phase.OVER: "over"}
_ENDINGS = {Ending.NOT_YET: "none", Ending.OUT: "out", Ending.FISH: "fish", Ending.TIMEOUT: "timeout"}
_ENDS = {End.NONE: "none", End.LEFT: "left", End.RIGHT: "right"}


class EngineError(AssertionError):
    """The engine broke something that holds whatever the rules are, such as a refusal that changed the round."""


@dataclass
class Graph:
    """States and labelled edges. ``refused`` counts refused proposals by reason, ``proposed`` all of them."""

    nodes: set[Record] = field(default_factory=set)
    initial: set[Record] = field(default_factory=set)
    edges: set[Edge] = field(default_factory=set)
    refused: Counter[str] = field(default_factory=Counter)
    proposed: int = 0

    def add(self, before: Record, label: str, after: Record) -> None:
        """Adds an edge and its ends."""
        self.nodes.update((before, after))
        self.edges.add((before, label, after))


# --- the projection, which is trusted -------------------------------------------------------------------


def spec_tile(tile: int) -> Tile:
    """A tile of the specification."""
    return LOW[tile], HIGH[tile]


def spec_tiles(tiles: Iterable[int]) -> frozenset[Tile]:
    """Tiles of the specification, without their order."""
    return frozenset([spec_tile(tile) for tile in tiles])


def spec_account(account: Account) -> Record:
    """An account of the specification."""
    return record(open=account.is_open, points=account.score if account.is_open else account.remembered)


def spec_accounts(accounts: Iterable[Account]) -> Function:
    """All accounts by player."""
    return by_index([spec_account(account) for account in accounts])


def spec_start(setup: RoundSetup) -> Record:
    """What a round begins with."""
    leader = setup.seats.index(setup.leader_seat) if setup.leader_seat else -1
    return record(leader=leader, accounts=spec_accounts(setup.accounts), carry=setup.carry)


def projected(state: Round) -> Record:
    """The specification's state of a round: every variable of ``KozelRound.tla``, and what everybody is offered."""
    return record(
        start=spec_start(state.setup),
        phase=_PHASES[Phase(state.phase)],
        hands=by_index([spec_tiles(hand) for hand in state.hands]),
        bone=spec_tiles(state.boneyard),
        laid=spec_tiles(state.chain),
        left=state.left,
        right=state.right,
        turn=state.to_act,
        last=state.last,
        maker=state.fish_player,
        ending=_ENDINGS[Ending(state.ending)],
        winner=state.winner,
        counts=by_index(state.counts),
        accounts=spec_accounts(state.accounts),
        carry=state.carry,
        lost=frozenset(state.lost),
        ratings=by_index(state.ratings),
        options=by_index([_offered(state, seat) for seat in state.setup.seats]),
    )


def _offered(state: Round, seat: int) -> frozenset[tuple[Tile, str]]:
    """What a seat is offered; nobody is asked while something is forced: ``propose`` goes on before it answers."""
    legal = legal_options(state, seat)
    if legal is None or forced(state):
        return frozenset()
    return frozenset([(spec_tile(move.tile), _ENDS[move.end]) for move in legal.moves])


# --- the engine's graph of a round ----------------------------------------------------------------------


def rule_set_of(constants: dict[str, Any]) -> RuleSet:
    """The options of a configuration."""
    return RuleSet(
        "binding/configuration",
        1,
        Fish[constants["FishRule"]],
        FishScoring[constants["FishScoring"]],
        constants["Most"],
        constants["HandTiles"],
        constants["RedealDoubles"],
        constants["RedealBearing"],
        constants["LoneBlank"],
        constants["RememberedTo"],
        constants["EndsAt"],
    )


def account_of(text: str) -> Account:
    """An account of the table."""
    if text == "-":
        return EMPTY_ACCOUNT
    return Account(0, int(text[1:]), False) if text.startswith("+") else Account(int(text), 0, True)


def setups_of(constants: dict[str, Any]) -> Iterator[RoundSetup]:
    """What rounds begin with, without decks."""
    seats = tuple(range(1, constants["N"] + 1))
    for leader, accounts, carry in product(constants["Leaders"], constants["Accounts"], constants["Carries"]):
        known = tuple([account_of(text) for text in accounts.split()])
        yield RoundSetup(rule_set_of(constants), seats, (), known, leader + 1, carry)


def deals_of(tiles: tuple[int, ...], players: int, hand_tiles: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to deal."""
    if not players:
        yield ()
        return
    for hand in combinations(tiles, hand_tiles):
        rest = tuple([tile for tile in tiles if tile not in hand])
        for others in deals_of(rest, players - 1, hand_tiles):
            yield (hand, *others)


class Explorer:
    """Explores every round from some setups, over all deals and all orders of the boneyard."""

    def __init__(self, setups: Iterable[RoundSetup]) -> None:
        self.graph = Graph()
        self._setups = list(setups)
        self._waiting: deque[Round] = deque()
        self._seen: set[bytes] = set()

    def run(self) -> Graph:
        """The whole graph."""
        for setup in self._setups:
            self._seen.clear()
            self._open(setup)
            while self._waiting:
                self._visit(self._waiting.popleft())
        return self.graph

    def _open(self, setup: RoundSetup) -> None:
        blank = projected(Round(setup))
        self.graph.nodes.add(blank)
        self.graph.initial.add(blank)
        rule_set, players = setup.rule_set, len(setup.seats)
        for hands in deals_of(rule_set.tiles(), players, rule_set.hand_tiles):
            held = [tile for hand in hands for tile in hand]
            deck = [hand[at] for at in range(rule_set.hand_tiles) for hand in hands]
            deck += [tile for tile in rule_set.tiles() if tile not in held]
            if redeal_player(tuple(deck), players, rule_set) >= 0:
                continue
            dealt = RoundSetup(
                rule_set, setup.seats, (tuple(deck),), setup.accounts, setup.leader_seat, setup.carry, ""
            )
            state, _ = open_round(dealt)
            self.graph.add(blank, "Dealt", projected(state))
            self._wait_for(state)

    def _wait_for(self, state: Round) -> None:
        """States are told apart by all that the engine keeps but the deck, the order of tiles and counts of answers."""
        kept = state.copy()
        kept.boneyard = tuple(sorted(kept.boneyard))
        kept.hands = [tuple(sorted(hand)) for hand in kept.hands]
        kept.chain = tuple(sorted(kept.chain))
        kept.answered = [0] * len(kept.answered)
        kept.setup = replace(state.setup, decks=())
        key = encode(kept)
        if key not in self._seen:
            self._seen.add(key)
            self._waiting.append(state)

    def _visit(self, state: Round) -> None:
        before = projected(state)
        unchanged = encode(state)
        for proposal in complete_menu(state):
            self.graph.proposed += 1
            twin = state.copy()
            ruling = propose(twin, proposal)
            if not ruling.accepted:
                assert ruling.reason is not None
                self.graph.refused[ruling.reason.name] += 1
                if encode(twin) != unchanged:
                    raise EngineError(f"a refused proposal changed {before}")
                continue
            follows = state.copy()
            apply(follows, ruling.events[0])
            between = projected(follows)
            self.graph.add(before, "Lays" if proposal.kind is ActionKind.LAY else "TimedOut", between)
            self._follow(follows, between)

    def _follow(self, state: Round, known: Record) -> None:
        """Follows what is forced, group by group; whichever tile of the boneyard comes next."""
        group = forced(state)
        if not group:
            self._wait_for(state)
            return
        nexts = state.boneyard if group[0].kind is TILE_DRAWN else (None,)
        for tile in nexts:
            twin = state.copy()
            if tile is not None:
                twin.boneyard = (tile, *[other for other in state.boneyard if other != tile])
            for event in forced(twin):
                apply(twin, event)
            now = projected(twin)
            self.graph.add(known, _LABELS[group[0].kind.name], now)
            self._follow(twin, now)


_LABELS = {
    "TILE_DRAWN": "Draws",
    "KNOCKED": "Knocked",
    "WENT_OUT": "WentOut",
    "FISH_MADE": "FishMade",
    "HAND_COUNTED": "Scored",
    "RATED": "Stopped",
    "CARRY_LAPSED": "Stopped",
}
"""The specification's name of a group of forced events, by the first of them."""


def complete_menu(state: Round) -> Iterator[Proposal]:
    """Everything that any seat, and one that is not in the round, may propose: each tile and others, anywhere."""
    for seat in (*state.setup.seats, STRANGER):
        for tile in (-1, *state.setup.rule_set.tiles(), 27):
            for end in End:
                yield Proposal(seat, ActionKind.LAY, tile, end)
        for kind in (ActionKind.DRAW, ActionKind.KNOCK, ActionKind.TIMEOUT):
            yield Proposal(seat, kind)
            yield Proposal(seat, kind, 0)


# --- the engine's graph of games ------------------------------------------------------------------------


class _Game(NamedTuple):
    accounts: tuple[Account, ...]
    carry: int = 0
    lost: tuple[int, ...] = ()
    ratings: tuple[int, ...] = ()
    played: int = 0
    leader: int = -1

    def projected(self) -> Record:
        players = len(self.accounts)
        return record(
            accounts=spec_accounts(self.accounts),
            carry=self.carry,
            lost=frozenset(self.lost),
            ratings=by_index(self.ratings or (-1,) * players),
            played=self.played,
            leader=self.leader,
        )


def game_graph(constants: dict[str, Any]) -> Graph:
    """The scoring across rounds by the engine's own arithmetic, for every end of a round with these counts."""
    players, counts, most = constants["N"], constants["Counts"], constants["Rounds"]
    scoring = FishScoring[constants["FishScoring"]]
    rule_set = RuleSet(
        "binding/game", 1, fish_scoring=scoring, remembered_to=constants["RememberedTo"], ends_at=constants["EndsAt"]
    )
    graph = Graph()
    first = _Game((EMPTY_ACCOUNT,) * players)
    graph.initial.add(first.projected())
    graph.nodes.add(first.projected())
    waiting, seen = deque([first]), {first}
    while waiting:
        game = waiting.popleft()
        if game.ratings or game.played == most:
            continue
        for label, after in _rounds(rule_set, game, players, counts):
            graph.add(game.projected(), label, after.projected())
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return graph


def _rounds(rule_set: RuleSet, game: _Game, players: int, counts: list[int]) -> Iterator[tuple[str, _Game]]:
    for winner in range(players):
        for others in product(counts, repeat=players - 1):
            yield "WentOut", _scored(rule_set, game, Ending.OUT, winner, (*others[:winner], 0, *others[winner:]))
        for hands in product(counts, repeat=players):
            yield "FishMade", _scored(rule_set, game, Ending.FISH, winner, hands)
        scores = [account.score for account in game.accounts]
        ratings = [
            0 if player == winner else timeout_rating_of(score, scores[winner]) for player, score in enumerate(scores)
        ]
        yield "TimedOut", game._replace(carry=0, ratings=tuple(ratings), played=game.played + 1)


def _scored(rule_set: RuleSet, game: _Game, ending: Ending, winner: int, counts: tuple[int, ...]) -> _Game:
    accounts, carry = list(game.accounts), game.carry
    for entry in entries_of(rule_set, game.accounts, carry, ending, winner, counts):
        if entry.kind in (SUM_CARRIED, CARRY_GIVEN):
            carry = entry.total
        elif entry.kind in (POINTS_REMEMBERED, REMEMBERED_CLEARED):
            accounts[entry.player] = Account(0, entry.total, False)
        else:
            accounts[entry.player] = Account(entry.total, 0, True)
    scores = tuple([account.score for account in accounts])
    lost = losers_of(scores, rule_set.ends_at)
    ratings = tuple([0 if player in lost else rating_of(score) for player, score in enumerate(scores)]) if lost else ()
    return _Game(tuple(accounts), 0 if lost else carry, lost, ratings, game.played + 1, winner)


# --- the comparison -------------------------------------------------------------------------------------

_EDGE = re.compile(r'^(-?\d+) -> (-?\d+) \[label="(\w+)"')
_NODE = re.compile(r'^(-?\d+) \[label="((?:[^"\\]|\\.)*)"')
_VARIABLE = re.compile(r"/\\ (\w+) = ")


def spec_graph(configuration: tlc.Configuration) -> Graph:
    """TLC's graph of a configuration."""
    is_game = module_of(configuration) == GAME
    module, specification = ("KozelGame", "Spec") if is_game else ("Graph", "GSpec")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.dot"
        outcome = explore(configuration, module, specification, extra=("-dump", "dot,actionlabels", str(path)))
        graph = read_graph(path)
    if len(graph.nodes) != outcome.states:
        raise tlc.ToolError(f"{configuration.name}: TLC found {outcome.states} states and wrote {len(graph.nodes)}")
    return graph


def read_graph(path: Path) -> Graph:
    """The graph in a dot file. Labels lose the G that ``Graph.tla`` puts before the names of actions."""
    nodes: dict[str, Record] = {}
    edges: list[tuple[str, str, str]] = []
    values: dict[str, Any] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if found := _EDGE.match(line):
                edges.append((found[1], found[3].removeprefix("G"), found[2]))
            elif found := _NODE.match(line):
                nodes[found[1]] = _state(found[2], values)
    graph = Graph(nodes=set(nodes.values()))
    graph.edges = {(nodes[a], label, nodes[b]) for a, label, b in edges if label != "Over"}
    reached = {after for _, _, after in graph.edges}
    graph.initial = graph.nodes - reached
    return graph


def _state(label: str, values: dict[str, Any]) -> Record:
    text = label.replace('\\"', '"').replace("\\\\", "\\").replace("\\n", "\n")
    parts = _VARIABLE.split(text)
    for value in parts[2::2]:
        if value not in values:
            values[value] = read(value)
    return record(**{name: values[value] for name, value in zip(parts[1::2], parts[2::2], strict=True)})


def engine_graph(configuration: tlc.Configuration) -> Graph:
    """The engine's graph of a configuration."""
    constants = dict(configuration.constants)
    if module_of(configuration) == GAME:
        return game_graph(constants)
    return Explorer(setups_of(constants)).run()


def differences(spec: Graph, engine: Graph) -> list[str]:
    """What is in one graph and not in the other, in words; empty when they are equal."""
    found = []
    for what, some in (
        ("begins only in the specification", spec.initial - engine.initial),
        ("begins only in the engine", engine.initial - spec.initial),
    ):
        found += [f"{what}: {words(state)}" for state in sorted(some, key=str)[:3]]
    both = spec.nodes & engine.nodes
    for what, edges in (
        ("the specification allows", spec.edges - engine.edges),
        ("the engine allows", engine.edges - spec.edges),
    ):
        near = [edge for edge in edges if edge[0] in both]
        for before, label, after in sorted(near, key=str)[:5]:
            changed = [f"{name} becomes {value}" for (name, value) in after if (name, value) not in before]
            found.append(f"from {words(before)}\n  {what} {label}: {'; '.join(changed)}")
    if not found and (spec.nodes != engine.nodes or spec.edges != engine.edges):
        found.append(f"{len(spec.nodes ^ engine.nodes)} states are in one graph only")
    return found


def words(state: Record) -> str:
    """A state in one line."""
    return ", ".join([f"{name} {value}" for name, value in state])


@dataclass(frozen=True)
class Comparison:
    """What one comparison found; ``differences`` is empty when the graphs are equal."""

    name: str
    spec: Graph
    engine: Graph
    differences: list[str]

    def line(self) -> str:
        """The figures in one line."""
        steps = Counter([label for _, label, _ in self.engine.edges])
        return (
            f"{self.name}: {len(self.spec.nodes)} nodes, {len(self.spec.edges)} edges; the engine's "
            f"{len(self.engine.nodes)} nodes, {len(self.engine.edges)} edges from {self.engine.proposed} proposals, of "
            f"which {self.engine.refused.total()} were refused; {dict(sorted(steps.items()))}; "
            + ("equal" if not self.differences else "DIFFERENT")
        )


def compare(configuration: tlc.Configuration, spec: Graph | None = None) -> Comparison:
    """Compares both graphs of a configuration; ``spec`` is TLC's where it was made before."""
    spec = spec or spec_graph(configuration)
    engine = engine_graph(configuration)
    return Comparison(configuration.name, spec, engine, differences(spec, engine))


def main(arguments: list[str]) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--run", choices=("ci", "full"), default="ci")
    options = parser.parse_args(arguments)
    rows = configurations()
    names = options.names or [name for name, row in rows.items() if options.run == "full" or row.run == "ci"]
    status = 0
    for name in names:
        comparison = compare(rows[name])
        print(comparison.line(), *comparison.differences, sep="\n", flush=True)
        status |= bool(comparison.differences)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
