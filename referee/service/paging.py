"""Pages of short lists: a page token is the place where the next page begins."""

from collections.abc import Sequence
from typing import TypeVar

from referee.limits import DEFAULT_PAGE_ITEMS

Item = TypeVar("Item")


def page(items: Sequence[Item], page_size: int, page_token: str) -> tuple[Sequence[Item], str]:
    """One page and the token of the next, empty on the last; raises ValueError for a token that is not ours."""
    start = int(page_token) if page_token else 0
    if not 0 <= start <= len(items):
        raise ValueError(page_token)
    end = start + (page_size or DEFAULT_PAGE_ITEMS)
    return items[start:end], str(end) if end < len(items) else ""
