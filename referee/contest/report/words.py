"""What results are called, by game: of poker they are in big blinds by hand, of Kozel in points of rating by game."""

from typing import Any, Final, NamedTuple

from referee.contest.settings import KOZEL


class Words(NamedTuple):
    """``rates``, ``rate_of_a_hand`` and ``total`` are keys of the values; ``suffix`` is that of the files of hands."""

    rates: str
    rate_of_a_hand: str
    total: str
    unit: str
    explained: str
    adjusted: str
    played: str
    suffix: str


OF_POKER: Final = Words(
    "bb_per_100", "bb_per_hand", "chips", "bb/100", "Big blinds per 100 hands", "all-in adjusted", "hands", "phhs"
)
OF_KOZEL: Final = Words(
    "rating_per_100",
    "rating_per_game",
    "rating",
    "rating/100",
    "Points of rating (KOZ-16) per 100 games, and points of the score below 0,",
    "points of the score",
    "games",
    "kozel",
)


def words_of(values: dict[str, Any]) -> Words:
    """The words for a contest's values."""
    rule_set = values["settings"]["game"]["rule_set"]
    return OF_KOZEL if isinstance(rule_set, str) and rule_set.startswith(KOZEL) else OF_POKER
