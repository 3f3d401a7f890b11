"""Reads Full Tilt's hand histories of hold'em and Irish.

Amounts with a currency are read in cents, others in whole chips. Who posts or acts is dealt in, and so is everybody
else who is not said to sit out. Hole cards that nobody shows are unknown, hidden discards too. What is known of the
format, and from where, says :mod:`referee.record.notation.full_tilt_text`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from referee.record.hand_record import HandRecord, NotationError, RecordedResult, RecordedStep
from referee.record.notation import full_tilt_text as wording
from referee.record.notation.full_tilt_lines import (
    NOTATION,
    SEAT_FACT,
    Header,
    Move,
    Place,
    Player,
    Posted,
    Table,
    TableReader,
    read_header,
)
from referee.record.notation.holes import gave_up_seats, merged_with_steps, shown_seats
from referee.rules.cards import UNKNOWN
from referee.rules.ruleset import MAX_SEATS, MIN_SEATS, AnteKind, Limit, RuleSet, Stakes
from referee.rules.setup import NOBODY, HandSetup, Post, deck_from

MAX_LINES: Final = 2_000
"""Lines of one hand, chat included."""

MAX_LINE_LENGTH: Final = 1_000
"""Characters of one line."""

_ANTE, _SMALL, _BIG, _DEAD, _LIVE = (
    "antes",
    "posts the small blind of",
    "posts the big blind of",
    "posts a dead small blind of",
    "posts",
)


def read_full_tilt(
    lines: Iterable[str], source: str, rule_set: RuleSet | None = None
) -> Iterator[HandRecord | NotationError]:
    """Reads the hands of a text one by one; a hand that cannot be read comes as the error that says why."""
    current: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if current and wording.HEADER_START.match(text):
            yield _read(current, source, rule_set)
            current = []
        if text and len(current) <= MAX_LINES:
            current.append((number, text))
    if current:
        yield _read(current, source, rule_set)


def _read(lines: list[tuple[int, str]], source: str, rule_set: RuleSet | None) -> HandRecord | NotationError:
    place = Place(source, lines[0][0])
    try:
        if len(lines) > MAX_LINES:
            place.fail(f"expected at most {MAX_LINES} lines for one hand")
        for number, text in lines:
            place.line = number
            if len(text) > MAX_LINE_LENGTH:
                place.fail(f"expected lines of at most {MAX_LINE_LENGTH} characters")
        place.line = lines[0][0]
        header = read_header(lines[0][1], place, rule_set)
        reader = TableReader(header, place)
        for number, text in lines[1:]:
            place.line = number
            reader.read(text)
        return _Builder(header, reader.table, place, lines[0][0]).record()
    except NotationError as error:
        return error


class _Builder:
    """Makes the record of what the lines tell."""

    def __init__(self, header: Header, table: Table, place: Place, first_line: int) -> None:
        self._header = header
        self._table = table
        self._place = place
        self._first_line = first_line
        self._unit = header.unit

    def _at(self, line: int) -> Place:
        self._place.line = line
        return self._place

    def record(self) -> HandRecord:
        """The record; raises NotationError where the lines do not make a hand."""
        header, table = self._header, self._table
        dealt_in = self._dealt_in()
        game = header.house.rule_set.game
        holes = {player.seat: player.hole or (UNKNOWN,) * game.hole_cards for player in dealt_in}
        known, steps = merged_with_steps(holes, [self._step(move) for move in table.moves], game.kept_cards)
        result = self._result(dealt_in)
        stakes, posts = self._stakes(dealt_in)
        small_seat, big_seat = self._blind_seats([player.seat for player in dealt_in])
        setup = HandSetup(
            header.house.rule_set,
            header.limit,
            stakes,
            tuple(player.seat for player in dealt_in),
            tuple(self._at(self._first_line).chips(player.stack, self._unit) for player in dealt_in),
            table.button,
            small_seat,
            big_seat,
            deck_from(game.hole_cards, tuple(known[player.seat] for player in dealt_in), table.board),
            posts,
            show_when_beaten=shown_seats(steps),
            recorded_rake=-1 if result.rake is None else result.rake,
            hand_id=header.number,
        )
        return HandRecord(
            replace(setup, mucked_unseen=gave_up_seats(steps, setup)),
            steps,
            result,
            tuple(player.name for player in dealt_in),
            NOTATION,
            self._place.source,
            self._first_line,
            self._unit,
            header.currency,
            header.house.named,
            facts=self._facts(dealt_in),
        )

    def _dealt_in(self) -> list[Player]:
        """The players dealt in, clockwise from the left of the button."""
        place, button = self._at(self._first_line), self._table.button
        if not 1 <= button <= MAX_SEATS:
            place.fail(f"expected the line 'The button is in seat #' with a seat from 1 to {MAX_SEATS}")
        players = [player for player in self._table.players.values() if player.takes_part or not player.sits_out]
        if not MIN_SEATS <= len(players) <= MAX_SEATS:
            place.fail(f"expected {MIN_SEATS} to {MAX_SEATS} players, not {len(players)}")
        return sorted(players, key=lambda player: (player.seat - button - 1) % MAX_SEATS)

    def _facts(self, dealt_in: list[Player]) -> dict[str, str]:
        facts = dict(self._header.facts)
        for player in self._table.players.values():
            if player not in dealt_in:
                stack = self._place.chips(player.stack, self._unit)
                told = wording.money_text(stack, self._unit, self._header.currency)
                facts[f"{SEAT_FACT}{player.seat}"] = f"{player.name} ({told})"
        return facts

    def _step(self, move: Move) -> RecordedStep:
        place = self._at(move.step.line)
        to = 0 if move.to is None else place.chips(move.to, self._unit)
        return replace(move.step, to=to, amount=-1 if move.amount is None else place.chips(move.amount, self._unit))

    def _result(self, dealt_in: list[Player]) -> RecordedResult:
        """What was collected by the lines that tell the winners, or by the summary where there are none."""
        table = self._table
        place = self._at(table.totals_line or self._first_line)
        in_summary = [player.collected_in_summary for player in dealt_in]
        told = [player.collected for player in dealt_in] if table.winners_told else in_summary
        is_told = any(told) or table.total_pot == 0
        return RecordedResult(
            collected=tuple(Fraction(amount) / Fraction(self._unit) for amount in told) if is_told else None,
            total_pot=None if table.total_pot is None else place.chips(table.total_pot, self._unit),
            rake=None if table.rake is None else place.chips(table.rake, self._unit),
            line=place.line,
        )

    # --- stakes and posts -------------------------------------------------------------------------------

    def _seat_that(self, kind: str) -> int:
        """The one seat that posts a blind; nobody's where none does."""
        posts = [post for post in self._table.posts if post.kind == kind]
        if len(posts) > 1:
            self._at(posts[1].line).fail(f"expected one player who {kind.removesuffix(' of')}")
        return posts[0].player.seat if posts else NOBODY

    def _blind_seats(self, seats: list[int]) -> tuple[int, int]:
        """The blinds by their lines; a player whose ante took all his chips is a blind without a line."""
        small, big = self._seat_that(_SMALL), self._seat_that(_BIG)
        out_of_chips = [post.player.seat for post in self._table.posts if post.kind == _ANTE and post.all_in]
        due_small, due_big = (seats[1], seats[0]) if len(seats) == 2 else (seats[0], seats[1])
        if small == NOBODY and due_small in out_of_chips and big in (NOBODY, due_big):
            small = due_small
        if big == NOBODY and due_big in out_of_chips and small == due_small:
            big = due_big
        if big == NOBODY:
            self._at(self._first_line).fail("expected a player who posts the big blind (BLIND-1)")
        return small, big

    def _stakes(self, dealt_in: list[Player]) -> tuple[Stakes, tuple[Post, ...]]:
        """The stakes, and what is posted beside the blinds. In fixed-limit the header names the bets (BLIND-1)."""
        header, place = self._header, self._at(self._first_line)
        is_fixed = header.limit == Limit.FIXED_LIMIT
        big_blind = place.chips(header.small if is_fixed else header.big, self._unit)
        late_bet = place.chips(header.big, self._unit) if is_fixed else 0
        small_blind = self._fixed_small_blind(big_blind) if is_fixed else place.chips(header.small, self._unit)
        live: dict[int, int] = {}
        dead: dict[int, int] = {}
        antes: list[int] = []
        for post in self._table.posts:
            posted = self._at(post.line).chips(post.amount, self._unit)
            if post.kind == _ANTE:
                antes.append(posted)
                continue
            self._check_post(post, posted, small_blind if "small" in post.kind else big_blind)
            if post.kind == _LIVE:
                live[post.player.seat] = big_blind
            elif post.kind == _DEAD:
                dead[post.player.seat] = small_blind
        if antes and header.ante is not None:
            antes.append(self._at(self._first_line).chips(header.ante, self._unit))
        stakes = Stakes(
            small_blind,
            big_blind,
            big_bet=0 if late_bet == 2 * big_blind else late_bet,
            ante_kind=AnteKind.EACH if any(antes) else AnteKind.NONE,
            ante=max(antes, default=0),
        )
        posting = [player.seat for player in dealt_in if player.seat in live | dead]
        return stakes, tuple(Post(seat, live.get(seat, 0), dead.get(seat, 0)) for seat in posting)

    def _fixed_small_blind(self, big_blind: int) -> int:
        """The small blind that is posted; half the big blind where nobody posts a whole one, if that goes."""
        for post in self._table.posts:
            if post.kind == _SMALL and not post.all_in:
                return self._at(post.line).chips(post.amount, self._unit)
        half, odd = divmod(big_blind, 2)
        return 0 if odd else half

    def _check_post(self, post: Posted, posted: int, whole: int) -> None:
        if posted > whole or (posted < whole and not post.all_in):
            wanted = wording.money_text(whole, self._unit, self._header.currency)
            self._place.fail(f"expected {wanted}, or less and all in (BLIND-3, SEAT-3)")
