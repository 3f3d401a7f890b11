"""Generates the Python code of the contract with grpcio-tools' protoc.

    python tools/generate_protos.py           write referee/v1 and buf/validate
    python tools/generate_protos.py --check   exit 1 and name the files that are not current

Output paths follow the protos' own folders (`referee/v1/x.proto` becomes `referee/v1/x_pb2.py`), so that generated
imports read `from referee.v1 import x_pb2`.
"""

import argparse
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTRACT = Path("proto")
VENDORED = Path("third_party/protovalidate")
OUTPUT_FOLDERS = (Path("referee/v1"), Path("buf/validate"))


def generate(out: Path, root: Path = ROOT) -> None:
    """Write the code of all protos of `root` into `out`; raises CalledProcessError with protoc's word on stderr."""
    well_known = str(files("grpc_tools") / "_proto")
    include = [f"-I{root / CONTRACT}", f"-I{root / VENDORED}", f"-I{well_known}"]
    messages = [f"--python_out={out}", f"--pyi_out={out}"]
    # The vendored options define no service: the grpc plugin would write an empty file for them.
    for module, plugins in ((CONTRACT, [*messages, f"--grpc_python_out={out}"]), (VENDORED, messages)):
        protos = sorted(str(path.relative_to(root / module)) for path in (root / module).rglob("*.proto"))
        subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *include, *plugins, *protos], check=True)


def generated_files(folder: Path) -> dict[Path, bytes]:
    """Return the content of each generated file below `folder`, by path relative to it."""
    return {
        path.relative_to(folder): path.read_bytes()
        for output in OUTPUT_FOLDERS
        for path in sorted((folder / output).glob("*_pb2*"))
        if path.suffix in {".py", ".pyi"}
    }


def outdated(root: Path = ROOT) -> list[Path]:
    """Return the generated files of `root` that are missing, differ from fresh ones, or have lost their proto."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder), root)
        fresh = generated_files(Path(folder))
    kept = generated_files(root)
    return sorted(path for path in fresh.keys() | kept.keys() if fresh.get(path) != kept.get(path))


def main() -> int:
    """Run the tool and return its exit code."""
    parser = argparse.ArgumentParser(description="Generate the Python code of the contract.")
    parser.add_argument("--check", action="store_true", help="write nothing; name what is not current")
    if parser.parse_args().check:
        stale = outdated()
        for path in stale:
            print(f"not current: {path} (run `make proto`)", file=sys.stderr)
        return 1 if stale else 0
    for path in generated_files(ROOT):  # also those whose proto is gone
        (ROOT / path).unlink()
    generate(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
