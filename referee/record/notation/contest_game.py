"""Game definitions of the contest dealer: the ``GAMEDEF`` text that its logs refer to by name.

Read as far as the game is hold'em with the rulebook's blinds and order of action; anything else is refused by name.
"""

from dataclasses import dataclass
from pathlib import PurePath
from typing import Final, NoReturn

from referee.record.hand_record import NotationError
from referee.record.notation.house import HOLDEM_NAME, House, choose_house, default_rule_set
from referee.rules.ruleset import HOLDEM, MAX_RAISES, MAX_SEATS, MIN_SEATS, Limit, RuleSet

ROUNDS: Final = 4

UNLIMITED_STACK: Final = 2**31 - 1
"""The dealer's own number for a stack that nothing limits."""

UNLIMITED_RAISES: Final = 255
"""The dealer's own number for raises that nothing limits."""

MAX_GAME_BYTES: Final = 65_536

_MOST_NUMBERS: Final = {
    "numplayers": 1,
    "numrounds": 1,
    "stack": MAX_SEATS,
    "blind": MAX_SEATS,
    "raisesize": ROUNDS,
    "firstplayer": ROUNDS,
    "maxraises": ROUNDS,
    "numsuits": 1,
    "numranks": 1,
    "numholecards": 1,
    "numboardcards": ROUNDS,
}
_HOLDEM_VALUES: Final = {
    "numrounds": [ROUNDS],
    "numsuits": [4],
    "numranks": [13],
    "numholecards": [2],
    "numboardcards": [0, 3, 1, 1],
}


@dataclass(frozen=True)
class GameDefinition:
    """A hold'em game of the contest dealer. Lists are by position, position 0 being first left of the button.

    ``stacks`` empty means that nothing limits them. ``raise_sizes`` and ``max_raises``, one for each round, are those
    of a limit game, empty in no-limit; before the flop the big blind is no raise, on later rounds the bet is one.
    """

    name: str
    limit: Limit
    blinds: tuple[int, ...]
    stacks: tuple[int, ...] = ()
    raise_sizes: tuple[int, ...] = ()
    max_raises: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.blinds)

    @property
    def big_blind(self) -> int:
        """The larger blind."""
        return max(self.blinds)

    @property
    def small_blind(self) -> int:
        """The smaller blind; heads-up it is listed second (reverse blinds)."""
        return self.blinds[1] if self.players == 2 else self.blinds[0]

    def first_player(self, street: int) -> int:
        """The position first in line to act: left of the big blind before the flop, later left of the button."""
        if street > 0:
            return 0
        return 1 if self.players == 2 else 2


BUILT_IN: Final = {
    game.name: game
    for game in (
        GameDefinition(
            "holdem.limit.2p.reverse_blinds.game", Limit.FIXED_LIMIT, (10, 5), (), (10, 10, 20, 20), (3, 4, 4, 4)
        ),
        GameDefinition("holdem.nolimit.3p.game", Limit.NO_LIMIT, (50, 100, 0), (20_000,) * 3),
    )
}
"""Games of the contest's yearly matches, known without their files."""


def contest_house(game: GameDefinition, given: RuleSet | None) -> House:
    """The rules a game is played by: the caller's, or a default with the cap on raises that the game states."""
    if given is not None:
        return choose_house(HOLDEM_NAME, game.limit, given, None)
    default = default_rule_set(HOLDEM_NAME, game.limit)
    raises = min(game.max_raises[0], MAX_RAISES) if game.max_raises else default.max_raises
    if raises != default.max_raises:
        default = RuleSet(f"holdem/contest-cap-{raises}", 1, HOLDEM, (Limit.FIXED_LIMIT,), max_raises=raises)
    return House(default, False)


def read_game(text: str, source: str) -> GameDefinition:
    """Reads a game definition; raises NotationError for what is not one, or not hold'em as the rulebook has it."""
    return _Reader(text, source).game()


def write_game(game: GameDefinition) -> str:
    """Writes a game definition as the dealer reads it."""
    lines = ["GAMEDEF", "nolimit" if game.limit == Limit.NO_LIMIT else "limit"]
    values = {
        "numPlayers": (game.players,),
        "numRounds": (ROUNDS,),
        "stack": game.stacks,
        "blind": game.blinds,
        "raiseSize": game.raise_sizes,
        "firstPlayer": tuple(game.first_player(street) + 1 for street in range(ROUNDS)),
        "maxRaises": game.max_raises,
        "numSuits": (4,),
        "numRanks": (13,),
        "numHoleCards": (2,),
        "numBoardCards": (0, 3, 1, 1),
    }
    lines += [f"{key} = {' '.join(map(str, numbers))}" for key, numbers in values.items() if numbers]
    return "\n".join([*lines, "END GAMEDEF", ""])


class _Reader:
    """The assignments of one definition, with their lines."""

    def __init__(self, text: str, source: str) -> None:
        self._source = source
        self._values: dict[str, list[int]] = {}
        self._lines: dict[str, int] = {}
        self._limit: Limit | None = None
        lines = [
            (number, stripped)
            for number, line in enumerate(text.splitlines(), 1)
            if (stripped := line.partition("#")[0].strip())
        ]
        if not lines or lines[0][1].lower() != "gamedef":
            self._fail(lines[0][0] if lines else 1, "expected GAMEDEF")
        if lines[-1][1].lower() != "end gamedef":
            self._fail(lines[-1][0], "expected END GAMEDEF at the end")
        for number, line in lines[1:-1]:
            self._read(number, line)
        if self._limit is None:
            self._fail(lines[-1][0], "expected a line that says limit or nolimit")

    def _fail(self, line: int, expected: str) -> NoReturn:
        raise NotationError(self._source, line, expected)

    def _read(self, number: int, line: str) -> None:
        if line.lower() in ("limit", "nolimit"):
            self._limit = Limit.FIXED_LIMIT if line.lower() == "limit" else Limit.NO_LIMIT
            return
        key, equals, value = line.partition("=")
        name = key.strip().lower()
        if not equals or name not in _MOST_NUMBERS:
            self._fail(number, f"expected one of {', '.join(_MOST_NUMBERS)}, = and numbers, not {line!r}")
        words = value.split()
        if not 1 <= len(words) <= _MOST_NUMBERS[name] or not all(_is_number(word) for word in words):
            self._fail(number, f"expected 1 to {_MOST_NUMBERS[name]} numbers up to {UNLIMITED_STACK}, not {value!r}")
        self._values[name] = [int(word) for word in words]
        self._lines[name] = number

    def _require(self, key: str, condition: bool, expected: str) -> None:
        if not condition:
            self._fail(self._lines.get(key, 1), expected)

    def game(self) -> GameDefinition:
        """What is defined, checked."""
        assert self._limit is not None, "checked when the lines were read"
        values = self._values
        for key, wanted in _HOLDEM_VALUES.items():
            expected = f"expected {key} = {' '.join(map(str, wanted))}: only hold'em is known here"
            self._require(key, values.get(key, wanted if key == "numrounds" else []) == wanted, expected)
        players = values.get("numplayers", [0])[0]
        self._require("numplayers", MIN_SEATS <= players <= MAX_SEATS, "expected numPlayers of 2 to 10 (GAME-4)")
        fixed = self._limit == Limit.FIXED_LIMIT
        game = GameDefinition(
            PurePath(self._source).name,
            self._limit,
            self._blinds(players),
            self._stacks(players),
            tuple(values.get("raisesize", [])) if fixed else (),
            tuple(values.get("maxraises", [UNLIMITED_RAISES] * ROUNDS)) if fixed else (),
        )
        first = [game.first_player(street) + 1 for street in range(ROUNDS)]
        expected = f"expected firstPlayer = {' '.join(map(str, first))} (BET-1, BLIND-2)"
        self._require("firstplayer", values.get("firstplayer", [1] * ROUNDS) == first, expected)
        if fixed:
            self._check_limit(game)
        return game

    def _blinds(self, players: int) -> tuple[int, ...]:
        blinds = self._values.get("blind", [])
        self._require("blind", len(blinds) == players, f"expected {players} numbers for blind")
        small, big = (blinds[1], blinds[0]) if players == 2 else (blinds[0], blinds[1])
        order = "the big blind first, then the small blind" if players == 2 else "small blind, big blind, then 0"
        right = 0 <= small <= big and big > 0 and not any(blinds[2:])
        self._require("blind", right, f"expected {order} (BLIND-1, BLIND-2)")
        return tuple(blinds)

    def _stacks(self, players: int) -> tuple[int, ...]:
        stacks = self._values.get("stack", [])
        if all(stack >= UNLIMITED_STACK for stack in stacks):
            return ()
        self._require("stack", len(stacks) == players and all(stacks), f"expected {players} stacks above 0")
        return tuple(stacks)

    def _check_limit(self, game: GameDefinition) -> None:
        sizes, cap = game.raise_sizes, game.max_raises
        even = len(sizes) == ROUNDS and sizes[0] == sizes[1] == game.big_blind <= sizes[2] == sizes[3]
        self._require("raisesize", even, "expected raiseSize: the big blind twice, then the big bet twice (BLIND-1)")
        uncapped = all(raises >= UNLIMITED_RAISES for raises in cap)
        same = len(cap) == ROUNDS and set(cap[1:]) == {cap[0] + 1}
        expected = "expected the same cap on every round, as in 3 4 4 4: a bet and 3 raises, or none (SIZE-6)"
        self._require("maxraises", uncapped or same, expected)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= 10 and int(word) <= UNLIMITED_STACK
