"""Tests and benchmarks run the core that they are meant to run: plain in a checkout, compiled in its compiled copy."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from referee import __version__
from referee.core import core

ROOT = Path(__file__).resolve().parents[2]
IS_COMPILED_COPY = ROOT.parts[-3:] == ("build", "compiled", "checkout")


def test_the_core_is_the_one_that_this_folder_is_for() -> None:
    assert core() == ("compiled" if IS_COMPILED_COPY else "plain")


@pytest.mark.skipif(not IS_COMPILED_COPY, reason="the wheel with the compiled core is built by make compiled")
def test_the_wheel_with_the_compiled_core_runs_it_and_the_plain_sources_where_it_does_not_fit(tmp_path: Path) -> None:
    wheel = max((ROOT.parent / "wheel").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    assert not wheel.name.endswith("-none-any.whl"), "it is for this platform"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}

    def version() -> str:
        words = [sys.executable, "-m", "referee", "--version"]
        return subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout

    assert version() == f"referee {__version__}, compiled core\n"
    for module in tmp_path.rglob("*.so"):
        module.unlink()
    assert version() == f"referee {__version__}, plain core\n"
