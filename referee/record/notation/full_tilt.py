"""Reads Full Tilt's hand histories of hold'em and Irish; what is known of them, and from where, says
:mod:`referee.record.notation.full_tilt_text`.

Amounts with a currency are read in cents, others in whole chips. A player is dealt in who posts or acts; one who sits
out in a cash game is not, one who sits out in a tournament is. Hole cards that nobody shows are unknown, hidden
discards too. Irish in no-limit and pot-limit is by the room's own rules, so the rule set counts as named.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final, NoReturn

from referee.record.hand_record import HandRecord, NotationError, RecordedResult, RecordedStep, Step
from referee.record.notation import full_tilt_text as wording
from referee.record.notation.amounts import whole_chips
from referee.record.notation.holes import gave_up_seats, merged, merged_with_steps, shown_seats
from referee.record.notation.house import IRISH_NAME, House, choose_house
from referee.rules.cards import UNKNOWN, cards_text, parse_cards
from referee.rules.ruleset import MAX_SEATS, MIN_SEATS, AnteKind, Limit, RuleSet, Stakes
from referee.rules.setup import NOBODY, HandSetup, Post, deck_from

NOTATION: Final = "full-tilt"
PLACE, TIME, SEAT_FACT = "place", "time", "seat "
"""Facts of a record: table or tournament, time, and what a seat says that is not dealt in."""

CENT: Final = Decimal("0.01")
CHIP: Final = Decimal(1)

MAX_LINES: Final = 2_000
"""Lines of one hand, chat included."""

_PLAIN_MOVES: Final = {"folds": Step.FOLD, "checks": Step.CHECK}
_PAID_MOVES: Final = {"calls": Step.CALL, "bets": Step.BET, "raises to": Step.RAISE, "completes it to": Step.RAISE}


def read_full_tilt(
    lines: Iterable[str], source: str, rule_set: RuleSet | None = None
) -> Iterator[HandRecord | NotationError]:
    """Reads the hands of a text one by one; a hand that cannot be read comes as the error that says why."""
    current: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and current and wording.HEADER.fullmatch(text):
            yield _read(current, source, rule_set)
            current = []
        if text:
            current.append((number, text))
    if current:
        yield _read(current, source, rule_set)


def _read(lines: list[tuple[int, str]], source: str, rule_set: RuleSet | None) -> HandRecord | NotationError:
    try:
        if len(lines) > MAX_LINES:
            raise NotationError(source, lines[0][0], f"expected at most {MAX_LINES} lines for one hand")
        return _Hand(lines, source, rule_set).record()
    except NotationError as error:
        return error


@dataclass
class _Player:
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
class _Post:
    """One posting, before it is known how large the blinds are."""

    player: _Player
    kind: str
    amount: Decimal
    all_in: bool
    line: int


@dataclass
class _Totals:
    """What the summary says."""

    line: int = 0
    total: Decimal | None = None
    rake: Decimal | None = None


@dataclass
class _Move:
    """A step whose amount is still money."""

    step: RecordedStep
    to: Decimal | None = None
    amount: Decimal | None = None


@dataclass
class _Table:
    """Everything that is collected from the lines."""

    players: dict[str, _Player] = field(default_factory=dict)
    posts: list[_Post] = field(default_factory=list)
    moves: list[_Move] = field(default_factory=list)
    board: tuple[int, ...] = ()
    button: int = NOBODY
    totals: _Totals = field(default_factory=_Totals)
    winners_told: bool = False


class _Hand:
    """One hand's lines."""

    def __init__(self, lines: list[tuple[int, str]], source: str, rule_set: RuleSet | None) -> None:
        self._source = source
        self._first_line = lines[0][0]
        self._line = self._first_line
        self._table = _Table()
        self._in_summary = False
        self._read_header(lines[0][1], rule_set)
        for number, text in lines[1:]:
            self._line = number
            if self._in_summary:
                self._read_summary(text)
            else:
                self._read_line(text)

    def _fail(self, expected: str) -> NoReturn:
        raise NotationError(self._source, self._line, expected)

    def _money(self, text: str) -> Decimal:
        try:
            return wording.parse_money(text)
        except ValueError as error:
            self._fail(f"expected an amount: {error}")

    def _chips(self, amount: Decimal) -> int:
        try:
            return whole_chips(amount, self._unit)
        except ValueError as error:
            self._fail(f"expected whole chips: {error}")

    def _cards(self, text: str) -> tuple[int, ...]:
        try:
            return parse_cards(text)
        except ValueError as error:
            self._fail(f"expected cards: {error}")

    def _read_header(self, text: str, rule_set: RuleSet | None) -> None:
        header = wording.HEADER.fullmatch(text)
        if header is None:
            self._fail("expected 'Full Tilt Poker Game #number: table - stakes - game - time'")
        self._number = header["number"]
        rest = next((found for order in wording.HEADER_ORDERS if (found := order.fullmatch(header["rest"]))), None)
        if rest is None:
            self._fail("expected 'table - stakes - game - time' or 'table - game - stakes - time' after the number")
        if rest["partial"]:
            self._fail("expected a whole hand; this one is marked as partial")
        if rest["cap"]:
            self._fail(f"{rest['cap'].strip()} games limit what a hand can cost, which the rulebook does not know")
        if rest["game"] not in wording.GAMES:
            self._fail(f"{rest['limit']} {rest['game']} is not hold'em or Irish")
        self._game, self._limit = wording.GAMES[rest["game"]], wording.LIMITS[rest["limit"]]
        self._house = self._choose_house(rule_set)
        self._currency = rest["currency"]
        self._small, self._big = self._money(rest["small"]), self._money(rest["big"])
        self._ante = self._money(rest["ante"]) if rest["ante"] else None
        cents = self._currency or any(amount % 1 for amount in (self._small, self._big))
        self._unit = CENT if cents else CHIP
        self._facts = {PLACE: rest["place"], TIME: rest["time"]}

    def _choose_house(self, rule_set: RuleSet | None) -> House:
        try:
            house = choose_house(self._game, self._limit, rule_set, None)
        except ValueError as error:
            self._fail(str(error))
        return house if self._game != IRISH_NAME or self._limit == Limit.FIXED_LIMIT else House(house.rule_set, True)

    # --- before the summary -----------------------------------------------------------------------------

    def _read_line(self, text: str) -> None:
        if text == wording.SUMMARY:
            self._in_summary = True
        elif wording.RUN_TWICE.fullmatch(text):
            self._fail("a board that is run twice, which the rulebook does not know")
        elif wording.CANCELLED.fullmatch(text):
            self._fail("expected a whole hand; this one has been cancelled")
        elif street := wording.STREET.fullmatch(text):
            self._read_street(street, text)
        elif text.startswith("*** "):
            if not wording.MARKERS.fullmatch(text):
                self._fail(f"expected HOLE CARDS, FLOP, DISCARD ROUND, TURN, RIVER, SHOW DOWN or SUMMARY, not {text!r}")
        elif not self._table.button and (seat := wording.SEAT.fullmatch(text)):
            self._read_seat(seat)
        elif button := wording.BUTTON.fullmatch(text):
            self._table.button = int(button[1])
        elif dealt := wording.DEALT.fullmatch(text):
            player = self._player(dealt["name"])
            player.hole = merged(player.hole or self._unknown_hole(), self._cards(dealt["cards"]))
            player.takes_part = True
        elif returned := wording.UNCALLED.fullmatch(text):
            self._add(self._player(returned["name"]), Step.RETURNED, text, amount=self._money(returned["amount"]))
        else:
            self._read_words(text)

    def _read_seat(self, seat: re.Match[str]) -> None:
        number = int(seat["seat"])
        if not 1 <= number <= MAX_SEATS or number in [player.seat for player in self._table.players.values()]:
            self._fail(f"expected different seats from 1 to {MAX_SEATS}, not {number}")
        if seat["name"] in self._table.players:
            self._fail(f"expected different players, not {seat['name']!r} again")
        self._table.players[seat["name"]] = _Player(
            number, seat["name"], self._money(seat["stack"]), seat["out"] is not None
        )

    def _unknown_hole(self) -> tuple[int, ...]:
        return (UNKNOWN,) * self._house.rule_set.game.hole_cards

    def _player(self, name: str) -> _Player:
        player = self._table.players.get(name)
        if player is None:
            self._fail(f"expected a player with a seat, not {name!r}")
        return player

    def _read_street(self, street: re.Match[str], text: str) -> None:
        cards, before = self._cards(street["cards"]), self._table.board
        if street["before"] is not None and self._cards(street["before"]) != before:
            self._fail(f"expected the board so far, [{cards_text(before)}]")
        count = 3 if street["name"] == "FLOP" else 1
        if len(cards) != count:
            self._fail(f"expected {count} new cards on the {street['name'].lower()}")
        if len(before) != {"FLOP": 0, "TURN": 3, "RIVER": 4}[street["name"]]:
            self._fail(f"expected the {street['name'].lower()} in its order")
        self._table.board = before + cards
        self._table.moves.append(_Move(RecordedStep(Step.BOARD, cards=cards, line=self._line, text=text)))

    def _read_words(self, text: str) -> None:
        names = [name for name in self._table.players if text.startswith(name + " ")]
        for name in sorted(names, key=len, reverse=True):
            if self._read_player(self._table.players[name], text.removeprefix(name + " "), text):
                return
        if names or not wording.is_about_nobody(text):
            self._fail(f"expected what a player posts, does, shows or wins, not {text!r}")

    def _read_player(self, player: _Player, words: str, text: str) -> bool:
        """Reads what a player does; false when the words are none of the room's."""
        if post := wording.POST.fullmatch(words):
            amount = self._money(post["amount"])
            self._table.posts.append(_Post(player, post["kind"], amount, bool(post["all_in"]), self._line))
            player.takes_part = True
        elif move := wording.MOVE.fullmatch(words):
            return self._read_move(player, move, text)
        elif discard := wording.DISCARD.fullmatch(words):
            hidden = (UNKNOWN,) * self._house.rule_set.game.discards
            self._add(player, Step.DISCARD, text, self._cards(discard["cards"]) if discard["cards"] else hidden)
        elif shows := wording.SHOWS.fullmatch(words):
            self._add(player, Step.SHOW, text, self._cards(shows["cards"]))
        elif wording.MUCKS.fullmatch(words):
            self._add(player, Step.MUCK, text)
        elif wins := wording.WINS.fullmatch(words):
            self._table.winners_told = True
            player.collected += self._money(wins["amount"])
        else:
            return wording.is_about_a_player(words)
        return True

    def _read_move(self, player: _Player, move: re.Match[str], text: str) -> bool:
        kind, amount = move["kind"], move["amount"]
        if (kind in _PLAIN_MOVES) == (amount is not None):
            return False
        if kind in _PLAIN_MOVES:
            self._add(player, _PLAIN_MOVES[kind], text)
        elif kind == "calls":
            self._add(player, Step.CALL, text, amount=self._money(amount))
        else:
            self._add(player, _PAID_MOVES[kind], text, to=self._money(amount))
        return True

    def _add(
        self,
        player: _Player,
        step: Step,
        text: str,
        cards: tuple[int, ...] = (),
        to: Decimal | None = None,
        amount: Decimal | None = None,
    ) -> None:
        player.takes_part = True
        recorded = RecordedStep(step, player.seat, cards=cards, line=self._line, text=text)
        self._table.moves.append(_Move(recorded, to, amount))

    # --- the summary ------------------------------------------------------------------------------------

    def _read_summary(self, text: str) -> None:
        totals = self._table.totals
        if total := wording.TOTAL_POT.fullmatch(text):
            self._table.totals = _Totals(self._line, self._money(total["total"]), self._money(total["rake"]))
        elif board := wording.BOARD.fullmatch(text):
            if self._cards(board["cards"]) != self._table.board:
                self._fail(f"expected the board that was dealt, [{cards_text(self._table.board)}]")
        elif outcome := wording.SUMMARY_SEAT.fullmatch(text):
            self._read_outcome(outcome)
        elif wording.RUN_TWICE.fullmatch(text):
            self._fail("a board that is run twice, which the rulebook does not know")
        elif not wording.is_about_nobody(text):
            wanted = "the total pot" if totals.total is None else "the board or a seat"
            self._fail(f"expected {wanted}, not {text!r}")

    def _read_outcome(self, outcome: re.Match[str]) -> None:
        seat, rest = int(outcome["seat"]), outcome["rest"]
        player = next((one for one in self._table.players.values() if one.seat == seat), None)
        if player is None or not rest.startswith(player.name):
            self._fail(f"expected the player that seat {seat} began with")
        words = rest.removeprefix(player.name)
        if words.endswith("is sitting out"):
            player.sits_out = True
        if cards := wording.OUTCOME_CARDS.fullmatch(words):
            player.hole = merged(player.hole or self._unknown_hole(), self._cards(cards["cards"]))
        if won := wording.OUTCOME_WON.fullmatch(words):
            player.collected_in_summary += self._money(won["amount"])

    # --- the record -------------------------------------------------------------------------------------

    def record(self) -> HandRecord:
        """What the lines say."""
        table = self._table
        self._line = self._first_line
        if not table.button:
            self._fail("expected the line 'The button is in seat #'")
        dealt_in = [player for player in table.players.values() if player.takes_part or not player.sits_out]
        if not MIN_SEATS <= len(dealt_in) <= MAX_SEATS:
            self._fail(f"expected {MIN_SEATS} to {MAX_SEATS} players, not {len(dealt_in)}")
        dealt_in.sort(key=lambda player: (player.seat - table.button - 1) % MAX_SEATS)
        game = self._house.rule_set.game
        for player in table.players.values():
            if player not in dealt_in:
                stack = wording.money_text(self._chips(player.stack), self._unit, self._currency)
                self._facts[f"{SEAT_FACT}{player.seat}"] = f"{player.name} ({stack})"
        holes = {player.seat: player.hole or self._unknown_hole() for player in dealt_in}
        known, steps = merged_with_steps(holes, [self._step(move) for move in table.moves], game.kept_cards)
        result = self._result(dealt_in)
        stakes, small_seat, big_seat, posts = self._posting()
        setup = HandSetup(
            self._house.rule_set,
            self._limit,
            stakes,
            tuple(player.seat for player in dealt_in),
            tuple(self._chips(player.stack) for player in dealt_in),
            table.button,
            small_seat,
            big_seat,
            deck_from(game.hole_cards, tuple(known[player.seat] for player in dealt_in), table.board),
            posts,
            show_when_beaten=shown_seats(steps),
            recorded_rake=-1 if result.rake is None else result.rake,
            hand_id=self._number,
        )
        return HandRecord(
            replace(setup, mucked_unseen=gave_up_seats(steps, setup)),
            steps,
            result,
            tuple(player.name for player in dealt_in),
            NOTATION,
            self._source,
            self._first_line,
            self._unit,
            self._currency,
            self._house.named,
            facts=self._facts,
        )

    def _step(self, move: _Move) -> RecordedStep:
        self._line = move.step.line
        to = 0 if move.to is None else self._chips(move.to)
        return replace(move.step, to=to, amount=-1 if move.amount is None else self._chips(move.amount))

    def _result(self, dealt_in: list[_Player]) -> RecordedResult:
        table, totals = self._table, self._table.totals
        self._line = totals.line or self._first_line
        in_summary = [player.collected_in_summary for player in dealt_in]
        told = [player.collected for player in dealt_in] if table.winners_told else in_summary
        collected = tuple(Fraction(amount) / Fraction(self._unit) for amount in told) if any(told) else None
        return RecordedResult(
            collected=collected,
            total_pot=None if totals.total is None else self._chips(totals.total),
            rake=None if totals.rake is None else self._chips(totals.rake),
            line=self._line,
        )

    def _posting(self) -> tuple[Stakes, int, int, tuple[Post, ...]]:
        """The stakes and who posts what. In fixed-limit the header names the bets, and the big blind is the small one."""
        big_blind = self._chips(self._small if self._limit == Limit.FIXED_LIMIT else self._big)
        late_bet = self._chips(self._big) if self._limit == Limit.FIXED_LIMIT else 2 * big_blind
        small_seat = self._blind_seat("posts the small blind of")
        big_seat = self._blind_seat("posts the big blind of")
        if big_seat == NOBODY:
            self._line = self._first_line
            self._fail("expected a player who posts the big blind (BLIND-1)")
        small_blind = self._small_blind(big_blind)
        live: dict[int, int] = {}
        dead: dict[int, int] = {}
        for post in self._table.posts:
            self._check_post(post, small_blind, big_blind)
            if post.kind == "posts":
                live[post.player.seat] = big_blind
            elif post.kind == "posts a dead small blind of":
                dead[post.player.seat] = small_blind
        antes = [self._chips(post.amount) for post in self._table.posts if post.kind == "antes"]
        ante = max([*antes, self._chips(self._ante) if self._ante is not None and antes else 0])
        stakes = Stakes(
            small_blind,
            big_blind,
            big_bet=0 if late_bet == 2 * big_blind else late_bet,
            ante_kind=AnteKind.EACH if ante else AnteKind.NONE,
            ante=ante,
        )
        seats = sorted(live | dead)
        posts = tuple(Post(seat, live.get(seat, 0), dead.get(seat, 0)) for seat in seats)
        return stakes, small_seat, big_seat, posts

    def _blind_seat(self, kind: str) -> int:
        posts = [post for post in self._table.posts if post.kind == kind]
        if len(posts) > 1:
            self._line = posts[1].line
            self._fail(f"expected one player who {kind.removesuffix(' of')}")
        return posts[0].player.seat if posts else NOBODY

    def _small_blind(self, big_blind: int) -> int:
        """The header's small blind; in fixed-limit the posted one, or half the big blind where nobody posts it whole."""
        if self._limit != Limit.FIXED_LIMIT:
            return self._chips(self._small)
        for post in self._table.posts:
            if post.kind == "posts the small blind of" and not post.all_in:
                return self._chips(post.amount)
        half, odd = divmod(big_blind, 2)
        return 0 if odd else half

    def _check_post(self, post: _Post, small_blind: int, big_blind: int) -> None:
        if post.kind == "antes":
            return
        self._line = post.line
        whole = small_blind if "small" in post.kind else big_blind
        posted = self._chips(post.amount)
        if posted > whole or (posted < whole and not post.all_in):
            wanted = wording.money_text(whole, self._unit, self._currency)
            self._fail(f"expected {wanted}, or less and all in (BLIND-3, SEAT-3)")
