"""Who is told what happens at a table: each viewer its own view, in numbered events, as bytes that views share."""

from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import Protocol, final

from referee.record.view import PUBLIC
from referee.table.config import TableConfig
from referee.table.happenings import Happening, content_bytes, hand_that_began
from referee.table.items import Question, event_item, table_field
from referee.table.seats import Seat
from referee.table.views import Numbering, hand_field, moment_field, seen, seen_event_bytes
from referee.table.written import Written
from referee.v1 import table_pb2


class Subscriber(Protocol):
    """Whoever is told what happens at a table as one viewer."""

    viewer: int
    holder: bytes
    """Digest of the seat's token; empty for a viewer that is no seat."""
    ended: bool

    def tell(self, items: list[bytes]) -> None:
        """Takes what is new, in order."""
        ...

    def tell_at_once(self, items: list[bytes]) -> None:
        """Takes what it asked for, which waits for nothing."""
        ...

    def ask(self, decision_id: int, question: Question) -> None:
        """Takes a decision that the viewer's seat has to answer."""
        ...

    def asked_no_more(self) -> None:
        """Learns that the seat's decision is not open any more."""
        ...

    def end(self, reason: int) -> None:
        """Learns that nothing more comes from this table."""
        ...


@final
class Happened:
    """Something stored of a hand, and when it happened."""

    def __init__(self, hand: int, happening: Happening, time_unix_ms: int) -> None:
        self.hand = hand
        self.happening = happening
        self.time_unix_ms = time_unix_ms


class Audience:
    """A table's subscribers, and what has been told of the hand under way.

    ``hand`` is that hand's number, ``happened`` everything stored of it, ``table_field`` what names the table in items.
    """

    def __init__(self, table_id: str, config: TableConfig) -> None:
        self.subscribers: list[Subscriber] = []
        self.happened: list[Happened] = []
        self._config = config
        self.table_field = table_field(table_id)
        self._numbering = Numbering()

    @property
    def hand(self) -> int:
        """The hand whose events are being numbered."""
        return self._numbering.hand

    def remember(self, happened: list[Happened]) -> None:
        """Goes on from what is stored, as if the last hand of it had just been told."""
        hand = happened[-1].hand
        self.happened = [one for one in happened if one.hand == hand]
        self._numbering = Numbering()
        self._numbering.begin(hand)

    def of_seat(self, seat: int) -> Subscriber | None:
        """The subscriber that plays a seat."""
        return next((one for one in self.subscribers if one.viewer == seat), None)

    def join(self, subscriber: Subscriber) -> None:
        """Takes a subscriber in; what comes now is told to it."""
        self._numbering.forget(subscriber.viewer)
        self.subscribers.append(subscriber)

    def leave(self, subscriber: Subscriber) -> bool:
        """Lets a subscriber go; whether it was there."""
        if subscriber not in self.subscribers:
            return False
        self.subscribers.remove(subscriber)
        return True

    def replace(self, newer: Subscriber) -> None:
        """Ends the older views of the newer one's seat: a seat has one view that is asked, the newest."""
        for other in list(self.subscribers):
            if newer.viewer > PUBLIC and other.viewer == newer.viewer:
                self.subscribers.remove(other)
                other.end(table_pb2.STREAM_END_REASON_REPLACED)

    def end(self, reason: int) -> None:
        """Ends every view."""
        for subscriber in list(self.subscribers):
            subscriber.end(reason)
        self.subscribers.clear()

    # --- telling what happens ---------------------------------------------------------------------------

    def tell(self, fresh: Iterable[Written], now_ms: int) -> None:
        """Tells what has just been stored."""
        items: dict[int, list[bytes]] = {}
        moment = moment_field(now_ms)
        viewers = {subscriber.viewer for subscriber in self.subscribers}
        for one in fresh:
            began = one.began
            if began is not None:
                self._dismiss(items, {seat.seat: seat.token_sha256 for seat in began.seats})
                viewers = {subscriber.viewer for subscriber in self.subscribers}
                self._numbering.begin(began.hand)
                self.happened = []
            self.happened.append(Happened(self._numbering.hand, one.happening, now_ms))
            self._tell_event(items, viewers, one, moment)
        for subscriber in list(self.subscribers):
            if subscriber.viewer in items:
                subscriber.tell(items[subscriber.viewer])

    def tell_all(self, items: list[bytes]) -> None:
        """Tells everybody the same, outside of what is numbered."""
        for subscriber in list(self.subscribers):
            subscriber.tell(items)

    def _tell_event(self, items: dict[int, list[bytes]], viewers: set[int], one: Written, moment: bytes) -> None:
        """Adds what each viewer is told; who is told the same by the same number shares the bytes."""
        numbering = self._numbering
        is_same = one.is_same_for_all
        shown: bytes | None = one.shown
        if is_same and not shown:
            return
        number, item = 0, b""
        for viewer in viewers:
            if not is_same:
                shown = seen(one.happening, one.content, viewer, self._config)
            if not shown:
                continue
            of_view = numbering.next(viewer, self._seen_so_far)
            if of_view != number or not is_same:
                number = of_view
                told = seen_event_bytes(hand_field(numbering.hand), number, moment, shown)
                item = event_item(self.table_field, told)
            if viewer in items:
                items[viewer].append(item)
            else:
                items[viewer] = [item]

    def _dismiss(self, items: dict[int, list[bytes]], holders: dict[int, bytes]) -> None:
        """Ends the views of seats that were left: what came before is theirs, what comes now is not."""
        for subscriber in list(self.subscribers):
            if subscriber.viewer > PUBLIC and holders.get(subscriber.viewer) != subscriber.holder:
                self.subscribers.remove(subscriber)
                subscriber.tell(items.pop(subscriber.viewer, []))
                subscriber.end(table_pb2.STREAM_END_REASON_NOT_ALLOWED)

    def _seen_so_far(self, viewer: int) -> int:
        """How many events of the hand a view had before the newest."""
        return len(self._seen(viewer, self.happened[:-1]))

    # --- views of what has happened ---------------------------------------------------------------------

    def seen_events(self, viewer: int, happened: list[Happened], seats: dict[int, Seat]) -> list[table_pb2.SeenEvent]:
        """A view of whole hands, numbered, for who holds the viewer's seat among ``seats``."""
        told: list[table_pb2.SeenEvent] = []
        for hand, group in groupby(happened, key=attrgetter("hand")):
            of_hand = list(group)
            shown = self._seen(_sees_as(viewer, of_hand[0].happening, seats), of_hand)
            for number, (one, content) in enumerate(shown, 1):
                written = seen_event_bytes(hand_field(hand), number, moment_field(one.time_unix_ms), content)
                told.append(table_pb2.SeenEvent.FromString(written))
        return told

    def _seen(self, viewer: int, happened: list[Happened]) -> list[tuple[Happened, bytes]]:
        """What a viewer is told of, with the bytes that tell it."""
        told = [(one, seen(one.happening, content_bytes(one.happening), viewer, self._config)) for one in happened]
        return [(one, shown) for one, shown in told if shown is not None]


def _sees_as(viewer: int, first: Happening, seats: dict[int, Seat]) -> int:
    """As whom a seat sees a hand: as anybody if the seat was somebody else's when the hand began."""
    began = hand_that_began(first)
    if viewer <= PUBLIC or began is None:
        return viewer
    held = next((one.token_sha256 for one in began.seats if one.seat == viewer), None)
    holds = seats.get(viewer)
    return viewer if holds is not None and held == holds.token_sha256 else PUBLIC
