"""Every figure in one run: `python -m tools.benchmarks [--small] [--only NAME] [--json build/bench.json]`.

``--small`` is for CI: fewer rounds, of the sections that have ratios of CPU times, and exit code 1 only when one of
these misses what is usual by half or more in its better rounds too. What is usual stands in usual.json, which
``--keep`` writes. Nothing fails by a time, or by a pace on the clock, which a busy machine changes.
"""

import argparse
import json
import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from referee.core import core
from tools.benchmarks import bulk, contest, crowd, engine, live, matches
from tools.benchmarks.figures import Figure, plain, table, write

Section = Callable[[bool], tuple[list[Figure], dict[str, Any]]]


def _startup(small: bool) -> tuple[list[Figure], dict[str, Any]]:
    seconds = [crowd.startup_seconds() for _ in range(2 if small else 5)]
    return [plain("start of a server to its first decision", seconds, "s", 1, at_most=True)], {"seconds": seconds}


SECTIONS: Final[dict[str, Section]] = {
    "engine": lambda small: engine.figures(3 if small else 9, 0.3 if small else 1.0),
    "bulk": lambda small: bulk.figures(3 if small else 5, 500 if small else 4_000),
    "live": lambda small: live.figures(3 if small else 5, 1.0 if small else 2.0),
    "matches": lambda small: matches.figures(2 if small else 5, 1.0 if small else 4.0),
    "contest": lambda small: contest.figures(1 if small else 5, 16, 50 if small else 250, 1.0 if small else 4.0),
    "startup": _startup,
    "crowd": lambda small: crowd.figures(1 if small else 5, 2.0 if small else 10.0, 200 if small else crowd.CROWD),
}

IN_CI: Final = ("engine", "bulk", "live")
"""The sections of ``--small``: those with ratios of CPU times, within about a minute."""


def main(words: Sequence[str] | None = None) -> int:
    """Runs the benchmarks, prints a table, and writes the machine-readable result."""
    parser = argparse.ArgumentParser(description="Measures the referee.")
    parser.add_argument("--small", action="store_true", help="for CI: fewer rounds, fails on what is far off")
    parser.add_argument("--keep", action="store_true", help="write what was measured as what is usual")
    parser.add_argument("--only", choices=tuple(SECTIONS), action="append", help="only these sections")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"))
    parser.add_argument("--usual", type=Path, default=Path(__file__).with_name("usual.json"))
    options = parser.parse_args(words)
    print(f"python {sys.version.split()[0]}, {core()} core", flush=True)
    found: list[Figure] = []
    measured: dict[str, Any] = {}
    usual: dict[str, float] = json.loads(options.usual.read_text()) if options.usual.is_file() else {}
    for name in options.only or (IN_CI if options.small else SECTIONS):
        figures, measured[name] = SECTIONS[name](options.small)
        found += figures
        print(table(figures), flush=True)
    about = {"python": sys.version.split()[0], "core": core(), "machine": platform.machine(), "measured": measured}
    write(options.json, found, about)
    ratios = [one for one in found if one.by_cpu]
    if options.keep:
        kept = usual | {one.name: round(one.ratio, 2) for one in ratios}
        options.usual.write_text(json.dumps(kept, indent=1) + "\n")
    far_off = [one.name for one in ratios if one.name in usual and one.is_far_off(usual[one.name])]
    if options.small and far_off:
        print(f"far off: {', '.join(far_off)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
