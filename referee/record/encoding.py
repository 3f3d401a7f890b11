"""The messages that are written most often, put together by hand: the same bytes as the generated classes write.

A stream's event costs the generated classes several copies for each viewer. Here its bytes are made once and shared.
Fields that have their default are left out, as protobuf does; lengths and numbers are varints.
"""

from typing import Final

from referee.rules.cards import card_text
from referee.rules.events import Event
from referee.rules.rulings import BET, LegalOptions, Ruling

_SMALL: Final = tuple([bytes([number]) for number in range(128)])
_CONTINUED: Final = tuple([bytes([number | 128]) for number in range(128)])
_CARD_TEXTS: Final = {card: card_text(card).encode("ascii") for card in range(-1, 52)}
_EVENT_CARDS: Final = {card: b"\x32\x02" + text for card, text in _CARD_TEXTS.items()}
_HELD_CARDS: Final = {card: b"\x5a\x02" + text for card, text in _CARD_TEXTS.items()}
_EVENT_HEADS: dict[tuple[int, str], bytes] = {}
_PLAIN_RULINGS: dict[str, bytes] = {}


def varint(number: int) -> bytes:
    """A number from 0 to 2**63 - 1 as a varint."""
    if number < 128:
        return _SMALL[number]
    return _CONTINUED[number & 127] + varint(number >> 7)


def delimited(tag: bytes, content: bytes) -> bytes:
    """A field of bytes, text or a message: its tag, the length, and the content."""
    return tag + varint(len(content)) + content


def event_bytes(event: Event) -> bytes:
    """The bytes of an ``Event`` message."""
    kind, rule, seat, amount, to, cards = event.kind, event.rule, event.seat, event.amount, event.to, event.cards
    written = _EVENT_HEADS.get((kind, rule))
    if written is None:
        written = _EVENT_HEADS[kind, rule] = b"\x08" + varint(kind) + delimited(b"\x12", rule.encode("ascii"))
    if seat:
        written += b"\x18" + _SMALL[seat]
    if amount:
        written += b"\x20" + varint(amount)
    if to:
        written += b"\x28" + varint(to)
    if cards:
        written += b"".join([_EVENT_CARDS[card] for card in cards])
    if event.pot:
        written += b"\x38" + varint(event.pot)
    if event.all_in:
        written += b"\x40\x01"
    if event.automatic:
        written += b"\x48\x01"
    return written


def options_bytes(options: LegalOptions) -> bytes:
    """The bytes of a ``LegalOptions`` message."""
    seat, decision_id, call, step, discard = (
        options.seat,
        options.decision_id,
        options.call,
        options.step,
        options.discard,
    )
    min_to, max_to, held = options.min_to, options.max_to, options.held
    written = (b"\x08" + _SMALL[seat] if seat else b"") + (b"\x10" + varint(decision_id) if decision_id else b"")
    if options.fold:
        written += b"\x18\x01"
    if options.check:
        written += b"\x20\x01"
    if call:
        written += b"\x28" + varint(call)
    if max_to:
        written += b"\x30\x01" if options.wager is BET else b"\x30\x02"
    if min_to:
        written += b"\x38" + varint(min_to)
    if max_to:
        written += b"\x40" + varint(max_to)
        if step:
            written += b"\x48" + varint(step)
    if discard:
        written += b"\x50" + varint(discard)
    if held:
        written += b"".join([_HELD_CARDS[card] for card in held])
    return written


def ruling_bytes(ruling: Ruling) -> bytes:
    """The bytes of a ``Ruling`` message without the events, which a table tells one by one."""
    if ruling.accepted and not ruling.warning:
        written = _PLAIN_RULINGS.get(ruling.rule)
        if written is None:
            written = _PLAIN_RULINGS[ruling.rule] = b"\x08\x01" + delimited(b"\x12", ruling.rule.encode("ascii"))
        return written
    written = (b"\x08\x01" if ruling.accepted else b"") + delimited(b"\x12", ruling.rule.encode("ascii"))
    if ruling.reason:
        written += b"\x20" + varint(ruling.reason)
    if ruling.message:
        written += delimited(b"\x2a", ruling.message.encode())
    if ruling.options is not None:
        written += delimited(b"\x32", options_bytes(ruling.options))
    if ruling.warning:
        written += delimited(b"\x3a", ruling.warning.encode())
    return written
