"""Proves the settlement theorems of ``Settlement.dfy`` and compares what is proved with the referee.

Run from the root of the checkout::

    python -m spec.dafny.run               # fetches what it needs, proves, compares, and shows that both can fail
    python -m spec.dafny.run --offline     # the same with what is installed already
    python -m spec.dafny.run --cases 200000 --hands 20000

Ends with status 1 when a lemma is not proved, when a settlement differs, or when a deliberate fault goes unnoticed, and
with status 2 when Dafny or something else that is needed cannot be had.
"""

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Final

from spec.dafny.comparison import compare, compare_played, random_case
from spec.dafny.faults import FAULTS, faulty_source
from spec.dafny.toolchain import SOURCE, ToolError, compile_oracle, prepare, verify

NOTICED_WITHIN: Final = 1_000
"""Random settlements within which the comparison must notice a fault."""

SITUATIONS: Final = 13
"""How many different situations a comparison of some size must have met, see ``comparison.situations``."""


def prove(prover: Path) -> bool:
    """Whether every lemma is proved; says how many."""
    began = time.monotonic()
    verdict = verify(SOURCE, prover)
    seconds = time.monotonic() - began
    late = f", {verdict.timeouts} timed out" if verdict.timeouts else ""
    print(f"proofs: {verdict.verified} verified, {verdict.errors} errors{late} ({seconds:.0f} s)", flush=True)
    if not verdict.proved:
        print(verdict.output, file=sys.stderr)
    return verdict.proved


def agree(oracle: Path, seed: int, cases: int, hands: int) -> bool:
    """Whether proved and engine's settlements agree; says on how many, and what occurred in them."""
    rng = random.Random(seed)
    differences, met = compare(oracle, [random_case(rng) for _ in range(cases)])
    print(f"comparison: {cases} random settlements, {len(differences)} differences (seed {seed})")
    print("  with " + ", ".join(f"{name} {count}" for name, count in sorted(met.items())))
    more, rounds = compare_played(oracle, rng, hands)
    print(f"comparison: {hands} played hands with {rounds} closed rounds, {len(more)} differences", flush=True)
    for difference in [*differences, *more][:3]:
        print(f"DIFFERENCE {difference}", file=sys.stderr)
    if len(met) < SITUATIONS:
        print(f"only {len(met)} of {SITUATIONS} situations occurred", file=sys.stderr)
    return not differences and not more and len(met) == SITUATIONS


def can_fail(prover: Path, seed: int) -> bool:
    """Whether every deliberate fault is rejected by the prover, and noticed by the comparison."""
    missed = 0
    for fault in FAULTS:
        source = faulty_source(fault)
        verdict = verify(source, prover, [fault.unprovable])
        rng = random.Random(seed)
        oracle = compile_oracle(source, f"faults/{fault.unprovable}")
        differences, _ = compare(oracle, [random_case(rng) for _ in range(NOTICED_WITHIN)])
        # Only an error is a rejection: a proof that merely takes too long proves nothing.
        proof = f"{fault.unprovable} rejected" if verdict.errors else "NOT REJECTED"
        noticed = f"{len(differences)} of {NOTICED_WITHIN} settlements differ" if differences else "NOT NOTICED"
        print(f"fault ({fault.rule}): {fault.name}: {proof}; {noticed}", flush=True)
        missed += not verdict.errors or not differences
    return not missed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m spec.dafny.run", description="Proves and compares the settlement.")
    parser.add_argument("--offline", action="store_true", help="install and download nothing")
    parser.add_argument("--cases", type=int, default=10_000, help="random settlements to compare")
    parser.add_argument("--hands", type=int, default=1_000, help="played hands to compare")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    try:
        prover = prepare(fetch=not arguments.offline)
        passed = [
            prove(prover),
            agree(compile_oracle(SOURCE, "settlement"), arguments.seed, arguments.cases, arguments.hands),
            can_fail(prover, arguments.seed),
        ]
    except ToolError as error:
        print(f"spec-dafny cannot run here: {error}", file=sys.stderr)
        return 2
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
