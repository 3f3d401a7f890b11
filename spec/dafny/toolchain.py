"""Gets Dafny, its prover and what its JavaScript needs, from Debian, PyPI and npm, and runs them.

Dafny 2.3 is the one that Debian 12 has. Its prover has to be the Z3 of that time, which PyPI still carries for 64-bit
Intel Linux. Everything fetched lies in ``build/`` and is checked against a pinned SHA-256; only Dafny itself is
installed in the system, by ``apt-get``, and only where the user may do that.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
BUILD: Final = ROOT / "build" / "spec" / "dafny"
SOURCE: Final = HERE / "Settlement.dfy"

DAFNY_PACKAGE: Final = "dafny"
Z3_PACKAGE: Final = "z3-solver==4.8.5.0"
Z3_SHA256: Final = "6dada60c4166a00891eb69e9c49872b004a464269d82b9ce2ac2300572e77f8c"
Z3_MEMBER: Final = "z3_solver-4.8.5.0.data/data/bin/z3"
BIGNUMBER_PACKAGE: Final = "bignumber.js@9.3.1"
BIGNUMBER_SHA256: Final = "f5a943ea290e66f64cb9adaaed2ff1b7c4ee02a4cca9d709d9c9c6c222512e82"
BIGNUMBER_MEMBER: Final = "package/bignumber.js"

TIME_LIMIT_SECONDS: Final = 60
"""For one lemma, on a busy machine. Alone the slowest takes a few seconds."""

FETCH_SECONDS: Final = 600
RUN_SECONDS: Final = 900


class ToolError(RuntimeError):
    """What is needed is missing or cannot be fetched here; not a finding about the settlement."""


@dataclass(frozen=True)
class Verdict:
    """What Dafny said: how many it verified, how many it did not, and its whole output."""

    verified: int
    errors: int
    timeouts: int
    output: str

    @property
    def proved(self) -> bool:
        """Whether something was verified and nothing was left open."""
        return self.verified > 0 and self.errors == 0 and self.timeouts == 0


def prepare(fetch: bool) -> Path:
    """Makes sure that everything is there, fetching it if allowed, and returns the prover. Raises ToolError."""
    if shutil.which("dafny") is None:
        _install_dafny(fetch)
    if shutil.which("node") is None:
        raise ToolError("Node is needed to run the JavaScript of Dafny; on Debian: apt-get install nodejs npm")
    BUILD.mkdir(parents=True, exist_ok=True)
    _prepare_bignumber(fetch)
    return _prepare_prover(fetch)


def _install_dafny(fetch: bool) -> None:
    can_install = fetch and shutil.which("apt-get") is not None and os.geteuid() == 0
    if not can_install:
        raise ToolError("Dafny 2.3 is needed; on Debian 12, as root: apt-get install dafny")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _fetch(["apt-get", "update", "-qq"], environment)
    _fetch(["apt-get", "install", "-y", "-qq", DAFNY_PACKAGE], environment)
    if shutil.which("dafny") is None:
        raise ToolError("apt-get installed Dafny, but there is no command of that name")


def _prepare_prover(fetch: bool) -> Path:
    prover = BUILD / "z3"
    if prover.is_file():
        return prover
    if not fetch:
        raise ToolError(f"{prover} is missing; python -m spec.dafny.run fetches it")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    _fetch([*pip, "--only-binary=:all:", "--dest", str(BUILD), Z3_PACKAGE])
    wheel = _checked("z3_solver-*.whl", Z3_SHA256)
    with zipfile.ZipFile(wheel) as archive:
        prover.with_suffix(".part").write_bytes(archive.read(Z3_MEMBER))
    prover.with_suffix(".part").chmod(0o755)
    prover.with_suffix(".part").rename(prover)
    return prover


def _prepare_bignumber(fetch: bool) -> None:
    module = BUILD / "node_modules" / "bignumber.js" / "index.js"
    if module.is_file():
        return
    if not fetch:
        raise ToolError(f"{module} is missing; python -m spec.dafny.run fetches it")
    if shutil.which("npm") is None:
        raise ToolError("npm is needed to fetch bignumber.js; on Debian: apt-get install npm")
    _fetch(["npm", "pack", "--silent", "--pack-destination", str(BUILD), BIGNUMBER_PACKAGE])
    package = _checked("bignumber.js-*.tgz", BIGNUMBER_SHA256)
    with tarfile.open(package) as archive:
        member = archive.extractfile(BIGNUMBER_MEMBER)
        if member is None:
            raise ToolError(f"{package.name} holds no {BIGNUMBER_MEMBER}")
        content = member.read()
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_bytes(content)


def _checked(pattern: str, sha256: str) -> Path:
    """The one file just fetched, once its hash is the pinned one."""
    found = sorted(BUILD.glob(pattern))
    if len(found) != 1:
        raise ToolError(f"expected one {pattern} in {BUILD}, found {[path.name for path in found]}")
    actual = hashlib.sha256(found[0].read_bytes()).hexdigest()
    if actual != sha256:
        raise ToolError(f"{found[0].name} has SHA-256 {actual}, not the pinned {sha256}")
    return found[0]


def _fetch(command: Sequence[str], environment: dict[str, str] | None = None) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=FETCH_SECONDS, env=environment)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"{' '.join(command)}: {error}") from error
    if done.returncode:
        raise ToolError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def verify(source: Path, prover: Path, only: Sequence[str] = ()) -> Verdict:
    """Lets Dafny prove a file, or only the lemmas and functions of these names."""
    flags = ["/compile:0", f"/z3exe:{prover}", f"/timeLimit:{TIME_LIMIT_SECONDS}", "/vcsCores:1"]
    flags += [f"/proc:*.{name}" for name in only]
    done = subprocess.run(["dafny", *flags, str(source)], capture_output=True, text=True, timeout=RUN_SECONDS)
    output = done.stdout + done.stderr
    summary = re.search(r"finished with (\d+) verified, (\d+) errors?(?:, (\d+) time ?outs?)?", output)
    if summary is None:
        raise ToolError(f"dafny gave no verdict on {source.name}:\n{output}")
    verdict = Verdict(int(summary[1]), int(summary[2]), int(summary[3] or 0), output)
    if verdict.proved and done.returncode:
        raise ToolError(f"dafny ended with status {done.returncode} on {source.name}:\n{output}")
    return verdict


def compile_oracle(source: Path, name: str) -> Path:
    """The JavaScript of a Dafny file, with what makes it answer settlements; written to ``build/``.

    Dafny 2.3 ends with status 3 when it only writes the file, so the file itself is what is checked.
    """
    folder = BUILD / name
    folder.mkdir(parents=True, exist_ok=True)
    copy, generated = folder / "Settlement.dfy", folder / "Settlement.js"
    copy.write_bytes(source.read_bytes())
    generated.unlink(missing_ok=True)
    command = ["dafny", "/noVerify", "/compileTarget:js", "/compile:0", "/spillTargetCode:3", copy.name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_SECONDS, cwd=folder)
    if not generated.is_file() or not generated.stat().st_size:
        raise ToolError(f"dafny wrote no JavaScript:\n{done.stdout}{done.stderr}")
    oracle = folder / "oracle.js"
    tail = (HERE / "oracle_tail.js").read_text(encoding="utf-8")
    oracle.write_text(generated.read_text(encoding="utf-8") + tail, encoding="utf-8")
    return oracle
