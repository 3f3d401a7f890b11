"""Fair deals of Kozel: the published vectors are current, and a rebuild in another language meets them."""

import json
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from referee.dealing.fair import FairDecks
from referee.dealing.given import read_decks, write_decks
from referee.dealing.items import TILES
from referee.kozel.game import first_round
from referee.kozel.round import open_round
from referee.kozel.ruleset import ON_ALL
from referee.kozel.tiles import tiles_text
from tools import kozel_deal_vectors

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "clients/vectors/kozel_deals.json"
MATCHES = json.loads(VECTORS.read_text())["matches"]

rule = pytest.mark.rule


def test_the_file_is_what_the_tool_writes() -> None:
    assert VECTORS.read_text() == kozel_deal_vectors.vectors(), "run `python -m tools.kozel_deal_vectors`"


@rule("KOZ-1", "KOZ-2", "KOZ-3")
@pytest.mark.parametrize("vector", MATCHES, ids=lambda vector: vector["match"])
def test_the_seed_leads_to_the_rounds(vector) -> None:
    decks = FairDecks(vector["match"], bytes.fromhex(vector["match_seed"]), 28)
    seats = tuple(range(1, vector["players"] + 1))
    assert {len(one["decks"]) for one in vector["rounds"]} == {1, 2, 3}, "redeals, once and twice"
    for one in vector["rounds"]:
        setup = first_round(ON_ALL, seats, partial(decks.deck, 0, int(one["hand"])))
        state, _ = open_round(setup)
        assert [tiles_text(deck) for deck in setup.decks] == one["decks"]
        assert [tiles_text(hand) for hand in state.hands] == one["hands"]
        assert seats[state.to_act] == one["leader"]
        for redeal, root in enumerate(one["roots"]):
            assert decks.committed(0, int(one["hand"]), redeal).root.hex() == root


@rule("KOZ-2")
def test_the_rebuild_in_node_meets_all_vectors() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the rebuild in another language was not run")
    command = [node, ROOT / "tests/dealing/rebuild_kozel.mjs", VECTORS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    for rebuilt, vector in zip(json.loads(done.stdout), MATCHES, strict=True):
        for mine, one in zip(rebuilt, vector["rounds"], strict=True):
            assert mine == {name: one[name] for name in mine}


def test_decks_of_tiles_are_read_and_written() -> None:
    deck = FairDecks("match", bytes(32), 28).deck(0, 1)
    text = write_decks([deck], TILES)
    assert text.count("-") == 28
    assert read_decks(text, TILES).deck(0, 1) == deck
