"""Tests and benchmarks run the core that they are meant to run: plain in a checkout, compiled in its compiled copy."""

from pathlib import Path

from referee.core import core

ROOT = Path(__file__).resolve().parents[2]


def test_the_core_is_the_one_that_this_folder_is_for() -> None:
    is_compiled_copy = ROOT.parts[-3:] == ("build", "compiled", "checkout")
    assert core() == ("compiled" if is_compiled_copy else "plain")
