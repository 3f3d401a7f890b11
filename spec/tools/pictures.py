"""Draws the phases of a hand and of a decision from the state graph that TLC finds, as SVG files in ``docs/``.

Run from the root of the checkout::

    python -m spec.tools.pictures            # writes docs/hand-phases.svg and docs/decision-phases.svg
    python -m spec.tools.pictures --check    # fails when they are not what the specification says

Every box and every arrow is a projection of the complete graph of one configuration; only where a box stands is chosen
by hand. Nothing is drawn that no hand does, and nothing that a hand does is left out: an unknown box is an error.
"""

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from spec.tools.tlc import ROOT, ToolError, configurations, graph

DOCS: Final = ROOT / "docs"
CONFIGURATION: Final = "irish"

NODE: Final = re.compile(r'^(-?\d+) \[label="((?:[^"\\]|\\.)*)"')
EDGE: Final = re.compile(r'^(-?\d+) -> (-?\d+) \[label="G(\w+)"')
OFFER: Final = re.compile(r"<<(?:(TRUE|FALSE), (TRUE|FALSE), (\d+), (\d+), (\d+), (\d+))?>>")
FORCED: Final = ("PostAndDeal", "RoundClosed", "BoardDealt", "DiscardsOpened", "DiscardsClosed", "HandsTabled")
ENDINGS: Final = ("SomeShowdown", "WonUncontested")


@dataclass(frozen=True)
class State:
    """What the pictures need of a state."""

    phase: str
    street: int
    turn: int
    live: frozenset[int]
    stack: tuple[int, ...]
    held: tuple[int, ...]
    offers: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Graph:
    """A state graph: states by TLC's number, and edges as source, action, target."""

    states: dict[str, State]
    edges: list[tuple[str, str, str]]


def read_graph(lines: Iterable[str]) -> Graph:
    """Reads TLC's dump of ``Graph.tla``."""
    states: dict[str, State] = {}
    edges: list[tuple[str, str, str]] = []
    for line in lines:
        if edge := EDGE.match(line):
            if edge[3] != "Over":
                edges.append((edge[1], edge[3], edge[2]))
        elif node := NODE.match(line):
            states[node[1]] = _state(node[2].replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\"))
    return Graph(states, edges)


def _state(label: str) -> State:
    values = {}
    for part in re.split(r"(?m)^/\\ ", label)[1:]:
        name, _, value = part.partition(" = ")
        values[name] = " ".join(value.split())
    offers = OFFER.findall(values["options"].replace("<< >>", "<<>>"))
    return State(
        phase=values["phase"].strip('"'),
        street=int(values["street"]),
        turn=int(values["turn"]),
        live=frozenset(_set(values["live"])),
        stack=_function(values["stack"]),
        held=_function(values["held"]),
        offers=tuple(offers),
    )


def _set(text: str) -> Iterator[int]:
    if interval := re.fullmatch(r"(\d+)\.\.(\d+)", text):
        yield from range(int(interval[1]), int(interval[2]) + 1)
    else:
        yield from map(int, re.findall(r"\d+", text))


def _function(text: str) -> tuple[int, ...]:
    return tuple([int(value) for value in re.findall(r":> (-?\d+)", text)])


# --- the phases of a hand -----------------------------------------------------------------------------

STREETS: Final = ("before the flop", "on the flop", "on the turn", "on the river")
HAND_BOXES: Final = (
    "The hand begins",
    "Betting before the flop",
    "Betting on the flop",
    "Discard round",
    "Betting on the turn",
    "Betting on the river",
    "The hand is over",
)


def hand_box(state: State) -> str | None:
    """The box of a state; None for an instant in which only something forced can happen next."""
    match state.phase:
        case "opening":
            return "The hand begins"
        case "betting":
            return f"Betting {STREETS[state.street]}"
        case "discarding":
            return "Discard round"
        case "over":
            return "The hand is over"
        case _:
            return None


def hand_arrows(found: Graph) -> tuple[dict[str, set[str]], dict[tuple[str, str], set[tuple[str, ...]]]]:
    """What seats do inside each box, and which forced actions lead from box to box."""
    following: dict[str, list[tuple[str, str]]] = {}
    for source, action, target in found.edges:
        following.setdefault(source, []).append((action, target))
    inside: dict[str, set[str]] = {}
    arrows: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for name, state in found.states.items():
        box = hand_box(state)
        if box is None:
            continue
        for action, target in following.get(name, []):
            if action not in (*FORCED, *ENDINGS):
                inside.setdefault(box, set()).add(action)
                continue
            for path, end in _until_a_box(found, following, (action,), target):
                arrows.setdefault((box, end), set()).add(path)
    return inside, arrows


def _until_a_box(
    found: Graph, following: dict[str, list[tuple[str, str]]], path: tuple[str, ...], name: str
) -> Iterator[tuple[tuple[str, ...], str]]:
    box = hand_box(found.states[name])
    if box is not None:
        yield path, box
        return
    seen = set()
    for action, target in following[name]:
        # All showdowns of a state lead to the same box.
        if action not in seen:
            seen.add(action)
            yield from _until_a_box(found, following, (*path, action), target)


# --- the phases of a decision -------------------------------------------------------------------------

ASKED_FREE: Final = "Asked, nothing owed"
ASKED_OWING: Final = "Asked, something owed"
ASKED_DISCARD: Final = "Asked for a discard"
WAITING: Final = "Waiting"
ALL_IN: Final = "All-in, not asked"
FOLDED: Final = "Folded"
OVER: Final = "The hand is over"
OPEN_DECISIONS: Final = (ASKED_FREE, ASKED_OWING, ASKED_DISCARD)


def situation(state: State, seat: int) -> str:
    """What a hand looks like from one seat."""
    offer = state.offers[seat]
    if any(offer):
        if int(offer[5]):
            return ASKED_DISCARD
        return ASKED_FREE if offer[1] == "TRUE" else ASKED_OWING
    if state.phase == "over":
        return OVER
    if seat not in state.live:
        return FOLDED
    return WAITING if state.stack[seat] else ALL_IN


def decision_arrows(found: Graph) -> dict[tuple[str, str], set[str]]:
    """From situation to situation, the seat's own actions; "" stands for what others do and for what is forced."""
    arrows: dict[tuple[str, str], set[str]] = {}
    for source, action, target in found.edges:
        before, after = found.states[source], found.states[target]
        for seat in range(len(before.stack)):
            own = _acts(action, before, after, seat)
            there, here = situation(after, seat), situation(before, seat)
            if own or there != here:
                arrows.setdefault((here, there), set()).add(action if own else "")
    return arrows


def _acts(action: str, before: State, after: State, seat: int) -> bool:
    if action in ("Discarded", "TimedOutDiscarding"):
        return before.held[seat] != after.held[seat] or before.live - after.live == {seat}
    return action not in (*FORCED, *ENDINGS) and before.turn == seat


# --- drawing ------------------------------------------------------------------------------------------

WORDS: Final = {
    "PostAndDeal": "antes, blinds and hole cards",
    "RoundClosed": "round closed",
    "BoardDealt": "board dealt",
    "DiscardsOpened": "discards opened",
    "DiscardsClosed": "discards closed",
    "HandsTabled": "hands tabled",
    "SomeShowdown": "showdown",
    "WonUncontested": "won uncontested",
    "Folded": "fold",
    "Checked": "check",
    "Called": "call",
    "Bet": "bet",
    "Raised": "raise",
    "Discarded": "discard",
    "TimedOutBetting": "out of time",
    "TimedOutDiscarding": "out of time",
}
STYLE: Final = (
    "text{font:13px sans-serif;fill:#1b1f24}.name{font-weight:bold;font-size:14px}"
    ".label{font-size:12px;fill:#3d4650}.halo{stroke:#fff;stroke-width:4;paint-order:stroke}"
    "rect{fill:#f3f6fa;stroke:#51606f;stroke-width:1.4;rx:8}rect.open{fill:#fff6df}"
    "path{fill:none;stroke:#51606f;stroke-width:1.4}path.other{stroke-dasharray:5 4;stroke:#9aa5b1}"
)
MARKER: Final = (
    '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
    '<path d="M0 0L10 5L0 10z" style="fill:#51606f;stroke:none"/></marker></defs>'
)


def svg(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """A whole picture."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(title)}">\n<title>{escape(title)}</title>\n<style>{STYLE}</style>\n'
        f'{MARKER}\n<rect width="{width}" height="{height}" style="fill:#fff;stroke:none"/>\n{body}\n</svg>\n'
    )


def box(x: int, y: int, width: int, height: int, lines: list[str], is_open: bool) -> list[str]:
    """A box with its name and, below, what happens in it."""
    kind = ' class="open"' if is_open else ""
    parts = [f'<rect{kind} x="{x}" y="{y}" width="{width}" height="{height}"/>']
    top = y + height // 2 + 5 - 9 * (len(lines) - 1)
    for at, line in enumerate(lines):
        parts.append(text(x + width // 2, top + 18 * at, line, "name" if at == 0 else "label", "middle"))
    return parts


def text(x: int, y: int, content: str, kind: str, anchor: str = "start") -> str:
    """One line of text."""
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(content)}</text>'


def arrow(path: str, kind: str = "") -> str:
    """A line that ends in a tip."""
    chosen = f' class="{kind}"' if kind else ""
    return f'<path d="{path}" marker-end="url(#tip)"{chosen}/>'


def words(path: tuple[str, ...]) -> str:
    """A chain of forced actions; the same one several times is counted."""
    result: list[str] = []
    for action in path:
        word = WORDS[action]
        if result and result[-1].split(" x")[0] == word:
            times = int(result[-1].partition(" x")[2] or 1) + 1
            result[-1] = f"{word} x{times}"
        else:
            result.append(word)
    return ", ".join(result)


def labels(paths: set[tuple[str, ...]]) -> list[str]:
    """The chains of forced actions between two boxes, each on its own line."""
    return sorted({words(path) for path in paths}, key=lambda line: (len(line), line))


def hand_picture(found: Graph) -> str:
    """The phases of a hand."""
    inside, arrows = hand_arrows(found)
    unknown = {end for pair in arrows for end in pair} - set(HAND_BOXES)
    if unknown:
        raise ToolError(f"no place for {unknown}")
    left, width, height, gap, beside = 330, 300, 62, 62, 290
    top = {name: 20 + at * (height + gap) for at, name in enumerate(HAND_BOXES)}
    parts: list[str] = []
    lanes = {"left": 0, "right": 0}
    order = {name: at for at, name in enumerate(HAND_BOXES)}
    for (source, target), paths in sorted(arrows.items(), key=lambda item: (order[item[0][1]], -order[item[0][0]])):
        lines = labels(paths)
        y, end = top[source], top[target]
        if order[target] == order[source] + 1:
            middle = left + width // 2
            parts.append(arrow(f"M{middle} {y + height}V{end - 2}"))
            first = y + height + gap // 2 + 4 - 8 * (len(lines) - 1)
            parts += [text(middle + 8, first + 16 * at, line, "label halo") for at, line in enumerate(lines)]
            continue
        side = "right" if target == OVER else "left"
        lane = lanes[side]
        lanes[side] += 1
        away, edge = (1, left + width) if side == "right" else (-1, left)
        x, across = edge + away * (beside + 20 * lane), y + height // 2
        parts.append(arrow(f"M{edge} {across}H{x}V{end + 16 + 10 * lane}H{edge + 2 * away}"))
        anchor = "start" if side == "right" else "end"
        # The first line above the arrow, the others below it.
        parts += [
            text(edge + 12 * away, across + (18 * at or -6), line, "label", anchor) for at, line in enumerate(lines)
        ]
    for name in HAND_BOXES:
        own = sorted({WORDS[action] for action in inside.get(name, set())}, key=list(WORDS.values()).index)
        lines = [name, *([", ".join(own)] if own else [])]
        parts += box(left, top[name], width, height, lines, bool(own))
    return svg(left + width + beside + 20 * lanes["right"] + 20, top[OVER] + height + 20, "The phases of a hand", parts)


DECISION_PLACES: Final = {
    ASKED_FREE: (40, 40),
    ALL_IN: (490, 40),
    ASKED_OWING: (940, 40),
    ASKED_DISCARD: (40, 260),
    WAITING: (490, 260),
    FOLDED: (940, 260),
    OVER: (800, 460),
}


def decision_picture(found: Graph) -> str:
    """The phases of a decision, seen from one seat."""
    arrows = decision_arrows(found)
    unknown = {end for pair in arrows for end in pair} - set(DECISION_PLACES)
    if unknown:
        raise ToolError(f"no place for {unknown}")
    width, height = 230, 64
    parts: list[str] = []
    for (source, target), actions in sorted(arrows.items()):
        if source == target:
            continue
        own = sorted({WORDS[action] for action in actions if action}, key=list(WORDS.values()).index)
        both = (target, source) in arrows
        parts += _link(DECISION_PLACES[source], DECISION_PLACES[target], width, height, ", ".join(own), both)
    # Texts last, so that no line crosses one.
    parts.sort(key=lambda part: part.startswith("<text"))
    for name, (x, y) in DECISION_PLACES.items():
        again = sorted({WORDS[action] for action in arrows.get((name, name), set()) if action})
        lines = [name]
        if again:
            lines.append(", ".join(again) + ": asked again")
        if name in OPEN_DECISIONS:
            lines.append("refused: nothing changes")
        parts += box(x, y, width, height, lines, name in OPEN_DECISIONS)
    parts.append(text(40, 480, "Solid: what the seat itself does, or the clock in its place.", "label"))
    parts.append(text(40, 498, "Dashed: what others do, and what is forced.", "label"))
    return svg(1210, 550, "The phases of a decision, seen from one seat", parts)


def _link(start: tuple[int, int], end: tuple[int, int], width: int, height: int, label: str, both: bool) -> list[str]:
    """An arrow between the borders of two boxes; where there is one in each direction, they lie side by side."""
    ax, ay = start[0] + width / 2, start[1] + height / 2
    bx, by = end[0] + width / 2, end[1] + height / 2
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    shift = 11 if both else 0
    sx, sy = -(by - ay) / length * shift, (bx - ax) / length * shift
    ax, ay, bx, by = ax + sx, ay + sy, bx + sx, by + sy
    x1, y1 = _border(ax, ay, bx, by, start, width, height)
    x2, y2 = _border(bx, by, ax, ay, end, width, height)
    parts = [arrow(f"M{x1:.0f} {y1:.0f}L{x2:.0f} {y2:.0f}", "" if label else "other")]
    if label:
        part = 0.3 if both else 0.5
        x, y = round(x1 + (x2 - x1) * part), round(y1 + (y2 - y1) * part) - 5
        parts.append(text(x, y, label, "label halo", "middle"))
    return parts


def _border(
    x: float, y: float, to_x: float, to_y: float, corner: tuple[int, int], width: int, height: int
) -> tuple[float, float]:
    """Where the line from inside a box towards a point leaves the box."""
    reach = 1.0
    for delta, low, high, value in (
        (to_x - x, corner[0], corner[0] + width, x),
        (to_y - y, corner[1], corner[1] + height, y),
    ):
        if delta:
            reach = min(reach, max((low - value) / delta, (high - value) / delta))
    return x + (to_x - x) * reach, y + (to_y - y) * reach


def pictures() -> dict[str, str]:
    """Both pictures by file name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph.dot"
        graph(configurations()[CONFIGURATION], path)
        with path.open(encoding="utf-8") as lines:
            found = read_graph(lines)
    return {"hand-phases.svg": hand_picture(found), "decision-phases.svg": decision_picture(found)}


def main(arguments: list[str]) -> int:
    """Command line; returns the exit status."""
    status = 0
    for name, content in pictures().items():
        path = DOCS / name
        if arguments == ["--check"]:
            if not path.exists() or path.read_text("utf-8") != content:
                print(f"FAILED: docs/{name} is not what the specification says; run python -m spec.tools.pictures")
                status = 1
            else:
                print(f"docs/{name} is what the specification says")
        else:
            path.write_text(content, "utf-8")
            print(f"wrote docs/{name}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
