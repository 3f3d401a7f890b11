"""Hands of the shared corpora as traces, and which of them the specification does not speak of, and why."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from referee.judge import Judgement
from spec.binding.constants import OutsideSpecificationError
from spec.binding.recorded import RecordedHand
from spec.binding.traces import Counts, Trace, trace_of
from tests.corpora.corpus import judgements

REFUSED = "an action of the record is refused by our rules"
ODD_CHIPS = "the record splits odd chips into parts"
NOT_OVER = "the record ends before the hand does"


def recorded(name: str, judgement: Judgement) -> RecordedHand:
    """A judged record as a hand: the recorded actions, and what followed from each."""
    return RecordedHand(f"{name}, line {judgement.record.line}", judgement.record.setup, judgement.events())


def corpus_traces(name: str, counts: Counts) -> tuple[list[Trace], Counter[str]]:
    """The traces of a corpus, each ending with the stacks that the record says; and the hands left out, by reason."""
    traces: list[Trace] = []
    outside: Counter[str] = Counter()
    for judgement in judgements(name):
        finishing = judgement.record.result.finishing_stacks
        if any(step.ruling is not None and not step.ruling.accepted for step in judgement.steps):
            outside[REFUSED] += 1
        elif judgement.hand is None or not judgement.hand.has_ended():
            outside[NOT_OVER] += 1
        elif finishing is not None and any(stack.denominator > 1 for stack in finishing):
            outside[ODD_CHIPS] += 1
        else:
            try:
                trace = trace_of(recorded(name, judgement))
            except OutsideSpecificationError as why:
                outside[str(why)] += 1
                continue
            counts.add(trace)
            traces.append(trace if finishing is None else ending_with(trace, finishing))
    return traces, outside


def ending_with(trace: Trace, finishing: tuple[Fraction, ...]) -> Trace:
    """The trace with the stacks that the record says instead of those that the engine paid out."""
    checks, event = trace.steps[-1]
    assert event[0] in ("showdown", "uncontested")
    stacks = tuple([int(stack) for stack in finishing])
    return replace(trace, steps=(*trace.steps[:-1], (checks, (*event[:-1], stacks))))
