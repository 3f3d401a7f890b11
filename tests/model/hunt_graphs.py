"""Compares the engine's graphs with the specification's, which TLC makes once and which are kept from mutant to mutant.

    python -m tests.model.hunt_graphs

Exit code 0: all are equal; 7: the first difference is printed. Anything else is no difference.
"""

import hashlib
import pickle
import sys
from pathlib import Path

from spec.binding.engine_graph import Graph
from spec.binding.graphs import CI_GRAPHS, compare, spec_graph
from spec.tools import tlc

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build/spec/graphs"
DIFFERENCE_FOUND = 7


def main() -> int:
    """Compares the graphs of the bounded run, in order."""
    rows = tlc.configurations()
    for name in CI_GRAPHS:
        found = compare(rows[name], kept_graph(name))
        if found.differences:
            print(f"{name}: " + found.differences[0].replace("\n", " "))
            return DIFFERENCE_FOUND
    print(f"{len(CI_GRAPHS)} graphs are equal")
    return 0


def kept_graph(name: str) -> Graph:
    """TLC's graph of a configuration, made anew whenever the specification or its configurations have changed."""
    sources = [*sorted((ROOT / "spec").glob("*.tla")), ROOT / "spec/configurations/table.toml"]
    sources += sorted((ROOT / "spec/binding").glob("*.py"))
    version = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    path = KEPT / f"{name}-{version}.pickle"
    if not path.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        for old in KEPT.glob(f"{name}-????????????????.pickle"):
            old.unlink()
        path.write_bytes(pickle.dumps(spec_graph(tlc.configurations()[name])))
    kept: Graph = pickle.loads(path.read_bytes())
    return kept


if __name__ == "__main__":
    sys.exit(main())
