"""A hand of a bundle step by step: what happened, by which rule, and how the table stood then."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from referee.audit.kozel_replay import ToldKozel
from referee.audit.opening import config_in
from referee.audit.poker_replay import ToldPoker
from referee.audit.reading import EVENT_KINDS, EntryError, Item, read_piece
from referee.audit.told import ToldHand
from referee.audit.wording import seat_words
from referee.rules.ruleset import RuleSetError
from referee.table.config import TableConfig
from referee.table.kozel_config import KozelConfig
from referee.table.poker_config import PokerConfig
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
    config: TableConfig | None = None
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
        return tuple(_steps(_told(config, items), items))
    except (RuleSetError, ValueError, KeyError, IndexError) as error:
        raise ReplayError(f"hand {hand} of table {table_id} cannot be followed: {error}") from error


def _read(piece: record_pb2.BundledPiece) -> Any:
    try:
        return read_piece(piece)
    except EntryError as error:
        raise ReplayError(str(error)) from error


def _config(item: Item) -> TableConfig:
    try:
        return config_in(item)
    except RuleSetError as error:
        raise ReplayError(f"no such table can be played: {error}") from error


def _told(config: TableConfig, items: Sequence[Item]) -> ToldHand:
    if isinstance(config, PokerConfig):
        return ToldPoker(config, items)
    assert isinstance(config, KozelConfig), "there is no third game"
    return ToldKozel(config, items)


def _steps(hand: ToldHand, items: Sequence[Item]) -> list[Step]:
    began = items[0]
    steps = [Step(began.number, began.time_unix_ms, *hand.beginning(), hand.lines())]
    for item in items[1:]:
        step = _step(item, hand)
        if step is not None:
            steps.append(step)
    return steps


def _step(item: Item, hand: ToldHand) -> Step | None:
    is_refusal = isinstance(item.content, record_pb2.StoredRuling)
    told: tuple[str, str] | None
    if item.kind in EVENT_KINDS:
        told = hand.happen(item.content)
    elif is_refusal:
        told = hand.refusal(item.content)
    else:
        told = seat_words(item, hand.names)
    if told is None:
        return None
    return Step(item.number, item.time_unix_ms, told[0], told[1], hand.lines(), is_refusal)
