"""What each viewer is told of a table's events, and by which number; the one view function hides the cards."""

from collections.abc import Callable
from typing import Final

from referee.kozel.events import Event as KozelEvent
from referee.kozel.views import HIDDEN as HIDDEN_IN_KOZEL
from referee.kozel.views import view as kozel_view
from referee.record import kozel_wire
from referee.record.encoding import delimited, event_bytes, varint
from referee.record.view import PUBLIC, view
from referee.rules.events import DISCARDED, FOLDED, HOLE_DEALT, Event
from referee.table.config import TableConfig, config_message
from referee.table.fields import KOZEL
from referee.table.game import GameEvent
from referee.table.happenings import Asked, Happening, Ruled
from referee.table.poker_config import PokerConfig
from referee.table.table import Table
from referee.v1 import hand_pb2, record_pb2, table_pb2

AUDITOR: Final = -1
"""The viewer that sees every card."""

_HIDDEN_KINDS: Final = (HOLE_DEALT, DISCARDED, FOLDED)
"""Kinds of which the view function may hide something; the others are shown as they are."""


_OPEN: Final = {
    "seat_leaving",
    "ended",
    "seed_committed",
    "commitments_closed",
    "seat_sits_out",
    "seat_sits_in",
    "seat_tops_up",
    "fault_applied",
}
"""What is rare and told whole to everybody."""


def may_hide(happening: Happening) -> bool:
    """Whether viewers may be told different things of it; all others are told the same to everybody."""
    if isinstance(happening, Event):
        return happening.kind in _HIDDEN_KINDS
    return isinstance(happening, KozelEvent) and happening.kind in HIDDEN_IN_KOZEL


def shown_to(event: GameEvent, viewer: int, config: TableConfig) -> GameEvent | None:
    """An event as a seat, PUBLIC or the AUDITOR is told it, by the game's one view function; None for not at all."""
    if viewer == AUDITOR:
        return event
    if isinstance(event, Event):
        assert isinstance(config, PokerConfig), "an event of poker happens at a table of poker"
        return view(event, viewer, config.rule_set)
    return kozel_view(event, viewer)


def seen(happening: Happening, content: bytes, viewer: int, config: TableConfig) -> bytes | None:
    """What a seat, PUBLIC or the AUDITOR is told of what happened; None when the view does not have it.

    These are the bytes of the SeenEvent's one field that says what happened, made of ``content``, the bytes of what
    happened, where nothing is to be hidden.
    """
    if isinstance(happening, Event):
        if viewer != AUDITOR and happening.kind in _HIDDEN_KINDS:
            assert isinstance(config, PokerConfig), "an event of poker happens at a table of poker"
            shown = view(happening, viewer, config.rule_set)
            if shown is None:
                return None
            if shown is not happening:
                content = event_bytes(shown)
        return delimited(b"\x42", content)
    if isinstance(happening, Asked):
        return delimited(b"\x4a", content)
    if isinstance(happening, Ruled):
        return None
    if isinstance(happening, KozelEvent):
        told = happening if viewer == AUDITOR else kozel_view(happening, viewer)
        return delimited(KOZEL.seen_event, content if told is happening else kozel_wire.event_bytes(told))
    shown_rarely = _seen_rarely(happening)
    return None if shown_rarely is None else shown_rarely.SerializeToString()


def parts(happening: Happening, content: bytes, event: bytes, config: TableConfig) -> tuple[bytes, bytes]:
    """What happened as an entry of the record (docs/records.md): its open and its closed part.

    ``event`` are the bytes of its StoredEvent: what is closed unless everybody is told all of it.
    """
    shown = seen(happening, content, PUBLIC, config) or b""
    if isinstance(happening, (Event, KozelEvent)):
        is_open = not may_hide(happening) or shown_to(happening, PUBLIC, config) is happening
    elif isinstance(happening, record_pb2.StoredEvent):
        is_open = happening.WhichOneof("event") in _OPEN
    else:
        is_open = isinstance(happening, Asked)
    return shown, b"" if is_open else event


def _seen_rarely(event: record_pb2.StoredEvent) -> table_pb2.SeenEvent | None:
    match event.WhichOneof("event"):
        case "hand_began":
            return table_pb2.SeenEvent(hand_began=_hand_began(event.hand_began))
        case "seat_taken":
            taken = event.seat_taken
            return table_pb2.SeenEvent(
                seat_taken=table_pb2.SeatTaken(
                    seat=taken.seat, name=taken.name, stack=taken.stack, posts=taken.standing.posts
                )
            )
        case "seat_leaving":
            return table_pb2.SeenEvent(seat_leaving=event.seat_leaving)
        case "seat_sits_out":
            return table_pb2.SeenEvent(seat_sits_out=event.seat_sits_out)
        case "seat_sits_in":
            return table_pb2.SeenEvent(seat_sits_in=event.seat_sits_in)
        case "seat_tops_up":
            return table_pb2.SeenEvent(seat_tops_up=event.seat_tops_up)
        case "fault_applied":
            return table_pb2.SeenEvent(fault_applied=event.fault_applied)
        case "opened":
            return table_pb2.SeenEvent(opened=event.opened.opened)
        case "ended":
            return table_pb2.SeenEvent(ended=event.ended)
        case "seed_committed":
            return table_pb2.SeenEvent(seed_committed=event.seed_committed)
        case "commitments_closed":
            return table_pb2.SeenEvent(commitments_closed=event.commitments_closed)
        case "seed_revealed":
            return table_pb2.SeenEvent(seed_revealed=table_pb2.SeedRevealed(seat=event.seed_revealed.seat))
        case _:
            return None


def seen_event_bytes(hand: bytes, number: int, moment: bytes, shown: bytes) -> bytes:
    """The bytes of a SeenEvent; ``hand`` and ``moment`` are fields as :func:`hand_field` and :func:`moment_field`."""
    return hand + b"\x10" + varint(number) + moment + shown


def hand_field(hand: int) -> bytes:
    """A SeenEvent's field for its hand."""
    return b"\x08" + varint(hand) if hand else b""


def moment_field(time_unix_ms: int) -> bytes:
    """A SeenEvent's field for its moment."""
    return b"\x18" + varint(time_unix_ms) if time_unix_ms else b""


def _hand_began(began: record_pb2.StoredHandBegan) -> table_pb2.HandBegan:
    seats = {stored.seat: stored for stored in began.seats}
    small_blind = began.small_blind_position if began.small_blind_position in began.dealt_in else 0
    told = table_pb2.HandBegan(
        hand_id=began.hand_id,
        players=[
            hand_pb2.PlayerSetup(seat=seat, stack=seats[seat].stack, name=seats[seat].name) for seat in began.dealt_in
        ],
        button_seat=began.button_seat,
        small_blind_seat=small_blind,
        big_blind_seat=began.big_blind_seat,
        deck_root=began.deck_root,
    )
    if began.HasField("kozel"):
        told.kozel.CopyFrom(began.kozel)
    for post in began.posts:
        player = told.players[list(began.dealt_in).index(post.seat)]
        player.live_post, player.dead_post = post.live, post.dead
    return told


class Numbering:
    """Numbers the events of each view by hand, from 1 without gaps, whatever else the view does not have."""

    def __init__(self) -> None:
        self.hand = 0
        self._counts: dict[int, int] = {}

    def begin(self, hand: int) -> None:
        """Begins again for a hand."""
        self.hand = hand
        self._counts = {}

    def forget(self, viewer: int) -> None:
        """Forgets a view's count, which was not kept up while nobody had the view."""
        self._counts.pop(viewer, None)

    def next(self, viewer: int, seen_before: Callable[[int], int]) -> int:
        """The number of a view's next event; of one that is new here it is asked how many it has seen of the hand."""
        count = self._counts[viewer] if viewer in self._counts else seen_before(viewer)
        self._counts[viewer] = count + 1
        return count + 1


def table_state(table: Table) -> table_pb2.TableState:
    """How a table stands, as anybody may see it; of a private table without stacks and accounts.

    Banks and faults are those from the beginning of the hand: when they change tells who has discarded (DISC-3).
    """
    status = table_pb2.TABLE_STATUS_WAITING
    if table.has_ended:
        status = table_pb2.TABLE_STATUS_ENDED
    elif table.hand_is_on:
        status = table_pb2.TABLE_STATUS_PLAYING
    elif table.hand_number:
        status = table_pb2.TABLE_STATUS_BETWEEN_HANDS
    state = table_pb2.TableState(
        table_id=table.table_id,
        config=config_message(table.config, with_seed=False),
        status=status,
        hand=table.hand_number,
        seats=[
            table_pb2.SeatState(
                seat=seat,
                name=one.name,
                bank_ms=table.banks_at_start.get(seat, one.bank_ms),
                leaving=one.leaving,
                waiting=one.waiting,
                sitting_out=one.sitting_out,
                owes_small_blind=one.owes_small_blind,
                owes_big_blind=one.owes_big_blind,
                posts=one.posts,
                top_up_to=one.top_up_to,
                faults=table.faults_at_start.get(seat, one.faults),
            )
            for seat, one in sorted(table.seats.items())
        ],
        end_reason=table.end_reason,  # type: ignore[arg-type]
        match_name=table.seeds.match,
        deal_commitment=table.seeds.commitment,
        game=table.game.fields.name,
    )
    for told in state.seats:
        table.game.tell_seat(told, table.seats[told.seat])
    return state
