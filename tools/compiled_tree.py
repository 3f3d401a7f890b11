"""A copy of this checkout whose core is compiled, so that tests and benchmarks can run either way.

    python -m tools.compiled_tree [--target build/compiled/checkout] [--wheel dist]

The wheel with the compiled core is built from the copy and its modules are unpacked there; the checkout itself stays
plain.
Without a C compiler it says so and ends with 3.
"""

import argparse
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("referee", "buf", "proto", "tests", "tools", "spec", "docs", "clients", "third_party")
NOT_COPIED = ("__pycache__", "*.so", "node_modules", "target", ".hypothesis")
NO_COMPILER = 3
BUILT_INTO_CALLERS = "-fno-semantic-interposition"
"""Nobody puts functions of his own in place of the core's, so that the C compiler may build them into their callers."""


def build_wheel(checkout: Path, folder: Path) -> Path:
    """Builds the wheel with the compiled core, for this platform only."""
    flags = f"{os.environ.get('CFLAGS', '')} {BUILT_INTO_CALLERS}".strip()
    environment = os.environ | {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "1", "CFLAGS": flags}
    words = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), "."]
    subprocess.run(words, cwd=checkout, env=environment, check=True, stdout=subprocess.DEVNULL)
    return max(folder.glob("*linux*.whl"), key=lambda path: path.stat().st_mtime)


def copy_checkout(target: Path) -> None:
    """Copies what tests and benchmarks need, and lets them find the environment and the shared folder."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns(*NOT_COPIED))
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy(path, target)
    for link, to in ((target / ".venv", ROOT / ".venv"), (target.parent / "shared", ROOT.parent / "shared")):
        if to.exists() and not link.is_symlink():
            link.symlink_to(to)


def main() -> int:
    """Makes the copy."""
    parser = argparse.ArgumentParser(description="Copies the checkout and compiles the copy's core.")
    parser.add_argument("--target", type=Path, default=ROOT / "build/compiled/checkout")
    parser.add_argument("--wheel", type=Path, default=ROOT / "build/compiled/wheel")
    options = parser.parse_args()
    if shutil.which("gcc") is None and shutil.which("cc") is None:
        print("no C compiler: the core cannot be compiled here", file=sys.stderr)
        return NO_COMPILER
    copy_checkout(options.target)
    with zipfile.ZipFile(build_wheel(options.target, options.wheel.resolve())) as wheel:
        for stray in options.target.glob("[!.]*/**/*.so"):  # the compiler's own leavings
            stray.unlink()
        modules = [name for name in wheel.namelist() if name.endswith(".so")]
        wheel.extractall(options.target, modules)
    print(f"{len(modules)} compiled modules in {options.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
