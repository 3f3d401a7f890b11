"""The proved settlement: its proofs hold, the engine agrees with it, and both checks can fail.

What Dafny needs is not fetched here. Where it is missing these tests skip and say how to get it; ``make spec-dafny``
fails there instead.
"""

import random
from pathlib import Path

import pytest

from spec.dafny.comparison import (
    compare,
    compare_played,
    engine_answer,
    is_covered,
    played_hand,
    random_case,
    situations,
)
from spec.dafny.faults import FAULTS, Fault, faulty_source
from spec.dafny.run import NOTICED_WITHIN, SITUATIONS
from spec.dafny.toolchain import SOURCE, ToolError, Verdict, compile_oracle, prepare, verify
from tests.support import scale

rule = pytest.mark.rule


@pytest.fixture(scope="module")
def prover() -> Path:
    try:
        return prepare(fetch=False)
    except ToolError as error:
        pytest.skip(f"the proofs cannot run here: {error} (make spec-dafny fetches what it can)")


@pytest.fixture(scope="module")
def oracle(prover: Path) -> Path:
    return compile_oracle(SOURCE, "settlement")


@rule("POT-1", "POT-2", "POT-3", "POT-4", "POT-5", "POT-6", "POT-7", "POT-8", "BLIND-6", "BET-7")
def test_every_lemma_is_proved(prover: Path) -> None:
    verdict = verify(SOURCE, prover)
    assert verdict.proved, verdict.output


@rule("POT-1", "POT-2", "POT-3", "POT-4", "POT-5", "POT-6", "POT-8", "BLIND-6")
def test_the_engine_settles_as_proved(oracle: Path) -> None:
    rng = random.Random(11)
    differences, met = compare(oracle, [random_case(rng) for _ in range(scale(2_000, 200_000))])
    assert not differences, differences[0]
    assert len(met) == SITUATIONS, met


@rule("POT-2", "POT-5", "POT-6", "POT-8")
def test_played_hands_end_as_proved(oracle: Path) -> None:
    differences, rounds = compare_played(oracle, random.Random(12), scale(300, 20_000))
    assert not differences, differences[0]
    assert rounds > scale(300, 20_000)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.rule)
def test_a_fault_is_rejected_and_noticed(prover: Path, fault: Fault) -> None:
    source = faulty_source(fault)
    assert verify(source, prover, [fault.unprovable]).errors, f"{fault.unprovable} is still proved"
    rng = random.Random(13)
    oracle = compile_oracle(source, f"faults/{fault.unprovable}")
    differences, _ = compare(oracle, [random_case(rng) for _ in range(NOTICED_WITHIN)])
    assert differences, "the comparison does not notice it"


# --- without Dafny --------------------------------------------------------------------------------------


def test_random_settlements_meet_every_situation() -> None:
    rng = random.Random(14)
    met = {name for _ in range(500) for case in [random_case(rng)] for name in situations(case, engine_answer(case))}
    assert len(met) == SITUATIONS


@rule("POT-1", "POT-3")
def test_nobody_folds_ahead_of_every_live_player() -> None:
    """Two of the theorems suppose it; no rule that is built lets play come to anything else."""
    rng = random.Random(15)
    for _ in range(scale(1_000, 50_000)):
        rounds, last, _ = played_hand(rng)
        assert all(is_covered(case) for case in (*(closed for closed, _ in rounds), last))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.rule)
def test_a_fault_changes_what_is_there(fault: Fault) -> None:
    assert faulty_source(fault).read_text(encoding="utf-8") != SOURCE.read_text(encoding="utf-8")


def test_nothing_is_assumed_in_the_proofs() -> None:
    code = [line.partition("//")[0] for line in SOURCE.read_text(encoding="utf-8").splitlines()]
    for loophole in ("assume", "{:axiom}", "{:verify false}", "{:extern}", "decreases *"):
        assert not [line for line in code if loophole in line]
    assert not [line for line in code if line.startswith("lemma") and line.rstrip().endswith(";")]


@pytest.mark.parametrize(
    ("verdict", "proved"),
    [
        (Verdict(9, 0, 0, ""), True),
        (Verdict(9, 1, 0, ""), False),
        (Verdict(9, 0, 1, ""), False),
        (Verdict(0, 0, 0, ""), False),
    ],
)
def test_only_a_complete_proof_counts(verdict: Verdict, proved: bool) -> None:
    assert verdict.proved is proved
