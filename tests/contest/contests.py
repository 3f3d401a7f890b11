"""Contests for tests: files from few words, and hands whose truth is known."""

from itertools import combinations
from pathlib import Path

import numpy as np

from referee.contest.results import HandResult
from referee.contest.settings import ContestSettings, parse_contest
from referee.contest.statistics.units import Meeting

SEED = bytes(range(32))


def contest_text(entrants, hands=20, name="test", game="", schedule="", further=""):
    """A contest file; ``entrants`` are lines of each entrant's table, by name."""
    listed = "\n".join(f'[[entrants]]\nname = "{who}"\n{lines}\n' for who, lines in entrants.items())
    return f"""format = "referee-contest/1"
name = "{name}"
{further}

[game]
small_blind = 50
big_blind = 100
stack = 20_000
{game}

[schedule]
hands = {hands}
{schedule}

[clock]
action_ms = 60_000

{listed}"""


def contest(entrants, **options) -> ContestSettings:
    return parse_contest(contest_text(entrants, **options))


def practice(*names):
    """Entrants that are practice bots, several of one kind told apart by a number."""
    return {f"{name}-{at}": f'bot = "{name}"' for at, name in enumerate(names, 1)}


def write(folder: Path, text: str) -> Path:
    file = folder / "test.toml"
    file.write_text(text, encoding="utf-8")
    return file


def hand(match, block, names, nets, seating=0, number=None, adjusted=None, facing=()):
    """One hand's result; a table has one block of one hand unless a number is given."""
    adjusted = tuple(map(float, nets)) if adjusted is None else tuple(adjusted)
    pot = sum(net for net in nets if net > 0)
    return HandResult(
        match, block, seating, block, number or 1, tuple(names), tuple(nets), adjusted, False, pot, (), tuple(facing)
    )


def simulated(rng, strengths, blocks, hands_of_a_block=10, luck=1.0):
    """The units of a heads-up duplicate round-robin whose truth is known, as meetings in big blinds.

    ``strengths`` are bb/100 against the average, by name. A block has luck of the cards, which its two seatings share
    with opposite signs so that it cancels, luck of its own, and a big pot now and then.
    """
    names = sorted(strengths)
    found = []
    for match, (one, other) in enumerate(combinations(names, 2), 1):
        mean = (strengths[one] - strengths[other]) / 100 * 2 * hands_of_a_block
        own = _swings(rng, 3.0, (blocks, 2 * hands_of_a_block)).sum(axis=1) * luck
        nets = mean + own
        hands = np.full((blocks, 2), 2.0 * hands_of_a_block)
        found.append(Meeting(match, (one, other), np.stack([nets, -nets], axis=1), hands))
    return found


def _swings(rng, usual, shape):
    """Many small results, and a big one now and then."""
    return rng.normal(0, usual, shape) + (rng.random(shape) < 0.03) * rng.normal(0, 15 * usual, shape)
