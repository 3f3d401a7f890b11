"""TLC's complete state graph, read from the dot file that it dumps."""

import re
from pathlib import Path
from typing import Any

from spec.binding.engine_graph import Graph
from spec.binding.engine_states import SpecState
from spec.binding.tla_values import read

_EDGE = re.compile(r'^(-?\d+) -> (-?\d+) \[label="(\w+)"')
_NODE = re.compile(r'^(-?\d+) \[label="((?:[^"\\]|\\.)*)"')
_VARIABLE = re.compile(r"/\\ (\w+) = ")
STAYS_OVER = "Over"
"""The step by which a finished hand stays finished: no event of anybody."""


def read_graph(path: Path) -> Graph:
    """The graph in a dot file. Labels lose the G that ``Graph.tla`` puts before the names of actions."""
    nodes: dict[str, SpecState] = {}
    edges: set[tuple[str, str, str]] = set()
    values: dict[str, Any] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if found := _EDGE.match(line):
                edges.add((found[1], found[3].removeprefix("G"), found[2]))
            elif found := _NODE.match(line):
                nodes[found[1]] = _state(found[2], values)
    graph = Graph(nodes=set(nodes.values()))
    graph.initial = {node for node in graph.nodes if node.phase == "opening"}
    graph.edges = {(nodes[a], label, nodes[b]) for a, label, b in edges if label != STAYS_OVER}
    return graph


def _state(label: str, values: dict[str, Any]) -> SpecState:
    text = label.replace('\\"', '"').replace("\\\\", "\\").replace("\\n", "\n")
    parts = _VARIABLE.split(text)
    return SpecState(**{name: _value(value, values) for name, value in zip(parts[1::2], parts[2::2], strict=True)})


def _value(text: str, values: dict[str, Any]) -> Any:
    if text not in values:
        values[text] = read(text)
    return values[text]
