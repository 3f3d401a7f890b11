"""The published vectors are current, and a rebuild in another language from the page alone meets all of them."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from referee.dealing.fair import FairDecks
from referee.dealing.openings import Deal, Opening, verify_opening
from referee.dealing.seeds import DERIVATION, MatchSeeds, SeatSeed
from tools import deal_vectors

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "clients/vectors/deals.json"
MATCHES = json.loads(VECTORS.read_text())["matches"]


def test_the_file_is_what_the_tool_writes():
    assert VECTORS.read_text() == deal_vectors.vectors(), "run `python -m tools.deal_vectors`"


def test_a_stale_file_is_noticed(tmp_path, monkeypatch, capsys):
    stale = tmp_path / "deals.json"
    stale.write_text(VECTORS.read_text().replace("0", "1", 1))
    monkeypatch.setattr(deal_vectors, "OUT", stale)
    monkeypatch.setattr("sys.argv", ["deal_vectors", "--check"])
    assert deal_vectors.main() == 1
    assert "not current: deals.json" in capsys.readouterr().err


def test_the_vectors_meet_every_case():
    assert {seat["state"] for match in MATCHES for seat in match["seats"]} == {
        "REVEALED",
        "NOT_REVEALED",
        "NOT_COMMITTED",
    }
    deals = [deal for match in MATCHES for deal in match["deals"]]
    assert {deal["items"] for deal in deals} == {28, 52}
    assert any(deal["redeal"] for deal in deals)
    assert any(deal["block"] != "0" for deal in deals)


@pytest.mark.parametrize("vector", MATCHES, ids=lambda vector: vector["match"][:20])
def test_what_is_published_leads_to_the_decks(vector):
    seats = tuple(
        SeatSeed(seat["seat"], bytes.fromhex(seat["commitment"]), bytes.fromhex(seat["seed"]))
        for seat in vector["seats"]
    )
    seeds = MatchSeeds(vector["match"], bytes.fromhex(vector["referee"]["seed"]), seats)
    seeds.check(bytes.fromhex(vector["referee"]["commitment"]))
    match_seed = seeds.match_seed()
    assert match_seed.hex() == vector["match_seed"]
    for deal in vector["deals"]:
        name = Deal(vector["match"], deal["items"], int(deal["block"]), int(deal["hand"]), deal["redeal"])
        deck = FairDecks(vector["match"], match_seed, deal["items"]).deck(name.block, name.hand, name.redeal)
        assert list(deck) == deal["deck"]
        for opened in deal["openings"]:
            assert opened["item"] == deck[opened["position"]]
            path = tuple(bytes.fromhex(one) for one in opened["path"])
            opening = Opening(opened["position"], opened["item"], bytes.fromhex(opened["salt"]), path)
            verify_opening(name, bytes.fromhex(deal["root"]), opening)


def test_the_rebuild_in_node_meets_all_vectors():
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the rebuild in another language was not run")
    done = subprocess.run(
        [node, ROOT / "tests/dealing/rebuild.mjs", VECTORS], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    rebuilt = json.loads(done.stdout)
    assert len(rebuilt) == len(MATCHES)
    for mine, vector in zip(rebuilt, MATCHES, strict=True):
        assert mine["referee"] == vector["referee"]["commitment"]
        revealed = [seat["commitment"] if seat["seed"] else "" for seat in vector["seats"]]
        assert mine["commitments"] == revealed
        assert mine["match_seed"] == vector["match_seed"]
        assert mine["first_button"] == vector["first_button"]
        assert mine["deals"] == [
            {name: deal[name] for name in ("deck", "salts", "root", "openings")} for deal in vector["deals"]
        ]


def test_the_page_names_the_version_that_is_built():
    page = (ROOT / "docs/fair-deals.md").read_text()
    assert page.startswith(f"# Fair deals: `{DERIVATION}`\n")
    labels = set(re.findall(r'"(referee-deal/\d+)/', page))
    assert labels == {DERIVATION}
