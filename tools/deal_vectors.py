"""Writes the test vectors of docs/fair-deals.md.

    python -m tools.deal_vectors           write clients/vectors/deals.json
    python -m tools.deal_vectors --check   exit 1 when the file is not what would be written

Their seeds are hashes of names, so that nobody has to trust that they are not picked.
"""

import argparse
import json
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from referee.dealing.collecting import SeedCollection
from referee.dealing.fair import FairDecks
from referee.dealing.items import CARDS, TILES
from referee.dealing.openings import Opening
from referee.dealing.seeds import DERIVATION, MatchSeeds, SeatSeed, commit_seat

OUT: Final = Path(__file__).resolve().parents[1] / "clients/vectors/deals.json"
LAST: Final = (1 << 63) - 1

REVEALS, WITHHOLDS, SILENT = "reveals", "withholds", "silent"
MATCHES: Final = (
    ("heads-up", {1: REVEALS, 2: REVEALS}),
    ("six.seats_2026-11", {1: REVEALS, 2: WITHHOLDS, 3: SILENT, 5: REVEALS, 6: REVEALS, 10: REVEALS}),
    ("M", {4: SILENT, 7: SILENT, 9: SILENT}),
    ("x" * 64, {1024: WITHHOLDS}),
)
DEALS: Final = (
    (52, 0, 1, 0),
    (52, 0, 2, 0),
    (52, 3, 1, 0),
    (52, LAST, LAST, 0),
    (28, 0, 1, 0),
    (28, 0, 1, 1),
    (28, 12, 345, 6),
)
OPENED: Final = (0, 1, 7, 26, 31, 32, 50, -1)


def seed_of(name: str) -> bytes:
    """A seed for a vector."""
    return sha256(f"{DERIVATION} vector {name}".encode("ascii")).digest()


def seeds_of(match: str, seats: dict[int, str]) -> tuple[bytes, MatchSeeds]:
    """The referee's commitment and all seeds of a match, given in the order that the page asks for."""
    collection = SeedCollection(match, seed_of(f"{match} 0"), tuple(seats))
    giving = {seat: seed_of(f"{match} {seat}") for seat, deed in seats.items() if deed != SILENT}
    for seat, seed in giving.items():
        collection.commit(seat, commit_seat(match, seat, seed, collection.referee_commitment))
    collection.close_commitments()
    for seat, seed in giving.items():
        if seats[seat] == REVEALS:
            collection.reveal(seat, seed)
    return collection.referee_commitment, collection.seeds()


def match_vector(match: str, seats: dict[int, str]) -> dict[str, Any]:
    """Everything about one match, bytes in hexadecimal."""
    commitment, seeds = seeds_of(match, seats)
    match_seed = seeds.match_seed()
    return {
        "match": match,
        "referee": {"seed": seeds.referee_seed.hex(), "commitment": commitment.hex()},
        "seats": [_seat(seat) for seat in seeds.seats],
        "match_seed": match_seed.hex(),
        "first_button": FairDecks(match, match_seed).first_button(tuple(seats)),
        "deals": [_deal(FairDecks(match, match_seed, deal[0]), *deal) for deal in DEALS],
    }


def _seat(seat: SeatSeed) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "commitment": seat.commitment.hex(),
        "seed": seat.seed.hex(),
        "state": seat.state.name,
        "counted": seat.counted.hex(),
    }


def _deal(decks: FairDecks, items: int, block: int, hand: int, redeal: int) -> dict[str, Any]:
    committed = decks.committed(block, hand, redeal)
    texts = CARDS if items == len(CARDS) else TILES
    positions = sorted({position % items for position in OPENED if position < items})
    return {
        "items": items,
        # As text: JavaScript's numbers end at 2**53.
        "block": str(block),
        "hand": str(hand),
        "redeal": redeal,
        "deck": list(committed.deck),
        "written": " ".join([texts[item] for item in committed.deck]),
        "salts": "".join([salt.hex() for salt in committed.salts]),
        "root": committed.root.hex(),
        "openings": [_opening(committed.open(position)) for position in positions],
    }


def _opening(opening: Opening) -> dict[str, Any]:
    return {
        "position": opening.position,
        "item": opening.item,
        "salt": opening.salt.hex(),
        "path": [one.hex() for one in opening.path],
    }


def vectors() -> str:
    """The file's text."""
    matches = [match_vector(match, seats) for match, seats in MATCHES]
    text = json.dumps({"derivation": DERIVATION, "matches": matches}, indent=1) + "\n"
    # Rows of numbers on one line: a deck is read as a whole.
    return re.sub(r"\[([\d,\s]+)\]", lambda row: "[" + ", ".join(re.findall(r"\d+", row[1])) + "]", text)


def main() -> int:
    """Run the tool and return its exit code."""
    parser = argparse.ArgumentParser(description="Writes the test vectors of fair deals.")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the file is current")
    if parser.parse_args().check:
        if OUT.is_file() and OUT.read_text(encoding="ascii") == vectors():
            return 0
        print(f"not current: {OUT.name} (run `python -m tools.deal_vectors`)", file=sys.stderr)
        return 1
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(vectors(), encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
