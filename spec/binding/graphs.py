"""Graph equality: TLC's complete state graph of a configuration against the engine's reachable graph.

    python -m spec.binding.graphs NAME ...     # rows of spec/configurations/table.toml
    python -m spec.binding.graphs --run full   # all of them; also: ci

Every node and every labelled edge must be in both graphs. In every state every proposal of the complete menu (see
``menu.py``) is made to the engine: it is an edge of the specification, or it is refused and changes nothing.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from spec.binding.configurations import setups_of
from spec.binding.engine_graph import Explorer, Graph
from spec.binding.graph_difference import differences
from spec.binding.orders import few_orders, weak_orders
from spec.binding.tlc_graph import read_graph
from spec.tools import tlc

CI_GRAPHS = ("nl3-small", "pl3-missing-blind", "fl3-halves", "nl2-tda", "nl3-forfeited-post")
"""Small graphs of each structure, one with hands tabled and shown after the end, and one with forfeited hands."""


@dataclass(frozen=True)
class Comparison:
    """What one comparison found; ``differences`` is empty when the graphs are equal."""

    name: str
    spec: Graph
    engine: Graph
    differences: list[str]
    seconds: float

    def line(self) -> str:
        """The figures in one line."""
        engine = self.engine
        return (
            f"{self.name}: {len(self.spec.nodes)} nodes, {len(self.spec.edges)} edges; the engine's "
            f"{len(engine.nodes)} nodes, {len(engine.edges)} edges from {engine.proposed} proposals, of which "
            f"{engine.refused.total()} were refused; {self.seconds:.0f} s; "
            + ("equal" if not self.differences else "DIFFERENT")
        )


def spec_graph(configuration: tlc.Configuration) -> Graph:
    """TLC's graph of a configuration."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.dot"
        outcome = tlc.graph(configuration, path)
        graph = read_graph(path)
    if len(graph.nodes) != outcome.states:
        raise tlc.ToolError(f"{configuration.name}: TLC found {outcome.states} states and wrote {len(graph.nodes)}")
    return graph


def engine_graph(configuration: tlc.Configuration) -> Graph:
    """The engine's graph of a configuration."""
    orders = few_orders if configuration.few_orders else weak_orders
    shows, forfeits = configuration.constants["ShowsAfterEnd"], configuration.constants["Forfeits"]
    return Explorer(setups_of(configuration), shows, orders, forfeits).run()


def compare(configuration: tlc.Configuration, spec: Graph | None = None) -> Comparison:
    """Compares both graphs of a configuration; ``spec`` is TLC's where it was made before."""
    began = time.monotonic()
    spec = spec or spec_graph(configuration)
    engine = engine_graph(configuration)
    return Comparison(configuration.name, spec, engine, differences(spec, engine), time.monotonic() - began)


def main(words: list[str]) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--run", choices=("ci", "full"))
    arguments = parser.parse_args(words)
    rows = tlc.configurations()
    names = arguments.names or [name for name in rows if arguments.run == "full" or name in CI_GRAPHS]
    status = 0
    for name in names:
        comparison = compare(rows[name])
        print(comparison.line(), *comparison.differences, sep="\n", flush=True)
        status |= bool(comparison.differences)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
