"""Whatever seats, spectators and the log were told in many games has no tile in it that others hold or nobody knows."""

import asyncio
import random
import re

import pytest

from referee.kozel.events import HAND_COUNTED, TILE_DRAWN, TILE_LAID, TILES_DEALT, Event
from referee.kozel.tiles import TILE_TEXTS, tile_text
from referee.service.logs import configure
from referee.table.happenings import content_bytes, happenings, stored_event_bytes
from referee.table.views import parts
from tests.service.playing import run, tables
from tests.service.test_secrecy import by_hand, collect, texts
from tests.support import scale

GAMES = scale(6, 500)
TILE = re.compile(r"(?<![A-Za-z0-9-])[0-6]-[0-6](?![A-Za-z0-9-])")


def seen_of(kept, viewer):
    """The tiles of a round that a viewer may ever see."""
    allowed = set()
    for one in kept:
        if one.kind is TILE_LAID or (one.seat == viewer and one.kind in (TILES_DEALT, TILE_DRAWN, HAND_COUNTED)):
            allowed |= {tile_text(tile) for tile in one.tiles}
    return allowed


@pytest.mark.rule("KOZ-1", "KOZ-5")
def test_nothing_that_anybody_was_told_has_a_hidden_tile_in_it(tmp_path, capfd):
    assert all(TILE.fullmatch(text) for text in TILE_TEXTS)

    async def play(running, game):
        seats = 2 + game % 3
        rules = ("kozel/on-all@1", "kozel/on-one@1")[game % 2]
        table_id = (await running.create_kozel(seats=seats, rule_set=rules)).table_id
        watching = asyncio.create_task(collect(running, table_id, "", random.Random(0)))
        tokens = dict([await running.sit(table_id) for _ in range(seats)])
        playing = [collect(running, table_id, token, random.Random(seat)) for seat, token in tokens.items()]
        received = dict(zip((*tokens, 0), await asyncio.gather(*playing, watching), strict=True))
        owner, store = running.store.hub.find(table_id), running.store.hub.store
        rounds = owner.table.hand_number
        salts = [store.piece(table_id, piece).salt for piece in range(rounds + 2)]
        return owner.table.config, store.rows(table_id, 0, rounds), received, salts

    async def go():
        looked_at = 0
        async with tables(tmp_path) as running:
            for game in range(GAMES):
                looked_at += look_at(*await play(running, game))
        return looked_at

    configure(as_json=True, level="debug")
    looked_at = run(go(), scale(300, 7_200))
    assert looked_at > 500 * GAMES
    assert not TILE.search(capfd.readouterr().out)


def look_at(config, rows, received, salts):
    """Looks at everything that the viewers of a game were told; returns at how many tiles."""
    kept, closed = {}, []
    for row in rows:
        for one in happenings(row.body):
            if isinstance(one, Event):
                content = content_bytes(one)
                hidden = parts(one, content, stored_event_bytes(one, content), config)[1]
                kept.setdefault(row.hand, []).append(one)
                if hidden and one.tiles:
                    closed.append((one.seat, hidden))
    looked_at = 0
    for viewer, messages in received.items():
        for message in messages:
            for item in message.items:
                for hand, part in by_hand(item):
                    tiles = {found[0] for text in texts(part) for found in TILE.finditer(text)}
                    looked_at += len(tiles)
                    assert tiles <= (seen_of(kept[hand], viewer) if hand else set()), (viewer, hand, part)
        raw = b"".join([message.SerializeToString() for message in messages])
        assert not any(salt in raw for salt in salts)
        assert not any(hidden in raw for seat, hidden in closed if seat != viewer or not seat)
    return looked_at
