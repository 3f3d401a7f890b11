"""What a newer server says and today's contract does not have: it is ignored, and the game goes on."""

from typing import Final

from google.protobuf.message import Message

from referee.conformance.game import Game
from referee.conformance.scenarios.refusals import refused_once
from referee.conformance.told import Item, Told
from referee.conformance.verdicts import Scenario
from referee.rules.ruleset import IRISH, Limit, RuleSet
from referee.v1 import hand_pb2, table_pb2

NEWER: Final = 99
REST: Final = "me check, p3 check, me discard, p3 discard, me check, p3 check, me check, p3 check"


OF_THE_HOST: Final = RuleSet("conformance/newer", 1, IRISH, (Limit.NO_LIMIT,))
OPTIONS: Final = (
    "showdown_order",
    "all_in_exposure",
    "button_rule",
    "open_fold",
    "cap_heads_up",
    "discard_timeout",
    "deck_reveal",
    "late_minimum",
)
"""Options of a rule set that a seat's view does not depend on."""


def add_newer(message: Message, number: int = 200) -> None:
    """Adds a field to a message that today's contract does not have."""
    tag = number << 3 | 2
    message.MergeFromString(bytes([tag & 0x7F | 0x80, tag >> 7, 3]) + b"new")


def with_newer_fields(item: Item) -> Item:
    """The item with unknown fields on every level."""
    newer = Item.FromString(item.SerializeToString())
    for message in _messages_of(newer):
        add_newer(message)
    return newer


def _messages_of(message: Message) -> list[Message]:
    found = [message]
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            for one in value if field.is_repeated else [value]:
                found.extend(_messages_of(one))
    return found


async def _fields(game: Game) -> None:
    told = game.table("check-or-call")
    await game.start()
    cursor = await game.attached(told)
    await game.tell(told, [with_newer_fields(told.snapshot(told.after(cursor)))])
    await game.tell(told, [with_newer_fields(item) for item in [*told.begin(), *told.act("p3 raise 30")]])
    await game.tell(told, [with_newer_fields(item) for item in told.act("p1 fold")])
    await _asks_newer(game, told, "call")
    await _asks_newer(game, told, "check")
    await game.plays("p3 check, me discard, p3 discard, me check, p3 check, me check, p3 check")
    await game.ends(hands=1)


async def _asks_newer(game: Game, told: Told, wish: str) -> None:
    await game.tell(told, [with_newer_fields(told.decision())])
    asked = await game.answer(told, wish)
    await game.accepts(told, asked, wish)


async def _items(game: Game) -> None:
    """Unknown items, for the table, for the whole stream, for a table that nobody attached."""
    told = game.table("check-or-call")
    await game.start()
    await game.begins()
    await game.tell(told, _unknown_items(told))
    await game.tell(told, [*_unknown_items(told), *told.begin(), *_unknown_items(told)])
    await game.plays("p3 raise 30, p1 fold")
    await game.tell(told, [*_unknown_items(told), told.decision(), *_unknown_items(told)])
    asked = await game.answer(told, "call")
    await game.accepts(told, asked, "call")
    await game.plays(REST)
    await game.ends(hands=1)


def _unknown_items(told: Told) -> list[Item]:
    items = [told.item(), Item(), Item(table_id="nobody-attached-this")]
    for item in items:
        add_newer(item)
    return [*items, Item(table_id="nobody-attached-this", heartbeat=table_pb2.Heartbeat(time_unix_ms=1))]


async def _events(game: Game) -> None:
    """Unknown events, numbered as all events are, of the table and of the hand."""
    told = game.table("bet-pot")
    await game.start()
    await game.begins()
    await game.tell(told, [*told.begin(), *_unknown_events(told)])
    await game.acts("p3 call, p1 call")
    await game.tell(told, _unknown_events(told))
    await game.asks("raise 40", told)
    await game.acts("p3 call")
    await game.cut()
    await game.resumes()
    await game.acts("p1 fold")
    await game.tell(told, _unknown_events(told))
    await game.plays("me bet 90, p3 fold")
    await game.ends(hands=1)


def _unknown_events(told: Told) -> list[Item]:
    of_the_table = told.seen()
    add_newer(of_the_table.event)
    of_the_hand = told.seen(hand_event=hand_pb2.Event(kind=NEWER, seat=1, amount=77, street_total=99))  # type: ignore[arg-type]
    # The log has them too, for who resumes.
    told.log[-2].CopyFrom(of_the_table.event)
    return [of_the_table, of_the_hand]


async def _enums(game: Game) -> None:
    told = game.table("check-or-call", rule_set=OF_THE_HOST)
    await game.start()
    cursor = await game.attached(told)
    snapshot = told.snapshot(told.after(cursor))
    table = snapshot.snapshot.table
    table.status = table.end_reason = NEWER  # type: ignore[assignment]
    for name in OPTIONS:
        setattr(table.config.rule_set, name, NEWER)
    await game.tell(told, [snapshot, *told.begin()])
    await game.plays("p3 raise 30, p1 fold")
    asking = told.decision()
    asking.decision.legal.wager = NEWER  # type: ignore[assignment]
    await game.tell(told, [asking])
    await game.accepts(told, await game.answer(told, "call"), "call")
    await game.tell(told, [told.item(answered=_answer_to_nothing())])
    await game.plays(REST)
    await game.tell(told, [told.seen(ended=table_pb2.TableEnded(reason=NEWER))])  # type: ignore[arg-type]
    await game.ends(hands=1)


def _answer_to_nothing() -> table_pb2.Answered:
    ruling = hand_pb2.Ruling(rule="BET-77", reason=NEWER, message="to a request that nobody made")  # type: ignore[arg-type]
    return table_pb2.Answered(request_id="somebody-elses", ruling=ruling)


async def _refusal(game: Game) -> None:
    told = game.table("refused-first")
    await game.start()
    await game.begins()
    await game.tell(told, told.begin())
    await game.plays("p3 raise 30, p1 fold")
    await refused_once(game, told, "call", NEWER)
    await refused_once(game, told, "check", NEWER)
    await game.plays("p3 bet 30")
    await refused_once(game, told, "call")
    await game.plays("me discard, p3 discard")
    await refused_once(game, told, "check")
    await game.plays("p3 bet 440")
    await refused_once(game, told, "call")
    await game.ends(refusals=5, hands=1)


_SOURCE: Final = "docs/bot-author.md (Without this SDK): ignore items, fields and enum values that you do not know"

SCENARIOS: Final = (
    Scenario("future-fields", "unknown fields on every level are ignored", _SOURCE, _fields),
    Scenario("future-items", "unknown items, and items of tables that are not attached, are ignored", _SOURCE, _items),
    Scenario("future-events", "unknown events are counted and otherwise ignored, pots stay right", _SOURCE, _events),
    Scenario("future-enums", "unknown enum values, and answers to nothing, are ignored", _SOURCE, _enums),
    Scenario("future-refusal", "a refusal for an unknown reason is a refusal all the same", _SOURCE, _refusal),
)
