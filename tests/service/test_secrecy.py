"""Whatever seats, spectators and the log were told in many hands has no card in it that DEAL, DISC and SHOW hide."""

import asyncio
import random
import re

import pytest

from referee.rules.cards import card_text
from referee.rules.events import BOARD_DEALT, DISCARD_SHOWN, DISCARDED, HAND_SHOWN, HOLE_DEALT, Event
from referee.service.logs import configure
from referee.table.happenings import content_bytes, happenings, stored_event_bytes
from referee.table.views import parts
from referee.v1 import table_pb2
from tests.service.playing import answer_to, attach_item, options_in, propose_item, run, tables
from tests.support import scale

HANDS = scale(60, 1_000)
SEATS = 4
CARD = re.compile(r"(?<![A-Za-z0-9])(10|[2-9TJQKA])[cdhs](?![A-Za-z0-9])")
ENDED = table_pb2.STREAM_END_REASON_TABLE_ENDED


def texts(message):
    """Every text of a message, however deep it lies."""
    for field, value in message.ListFields():
        values = [value] if not field.is_repeated else value
        for one in values:
            if field.type == field.TYPE_MESSAGE:
                yield from texts(one)
            elif field.type == field.TYPE_STRING:
                yield one


def by_hand(item):
    """Parts of an item, each with the number of its hand, or with None for what belongs to none."""
    match item.WhichOneof("item"):
        case "snapshot":
            yield None, item.snapshot.table
            for event in item.snapshot.events:
                yield event.hand, event
        case "event":
            yield item.event.hand, item.event
        case "decision":
            yield item.decision.hand, item.decision
        case "answered":
            yield int(item.answered.request_id.split("/")[0]), item.answered
        case _:
            yield None, item


async def collect(running, table_id, token, rng):
    """Plays a seat, or watches with an empty token, keeping every message as it came."""
    received = []
    call = running.stub.Play() if token else None
    if call is None:
        stream = running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id))
    else:
        await call.write(table_pb2.PlayRequest(items=[attach_item(table_id, token, (0, 0))]))
        stream = call
    async for message in stream:
        received.append(message)
        for item in message.items:
            if item.HasField("decision"):
                wrong = answer_to(item.decision, rng)
                wrong.decision_id += 5
                for number, proposal in enumerate((wrong, answer_to(item.decision, rng))):
                    request_id = f"{item.decision.hand}/{options_in(item.decision).decision_id}/{number}/{rng.random()}"
                    await call.write(table_pb2.PlayRequest(items=[propose_item(table_id, proposal, request_id)]))
            if item.HasField("end"):
                assert item.end.reason == ENDED
                stream.cancel()  # a Play stream is for more tables than one, and does not end with one
                return received
    raise AssertionError("the stream had no end")


def seen_of(kept, viewer):
    """The cards of a hand that a viewer may ever see."""
    allowed = set()
    for one in kept:
        is_public = one.kind in (BOARD_DEALT, HAND_SHOWN, DISCARD_SHOWN)
        if is_public or (one.seat == viewer and one.kind in (HOLE_DEALT, DISCARDED)):
            allowed |= {card_text(card) for card in one.cards}
    return allowed


@pytest.mark.rule("DEAL-4", "DISC-5", "SHOW-8")
@pytest.mark.parametrize("rule_set", ["irish/full-tilt@1", "holdem/tda@1"])
def test_nothing_that_anybody_was_told_has_a_hidden_card_in_it(rule_set, tmp_path, capfd):
    async def go():
        async with tables(tmp_path) as running:
            table_id = await running.create(seats=SEATS, hands=HANDS // 2, rule_set=rule_set)
            watching = asyncio.create_task(collect(running, table_id, "", random.Random(0)))
            tokens = dict([await running.sit(table_id) for _ in range(SEATS)])
            playing = [collect(running, table_id, token, random.Random(seat)) for seat, token in tokens.items()]
            received = dict(zip((*tokens, 0), await asyncio.gather(*playing, watching), strict=True))
            owner = running.store.hub.find(table_id)
            rows = running.store.hub.store.rows(table_id, 0, HANDS)
            salts = [running.store.hub.store.piece(table_id, piece).salt for piece in range(HANDS // 2 + 2)]
            return owner.table.config, rows, received, salts

    configure(as_json=True, level="debug")
    config, rows, received, salts = run(go(), 600)
    logged = capfd.readouterr().out
    kept, closed = {}, []
    for row in rows:
        for one in happenings(row.body):
            content = content_bytes(one)
            hidden = parts(one, content, stored_event_bytes(one, content), config)[1]
            if isinstance(one, Event):
                kept.setdefault(row.hand, []).append(one)
                if hidden and one.kind in (HOLE_DEALT, DISCARDED):
                    closed.append((one.seat, hidden))
    looked_at = 0
    for viewer, messages in received.items():
        for message in messages:
            for item in message.items:
                for hand, part in by_hand(item):
                    cards = {found[0] for text in texts(part) for found in CARD.finditer(text)}
                    looked_at += len(cards)
                    assert cards <= (seen_of(kept[hand], viewer) if hand else set()), (viewer, hand, part)
        raw = b"".join([message.SerializeToString() for message in messages])
        assert not any(salt in raw for salt in salts)
        assert not any(hidden in raw for seat, hidden in closed if seat != viewer)
    assert looked_at > 20 * HANDS
    assert not CARD.search(logged)
    assert not any(text in logged for text in (config.seed.hex(), config.seed.decode("latin-1")))
