"""Games of Kozel between bots in this process: fair deals, rulings, the same decisions as in live play, no server.

Each seat's view is folded from what :func:`referee.kozel.views.view` lets it see, as a client folds a stream, so a bot
cannot know here what it could not know there.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from referee.client.asking import answer_all
from referee.client.follower import DEFAULT_REFUSALS
from referee.client.kozel_decision import KozelBot, KozelDecision
from referee.client.kozel_view import KozelView
from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.kozel.events import Event
from referee.kozel.game import first_round, next_round
from referee.kozel.round import legal_options, open_round, open_seats, propose
from referee.kozel.ruleset import RuleSet, find_rule_set
from referee.kozel.rulings import Proposal, Ruling
from referee.kozel.setup import RoundSetup
from referee.kozel.state import Round
from referee.kozel.views import view


@dataclass(frozen=True)
class PlayedRound:
    """A round as it was played: its setup, every event, and how it stood at the end."""

    setup: RoundSetup
    events: tuple[Event, ...]
    state: Round


@dataclass(frozen=True)
class PlayedGame:
    """A game: its rounds, who lost (places in the row of bots), and for each bot what it came to.

    ``decisions`` counts what a bot was asked, ``refusals`` its answers that were refused, ``defaults`` the decisions
    that were then answered for it.
    """

    rounds: tuple[PlayedRound, ...]
    lost: tuple[int, ...]
    ratings: tuple[int, ...]
    scores: tuple[int, ...]
    decisions: tuple[int, ...]
    refusals: tuple[int, ...]
    defaults: tuple[int, ...]


def play_game(
    bots: Sequence[KozelBot],
    rule_set: RuleSet | str,
    match: str,
    match_seed: bytes,
    on_round_over: Callable[[PlayedRound], object] | None = None,
    *,
    block: int = 0,
    names: Sequence[str] = (),
    max_refusals: int = DEFAULT_REFUSALS,
    on_refused: Callable[[KozelDecision, Ruling], object] | None = None,
    table_id: str = "",
) -> PlayedGame:
    """Plays a game to its end between bots in seats 1, 2, 3 ...

    The decks are those of ``referee-deal/1`` for the match and block, hands 1, 2 ... A refused bot is told as live
    (``decision.refusal`` and ``on_refused``), asked again ``max_refusals`` times, and then answered for with the first
    legal move.

    Raises what a bot raises; KeyError and SetupRefusedError for a rule set that cannot be played.
    """
    rules = find_rule_set(rule_set) if isinstance(rule_set, str) else rule_set
    decks = FairDecks(match, match_seed, len(TILES))
    game = _Game(rules, decks, table_id or match, block, len(bots), tuple(names), max_refusals)
    game.on_round_over, game.on_refused = on_round_over, on_refused
    answer_all(game.play(), dict(enumerate(bots, 1)))
    last = game.rounds[-1].state
    return PlayedGame(
        tuple(game.rounds),
        last.lost,
        tuple(last.ratings),
        tuple([account.score for account in last.accounts]),
        tuple(game.decisions),
        tuple(game.refusals),
        tuple(game.defaults),
    )


@dataclass
class _Game:
    """A game under way."""

    rule_set: RuleSet
    decks: FairDecks
    table_id: str
    block: int
    players: int
    names: tuple[str, ...]
    max_refusals: int
    on_round_over: Callable[[PlayedRound], object] | None = None
    on_refused: Callable[[KozelDecision, Ruling], object] | None = None
    rounds: list[PlayedRound] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.decisions = [0] * self.players
        self.refusals = [0] * self.players
        self.defaults = [0] * self.players

    def play(self) -> "Generator[KozelDecision, Proposal, None]":
        """Plays round after round until somebody has lost."""
        seats = tuple(range(1, self.players + 1))
        setup: RoundSetup | None = first_round(
            self.rule_set, seats, partial(self.decks.deck, self.block, 1), f"{self.table_id}-1"
        )
        while setup is not None:
            yield from self._round(setup)
            number = len(self.rounds) + 1
            decks = partial(self.decks.deck, self.block, number)
            setup = next_round(self.rounds[-1].state, decks, f"{self.table_id}-{number}")

    def _round(self, setup: RoundSetup) -> "Generator[KozelDecision, Proposal, None]":
        playing = _Playing(self, setup, len(self.rounds) + 1)
        while open_seats(playing.state):
            yield from playing.ask(open_seats(playing.state)[0])
        self.rounds.append(PlayedRound(setup, tuple(playing.events), playing.state))
        if self.on_round_over is not None:
            self.on_round_over(self.rounds[-1])


class _Playing:
    """One round of a game under way."""

    def __init__(self, game: _Game, setup: RoundSetup, number: int) -> None:
        self._game = game
        names = dict(enumerate(game.names, 1))
        blind = replace(setup, decks=())
        self._views = {seat: KozelView(blind, number, game.table_id, names) for seat in setup.seats}
        self.events: list[Event] = []
        self.state, opening = open_round(setup)
        self._happened(opening)

    def _happened(self, events: tuple[Event, ...]) -> None:
        self.events.extend(events)
        for seat, seen_by in self._views.items():
            for event in events:
                seen_by.fold(view(event, seat))

    def ask(self, seat: int) -> "Generator[KozelDecision, Proposal, None]":
        """Asks a seat until it has answered as the rules allow, or answers for it."""
        game, player = self._game, seat - 1
        game.decisions[player] += 1
        refusal: Ruling | None = None
        for _ in range(1 + game.max_refusals):
            options = legal_options(self.state, seat)
            assert options is not None, "only a seat with an open decision is asked"
            decision = self._views[seat].decision(options, None, refusal)
            ruling = propose(self.state, (yield decision))
            if ruling.accepted:
                self._happened(ruling.events)
                return
            refusal = ruling
            game.refusals[player] += 1
            if game.on_refused is not None:
                game.on_refused(decision, ruling)
        game.defaults[player] += 1
        ruling = propose(self.state, decision.lay_first())
        assert ruling.accepted, "the first of the legal moves is legal"
        self._happened(ruling.events)
