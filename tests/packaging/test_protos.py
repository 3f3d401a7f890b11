"""The contract is linted, breaks nothing that has landed, and the committed code is what it generates."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.generate_protos import OUTPUT_FOLDERS, ROOT, generate, generated_files, outdated

BUF = Path(sys.executable).with_name("buf")
BASELINE = ROOT / "proto/baseline.binpb"


def buf(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BUF, *words], cwd=cwd, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A copy of all that buf and protoc read, to be changed by a test."""
    for folder in ("proto", "third_party"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    return tmp_path


def replace_once(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_lint_passes() -> None:
    result = buf("lint")
    assert result.returncode == 0, result.stdout + result.stderr


def test_lint_demands_comments(changed: Path) -> None:
    server = changed / "proto/referee/v1/server.proto"
    replace_once(server, "// Limit is one bound that the server keeps.\n", "")
    result = buf("lint", cwd=changed)
    assert result.returncode != 0
    assert 'Message "Limit" should have a non-empty comment' in result.stdout


def test_nothing_landed_is_broken() -> None:
    result = buf("breaking", "proto", "--against", str(BASELINE))
    assert result.returncode == 0, result.stdout + result.stderr


def test_a_changed_field_number_is_a_break(changed: Path) -> None:
    server = changed / "proto/referee/v1/server.proto"
    replace_once(server, "string version = 1;", "string version = 99;")
    result = buf("breaking", "proto", "--against", str(BASELINE), cwd=changed)
    assert result.returncode != 0
    assert 'field "1" with name "version" on message "GetServerInfoResponse" was deleted' in result.stdout


def test_committed_code_is_current(tmp_path: Path) -> None:
    generate(tmp_path)
    fresh = generated_files(tmp_path)
    assert {path.parent for path in fresh} == set(OUTPUT_FOLDERS)
    assert generated_files(ROOT) == fresh, "run `make proto`"


def test_stale_code_is_named(changed: Path) -> None:
    generate(changed, changed)
    assert outdated(changed) == []
    replace_once(changed / "proto/referee/v1/server.proto", "string version = 1;", "string version = 99;")
    orphan = changed / "referee/v1/gone_pb2.py"
    orphan.touch()
    assert [path.name for path in outdated(changed)] == ["gone_pb2.py", "server_pb2.py"]
