"""Following a table's record from piece to piece: its rules, who sits down, hand after hand, the end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from google.protobuf.message import DecodeError, Message

from referee.audit.deals import Deals
from referee.audit.game import AuditedGame, Conserved, Wrong
from referee.audit.games import audited_game
from referee.audit.hand_walk import DeviationError, HandWalk
from referee.audit.opening import config_in, opening_faults
from referee.audit.reading import EVENT_KINDS, Item, ReadPiece, open_part_of
from referee.audit.report import Divergence, Findings
from referee.audit.seating import UNKNOWN_SEATS, Seating
from referee.audit.wording import item_words
from referee.rules.ruleset import RuleSetError
from referee.table.config import TableConfig
from referee.table.happenings import ends_hand
from referee.table.views import AUDITOR
from referee.v1 import record_pb2, table_pb2

HIDDEN_FROM_VIEW: Final = "hidden from this view"
_FOLLOWED: Final = (*EVENT_KINDS, "decision_opened", "ruling")


@dataclass
class TableWalk:
    """Follows one table's record; ``viewer`` is as whom the bundle was made."""

    table_id: str
    viewer: int
    findings: Findings
    config: TableConfig | None = None
    game: AuditedGame | None = None
    hand: HandWalk[Any, Any] | None = None
    conserved: Conserved | None = None
    is_lost: bool = False
    _deals: Deals = field(init=False)
    _piece: int = -1
    _last_ms: int = 0

    def __post_init__(self) -> None:
        self._deals = Deals(self.table_id, self.findings)

    @property
    def seating(self) -> Seating | None:
        """The seats of the table, None where it is not known what it plays."""
        return None if self.game is None else self.game.seating

    def follow(self, pieces: Sequence[ReadPiece]) -> None:
        """Follows the table's pieces, in order."""
        first = pieces[0].items[0] if pieces and pieces[0].items and pieces[0].seal.piece == 0 else None
        has_opening = first is not None and first.kind == "opened"
        if first is not None and has_opening:
            self._open(first)
        else:
            self._no_opening(pieces)
        self._deals.read([(piece.seal.piece, piece.items) for piece in pieces], has_opening)
        for piece in pieces:
            self._follow_piece(piece)

    def _fail(
        self, check: str, item: Item | None, message: str, rule: str = "", recorded: str = "", right: str = ""
    ) -> None:
        number = -1 if item is None else item.number
        before = ""
        if item is not None and item.hand:
            before = self._before()
        self.findings.failed(
            Divergence(check, message, self.table_id, self._piece, number, rule, before, recorded, right)
        )

    def _deviates(self, item: Item, one: DeviationError) -> None:
        self._fail(one.check, item, one.message, one.rule, one.recorded, one.right)

    def _before(self) -> str:
        if self.hand is None:
            return "before the first hand"
        return self.hand.before()

    # --- the opening -------------------------------------------------------------------------------------

    def _no_opening(self, pieces: Sequence[ReadPiece]) -> None:
        if pieces and pieces[0].seal.piece == 0:
            self._piece = 0
            self._fail("hands", None, "the first entry does not open the table")
            return
        why = "the table's opening is not in the bundle"
        self.findings.lacks(f"the opening of table {self.table_id}")
        for check in ("rules", "open_parts", "hands", "seats", "positions", "events", "rulings", "refusals"):
            self.findings.unchecked(check, why)

    def _open(self, item: Item) -> None:
        self._piece = 0
        try:
            config = config_in(item)
        except RuleSetError as refused:
            self._fail("rules", item, f"no such table can be played: {refused.message}", refused.rule)
            return
        self.config = config
        self.game = self._deals.game = audited_game(self.table_id, config)
        faults = opening_faults(item, config, self.table_id)
        for message, rule, recorded, right in faults:
            self._fail("rules", item, message, rule, recorded, right)
        if not faults:
            self.findings.passed("rules")

    # --- pieces ------------------------------------------------------------------------------------------

    def _follow_piece(self, piece: ReadPiece) -> None:
        if piece.seal.piece != self._piece + 1 and piece.seal.piece != 0:
            self._skip_pieces()
        self._piece = piece.seal.piece
        self._check_shape(piece)
        if self.config is None:
            return
        for at, item in enumerate(piece.items):
            try:
                self._check_open_part(item)
                assert self.game is not None, "a configuration is that of a game"
                self._check_hand_number(item, self.game.seating)
                self._follow(item, piece.items, at, self.game)
            except DeviationError as one:
                self._deviates(item, one)
                self._lose(item)
            except Exception as error:
                # Whatever a record says that nobody thought of must become a finding, not the end of the audit.
                self._fail("events", item, f"this cannot be followed: {error!r}", "", item_words(item, {}))
                self._lose(item)
            self._last_ms = item.time_unix_ms

    def _lose(self, item: Item) -> None:
        """Follows the hand under way no further: what comes after a divergence cannot be told right from wrong."""
        self.is_lost = self.is_lost or item.kind in _FOLLOWED
        if self.is_lost and self.seating is not None:
            for one in self.seating.seats.values():
                one.bank_ms = None
            self.seating.forget_faults()

    def _skip_pieces(self) -> None:
        if self.seating is not None:
            self.seating.forget()
        self.hand, self.conserved, self.is_lost = None, None, True

    def _check_shape(self, piece: ReadPiece) -> None:
        """Piece 0 has no hand; every other one has its own, which its last entry ends; the last ends the table."""
        number = piece.seal.piece
        begun = [item.hand for item in piece.items if item.kind == "hand_began"]
        last = piece.items[-1] if piece.items else None
        is_last = last is not None and ends_hand(last.content)
        ends_table = last is not None and last.kind == "ended"
        right = not begun if number == 0 else (begun == [number] and is_last) or (not begun and ends_table)
        if right:
            self.findings.passed("hands")
        else:
            what = f"begins hands {begun}" if begun else "begins no hand"
            end = item_words(last, {}) if last is not None else "nothing"
            self._fail("hands", None, "the piece is not that of a hand", "", f"{what}, ends with: {end}")

    def _check_open_part(self, item: Item) -> None:
        if not item.whole:
            if item.committed:
                self.findings.unchecked("open_parts", "the whole is hidden from this view")
            return
        assert self.config is not None, "asked before"
        try:
            right = open_part_of(item, self.config)
        except (ValueError, KeyError, IndexError) as error:
            self._fail("open_parts", item, f"nobody can be shown this: {error}", "", item_words(item, {}))
            return
        if right == item.open:
            self.findings.passed("open_parts")
        else:
            message = "everybody is shown something else than the view makes of it"
            self._fail("open_parts", item, message, "DEAL-4", _seen_words(item.open), _seen_words(right))

    def _check_hand_number(self, item: Item, seating: Seating) -> None:
        right = seating.hand_number + (item.kind == "hand_began")
        if self.is_lost or item.hand == right:
            return
        self._fail("hands", item, "an entry of another hand", "BET-9", str(item.hand), str(right))

    def _follow(self, item: Item, items: Sequence[Item], at: int, game: AuditedGame) -> None:
        seating = game.seating
        if item.time_unix_ms < self._last_ms and self.hand is not None:
            self.hand.clocks_were_set_back()
        content: Any = item.content
        match item.kind:
            case "opened" if item.number != 1:
                self._fail("hands", item, "the table is opened a second time")
            case "hidden":
                self._follow_hidden()
            case "hand_began":
                self._begin_hand(item, islice(items, at, None), game)
            case "decision_opened" | "ruling":
                self._follow_hand(item, game)
            case kind if kind == game.event_kind:
                self._follow_hand(item, game)
            case kind if kind in EVENT_KINDS:
                self._fail("events", item, "an event of another game", "GAME-3", item_words(item, {}))
            case "seat_taken":
                self._seat(item, seating.take(content))
            case "seat_leaving":
                self._seat(item, seating.leave(content.seat))
            case "seat_sits_out":
                self._seat(item, seating.sit_out(content.seat), "SEAT-5")
            case "seat_sits_in":
                self._seat(item, seating.sit_in(content.seat, content.posts), "SEAT-3")
            case "seat_tops_up":
                self._seat(item, seating.top_up(content.seat, content.to), "POT-7")
            case "fault_applied":
                self._seat(item, self._not_forfeited(content.seat, seating) or seating.apply_fault(content), "TIME-4")
            case "closing":
                self._seat(item, "the table is closed a second time" if seating.closing else "")
                seating.closing = True
            case "commitments_closed":
                seating.commitments_are_closed = True
                seats, right = list(content.seats), sorted(seating.seats)
                if seats != right:
                    self._fail("commitments", item, "other seats than are taken", "", str(seats), str(right))
            case "ended":
                self._end(item, seating)

    def _follow_hidden(self) -> None:
        if self.hand is not None:
            self.hand.something_hidden()
        if self.seating is not None:
            self.seating.forget_faults()
        self.findings.unchecked("rulings", HIDDEN_FROM_VIEW)
        self.findings.unchecked("refusals", HIDDEN_FROM_VIEW)

    def _seat(self, item: Item, fault: str, rule: str = "SEAT-2") -> None:
        if fault:
            self._fail("seats", item, fault, rule, item_words(item, {}))
        else:
            self.findings.passed("seats")
        if self.hand is not None and self.hand.due and not self.is_lost:
            self._fail("events", item, "something else happens before what follows by itself", "BET-4")

    # --- hands -------------------------------------------------------------------------------------------

    def _begin_hand(self, item: Item, items: Iterable[Item], game: AuditedGame) -> None:
        content, seating = item.content, game.seating
        if self.hand is not None and not self.is_lost and not self.hand.has_ended():
            self._fail("hands", item, "a hand begins before the one before it has ended", "BET-9")
        refused = seating.must_not_begin()
        if refused:
            self._fail("hands", item, f"a hand begins though {refused}")
        self._check_faults_applied(item, seating)
        seating.begin(content, item.hand, self._compare_beginning(item, seating))
        dealt_in = tuple(content.dealt_in if item.whole else [player.seat for player in content.players])
        self.conserved = None
        decks = self._deals.begin_hand(self._piece, item, dealt_in)
        try:
            self.conserved = game.conserved(item, dealt_in)
            self.hand = game.hand_walk(item, items, dealt_in, self.viewer, decks)
            self.is_lost = False
        except KeyError as error:
            self._fail("hands", item, f"nobody sits at seat {error} that is dealt in", "SEAT-2")
            self.is_lost = True
        except RuleSetError as refused_setup:
            message = f"no hand can begin like this: {refused_setup.message}"
            self._fail("hands", item, message, refused_setup.rule)
            self.is_lost = True

    def _compare_beginning(self, item: Item, seating: Seating) -> record_pb2.StoredHandBegan | None:
        """Compares how a hand begins with the right beginning, and returns that, None where it is not known."""
        if not seating.is_complete:
            self.findings.unchecked("positions", UNKNOWN_SEATS)
            self.findings.unchecked("seats", UNKNOWN_SEATS)
            right_id = f"{self.table_id}-{item.hand}"
            if item.content.hand_id != right_id or (item.whole and item.content.hand != item.hand):
                self._fail("hands", item, "another hand than its entry says", "BET-9", item.content.hand_id, right_id)
            return None
        right = seating.next_beginning(item.content, self._deals.decks)
        if right is None:
            self._fail("hands", item, "a hand begins with fewer than two players", "SEAT-2")
            return None
        unknown = seating.unknown_positions(self._deals.decks)
        if unknown:
            self.findings.unchecked("positions", unknown)
        found = seating.differences(item.content, right)
        if self.is_lost:  # of the hand before only the chips are known
            found = [one for one in found if one.check != "clocks"]
        for check, rule, what, recorded, expected in found:
            self._fail(check, item, f"the hand begins otherwise: {what}", rule, recorded, expected)
        for check in ("seats", "positions"):
            if not any([one.check == check for one in found]):
                self.findings.passed(check)
        return right

    def _follow_hand(self, item: Item, game: AuditedGame) -> None:
        is_event = item.kind == game.event_kind
        if is_event:
            self._check_cards(item)
            if self.conserved is not None:
                self.conserved.count(item)
        self._check_faults_applied(item, game.seating)
        try:
            if self.is_lost:
                check = "rulings" if item.kind == "ruling" else "events"
                self.findings.unchecked(check, "what comes after a divergence, or after pieces that are left out")
            elif self.hand is None:
                self._fail("events", item, "this happens before any hand", "BET-9", item_words(item, {}))
            elif is_event:
                self._follow_event(item, self.hand)
            elif item.kind == "decision_opened":
                wrong = self.hand.decision(item)
                self.findings.passed("events")
                if wrong is not None:
                    self._deviates(item, wrong)
            else:
                self._rule_again(item, self.hand, game.seating)
        finally:
            if is_event and ends_hand(item.content):
                self._end_hand(item, game.seating)

    def _check_faults_applied(self, item: Item, seating: Seating) -> None:
        """Faults that are due are applied before anything else is asked or ruled on (TIME-4), or secretly later."""
        by_clock = item.kind == "ruling" and not item.content.request_id
        if self.config is None or self.config.faults is None or item.kind in EVENT_KINDS or by_clock:
            return
        hidden = self.hand is not None and self.hand.hides_progress()
        for seat in seating.faults_due():
            if hidden and not self._not_forfeited(seat, seating):
                continue
            message = f"seat {seat} has made {seating.seats[seat].faults} faults, and nothing is done about it"
            self._fail("rulings", item, message, "TIME-4", item_words(item, {}), self.config.faults.policy.name.lower())
            seating.seats[seat].fault_is_due = False

    def _not_forfeited(self, seat: int, seating: Seating) -> str:
        """Says that a seat still has its hand, which its faults cost it; empty where they do not, or have."""
        one = seating.seats.get(seat)
        if not seating.hands_are_forfeited or one is None or one.faults is None or self.hand is None:
            return ""
        still_asked = not self.is_lost and seat in self.hand.asked
        return f"seat {seat} forfeits the hand, and still has a decision" if still_asked else ""

    def _follow_event(self, item: Item, hand: HandWalk[Any, Any]) -> None:
        self.findings.passed(hand.event(item.content, item.whole))
        while hand.untold:
            self.findings.unchecked(hand.untold.pop(), HIDDEN_FROM_VIEW)

    def _rule_again(self, item: Item, hand: HandWalk[Any, Any], seating: Seating) -> None:
        self.findings.rulings += 1
        stored: record_pb2.StoredRuling = item.content
        told, seat, by_referee = hand.ruled(stored), stored.seat, not stored.request_id
        had_decision = seat in hand.asked
        wrong = seating.answer_fault(seat, told, by_referee) if told.accepted and had_decision else ""
        is_fault = seating.is_fault(seat, told, had_decision, by_referee)
        ruled = hand.ruling(stored, item.time_unix_ms)
        if wrong:
            self._fail("rulings", item, wrong, "TIME-4", item_words(item, {}))
        if is_fault:
            seating.count_fault(seat)
        for check in ruled.passed:
            self.findings.passed(check)
        for check, why in ruled.unchecked:
            self.findings.unchecked(check, why)
        for one in ruled.faults:
            self._deviates(item, one)

    def _check_cards(self, item: Item) -> None:
        wrong = self._deals.compare(item)
        if wrong is not None:
            self._is_wrong("cards", item, wrong._replace(message=f"{wrong.message} (docs/fair-deals.md)"))

    def _is_wrong(self, check: str, item: Item, wrong: Wrong) -> None:
        self._fail(check, item, wrong.message, wrong.rule, wrong.recorded, wrong.right)

    def _end_hand(self, item: Item, seating: Seating) -> None:
        self.findings.hands += 1
        if self.conserved is None:
            self.findings.unchecked("conservation", "the beginning of the hand is not in the bundle")
            return
        wrong = self.conserved.fault()
        if wrong is not None:
            self._is_wrong("conservation", item, wrong)
        else:
            self.findings.passed("conservation")
        self.conserved.carry_on(seating)

    def _end(self, item: Item, seating: Seating) -> None:
        content: table_pb2.TableEnded = item.content
        reason = content.reason
        if seating.has_ended:
            self._fail("hands", item, "the table ends a second time")
        elif self.hand is not None and not self.is_lost and not self.hand.has_ended():
            self._fail("hands", item, "the table ends during a hand", "BET-4")
        elif self._ends_rightly(reason, item, seating):
            self.findings.passed("hands")
        else:
            told = table_pb2.EndReason.Name(reason) if reason in table_pb2.EndReason.values() else str(reason)
            self._fail("hands", item, "the table ends for a reason that is not there", "", told)
        seating.has_ended = True

    def _ends_rightly(self, reason: int, item: Item, seating: Seating) -> bool:
        if reason == table_pb2.END_REASON_GAME_OVER or seating.game_is_over():
            return reason == table_pb2.END_REASON_GAME_OVER and (seating.game_is_over() or self.is_lost)
        if reason == table_pb2.END_REASON_CLOSED:
            # Who closes a table is not told to everybody.
            return seating.closing or self.viewer != AUDITOR or self.is_lost
        if reason == table_pb2.END_REASON_HANDS_PLAYED:
            return bool(seating.config.hands) and seating.hand_number >= seating.config.hands
        if reason == table_pb2.END_REASON_NO_DECK:
            given = self._deals.given
            return self._deals.are_given and (given is None or seating.hand_number >= len(given))
        if reason == table_pb2.END_REASON_TOO_FEW_PLAYERS:
            return not seating.is_complete or self.is_lost or seating.must_end()
        if reason == table_pb2.END_REASON_TIME_IS_UP:
            return 0 < seating.config.hands_until_ms <= item.time_unix_ms
        if reason == table_pb2.END_REASON_SEATS_SIT_OUT:
            return not seating.is_complete or self.is_lost or seating.may_end_by_sitting_out()
        return False


def _seen_words(data: bytes) -> str:
    if not data:
        return "nothing"
    try:
        message: Message = table_pb2.SeenEvent.FromString(data)
    except DecodeError:
        return data.hex()
    return " ".join(str(message).split())
