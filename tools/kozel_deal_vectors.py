"""Writes clients/vectors/kozel_deals.json: rounds of Kozel dealt by docs/fair-deals.md, redeals included.

python -m tools.kozel_deal_vectors           # writes the file
python -m tools.kozel_deal_vectors --check   # status 1 when the file is not what this writes
"""

import argparse
import json
import sys
from functools import partial
from typing import Any, Final

from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.dealing.seeds import DERIVATION
from referee.kozel.game import first_round
from referee.kozel.round import compulsory_tile, open_round
from referee.kozel.ruleset import ON_ALL
from referee.kozel.tiles import tile_text, tiles_text
from tools.deal_vectors import OUT as DEALS
from tools.deal_vectors import REVEALS, seeds_of

OUT: Final = DEALS.with_name("kozel_deals.json")
MATCHES: Final = tuple([(f"kozel-{players}", players) for players in (2, 3, 4)])
PLAIN_ROUNDS: Final = 3
REDEALT_ROUNDS: Final = 2
REDEALT_TWICE_ROUNDS: Final = 1


def match_vector(match: str, players: int) -> dict[str, Any]:
    """The match's seed and some of its rounds: the first ones, the first that are dealt again, and again twice."""
    _, seeds = seeds_of(match, dict.fromkeys(range(1, players + 1), REVEALS))
    match_seed = seeds.match_seed()
    decks = FairDecks(match, match_seed, len(TILES))
    wanted = {0: PLAIN_ROUNDS, 1: REDEALT_ROUNDS, 2: REDEALT_TWICE_ROUNDS}
    rounds = []
    number = 0
    while sum(wanted.values()):
        number += 1
        setup = first_round(ON_ALL, tuple(range(1, players + 1)), partial(decks.deck, 0, number))
        again = len(setup.decks) - 1
        if wanted.get(again, 0):
            wanted[again] -= 1
            rounds.append(_round(decks, players, number))
    return {"match": match, "match_seed": match_seed.hex(), "players": players, "rounds": rounds}


def _round(decks: FairDecks, players: int, number: int) -> dict[str, Any]:
    setup = first_round(ON_ALL, tuple(range(1, players + 1)), partial(decks.deck, 0, number))
    state, _ = open_round(setup)
    return {
        "block": "0",
        "hand": str(number),
        "decks": [tiles_text(deck) for deck in setup.decks],
        "roots": [decks.committed(0, number, redeal).root.hex() for redeal in range(len(setup.decks))],
        "hands": [tiles_text(hand) for hand in state.hands],
        "boneyard": tiles_text(state.boneyard),
        "leader": setup.seats[state.to_act],
        "opening_tile": tile_text(compulsory_tile(state)),
    }


def vectors() -> str:
    """The file's text."""
    matches = [match_vector(match, players) for match, players in MATCHES]
    return json.dumps({"derivation": DERIVATION, "matches": matches}, indent=1) + "\n"


def main() -> int:
    """Run the tool and return its exit code."""
    parser = argparse.ArgumentParser(description="Writes the test vectors of fair deals of Kozel.")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the file is current")
    if parser.parse_args().check:
        if OUT.is_file() and OUT.read_text(encoding="ascii") == vectors():
            return 0
        print(f"not current: {OUT.name} (run `python -m tools.kozel_deal_vectors`)", file=sys.stderr)
        return 1
    OUT.write_text(vectors(), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
