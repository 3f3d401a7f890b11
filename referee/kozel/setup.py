"""What is fixed before a round begins: who sits where with which account, who leads, and the order of the tiles."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from referee.kozel.ruleset import MAX_POINTS, MIN_PLAYERS, FishScoring, RuleSet, SetupRefusedError, check_rule_set
from referee.kozel.tiles import bears, is_double

FIRST_ROUND: Final = 0
"""The leader's seat when nobody has led yet: KOZ-3 names tile and player."""

MAX_SEAT: Final = 10
MAX_REDEALS: Final = 1_000
MAX_HAND_ID: Final = 200


class Account(NamedTuple):
    """A player's points: those of an open account count (``score``), those before are remembered (KOZ-9, KOZ-10)."""

    score: int = 0
    remembered: int = 0
    is_open: bool = False


EMPTY_ACCOUNT: Final = Account()


@dataclass(frozen=True)
class RoundSetup:
    """Everything a round starts from.

    ``seats`` lists the players clockwise; tiles are dealt one at a time in that order, from position 0 of a deck, and
    what is left is the boneyard, drawn from in the order of the deck. ``decks`` are those that were dealt: all but the
    last must be dealt again by KOZ-2. ``leader_seat`` leads any tile; FIRST_ROUND means that KOZ-3 decides. ``carry``
    are the points that wait by KOZ-14.
    """

    rule_set: RuleSet
    seats: tuple[int, ...]
    decks: tuple[tuple[int, ...], ...]
    accounts: tuple[Account, ...]
    leader_seat: int = FIRST_ROUND
    carry: int = 0
    hand_id: str = ""


def dealt_to(deck: tuple[int, ...], player: int, players: int, hand_tiles: int) -> tuple[int, ...]:
    """The tiles that a player gets, one at a time clockwise (KOZ-1)."""
    return deck[player : players * hand_tiles : players]


def must_redeal(tiles: tuple[int, ...], rule_set: RuleSet) -> bool:
    """Whether a player who holds these tiles must be dealt again, and with him everybody (KOZ-2)."""
    if len([tile for tile in tiles if is_double(tile)]) >= rule_set.redeal_doubles:
        return True
    return any(
        [
            len([tile for tile in tiles if bears(tile, number)]) >= rule_set.redeal_bearing
            for number in range(rule_set.highest + 1)
        ]
    )


def redeal_player(deck: tuple[int, ...], players: int, rule_set: RuleSet) -> int:
    """The first player clockwise whose tiles ask for another deal, or -1 (KOZ-2)."""
    for player in range(players):
        if must_redeal(dealt_to(deck, player, players, rule_set.hand_tiles), rule_set):
            return player
    return -1


def check_setup(setup: RoundSetup) -> None:
    """Raises SetupRefusedError, with the rule that decides, when no round can be played from the setup.

    No decks at all are no fault: a viewer who is told no tiles folds events from such a setup. To open a round there
    must be some (:func:`check_decks`).
    """
    rule_set = setup.rule_set
    check_rule_set(rule_set)
    players = len(setup.seats)
    if not MIN_PLAYERS <= players <= rule_set.max_seats():
        raise SetupRefusedError("KOZ-1", f"{players} players; {rule_set.full_name} is for 2 to {rule_set.max_seats()}")
    if len(set(setup.seats)) != players or any([not 1 <= seat <= MAX_SEAT for seat in setup.seats]):
        raise SetupRefusedError("KOZ-1", f"seats are different numbers from 1 to {MAX_SEAT}")
    if setup.leader_seat != FIRST_ROUND and setup.leader_seat not in setup.seats:
        raise SetupRefusedError("KOZ-3", f"seat {setup.leader_seat} leads and is not in the round")
    if len(setup.accounts) != players:
        raise SetupRefusedError("KOZ-9", "every player has one account")
    for account in setup.accounts:
        _check_account(account, rule_set)
    if not 0 <= setup.carry <= MAX_POINTS:
        raise SetupRefusedError("KOZ-14", f"the carry is 0 to {MAX_POINTS}")
    if setup.carry and rule_set.fish_scoring is not FishScoring.ON_ONE:
        raise SetupRefusedError("KOZ-14", "only a fish scored on one leaves a carry")
    if len(setup.hand_id) > MAX_HAND_ID:
        raise SetupRefusedError("BET-9", f"a round's id has at most {MAX_HAND_ID} letters")
    for deck in setup.decks:
        _check_deck(deck, rule_set)


def _check_account(account: Account, rule_set: RuleSet) -> None:
    if not (0 <= account.score <= MAX_POINTS and 0 <= account.remembered <= MAX_POINTS):
        raise SetupRefusedError("KOZ-9", f"points are 0 to {MAX_POINTS}")
    if account.remembered if account.is_open else account.score:
        raise SetupRefusedError("KOZ-10", "an open account remembers nothing, and one that is not open has no score")
    if account.score >= rule_set.ends_at:
        raise SetupRefusedError("KOZ-15", f"the game has ended: a score has reached {rule_set.ends_at}")


def _check_deck(deck: tuple[int, ...], rule_set: RuleSet) -> None:
    if tuple(sorted(deck)) != rule_set.tiles():
        raise SetupRefusedError("KOZ-1", f"a deck is every one of the {len(rule_set.tiles())} tiles, once")


def check_decks(setup: RoundSetup) -> None:
    """Raises SetupRefusedError unless the last deck, and no other, is played (KOZ-2)."""
    if not setup.decks:
        raise SetupRefusedError("KOZ-1", "no deck is given")
    if len(setup.decks) > MAX_REDEALS:
        raise SetupRefusedError("KOZ-2", f"more than {MAX_REDEALS} decks")
    players = len(setup.seats)
    for deck in setup.decks[:-1]:
        if redeal_player(deck, players, setup.rule_set) < 0:
            raise SetupRefusedError("KOZ-2", "a deck follows one that need not be dealt again")
    if redeal_player(setup.decks[-1], players, setup.rule_set) >= 0:
        raise SetupRefusedError("KOZ-2", "the last deck must be dealt again: one more is needed")
