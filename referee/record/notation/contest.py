"""Reads the logs of the contest dealer: one ``STATE:`` line for each hand of no-limit or limit hold'em.

``STATE:number:betting:cards:result:players``, players listed from the seat left of the button, heads-up the big
blind first (reverse blinds). A raise in no-limit names the player's total for the whole hand. The log's first
comment names its game; the definition is given by the caller, found beside the log, or one of those built in.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Final, NoReturn

from referee.record.hand_record import HandRecord, NotationError, RecordedResult, RecordedStep, Step
from referee.record.notation.amounts import in_chips, parse_amount
from referee.record.notation.contest_game import BUILT_IN, MAX_GAME_BYTES, GameDefinition, contest_house, read_game
from referee.record.notation.ledger import NOBODY, Ledger
from referee.record.notation.phh import DEEP_BIG_BLINDS
from referee.rules.cards import UNKNOWN, parse_cards
from referee.rules.ruleset import Limit, RuleSet, RuleSetError, Stakes
from referee.rules.setup import HandSetup, deck_from
from referee.rules.state import LAST_STREET, STREET_CARDS

NOTATION: Final = "contest"
MATCH, GAME, SEED = "match", "game", "seed"
"""Facts of a record that the log's heading tells."""

_HEADING: Final = re.compile(r"#\s*name/game/hands/seed\s+(\S+)\s+(\S+)\s+(\d+)\s+(\d+)\s*")
_MOVE: Final = re.compile(r"f|c|r\d*|/")
_AMOUNT: Final = re.compile(r"-?\d+(?:\.\d+)?")
_SAFE_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
_PARTS: Final = ("STATE", "the hand's number", "the betting", "the cards", "the result", "the players")


@dataclass(frozen=True)
class _Log:
    """What the heading says, and the game and setup that follow from it."""

    game: GameDefinition
    setup: HandSetup
    named: bool
    facts: dict[str, str]


def read_contest(
    lines: Iterable[str],
    source: str,
    rule_set: RuleSet | None = None,
    game: GameDefinition | None = None,
    folder: Path | None = None,
) -> Iterator[HandRecord | NotationError]:
    """Reads the hands of a log line by line; a line that cannot be read comes as the error that says why.

    ``game`` is given where the log does not name one that is built in; ``folder`` is where files of games are looked
    for. Without a game nothing can be read, and one error is all that comes.
    """
    heading: re.Match[str] | None = None
    log: _Log | None = None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            heading, log = (found, None) if (found := _HEADING.fullmatch(text)) else (heading, log)
            continue
        try:
            if log is None:
                log = _log(heading, source, number, rule_set, game, folder)
        except NotationError as error:
            yield error
            return
        try:
            if text.startswith("SCORE:"):
                _check_score(text, source, number)
            else:
                yield _Hand(log, text, source, number).record()
        except NotationError as error:
            yield error


def _log(
    heading: re.Match[str] | None,
    source: str,
    number: int,
    rule_set: RuleSet | None,
    given: GameDefinition | None,
    folder: Path | None,
) -> _Log:
    name = Path(heading[2]).name if heading else ""
    game = given or _named_game(name, folder, source, number)
    try:
        house = contest_house(game, rule_set)
    except ValueError as error:
        raise NotationError(source, number, str(error)) from None
    setup = HandSetup(
        house.rule_set,
        game.limit,
        Stakes(game.small_blind, game.big_blind, big_bet=_big_bet(game)),
        tuple(range(1, game.players + 1)),
        game.stacks or (DEEP_BIG_BLINDS * game.big_blind,) * game.players,
        game.players,
        2 if game.players == 2 else 1,
        1 if game.players == 2 else 2,
    )
    try:
        Ledger(setup)
    except RuleSetError as refused:
        raise NotationError(source, number, f"the game {game.name} is refused: {refused}") from None
    facts = {MATCH: heading[1], GAME: name, SEED: heading[4]} if heading else {}
    return _Log(game, setup, house.named, facts)


def _big_bet(game: GameDefinition) -> int:
    if game.limit != Limit.FIXED_LIMIT or game.raise_sizes[-1] == 2 * game.big_blind:
        return 0
    return game.raise_sizes[-1]


def _named_game(name: str, folder: Path | None, source: str, number: int) -> GameDefinition:
    """The game of this name, from beside the log before the built-in ones."""
    if _SAFE_NAME.fullmatch(name):
        path = folder / name if folder else None
        if path is not None and path.is_file():
            if path.stat().st_size > MAX_GAME_BYTES:
                raise NotationError(str(path), 1, f"expected a game definition of at most {MAX_GAME_BYTES} bytes")
            return read_game(path.read_text(encoding="utf-8", errors="replace"), str(path))
        if name in BUILT_IN:
            return BUILT_IN[name]
    told = f"the game definition {name} beside the log" if name else "a first line '# name/game/hands/seed ...'"
    raise NotationError(
        source, number, f"expected {told}, or the game definition given; built in: {', '.join(BUILT_IN)}"
    )


def _check_score(text: str, source: str, number: int) -> None:
    parts = text.split(":", 2)
    amounts, names = parts[1].split("|"), parts[-1].split("|")
    if len(parts) != 3 or len(amounts) != len(names) or not all(_AMOUNT.fullmatch(amount) for amount in amounts):
        raise NotationError(source, number, "expected SCORE:amounts:players, one amount for each player")


class _Hand:
    """One STATE line."""

    def __init__(self, log: _Log, text: str, source: str, line: int) -> None:
        self._log = log
        self._source = source
        self._line = line
        parts = text.split(":", len(_PARTS) - 1)
        if parts[0] != "STATE" or len(parts) != len(_PARTS):
            self._fail(f"expected STATE, a colon, and, with colons between them, {', '.join(_PARTS[1:])}")
        _, self._number, self._betting, self._cards, self._result, self._names = parts
        if not (self._number.isascii() and self._number.isdigit()):
            self._fail(f"expected {_PARTS[1]}, not {self._number!r}")

    def _fail(self, expected: str) -> NoReturn:
        raise NotationError(self._source, self._line, expected)

    def record(self) -> HandRecord:
        """What the line says."""
        log = self._log
        players = self._listed(self._names, "players")
        holes, boards = self._dealt()
        steps = self._steps(boards)
        board = tuple(card for dealt in boards for card in dealt)
        setup = replace(log.setup, deck=deck_from(2, holes, board), hand_id=self._number)
        return HandRecord(
            setup,
            steps,
            self._results(),
            players,
            NOTATION,
            self._source,
            self._line,
            rule_set_named=log.named,
            stacks_known=bool(log.game.stacks),
            facts=dict(log.facts),
        )

    def _listed(self, text: str, what: str) -> tuple[str, ...]:
        items = tuple(text.split("|"))
        if len(items) != self._log.game.players:
            self._fail(f"expected {self._log.game.players} {what} with | between them, not {len(items)}")
        return items

    def _dealt(self) -> tuple[tuple[tuple[int, ...], ...], list[tuple[int, ...]]]:
        """Hole cards by player, unknown ones where the log leaves them out, and the board street by street."""
        first, *rest = self._cards.split("/")
        rounds = self._betting.count("/")
        if len(rest) != rounds:
            self._fail(f"expected {rounds} parts of the board for {rounds + 1} betting rounds, not {len(rest)}")
        if rounds > LAST_STREET:
            self._fail("expected at most four betting rounds")
        holes = tuple(self._parsed(hole, 2) if hole else (UNKNOWN,) * 2 for hole in self._listed(first, "hands"))
        return holes, [self._parsed(part, STREET_CARDS[street]) for street, part in enumerate(rest, 1)]

    def _parsed(self, text: str, count: int) -> tuple[int, ...]:
        try:
            cards = parse_cards(text)
        except ValueError as error:
            self._fail(f"expected cards: {error}")
        if len(cards) != count:
            self._fail(f"expected {count} cards, not {text!r}")
        return cards

    def _steps(self, boards: list[tuple[int, ...]]) -> tuple[RecordedStep, ...]:
        moves = _MOVE.findall(self._betting)
        if "".join(moves) != self._betting:
            self._fail("expected the betting in f, c, r and / alone")
        ledger = Ledger(self._log.setup)
        player = self._log.game.first_player(0) - 1
        steps: list[RecordedStep] = []
        for move in moves:
            if move == "/":
                cards = boards[ledger.street]
                step = RecordedStep(Step.BOARD, cards=cards, line=self._line, text=move)
                player = self._log.game.first_player(1) - 1
            else:
                player = ledger.next_player(player + 1)
                if player == NOBODY:
                    self._fail(f"expected no {move!r} on betting round {ledger.street + 1}: nobody is left to act")
                step = self._step(move, player, ledger)
            steps.append(step)
            self._book(ledger, step)
        return tuple(steps)

    def _step(self, move: str, player: int, ledger: Ledger) -> RecordedStep:
        seat = ledger.setup.seats[player]
        if move[0] != "r":
            kind = Step.FOLD if move == "f" else Step.CHECK_OR_CALL
            return RecordedStep(kind, seat, line=self._line, text=move)
        if self._log.game.limit == Limit.FIXED_LIMIT:
            if move != "r":
                self._fail(f"expected r without an amount in a limit game, not {move!r}")
            size = self._log.game.raise_sizes[ledger.street]
            to = min(ledger.level + size, ledger.bet[player] + ledger.stack[player])
        else:
            if not 2 <= len(move) <= 18:
                self._fail(f"expected r and the player's total for the hand, not {move!r}")
            to = int(move[1:]) - (ledger.total[player] - ledger.bet[player])
        return RecordedStep(Step.BET_OR_RAISE, seat, to, line=self._line, text=move)

    @staticmethod
    def _book(ledger: Ledger, step: RecordedStep) -> None:
        """Follows a step; one with more chips than the player has is his last: what to make of it is the judge's."""
        try:
            ledger.follow(step)
        except ValueError:
            ledger.follow(replace(step, step=Step.ALL_IN))

    def _results(self) -> RecordedResult:
        finishing = []
        for stack, text in zip(self._log.setup.stacks, self._listed(self._result, "results"), strict=True):
            if not _AMOUNT.fullmatch(text):
                self._fail(f"expected an amount won or lost, not {text!r}")
            try:
                amount = parse_amount(text.removeprefix("-"))
            except ValueError as error:
                self._fail(f"expected an amount won or lost: {error}")
            finishing.append(stack + in_chips(-amount if text.startswith("-") else amount, Decimal(1)))
        return RecordedResult(tuple(finishing), line=self._line)
