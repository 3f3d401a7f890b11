"""Bots by what a command line names: a practice bot, or a Python file of one's own."""

import importlib.util
import sys
from collections.abc import Callable
from inspect import isclass, signature
from pathlib import Path
from types import ModuleType
from typing import Any

from referee.bots import BOTS_OF, make_bot_of_any_game
from referee.client.asking import AnyBot


class BotFileError(ValueError):
    """A bot that cannot be had by this name; the message says why."""


def bot_maker(name: str, game: str = "poker") -> Callable[[int], AnyBot]:
    """What makes a bot from a seed: ``sound-irish``, or ``my_bot.py``, or ``my_bot.py:name``.

    A file offers a function ``bot(decision)``, or a class ``Bot`` that is made anew for every table, with a seed if its
    constructor takes one. ``game`` is whose practice bots there are. Raises BotFileError; whatever the file itself
    raises goes through.
    """
    if name in BOTS_OF[game]:
        return lambda seed: make_bot_of_any_game(name, seed)
    written, _, wanted = name.partition(":")
    path = Path(written)
    if path.suffix != ".py":
        raise BotFileError(
            f"there is no practice bot {name!r} ({', '.join(BOTS_OF[game])}), and it is no file that ends in .py"
        )
    if not path.is_file():
        raise BotFileError(f"there is no file {written}")
    return _maker(_module(path), wanted, written)


def _module(path: Path) -> ModuleType:
    named = f"contest_bot_{abs(hash(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(named, path)
    assert spec is not None, "a file that ends in .py can be loaded"
    assert spec.loader is not None, "a file that ends in .py can be loaded"
    module = importlib.util.module_from_spec(spec)
    sys.modules[named] = module
    # What lies beside the bot can be imported, as if it had been started there.
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    return module


def _maker(module: ModuleType, wanted: str, file: str) -> Callable[[int], AnyBot]:
    names = [wanted] if wanted else ["Bot", "bot"]
    found: Any = next((getattr(module, name) for name in names if hasattr(module, name)), None)
    if not callable(found):
        raise BotFileError(f"{file} has no {' or '.join(names)}: expected a function bot(decision), or a class Bot")
    return _made_anew(found) if isclass(found) else lambda _seed: found


def _made_anew(kind: Any) -> Callable[[int], AnyBot]:
    """Makes a bot of a class, with a seed if it takes one."""
    takes_seed = bool(signature(kind).parameters)

    def make(seed: int) -> AnyBot:
        made: AnyBot = kind(seed) if takes_seed else kind()
        return made

    return make
