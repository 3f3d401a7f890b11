"""Two graphs side by side: whether they are equal and, in words, where they first part."""

from collections.abc import Iterable
from typing import Any

from spec.binding.engine_graph import Edge, Graph
from spec.binding.engine_states import SpecState
from spec.binding.tla_values import Function

SHOWN_DIFFERENCES = 5


def differences(spec: Graph, engine: Graph) -> list[str]:
    """What is in one graph and not in the other, the shortest hands first; empty when they are equal."""
    found: list[str] = []
    for what, some in (
        ("the specification begins with this state, the engine does not", spec.initial - engine.initial),
        ("the engine begins with this state, the specification does not", engine.initial - spec.initial),
    ):
        found.extend(f"{what}: {state_words(state)}" for state in sorted(some, key=str)[:SHOWN_DIFFERENCES])
    found.extend(_edge_differences(spec, engine))
    if not found and spec.nodes != engine.nodes:
        lone = sorted(spec.nodes ^ engine.nodes, key=str)
        found.extend(f"a state of one graph only: {state_words(state)}" for state in lone[:SHOWN_DIFFERENCES])
    return found


def _edge_differences(spec: Graph, engine: Graph) -> list[str]:
    """Only edges from states that both have: what hangs on them differs because of them."""
    both = spec.nodes & engine.nodes
    missing = [edge for edge in spec.edges - engine.edges if edge[0] in both]
    extra = [edge for edge in engine.edges - spec.edges if edge[0] in both]
    missing_by, extra_by = _by_source(missing), _by_source(extra)
    found = []
    for source in sorted({*missing_by, *extra_by}, key=_how_early)[:SHOWN_DIFFERENCES]:
        words = [f"from {state_words(source)}"]
        theirs, ours = missing_by.get(source, []), extra_by.get(source, [])
        for label, target in theirs:
            match = next((other for name, other in ours if name == label and _same_step(source, target, other)), None)
            if match is None:
                words.append(f"  the specification allows {step_words(source, label, target)}; the engine does not")
            else:
                ours.remove((label, match))
                words.append(f"  {step_words(source, label, target)}: {_unlike(target, match)}")
        words.extend(
            f"  the engine allows {step_words(source, label, target)}; the specification does not"
            for label, target in ours
        )
        found.append("\n".join(words))
    return found


def _by_source(edges: Iterable[Edge]) -> dict[SpecState, list[tuple[str, SpecState]]]:
    grouped: dict[SpecState, list[tuple[str, SpecState]]] = {}
    for source, label, target in sorted(edges, key=str):
        grouped.setdefault(source, []).append((label, target))
    return grouped


def _how_early(state: SpecState) -> tuple[object, ...]:
    phases = ("opening", "betting", "between", "discarding", "over")
    return state.street, phases.index(state.phase), len(state.acted), sum(dict(state.total).values()), str(state)


def _same_step(source: SpecState, one: SpecState, other: SpecState) -> bool:
    """Whether two targets are of the same choice, so that what differs is what came of it."""
    if source.phase == "betting" and source.turn >= 0:
        return bool(dict(one.bet)[source.turn] == dict(other.bet)[source.turn])
    return one.rank == other.rank and (source.phase != "discarding" or one.held == other.held)


def _unlike(spec: SpecState, engine: SpecState) -> str:
    parts = [
        f"{name} is {field_words(name, ours)} for the specification and {field_words(name, theirs)} for the engine"
        for name, ours, theirs in zip(SpecState._fields, spec, engine, strict=True)
        if ours != theirs
    ]
    return "; ".join(parts)


def step_words(source: SpecState, label: str, target: SpecState) -> str:
    """A step with what the dump leaves out: who, and how much."""
    if source.phase == "betting" and source.turn >= 0:
        to = f" to {target.level}" if label in ("Bet", "Raised") else ""
        return f"{label}{to} by player {source.turn}"
    if source.phase == "discarding":
        who = [i for i, cards in source.held if dict(target.held)[i] != cards] + sorted(source.live - target.live)
        return f"{label} by player {who[0]}" if who else label
    if label == "HandShown":
        return f"{label} by player {target.shown[-1]}"
    return f"{label} with ranks {value_words(target.rank)}" if label == "SomeShowdown" else label


def state_words(state: SpecState) -> str:
    """A state in one line: what a reader needs first, then the rest."""
    first = ("phase", "street", "turn", "start", "stack", "bet", "total", "live", "level")
    rest = [name for name in SpecState._fields if name not in first]
    return ", ".join(f"{name} {field_words(name, getattr(state, name))}" for name in (*first, *rest))


def field_words(name: str, value: Any) -> str:
    """The value of a variable; what players are offered in words."""
    if name != "options":
        return value_words(value)
    return "[" + "; ".join(f"player {i}: {offer_words(offer)}" for i, offer in value if offer) + "]"


def offer_words(offer: tuple[Any, ...]) -> str:
    """What a player is offered."""
    fold, check, call, least, most, discard = offer
    words = [word for word, there in (("fold", fold), ("check", check), (f"call {call}", call)) if there]
    words += [f"wager {least} to {most}"] * bool(most) + [f"discard {discard}"] * bool(discard)
    return ", ".join(words)


def value_words(value: Any) -> str:
    """A value without the arrows of functions."""
    if isinstance(value, Function):
        return "[" + " ".join(value_words(one) for _, one in value) + "]"
    if isinstance(value, frozenset):
        return "{" + " ".join(map(str, sorted(value))) + "}"
    if isinstance(value, tuple):
        return "(" + " ".join(map(str, value)) + ")"
    return str(value)
