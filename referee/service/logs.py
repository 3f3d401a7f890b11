"""Logging by structlog: JSON for machines, columns for people, and never a card, tile, seed or token in either."""

import logging
import re
from collections.abc import MutableMapping
from typing import Any, Final

import structlog

_SECRET_KEYS: Final = re.compile(
    r"card|hole|deck|board|discard|kept|tile|boneyard|seed|token|secret|password|authorization", re.I
)
_CARDS_IN_TEXT: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs][ ,|/]?)+(?![A-Za-z0-9])"  # cards
    r"|(?<![A-Za-z0-9-])(?:[0-6]-[0-6][ ,|/]?)+(?![A-Za-z0-9-])"  # tiles
)
DROPPED: Final = "[dropped]"


def drop_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Drops values under telling names, and whatever reads like cards or tiles in any text, however deep it lies."""
    return {key: DROPPED if _SECRET_KEYS.search(key) else _scrubbed(value) for key, value in event.items()}


def _scrubbed(value: Any) -> Any:
    if isinstance(value, str):
        return _CARDS_IN_TEXT.sub(DROPPED, value)
    if isinstance(value, dict):
        return drop_secrets(None, "", value)
    if isinstance(value, (list, tuple)):
        return [_scrubbed(item) for item in value]
    return value if isinstance(value, (int, float, bool, type(None))) else _CARDS_IN_TEXT.sub(DROPPED, str(value))


def configure(as_json: bool, level: str = "info") -> None:
    """Sets up logging for the process; the level is one of debug, info, warning, error."""
    renderer: Any = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            drop_secrets,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(),
    )
