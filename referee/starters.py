"""Starters for bots: a folder that a contestant begins with, and the SDK's sources in it.

The sources lie in the checkout, and in a wheel beside the package's modules.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent
INSIDE: Final = "referee"
"""The folder of a starter that holds the SDK, laid out as in the checkout."""

BUILT: Final = frozenset({"build", "target", "node_modules", "repository", "__pycache__", ".installed"})
"""Names of what building leaves behind; no source is called so."""


class StarterError(Exception):
    """A starter cannot be written."""


@dataclass(frozen=True)
class Starter:
    """A language's starter: where it names the SDK's place (file, words there, words here), what it needs, what to do.

    ``sources`` are folders of the checkout; ``commands`` build and run the bot from the folder that was written.
    """

    sources: tuple[str, ...]
    places: tuple[tuple[str, str, str], ...]
    commands: tuple[str, ...]


STARTERS: Final[dict[str, Starter]] = {
    "python": Starter((), (), ("python bot.py --table TABLE",)),
    "go": Starter(
        ("clients/go",),
        (("go.mod", "=> ..\n", f"=> ./{INSIDE}/clients/go\n"),),
        ("go build -o bot .", "./bot --table TABLE"),
    ),
    "typescript": Starter(
        ("clients/typescript",),
        (
            ("package.json", '"file:.."', f'"file:{INSIDE}/clients/typescript"'),
            ("package-lock.json", '"file:.."', f'"file:{INSIDE}/clients/typescript"'),
            ("package-lock.json", '"..": {', f'"{INSIDE}/clients/typescript": {{'),
            ("package-lock.json", '"resolved": ".."', f'"resolved": "{INSIDE}/clients/typescript"'),
        ),
        ("npm install", "npm start -- --table TABLE"),
    ),
    "java": Starter(
        ("clients/java", "proto", "third_party/protovalidate"),
        (("pom.xml", "${project.basedir}/..<", f"${{project.basedir}}/{INSIDE}/clients/java<"),),
        (f"make -C {INSIDE}/clients/java", "mvn -q package", "java -jar target/mybot.jar --table TABLE"),
    ),
    "rust": Starter(
        ("clients/rust",),
        (("Cargo.toml", '"../sdk"', f'"{INSIDE}/clients/rust/sdk"'),),
        ("cargo build", "target/debug/my-bot --table TABLE"),
    ),
}


def sources() -> Path:
    """The folder that has ``clients`` and ``proto``: the checkout, or what a wheel brought along."""
    brought, checkout = _PACKAGE / "brought", _PACKAGE.parent
    for folder in (brought, checkout):
        if (folder / "clients").is_dir():
            return folder
    raise StarterError("the sources of the clients are not there: neither a checkout nor a wheel that has them")


def write_starter(language: str, folder: Path) -> Starter:
    """Writes a language's starter into a new folder; raises StarterError when it cannot, OSError when writing fails."""
    starter, origin = STARTERS[language], sources()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StarterError(f"{folder} is there already and not an empty folder")
    here = origin / "clients" / language
    if not (here / "starter").is_dir():
        raise StarterError(f"there is no starter for {language} here")
    shutil.copytree(here / "starter", folder, ignore=_built(origin), dirs_exist_ok=True)
    for name, there, inside in starter.places:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        if there not in text:
            raise StarterError(f"{name} does not say {there.strip()!r}, where the SDK's place is to be told")
        path.write_text(text.replace(there, inside), encoding="utf-8")
    for source in starter.sources:
        shutil.copytree(origin / source, folder / INSIDE / source, ignore=_built(origin))
    return starter


def _built(origin: Path) -> Callable[[str, list[str]], set[str]]:
    """Leaves out what was built, and the starter itself where the SDK is copied."""

    def ignore(folder: str, names: list[str]) -> set[str]:
        place = Path(folder).relative_to(origin).parts
        is_sdk = len(place) == 2 and place[0] == "clients"
        left_out = {name for name in names if name in BUILT or name.endswith(".pyc")}
        if is_sdk:
            left_out |= {"starter"} & set(names)
        if place == ("clients", "rust"):
            left_out |= {"bot"} & set(names)
        return left_out

    return ignore
