"""Following a table's record from piece to piece: its rules, who sits down, hand after hand, the end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from google.protobuf.message import DecodeError, Message

from referee.audit.account import Account
from referee.audit.deals import Deals
from referee.audit.hand_walk import DeviationError, HandWalk
from referee.audit.known_cards import known_cards
from referee.audit.opening import config_in, opening_faults
from referee.audit.reading import Item, ReadPiece, open_part_of
from referee.audit.report import Divergence, Findings
from referee.audit.seating import UNKNOWN_SEATS, Seating, differences, posts_in
from referee.audit.wording import hand_text, item_words
from referee.record.view import PUBLIC
from referee.rules.cards import cards_text
from referee.rules.events import BOARD_DEALT, HAND_ENDED
from referee.rules.ruleset import RuleSetError
from referee.rules.state import DISCARDING
from referee.table.happenings import ends_hand
from referee.table.poker_config import PokerConfig
from referee.table.positions import Positions
from referee.table.views import AUDITOR
from referee.v1 import record_pb2, table_pb2

HIDDEN_FROM_VIEW: Final = "hidden from this view"
_FOLLOWED: Final = ("hand_event", "decision_opened", "ruling")


@dataclass
class TableWalk:
    """Follows one table's record; ``viewer`` is as whom the bundle was made."""

    table_id: str
    viewer: int
    findings: Findings
    config: PokerConfig | None = None
    seating: Seating | None = None
    hand: HandWalk | None = None
    account: Account | None = None
    is_lost: bool = False
    _deals: Deals = field(init=False)
    _piece: int = -1
    _last_ms: int = 0

    def __post_init__(self) -> None:
        self._deals = Deals(self.table_id, self.findings)

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
        return hand_text(self.hand.before(), self.hand.names)

    # --- the opening -------------------------------------------------------------------------------------

    def _no_opening(self, pieces: Sequence[ReadPiece]) -> None:
        if pieces and pieces[0].seal.piece == 0:
            self._piece = 0
            self._fail("hands", None, "the first entry does not open the table")
            return
        why = "the table's opening is not in the bundle"
        self._not_followed(f"the opening of table {self.table_id}", why)

    def _not_followed(self, lacking: str, why: str = "nothing of it is followed") -> None:
        self.findings.lacks(lacking)
        for check in ("rules", "open_parts", "hands", "seats", "positions", "events", "rulings", "refusals"):
            self.findings.unchecked(check, why)

    def _open(self, item: Item) -> None:
        self._piece = 0
        try:
            config = config_in(item)
        except RuleSetError as refused:
            self._fail("rules", item, f"no such table can be played: {refused.message}", refused.rule)
            return
        if not isinstance(config, PokerConfig):
            self._not_followed("rounds of Kozel")
            return
        self.config = config
        self.seating = Seating(self.table_id, config)
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
                if self.seating is not None:
                    self._check_hand_number(item, self.seating)
                self._follow(item, piece.items, at)
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
        self.hand, self.account, self.is_lost = None, None, True

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

    def _follow(self, item: Item, items: Sequence[Item], at: int) -> None:
        seating = self.seating
        assert seating is not None, "there is a configuration"
        if item.time_unix_ms < self._last_ms and self.hand is not None:
            self.hand.clocks_were_set_back()
        content: Any = item.content
        match item.kind:
            case "opened" if item.number != 1:
                self._fail("hands", item, "the table is opened a second time")
            case "hidden":
                self._follow_hidden()
            case "hand_began":
                self._begin_hand(item, islice(items, at, None), seating)
            case "hand_event" | "decision_opened" | "ruling":
                self._follow_hand(item, seating)
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
                self._seat(item, seating.apply_fault(content), "TIME-4")
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

    def _begin_hand(self, item: Item, items: Iterable[Item], seating: Seating) -> None:
        content: Any = item.content
        if self.hand is not None and not self.is_lost and not self.hand.has_ended():
            self._fail("hands", item, "a hand begins before the one before it has ended", "BET-9")
        refused = seating.must_not_begin()
        if refused:
            self._fail("hands", item, f"a hand begins though {refused}")
        self._check_faults_applied(item, seating)
        seating.begin(content, item.hand, self._compare_beginning(item, seating))
        dealt_in = tuple(content.dealt_in if item.whole else [player.seat for player in content.players])
        stacks = {seat: seating.seats[seat].stack for seat in dealt_in if seat in seating.seats}
        self.account = Account(sum(stacks.values()), stacks)
        self._start_walk(item, items, seating, dealt_in)
        assert self.config is not None, "there is a configuration"
        self._deals.begin_hand(self._piece, item, dealt_in, self.config.rule_set.game.hole_cards)

    def _compare_beginning(self, item: Item, seating: Seating) -> record_pb2.StoredHandBegan | None:
        """Compares how a hand begins with the right beginning, and returns that, None where it is not known."""
        if not seating.is_complete:
            self.findings.unchecked("positions", UNKNOWN_SEATS)
            self.findings.unchecked("seats", UNKNOWN_SEATS)
            right_id = f"{self.table_id}-{item.hand}"
            if item.content.hand_id != right_id or (item.whole and item.content.hand != item.hand):
                self._fail("hands", item, "another hand than its entry says", "BET-9", item.content.hand_id, right_id)
            return None
        right = seating.next_beginning(item.content.button_seat, self._deals.decks)
        if right is None:
            self._fail("hands", item, "a hand begins with fewer than two players", "SEAT-2")
            return None
        if seating.positions is None and self._deals.decks is None:
            self.findings.unchecked("positions", "the first button is drawn from seeds that are not revealed")
        found = differences(item.content, right, seating.config.clock.reconnect_grace_ms)
        if self.is_lost:  # of the hand before only the chips are known
            found = [one for one in found if one.check != "clocks"]
        for check, rule, what, recorded, expected in found:
            self._fail(check, item, f"the hand begins otherwise: {what}", rule, recorded, expected)
        for check in ("seats", "positions"):
            if not any([one.check == check for one in found]):
                self.findings.passed(check)
        return right

    def _start_walk(self, item: Item, items: Iterable[Item], seating: Seating, dealt_in: tuple[int, ...]) -> None:
        assert self.config is not None, "there is a configuration"
        content: Any = item.content
        known = known_cards(items)
        small = content.small_blind_position if item.whole else content.small_blind_seat
        positions = Positions(content.button_seat, small, content.big_blind_seat, dealt_in)
        show = tuple([seat for seat in dealt_in if _shows(seating, seat, known.shown)])
        game = self.config.rule_set.game
        try:
            stacks = tuple([seating.seats[seat].stack for seat in dealt_in])
            deck, posts = known.deck(dealt_in, game), posts_in(content)
            setup = self.config.setup(positions, stacks, deck, content.hand_id, show, posts)
            if known.unseen():
                setup = replace(setup, mucked_unseen=known.unseen())
            # A seat sees a hand that somebody else played there as everybody does.
            viewer = self.viewer if self.viewer == AUDITOR or known.tells_of(self.viewer) else PUBLIC
            self.hand = HandWalk(setup, known, viewer, self.config.clock, seating.seats, seating.is_complete)
            self.is_lost = False
        except KeyError as error:
            self._fail("hands", item, f"nobody sits at seat {error} that is dealt in", "SEAT-2")
            self.is_lost = True
        except RuleSetError as refused:
            self._fail("hands", item, f"no hand can begin like this: {refused.message}", refused.rule)
            self.is_lost = True

    def _follow_hand(self, item: Item, seating: Seating) -> None:
        is_event = item.kind == "hand_event"
        if is_event:
            self._check_cards(item)
            if self.account is not None:
                self.account.count(item.event)
        self._check_faults_applied(item, seating)
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
                self._rule_again(item, self.hand)
        finally:
            if is_event and item.event.kind is HAND_ENDED:
                self._end_hand(item, seating)

    def _check_faults_applied(self, item: Item, seating: Seating) -> None:
        """Faults that are due are applied before anything else is asked or ruled on (TIME-4), or secretly later."""
        by_clock = item.kind == "ruling" and not item.content.request_id
        if self.config is None or self.config.faults is None or item.kind == "hand_event" or by_clock:
            return
        hand = None if self.hand is None else self.hand.hand
        if self.config.rule_set.hide_discard_progress and hand is not None and hand.phase is DISCARDING:
            return
        for seat in seating.faults_due():
            message = f"seat {seat} has made {seating.seats[seat].faults} faults, and nothing is done about it"
            self._fail("rulings", item, message, "TIME-4", item_words(item, {}), self.config.faults.policy.name.lower())
            seating.seats[seat].fault_is_due = False

    def _follow_event(self, item: Item, hand: HandWalk) -> None:
        self.findings.passed(hand.event(item.event, item.whole))
        while hand.untold:
            self.findings.unchecked(hand.untold.pop(), HIDDEN_FROM_VIEW)

    def _rule_again(self, item: Item, hand: HandWalk) -> None:
        self.findings.rulings += 1
        stored: record_pb2.StoredRuling = item.content
        had_decision = stored.seat in hand.asked
        ruled = hand.ruling(stored, item.time_unix_ms)
        by_clock = not stored.request_id and stored.proposal.action.HasField("timeout")
        if self.seating is not None and (by_clock if stored.ruling.accepted else had_decision):
            self.seating.count_fault(stored.seat)
        for check in ruled.passed:
            self.findings.passed(check)
        for check, why in ruled.unchecked:
            self.findings.unchecked(check, why)
        for one in ruled.faults:
            self._deviates(item, one)

    def _check_cards(self, item: Item) -> None:
        wrong = self._deals.check_cards(item)
        if wrong is not None:
            message, right = wrong
            rule = "DEAL-3" if item.event.kind is BOARD_DEALT else "DEAL-1"
            told = f"{message} (docs/fair-deals.md)"
            self._fail("cards", item, told, rule, cards_text(item.event.cards), cards_text(right))

    def _end_hand(self, item: Item, seating: Seating) -> None:
        self.findings.hands += 1
        account = self.account
        if account is None:
            self.findings.unchecked("conservation", "the beginning of the hand is not in the bundle")
            return
        fault = account.fault()
        if fault:
            self._fail("conservation", item, "chips appear or disappear", "POT-7", fault, str(account.started))
        else:
            self.findings.passed("conservation")
        for seat, stack in account.stacks.items():
            if seat in seating.seats:
                seating.seats[seat].stack = stack

    def _end(self, item: Item, seating: Seating) -> None:
        content: table_pb2.TableEnded = item.content
        reason = content.reason
        if seating.has_ended:
            self._fail("hands", item, "the table ends a second time")
        elif self.hand is not None and not self.is_lost and not self.hand.has_ended():
            self._fail("hands", item, "the table ends during a hand", "BET-4")
        elif self._ends_rightly(reason, seating):
            self.findings.passed("hands")
        else:
            told = table_pb2.EndReason.Name(reason) if reason in table_pb2.EndReason.values() else str(reason)
            self._fail("hands", item, "the table ends for a reason that is not there", "", told)
        seating.has_ended = True

    def _ends_rightly(self, reason: int, seating: Seating) -> bool:
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
        return False


def _shows(seating: Seating, seat: int, shown: dict[int, tuple[int, ...]]) -> bool:
    """Whether the seat's preset shows a beaten hand; where that is not told, whether it was shown (SHOW-2)."""
    one = seating.seats.get(seat)
    if one is None or one.show_when_beaten is None:
        return seat in shown
    return one.show_when_beaten


def _seen_words(data: bytes) -> str:
    if not data:
        return "nothing"
    try:
        message: Message = table_pb2.SeenEvent.FromString(data)
    except DecodeError:
        return data.hex()
    return " ".join(str(message).split())
