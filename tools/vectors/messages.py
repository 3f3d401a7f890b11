"""Vectors of the contract's messages: bytes, canonical JSON, and what a newer server adds, which is ignored."""

import json
from typing import Any, Final

from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from referee.v1 import hand_pb2, server_pb2, table_pb2

Item = table_pb2.PlayResponseItem
Event = hand_pb2.Event
NEWER: Final = 99
"""A number of an enum that no version of today has."""
MOST: Final = (1 << 53) - 1


def unknown(number: int, content: bytes = b"") -> bytes:
    """Bytes of a field that today's contract does not have."""
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    written = b""
    while value > 0x7F:
        written += bytes([value & 0x7F | 0x80])
        value >>= 7
    return written + bytes([value])


def vectors() -> dict[str, Any]:
    """The file's content."""
    return {"messages": [*map(_known, _messages()), *_newer()]}


# --- what today's server and clients say ----------------------------------------------------------------


def _messages() -> list[tuple[str, Message]]:
    seen = table_pb2.SeenEvent
    return [
        ("a stream begins", _play(_snapshot())),
        ("a hand begins", _event(seen(hand=1, number=1, time_unix_ms=1_796_000_000_000, hand_began=_began()))),
        ("own cards", _hand_event(4, kind=hand_pb2.EVENT_KIND_HOLE_DEALT, seat=2, cards=["Ah", "Kd", "Tc", "2s"])),
        ("others' cards", _hand_event(5, kind=hand_pb2.EVENT_KIND_HOLE_DEALT, seat=3, cards=["??"] * 4)),
        (
            "a blind",
            _hand_event(2, kind=hand_pb2.EVENT_KIND_BLIND_POSTED, rule="BLIND-1", seat=2, amount=5, street_total=5),
        ),
        (
            "a raise all-in",
            _hand_event(
                9, kind=hand_pb2.EVENT_KIND_RAISED, rule="BET-2", seat=3, amount=MOST, street_total=MOST, all_in=True
            ),
        ),
        ("a decision", _play(Item(table_id="t", decision=_decision()))),
        ("a discard is owed", _play(Item(table_id="t", decision=_discard_decision()))),
        (
            "an answer",
            _play(
                Item(
                    table_id="t",
                    answered=table_pb2.Answered(request_id="r-1", ruling=hand_pb2.Ruling(accepted=True, rule="BET-2")),
                )
            ),
        ),
        ("a refusal", _play(Item(table_id="t", answered=table_pb2.Answered(request_id="r-1", ruling=_refusal())))),
        ("a heartbeat", _play(Item(table_id="t", heartbeat=table_pb2.Heartbeat(time_unix_ms=1_796_000_000_000)))),
        ("a heartbeat of the whole stream", _play(Item(heartbeat=table_pb2.Heartbeat()))),
        (
            "a sealed piece",
            _play(Item(table_id="t", sealed=table_pb2.PieceSealed(seal=b"\x00\xff", index=7, checkpoint=b"note\n"))),
        ),
        ("an end", _play(Item(table_id="t", end=table_pb2.StreamEnd(reason=table_pb2.STREAM_END_REASON_TABLE_ENDED)))),
        (
            "an end of the whole stream",
            _play(Item(end=table_pb2.StreamEnd(reason=table_pb2.STREAM_END_REASON_SERVER_DRAINING))),
        ),
        (
            "several tables in one message",
            _play(Item(table_id="a", heartbeat=table_pb2.Heartbeat(time_unix_ms=1)), _snapshot("b")),
        ),
        ("an empty message", table_pb2.PlayResponse()),
        ("the seeds at the end", _event(seen(hand=3, number=40, time_unix_ms=1_796_000_000_000, ended=_ended()))),
        ("commitments", _event(seen(hand=0, number=5, commitments_closed=_commitments()))),
        ("attaching", _asks(attach=table_pb2.Attach(seat_token="secret"))),
        (
            "attaching at a cursor",
            _asks(attach=table_pb2.Attach(seat_token="secret", cursor=table_pb2.Cursor(hand=7, number=12))),
        ),
        (
            "attaching at the first place of all",
            _asks(attach=table_pb2.Attach(seat_token="secret", cursor=table_pb2.Cursor())),
        ),
        ("detaching", _asks(detach=table_pb2.Detach())),
        ("a fold", _proposes(hand_pb2.Action(fold=hand_pb2.Fold()))),
        ("a raise to a total", _proposes(_raise(70))),
        ("a bet", _proposes(hand_pb2.Action(bet=hand_pb2.Bet(raise_to=MOST)))),
        ("a discard", _proposes(hand_pb2.Action(discard=hand_pb2.Discard(cards=["Tc", "2s"])))),
        (
            "bounds",
            server_pb2.GetServerInfoResponse(
                version="0.1.0", limits=[server_pb2.Limit(name="heartbeat_ms", value=10_000)]
            ),
        ),
    ]


def _play(*items: Item) -> table_pb2.PlayResponse:
    return table_pb2.PlayResponse(items=items)


def _event(event: table_pb2.SeenEvent) -> table_pb2.PlayResponse:
    return _play(Item(table_id="t", event=event))


def _hand_event(number: int, **what: Any) -> table_pb2.PlayResponse:
    return _event(table_pb2.SeenEvent(hand=1, number=number, time_unix_ms=1_796_000_000_000, hand_event=Event(**what)))


def _snapshot(table_id: str = "t") -> Item:
    config = table_pb2.TableConfig(
        rule_set_name="irish/full-tilt@1",
        structure=hand_pb2.BETTING_STRUCTURE_POT_LIMIT,
        stakes=hand_pb2.Stakes(small_blind=5, big_blind=10, rake_cap=0),
        seats=2,
        starting_stack=1000,
        clock=table_pb2.ClockRules(action_ms=5000),
    )
    state = table_pb2.TableState(
        table_id=table_id,
        config=config,
        status=table_pb2.TABLE_STATUS_PLAYING,
        hand=1,
        seats=[
            table_pb2.SeatState(seat=1, name="one", stack=995, bank_ms=30_000),
            table_pb2.SeatState(seat=2, name="zwei – 二", stack=990, leaving=True),
        ],
        match_name="spring.7",
        deal_commitment=bytes(range(32)),
    )
    return Item(table_id=table_id, snapshot=table_pb2.Snapshot(table=state))


def _began() -> table_pb2.HandBegan:
    players = [hand_pb2.PlayerSetup(seat=seat, stack=1000, name=f"player {seat}") for seat in (2, 3, 1)]
    return table_pb2.HandBegan(
        hand_id="t-1", players=players, button_seat=1, small_blind_seat=2, big_blind_seat=3, deck_root=bytes(32)
    )


def _options() -> hand_pb2.LegalOptions:
    return hand_pb2.LegalOptions(
        seat=2,
        decision_id=3,
        can_fold=True,
        amount_to_call=35,
        wager=hand_pb2.WAGER_KIND_RAISE,
        min_raise_to=70,
        max_raise_to=995,
        raise_step=1,
        held_cards=["Ah", "Kd", "Tc", "2s"],
    )


def _decision() -> table_pb2.Decision:
    return table_pb2.Decision(
        hand_id="t-1", hand=1, legal=_options(), deadline_unix_ms=1_796_000_005_000, remaining_ms=5000
    )


def _discard_decision() -> table_pb2.Decision:
    legal = hand_pb2.LegalOptions(seat=2, decision_id=4, cards_to_discard=2, held_cards=["Ah", "Kd", "Tc", "2s"])
    return table_pb2.Decision(hand_id="t-1", hand=1, legal=legal)


def _refusal() -> hand_pb2.Ruling:
    return hand_pb2.Ruling(
        rule="SIZE-3",
        reason=hand_pb2.REASON_BELOW_MINIMUM,
        message="11 is below the minimum of 20",
        legal=_options(),
    )


def _ended() -> table_pb2.TableEnded:
    seats = [table_pb2.SeatSeed(seat=1, commitment=bytes(32), seed=bytes(range(32))), table_pb2.SeatSeed(seat=2)]
    seeds = table_pb2.MatchSeeds(match_name="spring.7", referee_seed=bytes(range(32)), seats=seats)
    return table_pb2.TableEnded(reason=table_pb2.END_REASON_HANDS_PLAYED, seeds=seeds)


def _commitments() -> table_pb2.CommitmentsClosed:
    return table_pb2.CommitmentsClosed(
        seats=[1, 2, 1000],
        commitments=[table_pb2.SeedCommitted(seat=1, commitment=bytes(32))],
        reveal_until_unix_ms=1_796_000_000_000,
    )


def _asks(**what: Any) -> table_pb2.PlayRequest:
    return table_pb2.PlayRequest(items=[table_pb2.PlayRequestItem(table_id="t", **what)], max_open_decisions=4)


def _proposes(action: hand_pb2.Action) -> table_pb2.PlayRequest:
    proposal = hand_pb2.Proposal(hand_id="t-1", decision_id=3, seat=2, action=action)
    propose = table_pb2.Propose(request_id="r-1", proposal=proposal)
    return table_pb2.PlayRequest(items=[table_pb2.PlayRequestItem(table_id="t", propose=propose)])


def _raise(total: int) -> hand_pb2.Action:
    action = hand_pb2.Action()
    getattr(action, "raise").raise_to = total
    return action


# --- what a newer server says ---------------------------------------------------------------------------


def _newer() -> list[dict[str, Any]]:
    heartbeat = _play(Item(table_id="t", heartbeat=table_pb2.Heartbeat(time_unix_ms=1)))
    beat = heartbeat.items[0].SerializeToString()
    inner = table_pb2.SeenEvent(hand=1, number=6).SerializeToString()
    decision = _play(Item(table_id="t", decision=_decision()))
    options = _options()
    longer = options.SerializeToString() + unknown(90, b"\x08\x01") + unknown(2000, b"text") + b"\xd8\x05\x07"
    opened = table_pb2.Decision(hand_id="t-1", hand=1).SerializeToString() + b"\x1a" + _varint(len(longer)) + longer
    in_item = b"\x0a\x01t" + b"\x22" + _varint(len(opened)) + opened
    plain = _play(Item(table_id="t", decision=table_pb2.Decision(hand_id="t-1", hand=1, legal=options)))
    return [
        _bytes("an unknown field in the message", heartbeat, heartbeat.SerializeToString() + unknown(100)),
        _bytes("an unknown field in an item", heartbeat, _field(1, beat + unknown(101, b"\x01\x02"))),
        _bytes("an unknown number in front", heartbeat, b"\xa0\x06\x96\x01" + heartbeat.SerializeToString()),
        _bytes("fields in another order", heartbeat, _field(1, beat[3:] + beat[:3])),
        _bytes(
            "an unknown kind of item", _play(Item(table_id="t")), _field(1, b"\x0a\x01t" + unknown(102, b"\x08\x01"))
        ),
        _bytes(
            "an unknown kind of event",
            _event(table_pb2.SeenEvent(hand=1, number=6)),
            _field(1, b"\x0a\x01t" + _field(3, inner + unknown(103, b"\x0a\x03new"))),
        ),
        _bytes("unknown fields in legal options", plain, _field(1, in_item)),
        _bytes("an unknown field in a decision", decision, _with_unknown_in_decision(decision)),
        _known(("an unknown kind of hand event", _hand_event(6, kind=NEWER, seat=2, amount=3))),
        _known(("an unknown reason of an end", _play(Item(table_id="t", end=table_pb2.StreamEnd(reason=NEWER))))),  # type: ignore[arg-type]
        _known(("an unknown reason of a refusal", _play(Item(table_id="t", answered=_newer_refusal())))),
        _known(("an unknown status of the table", _play(_newer_status()))),
        _known(("an unknown wager", _play(Item(table_id="t", decision=_newer_wager())))),
        _known(("a negative number of an enum", _play(Item(table_id="t", end=table_pb2.StreamEnd(reason=-1))))),  # type: ignore[arg-type]
    ]


def _field(number: int, content: bytes) -> bytes:
    return unknown(number, content)


def _with_unknown_in_decision(message: table_pb2.PlayResponse) -> bytes:
    content = message.items[0].decision.SerializeToString() + unknown(50, b"later")
    return _field(1, b"\x0a\x01t" + _field(4, content))


def _newer_refusal() -> table_pb2.Answered:
    ruling = hand_pb2.Ruling(rule="BET-77", reason=NEWER, message="a newer rule", legal=_options())  # type: ignore[arg-type]
    return table_pb2.Answered(request_id="r-1", ruling=ruling)


def _newer_status() -> Item:
    item = _snapshot()
    item.snapshot.table.status = NEWER  # type: ignore[assignment]
    return item


def _newer_wager() -> table_pb2.Decision:
    decision = _decision()
    decision.legal.wager = NEWER  # type: ignore[assignment]
    return decision


# --- as vectors -----------------------------------------------------------------------------------------


def _known(named: tuple[str, Message]) -> dict[str, Any]:
    name, message = named
    return _bytes(name, message, message.SerializeToString(deterministic=True))


def _bytes(name: str, message: Message, data: bytes) -> dict[str, Any]:
    """A vector: these bytes are to be read as this message."""
    read = type(message)()
    read.ParseFromString(data)
    read.DiscardUnknownFields()
    assert read == message, f"{name}: {read} is not {message}"
    as_json = MessageToDict(message)
    assert ParseDict(json.loads(json.dumps(as_json)), type(message)()) == message, name
    return {
        "name": name,
        "type": message.DESCRIPTOR.full_name,
        "bytes": data.hex(),
        "known": message.SerializeToString(deterministic=True).hex(),
        "json": as_json,
    }
