"""The wheel works where there is no checkout: generated code, data files and the command come with it."""

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from referee import __version__

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(words, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    result = run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment outside the checkout that holds the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "venv", with_pip=True)
    binaries = folder / "venv/bin"
    result = run(binaries / "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    return binaries


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    expected = {
        str(path.relative_to(place))
        for place, package in ((ROOT, "referee"), (ROOT, "buf"), (ROOT / "spec/reference", "referee_reference"))
        for path in (place / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so"
    }
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    packed = {name for name in names if not name.startswith("referee/brought/")}
    assert packed == expected
    assert {"referee/py.typed", "buf/validate/validate_pb2.py", "referee_reference/judge.py"} <= packed


def test_sources_of_clients_are_in_the_wheel_and_nothing_that_was_built(wheel: Path) -> None:
    listed = run("git", "ls-files", "clients", "proto", "third_party", cwd=ROOT)
    if listed.returncode:
        pytest.skip(f"git does not say which files are sources: {listed.stderr.strip()}")
    expected = {f"referee/brought/{name}" for name in listed.stdout.split()} - {"referee/brought/proto/baseline.binpb"}
    with zipfile.ZipFile(wheel) as archive:
        brought = {name for name in archive.namelist() if name.startswith("referee/brought/")}
    assert brought == expected
    assert "referee/brought/clients/python/starter/bot.py" in brought


def test_a_new_bot_is_written_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    for language in ("python", "go"):
        result = run(installed / "referee", "new-bot", language, tmp_path / language, cwd=tmp_path)
        assert result.returncode == 0, result.stderr
    assert (tmp_path / "python/bot.py").is_file()
    assert (tmp_path / "go/referee/clients/go/go.mod").is_file()


def test_licences_are_in_the_wheel(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        licences = {name.partition("/licenses/")[2] for name in archive.namelist() if "/licenses/" in name}
    assert licences == {"LICENSE", "third_party/protovalidate/LICENSE"}


@pytest.fixture(scope="module")
def source_distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the source distribution unpacks to."""
    folder = tmp_path_factory.mktemp("sdist")
    result = run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    (built,) = folder.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        archive.extractall(folder, filter="data")
    return folder / built.name.removesuffix(".tar.gz")


def test_the_source_distribution_has_the_sources_and_nothing_that_was_built(source_distribution: Path) -> None:
    listed = run("git", "ls-files", cwd=ROOT)
    if listed.returncode:
        pytest.skip(f"git does not say which files are sources: {listed.stderr.strip()}")
    packed = {str(path.relative_to(source_distribution)) for path in source_distribution.rglob("*") if path.is_file()}
    sources = {name for name in listed.stdout.split() if not name.startswith(".")}
    assert packed - {"PKG-INFO", ".gitignore"} == sources


def test_the_source_distribution_makes_the_same_wheel_without_a_compiler(
    source_distribution: Path, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "false")
    words = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, source_distribution)
    result = run(*words, cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    (built,) = tmp_path.glob("*.whl")
    assert built.name == wheel.name
    assert built.name.endswith("-py3-none-any.whl"), "it is for every platform"
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(built) as second:
        assert sorted(second.namelist()) == sorted(first.namelist())
        differ = [name for name in first.namelist() if first.read(name) != second.read(name)]
    assert [name for name in differ if not name.endswith("/RECORD")] == []


def test_generated_code_imports_outside_the_checkout(installed: Path) -> None:
    program = (
        "import buf.validate.validate_pb2 as options, referee.v1.server_pb2_grpc as grpc_code, protovalidate\n"
        "from referee.v1.server_pb2 import Limit\n"
        "(violation,) = protovalidate.collect_violations(Limit(name='', value=1))\n"
        "print(options.__file__, grpc_code.__file__, violation.proto.rule_id, sep='\\n')"
    )
    result = run(installed / "python", "-c", program, cwd=installed)
    assert result.returncode == 0, result.stderr
    *origins, rule_id = result.stdout.split()
    assert all(Path(origin).is_relative_to(installed.parent) for origin in origins)
    assert rule_id == "string.min_len"


def test_command_tells_its_version(installed: Path) -> None:
    result = run(installed / "referee", "--version", cwd=installed)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"referee {__version__}, plain core\n"


def test_demo_runs_outside_the_checkout(installed: Path) -> None:
    result = run(installed / "referee", "demo", "--json", cwd=installed)
    assert result.returncode == 0, result.stdout + result.stderr
    assert json.loads(result.stdout)


def test_the_second_opinion_works_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    hand = tmp_path / "disputed.phh"
    hand.write_text((ROOT / "referee/demo/4-disputed.phh").read_text(encoding="utf-8"), encoding="utf-8")
    result = run(installed / "referee", "judge", "--json", "--second-opinion", hand, cwd=tmp_path)
    assert result.returncode == 1, result.stdout + result.stderr  # the record disagrees, the two judges do not
    second = json.loads(result.stdout.splitlines()[0])["second_opinion"]
    assert second["agrees"], second
    assert second["compared"] > 50
