"""A hand of a bundle step by step: what happened, by which rule, and how the table stood then."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.audit.known_cards import known_cards
from referee.audit.opening import config_in
from referee.audit.reading import EntryError, Item, read_piece
from referee.audit.seating import posts_in
from referee.audit.wording import hand_lines, proposal_words, seat_words
from referee.record.telling import Names, event_text
from referee.rules.events import HAND_SHOWN, Event
from referee.rules.ruleset import RuleSetError
from referee.rules.setup import HandSetup
from referee.rules.state import Hand, apply
from referee.table.poker_config import PokerConfig
from referee.table.positions import Positions
from referee.v1 import record_pb2


class ReplayError(ValueError):
    """A hand that is not in the bundle, or cannot be followed; the message says why."""


@dataclass(frozen=True)
class Step:
    """A step of a hand: the entry's number in the table, the rule, what happened, and how the table stands after it.

    ``refused`` marks a proposal that changed nothing.
    """

    number: int
    time_unix_ms: int
    rule: str
    text: str
    table: tuple[str, ...]
    refused: bool = False


def tables_of(bundle: record_pb2.Bundle) -> dict[str, list[int]]:
    """The hands that a bundle has, by table; raises ReplayError for seals that cannot be read."""
    found: dict[str, list[int]] = {}
    for piece in bundle.pieces:
        read = _read(piece)
        hands = found.setdefault(read.seal.table_id, [])
        hands.extend([item.hand for item in read.items if item.kind == "hand_began"])
    return found


def steps_of(bundle: record_pb2.Bundle, table_id: str, hand: int) -> tuple[Step, ...]:
    """Every step of a hand, from its beginning to what was shown after it, as far as the bundle shows them.

    Nothing is judged here: the record is told as it stands. For another view redact the bundle first. Raises
    ReplayError when the hand is not in the bundle or its events are none that a hand can have.
    """
    config: PokerConfig | None = None
    items: list[Item] = []
    for piece in bundle.pieces:
        read = _read(piece)
        if read.seal.table_id != table_id:
            continue
        for item in read.items:
            if item.kind == "opened":
                config = _config(item)
            elif item.hand == hand:
                items.append(item)
    if config is None:
        raise ReplayError(f"the opening of table {table_id}, with its rules, is not in the bundle")
    while items and items[0].kind != "hand_began":
        items.pop(0)
    if not items:
        raise ReplayError(f"hand {hand} of table {table_id} is not in the bundle")
    try:
        return tuple(_steps(config, items))
    except (RuleSetError, ValueError, KeyError, IndexError) as error:
        raise ReplayError(f"hand {hand} of table {table_id} cannot be followed: {error}") from error


def _read(piece: record_pb2.BundledPiece) -> Any:
    try:
        return read_piece(piece)
    except EntryError as error:
        raise ReplayError(str(error)) from error


def _config(item: Item) -> PokerConfig:
    try:
        config = config_in(item)
    except RuleSetError as error:
        raise ReplayError(f"no such table can be played: {error}") from error
    if not isinstance(config, PokerConfig):
        raise ReplayError("this is no record of poker")
    return config


def _steps(config: PokerConfig, items: Sequence[Item]) -> list[Step]:
    setup, names = _setup(config, items)
    hand = Hand(setup)
    began = items[0]
    blinds = f"button at seat {setup.button_seat}, big blind seat {setup.big_blind_seat}"
    steps = [Step(began.number, began.time_unix_ms, "SEAT-1", f"{setup.hand_id} begins: {blinds}", _lines(hand, names))]
    for item in items[1:]:
        step = _step(item, hand, names)
        if step is not None:
            steps.append(step)
    return steps


def _setup(config: PokerConfig, items: Sequence[Item]) -> tuple[HandSetup, dict[int, str]]:
    content: Any = items[0].content
    if items[0].whole:
        names = {one.seat: one.name for one in content.seats}
        stacks = {one.seat: one.stack for one in content.seats}
        dealt_in, small = tuple(content.dealt_in), content.small_blind_position
    else:
        names = {one.seat: one.name for one in content.players}
        stacks = {one.seat: one.stack for one in content.players}
        dealt_in, small = tuple([one.seat for one in content.players]), content.small_blind_seat
    positions = Positions(content.button_seat, small, content.big_blind_seat, dealt_in)
    deck = known_cards(items).deck(dealt_in, config.rule_set.game)
    posts = posts_in(content)
    setup = config.setup(positions, tuple([stacks[seat] for seat in dealt_in]), deck, content.hand_id, (), posts)
    return setup, names


def _step(item: Item, hand: Hand, names: Names) -> Step | None:
    content = item.content
    if isinstance(content, Event):
        apply(hand, content)
        if content.kind is HAND_SHOWN:  # who was not told these cards before is now
            hand.kept[hand.index_of(content.seat)] = content.cards
        text = event_text(content, names)
        return Step(item.number, item.time_unix_ms, content.rule, text, _lines(hand, names))
    if isinstance(content, record_pb2.StoredRuling):
        ruling = content.ruling
        if ruling.accepted:  # what follows from it tells it
            return None
        text = proposal_words(content, names)
        return Step(item.number, item.time_unix_ms, ruling.rule, text, _lines(hand, names), refused=True)
    told = seat_words(item, names)
    return Step(item.number, item.time_unix_ms, *told, _lines(hand, names)) if told else None


def _lines(hand: Hand, names: Names) -> tuple[str, ...]:
    return tuple(hand_lines(hand, names))
