"""Contests for tests: files from few words, and hands whose truth is known."""

from pathlib import Path

import numpy as np

from referee.contest.results import HandResult
from referee.contest.settings import ContestSettings, parse_contest

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


def simulated(rng, strengths, blocks, hands_of_a_block=10, luck=0.6, big_blind=100):
    """A heads-up duplicate round-robin with known truth: ``strengths`` are bb/100 against the average, by name.

    Blocks have luck of the cards that both seatings share with opposite signs, and rare big pots.
    """
    names = list(strengths)
    results, match = [], 0
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            match += 1
            mean = (strengths[one] - strengths[other]) / 100 * big_blind
            shape = (blocks, hands_of_a_block)
            cards = rng.normal(0, 4 * big_blind, shape) + (rng.random(shape) < 0.03) * rng.normal(
                0, 60 * big_blind, shape
            )
            for seating, sign in enumerate((1, -1)):
                own = rng.normal(0, 3 * big_blind, shape) + (rng.random(shape) < 0.02) * rng.normal(
                    0, 50 * big_blind, shape
                )
                nets = np.rint(mean + sign * luck * cards + own).astype(int)
                for block in range(blocks):
                    for number in range(hands_of_a_block):
                        net = int(nets[block, number])
                        order = (one, other) if seating == 0 else (other, one)
                        results.append(
                            hand(match, block, order, (net, -net) if seating == 0 else (-net, net), seating, number + 1)
                        )
    return results


def _swings(rng, usual, shape):
    """Many small results, and a big one now and then."""
    return rng.normal(0, usual, shape) + (rng.random(shape) < 0.03) * rng.normal(0, 15 * usual, shape)
