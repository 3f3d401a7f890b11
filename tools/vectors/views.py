"""Vectors of whole hands as one seat sees them on a stream, and of what its decisions then are."""

from random import Random
from typing import Any, Final

from referee.client import Decision
from referee.record import wire
from referee.record.view import view
from referee.rules.setup import HandSetup
from referee.v1 import hand_pb2, table_pb2
from tools.vectors.decisions import KINDS, Kind, cards_of, options_of, play

PLAYED: Final = 12
LONGEST: Final = 2
"""How many hands of each kind of table are played; the longest of them, and the first, are kept."""
TIME_UNIX_MS: Final = 1_796_000_000_000
NEWER_EVENT_KIND: Final = 99


def vectors() -> dict[str, Any]:
    """The file's content."""
    return {"hands": [hand for kind in KINDS for hand in _hands(kind)]}


def _hands(kind: Kind) -> list[dict[str, Any]]:
    first, *others = [_hand(kind, number) for number in range(PLAYED)]
    return [first, *sorted(others, key=lambda hand: -len(hand["decisions"]))[:LONGEST]]


def _hand(kind: Kind, number: int) -> dict[str, Any]:
    rng = Random(f"views/{kind.name}/{number}")
    decisions, played = play(kind, f"views/{kind.name}/{number}", rng)
    seat = rng.choice(sorted({decision.seat for decision in decisions}))
    own = [decision for decision in decisions if decision.seat == seat]
    seen = [event for event in [view(event, seat, kind.rule_set) for event in played.events] if event is not None]
    items = [_item(1, hand_began=_began(played.setup))]
    for place, event in enumerate(seen):
        items.append(_item(len(items) + 1, hand_event=wire.event_message(event)))
        if place % 7 == 3:  # a newer server's
            newer = hand_pb2.Event(kind=NEWER_EVENT_KIND, seat=1, amount=77)  # type: ignore[arg-type]
            items.append(_item(len(items) + 1, hand_event=newer))
    return {
        "table": kind.name,
        "seat": seat,
        "snapshot": _snapshot(kind).SerializeToString(deterministic=True).hex(),
        "items": [item.SerializeToString(deterministic=True).hex() for item in items],
        "decisions": [_decision(decision, items) for decision in own],
        "stacks_after": [
            {"seat": one, "stack": stack} for one, stack in zip(played.setup.seats, played.stacks, strict=True)
        ],
    }


def _snapshot(kind: Kind) -> table_pb2.PlayResponseItem:
    config = table_pb2.TableConfig(
        structure=kind.limit,  # type: ignore[arg-type]
        stakes=wire.stakes_message(kind.stakes),
        seats=len(kind.stacks),
        starting_stack=max(kind.stacks),
    )
    wire.write_rules(config, kind.rule_set)
    table = table_pb2.TableState(table_id="harness", config=config, hand=1, match_name="vectors")
    return table_pb2.PlayResponseItem(table_id="harness", snapshot=table_pb2.Snapshot(table=table))


def _began(setup: HandSetup) -> table_pb2.HandBegan:
    players = zip(setup.seats, setup.stacks, strict=True)
    return table_pb2.HandBegan(
        hand_id=setup.hand_id,
        players=[hand_pb2.PlayerSetup(seat=seat, stack=stack, name=f"bot {seat}") for seat, stack in players],
        button_seat=setup.button_seat,
        small_blind_seat=setup.small_blind_seat,
        big_blind_seat=setup.big_blind_seat,
    )


def _item(number: int, **what: Any) -> table_pb2.PlayResponseItem:
    event = table_pb2.SeenEvent(hand=1, number=number, time_unix_ms=TIME_UNIX_MS + number, **what)
    return table_pb2.PlayResponseItem(table_id="harness", event=event)


def _decision(decision: Decision, items: list[table_pb2.PlayResponseItem]) -> dict[str, Any]:
    """The decision as a stream tells it after so many items, and everything that follows from those."""
    message = table_pb2.Decision(hand_id=decision.hand_id, hand=1, legal=wire.options_message(decision.legal))
    item = table_pb2.PlayResponseItem(table_id="harness", decision=message)
    return {
        "after_items": _items_seen(len(decision.events), items),
        "item": item.SerializeToString(deterministic=True).hex(),
        "view": {
            "street": decision.street,
            "hole": cards_of(decision.hole),
            "discarded": cards_of(decision.discarded),
            "board": cards_of(decision.board),
            "joined": cards_of(decision.joined),
            "pot": decision.pot,
            "level": decision.level,
            "to_call": decision.to_call,
            "must_discard": decision.must_discard,
            "button_seat": decision.button_seat,
            "small_blind_seat": decision.small_blind_seat,
            "big_blind_seat": decision.big_blind_seat,
            "acts_last": decision.acts_last,
            "legal": options_of(decision.legal),
            "players": [
                {
                    "seat": player.seat,
                    "name": player.name,
                    "stack": player.stack,
                    "bet": player.bet,
                    "put_in": player.put_in,
                    "live": player.live,
                    "all_in": player.all_in,
                    "discarded": player.discarded,
                    "shown": cards_of(player.shown),
                }
                for player in decision.players
            ],
        },
    }


def _items_seen(events: int, items: list[table_pb2.PlayResponseItem]) -> int:
    """How many items tell so many events that this version knows."""
    told = 0
    for place, item in enumerate(items, 1):
        event = item.event
        told += event.HasField("hand_event") and event.hand_event.kind != NEWER_EVENT_KIND
        if told == events:
            return place
    raise AssertionError(f"{events} events are not told")
