"""Reads the lines of one hand in Full Tilt's text into a table of what they tell, still in money.

What is known of the wording, and from where, says :mod:`referee.record.notation.full_tilt_text`.
"""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, NoReturn

from referee.record.hand_record import NotationError, RecordedStep, Step
from referee.record.notation import full_tilt_text as wording
from referee.record.notation.amounts import whole_chips
from referee.record.notation.holes import merged
from referee.record.notation.house import IRISH_NAME, House, choose_house
from referee.rules.cards import UNKNOWN, cards_text, parse_cards
from referee.rules.ruleset import MAX_SEATS, Limit, RuleSet
from referee.rules.setup import NOBODY

NOTATION: Final = "full-tilt"

PLACE, TIME, SEAT_FACT = "place", "time", "seat "
"""Facts of a record: table or tournament, time, and what the line of a seat says that is not dealt in."""

CENT: Final = Decimal("0.01")
CHIP: Final = Decimal(1)

_PLAIN_MOVES: Final = {"folds": Step.FOLD, "checks": Step.CHECK}
_SIZED_MOVES: Final = {"bets": Step.BET, "raises to": Step.RAISE, "completes it to": Step.RAISE}
_BOARD_BEFORE: Final = {"FLOP": 0, "TURN": 3, "RIVER": 4}


@dataclass
class Player:
    """Somebody at the table: what the seat line says, and what the hand says of him."""

    seat: int
    name: str
    stack: Decimal
    sits_out: bool
    takes_part: bool = False
    hole: tuple[int, ...] = ()
    collected: Decimal = Decimal(0)
    collected_in_summary: Decimal = Decimal(0)


@dataclass
class Posted:
    """One posting, in the room's words."""

    player: Player
    kind: str
    amount: Decimal
    all_in: bool
    line: int


@dataclass
class Move:
    """A step whose amount is still money."""

    step: RecordedStep
    to: Decimal | None = None
    amount: Decimal | None = None


@dataclass
class Header:
    """What the first line tells."""

    number: str
    game: str
    limit: Limit
    house: House
    currency: str
    small: Decimal
    big: Decimal
    ante: Decimal | None
    facts: dict[str, str]

    @property
    def unit(self) -> Decimal:
        """What one chip is worth: a cent, or a tournament's chip."""
        cents = self.currency or any(amount % 1 for amount in (self.small, self.big))
        return CENT if cents else CHIP


@dataclass
class Table:
    """Everything that the lines after the header tell."""

    players: dict[str, Player] = field(default_factory=dict)
    posts: list[Posted] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    board: tuple[int, ...] = ()
    button: int = NOBODY
    winners_told: bool = False
    total_pot: Decimal | None = None
    rake: Decimal | None = None
    totals_line: int = 0


class Place:
    """Where reading stands, for errors, and the reading of single values there."""

    def __init__(self, source: str, line: int) -> None:
        self.source = source
        self.line = line

    def fail(self, expected: str) -> NoReturn:
        """Raises NotationError here."""
        raise NotationError(self.source, self.line, expected)

    def money(self, text: str) -> Decimal:
        """An amount of money."""
        try:
            return wording.parse_money(text)
        except ValueError as error:
            self.fail(f"expected an amount: {error}")

    def chips(self, amount: Decimal, unit: Decimal) -> int:
        """An amount in chips."""
        try:
            return whole_chips(amount, unit)
        except ValueError as error:
            self.fail(f"expected whole chips: {error}")

    def cards(self, text: str) -> tuple[int, ...]:
        """A row of cards."""
        try:
            return parse_cards(text)
        except ValueError as error:
            self.fail(f"expected cards: {error}")


def read_header(text: str, place: Place, rule_set: RuleSet | None) -> Header:
    """Reads a hand's first line; games that the rulebook does not know are refused by name."""
    header = wording.HEADER.fullmatch(text)
    if header is None:
        place.fail("expected 'Full Tilt Poker Game #number: table - stakes - game - time'")
    rest = next((found for order in wording.HEADER_ORDERS if (found := order.fullmatch(header["rest"]))), None)
    if rest is None:
        place.fail("expected 'table - stakes - game - time' or 'table - game - stakes - time' after the number")
    if rest["partial"]:
        place.fail("expected a whole hand; this one is marked as partial")
    if rest["cap"]:
        place.fail(f"{rest['cap'].strip()} games limit what a hand can cost, which the rulebook does not know")
    if rest["game"] not in wording.GAMES:
        place.fail(f"{rest['limit']} {rest['game']} is not hold'em or Irish")
    game, limit = wording.GAMES[rest["game"]], wording.LIMITS[rest["limit"]]
    return Header(
        header["number"],
        game,
        limit,
        _house(game, limit, place, rule_set),
        rest["currency"],
        place.money(rest["small"]),
        place.money(rest["big"]),
        place.money(rest["ante"]) if rest["ante"] else None,
        {PLACE: rest["place"], TIME: rest["time"]},
    )


def _house(game: str, limit: Limit, place: Place, rule_set: RuleSet | None) -> House:
    """The rules; those of Irish in no-limit and pot-limit are the room's own, so the text names them."""
    try:
        house = choose_house(game, limit, rule_set, None)
    except ValueError as error:
        place.fail(str(error))
    is_own_game = game == IRISH_NAME and limit != Limit.FIXED_LIMIT
    return House(house.rule_set, True) if is_own_game else house


class TableReader:
    """Reads the lines after the header one by one."""

    def __init__(self, header: Header, place: Place) -> None:
        self._place = place
        self._game = header.house.rule_set.game
        self._in_summary = False
        self.table = Table()

    def read(self, text: str) -> None:
        """Reads one line; raises NotationError for one that is neither the room's nor chat."""
        if wording.RUN_TWICE.fullmatch(text):
            self._place.fail("a board that is run twice, which the rulebook does not know")
        if wording.CANCELLED.fullmatch(text):
            self._place.fail("expected a whole hand; this one has been cancelled")
        if self._in_summary:
            self._read_summary(text)
        elif text == wording.SUMMARY:
            self._in_summary = True
        else:
            self._read_line(text)

    # --- before the summary -----------------------------------------------------------------------------

    def _read_line(self, text: str) -> None:
        if street := wording.STREET.fullmatch(text):
            self._read_street(street, text)
        elif text.startswith("*** "):
            if not wording.MARKERS.fullmatch(text):
                self._place.fail(f"expected a heading such as *** HOLE CARDS *** or *** SUMMARY ***, not {text!r}")
        elif not self.table.button and (seat := wording.SEAT.fullmatch(text)):
            self._read_seat(seat)
        elif button := wording.BUTTON.fullmatch(text):
            self.table.button = int(button[1])
        elif dealt := wording.DEALT.fullmatch(text):
            player = self._player(dealt["name"])
            player.takes_part = True
            self._learn(player, dealt["cards"])
        elif returned := wording.UNCALLED.fullmatch(text):
            amount = self._place.money(returned["amount"])
            self._add(self._player(returned["name"]), Step.RETURNED, text, amount=amount)
        else:
            self._read_words(text)

    def _read_seat(self, seat: re.Match[str]) -> None:
        players = self.table.players
        number, name = int(seat["seat"]), seat["name"]
        if not 1 <= number <= MAX_SEATS or number in [player.seat for player in players.values()]:
            self._place.fail(f"expected different seats from 1 to {MAX_SEATS}, not {number}")
        if name in players:
            self._place.fail(f"expected different players, not {name!r} again")
        players[name] = Player(number, name, self._place.money(seat["stack"]), seat["out"] is not None)

    def _player(self, name: str) -> Player:
        player = self.table.players.get(name)
        if player is None:
            self._place.fail(f"expected a player with a seat, not {name!r}")
        return player

    def _learn(self, player: Player, text: str) -> None:
        """Takes in cards that are now known to have been a player's."""
        player.hole = merged(player.hole or (UNKNOWN,) * self._game.hole_cards, self._place.cards(text))

    def _read_street(self, street: re.Match[str], text: str) -> None:
        name, cards, before = street["name"], self._place.cards(street["cards"]), self.table.board
        if street["before"] is not None and self._place.cards(street["before"]) != before:
            self._place.fail(f"expected the board so far, [{cards_text(before)}]")
        count = 1 if before else 3
        if len(cards) != count or len(before) != _BOARD_BEFORE[name]:
            self._place.fail(f"expected {count} new card{'s' if count > 1 else ''} on the street that is due")
        self.table.board = before + cards
        self.table.moves.append(Move(RecordedStep(Step.BOARD, cards=cards, line=self._place.line, text=text)))

    def _read_words(self, text: str) -> None:
        names = [name for name in self.table.players if text.startswith(name + " ")]
        for name in sorted(names, key=len, reverse=True):
            if self._read_player(self.table.players[name], text.removeprefix(name + " "), text):
                return
        if names or not wording.is_about_nobody(text):
            self._place.fail(f"expected what a player posts, does, shows or wins, not {text!r}")

    def _read_player(self, player: Player, words: str, text: str) -> bool:
        """Reads what a player does; false when the words are none of the room's."""
        if post := wording.POST.fullmatch(words):
            amount = self._place.money(post["amount"])
            self.table.posts.append(Posted(player, post["kind"], amount, bool(post["all_in"]), self._place.line))
            player.takes_part = True
        elif move := wording.MOVE.fullmatch(words):
            return self._read_move(player, move, text)
        elif discard := wording.DISCARD.fullmatch(words):
            hidden = (UNKNOWN,) * self._game.discards
            self._add(player, Step.DISCARD, text, self._place.cards(discard["cards"]) if discard["cards"] else hidden)
        elif shows := wording.SHOWS.fullmatch(words):
            self._add(player, Step.SHOW, text, self._place.cards(shows["cards"]))
        elif wording.MUCKS.fullmatch(words):
            self._add(player, Step.MUCK, text)
        elif wins := wording.WINS.fullmatch(words):
            self.table.winners_told = True
            player.collected += self._place.money(wins["amount"])
        else:
            return wording.is_about_a_player(words)
        return True

    def _read_move(self, player: Player, move: re.Match[str], text: str) -> bool:
        kind = move["kind"]
        if (kind in _PLAIN_MOVES) == (move["amount"] is not None):
            return False
        if kind in _PLAIN_MOVES:
            self._add(player, _PLAIN_MOVES[kind], text)
        elif kind == "calls":
            self._add(player, Step.CALL, text, amount=self._place.money(move["amount"]))
        else:
            self._add(player, _SIZED_MOVES[kind], text, to=self._place.money(move["amount"]))
        return True

    def _add(
        self,
        player: Player,
        step: Step,
        text: str,
        cards: tuple[int, ...] = (),
        to: Decimal | None = None,
        amount: Decimal | None = None,
    ) -> None:
        player.takes_part = True
        recorded = RecordedStep(step, player.seat, cards=cards, line=self._place.line, text=text)
        self.table.moves.append(Move(recorded, to, amount))

    # --- the summary ------------------------------------------------------------------------------------

    def _read_summary(self, text: str) -> None:
        table = self.table
        if total := wording.TOTAL_POT.fullmatch(text):
            table.total_pot, table.rake = self._place.money(total["total"]), self._place.money(total["rake"])
            table.totals_line = self._place.line
        elif board := wording.BOARD.fullmatch(text):
            if self._place.cards(board["cards"]) != table.board:
                self._place.fail(f"expected the board that was dealt, [{cards_text(table.board)}]")
        elif outcome := wording.SUMMARY_SEAT.fullmatch(text):
            self._read_outcome(int(outcome["seat"]), outcome["rest"])
        elif not wording.is_about_nobody(text):
            self._place.fail(f"expected the total pot, the board or what became of a seat, not {text!r}")

    def _read_outcome(self, seat: int, rest: str) -> None:
        player = next((one for one in self.table.players.values() if one.seat == seat), None)
        if player is None or not rest.startswith(player.name):
            self._place.fail(f"expected the player who sits in seat {seat}")
        words = rest.removeprefix(player.name)
        if words.endswith(" is sitting out"):
            player.sits_out = True
        if cards := wording.OUTCOME_CARDS.fullmatch(words):
            self._learn(player, cards["cards"])
        if won := wording.OUTCOME_WON.fullmatch(words):
            player.collected_in_summary += self._place.money(won["amount"])
