"""The example bots of every language, as commands; those that are not built are said to be so."""

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from tests.support import REPOSITORY

CLIENTS = REPOSITORY / "clients"


class ExampleBot(NamedTuple):
    """How a bot is started, the file that building it leaves, and the tools that building it takes."""

    command: tuple[str, ...]
    built: Path
    tools: tuple[str, ...]


EXAMPLE_BOTS = {
    "python": ExampleBot((sys.executable, str(CLIENTS / "python/bot")), CLIENTS / "python/bot", ()),
    "go": ExampleBot((str(CLIENTS / "go/build/bot"),), CLIENTS / "go/build/bot", ("go",)),
    "typescript": ExampleBot(
        (str(CLIENTS / "typescript/build/bot"),), CLIENTS / "typescript/build/bot", ("node", "npm")
    ),
    "java": ExampleBot((str(CLIENTS / "java/bot"),), CLIENTS / "java/example/target/bot.jar", ("javac", "mvn")),
    "rust": ExampleBot((str(CLIENTS / "rust/bot"),), CLIENTS / "rust/bot", ("cargo",)),
}


def missing(language: str) -> str:
    """Why a language's bot cannot be started; empty when it can."""
    bot = EXAMPLE_BOTS[language]
    if bot.built.exists():
        return ""
    lacking = [tool for tool in bot.tools if shutil.which(tool) is None]
    return f"{language}: " + (f"no {' and no '.join(lacking)} here" if lacking else f"make client-{language} builds it")
