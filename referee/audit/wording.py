"""What an entry says, in words for reports; whatever the game."""

from referee.audit import kozel_wording, poker_wording
from referee.audit.reading import Item
from referee.kozel.events import Event as KozelEvent
from referee.record.telling import Names, seat_name
from referee.rules.events import Event
from referee.v1 import record_pb2, table_pb2


def seat_words(item: Item, names: Names) -> tuple[str, str] | None:
    """The rule, empty for none, and words of what concerns a seat between hands; None for anything else."""
    content = item.content
    match item.kind:
        case "seat_leaving":
            return "", f"{seat_name(content.seat, names)} leaves after the hand"
        case "seat_sits_out":
            return "SEAT-5", f"{seat_name(content.seat, names)} sits out from the next hand on"
        case "seat_sits_in":
            how = "posts to come in" if content.posts else "waits for the big blind where blinds are owed"
            return "SEAT-3", f"{seat_name(content.seat, names)} plays again and {how}"
        case "seat_tops_up":
            return "", f"{seat_name(content.seat, names)} fills the stack up to {content.to} before the next hand"
        case "fault_applied":
            done = table_pb2.FaultPolicy.Name(content.policy).removeprefix("FAULT_POLICY_").replace("_", " ").lower()
            return "TIME-4", f"{seat_name(content.seat, names)} has made {content.faults} faults: {done}"
    return None


def item_words(item: Item, names: Names) -> str:
    """An entry in words."""
    if isinstance(item.content, Event):
        return poker_wording.event_words(item.content, names)
    if isinstance(item.content, KozelEvent):
        return kozel_wording.event_words(item.content, names)
    if item.content is None:
        return "an entry that this bundle hides"
    if isinstance(item.content, record_pb2.StoredRuling):
        if item.content.HasField("kozel_ruling"):
            return kozel_wording.proposal_words(item.content, names)
        return poker_wording.proposal_words(item.content, names)
    return f"{item.kind.replace('_', ' ')}: {' '.join(str(item.content).split())}"
