"""Writes the test vectors of clients in other languages (clients/vectors/README.md).

    python -m tools.client_vectors           write clients/vectors/*.json
    python -m tools.client_vectors --check   exit 1 when a file is not what would be written

deals.json is written by `tools.deal_vectors`.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tools.vectors import cards, checkpoints, legal, merkle, messages, strategy, views

FOLDER: Final = Path(__file__).resolve().parents[1] / "clients/vectors"
FILES: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "cards.json": cards.vectors,
    "checkpoints.json": checkpoints.vectors,
    "legal.json": legal.vectors,
    "merkle.json": merkle.vectors,
    "messages.json": messages.vectors,
    "strategy.json": strategy.vectors,
    "views.json": views.vectors,
}


def text_of(content: dict[str, Any]) -> str:
    """A file's text: ASCII, and what holds nothing that is nested stands on one line."""
    text = json.dumps(content, indent=1)
    flat = re.compile(r"[\[{]\s+([^\[\]{}]*?)\s+[\]}]")

    def joined(found: "re.Match[str]") -> str:
        whole = found[0]
        return whole[0] + re.sub(r"\n\s+", " ", found[1]) + whole[-1]

    written = flat.sub(joined, text) + "\n"
    assert json.loads(written) == content, "only spaces are taken out"
    return written


def main() -> int:
    """Run the tool and return its exit code."""
    parser = argparse.ArgumentParser(description="Writes the test vectors of clients in other languages.")
    parser.add_argument("--check", action="store_true", help="write nothing; say which files are not current")
    is_check = parser.parse_args().check
    stale = []
    for name, vectors in FILES.items():
        text, path = text_of(vectors()), FOLDER / name
        if is_check and not (path.is_file() and path.read_text(encoding="ascii") == text):
            stale.append(name)
        if not is_check:
            path.write_text(text, encoding="ascii")
    if stale:
        print(f"not current: {', '.join(stale)} (run `python -m tools.client_vectors`)", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
