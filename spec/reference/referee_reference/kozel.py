"""Kozel written down a second time: slow, obvious, tiles as texts, and nothing remembered that can be looked up again.

A round is its deal and the list of what was done. Who holds what, what the ends show, whose turn it is and whether
there is a fish are looked up in that list whenever they are asked for. Players are numbered from 0, clockwise.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple


@dataclass(frozen=True)
class Terms:
    """The options, by their names in the rulebook."""

    fish: str = "STRUCTURAL"
    fish_scoring: str = "ON_ALL"
    highest: int = 6
    hand_tiles: int = 7
    redeal_doubles: int = 5
    redeal_bearing: int = 6
    lone_blank: int = 10
    remembered_to: int = 12
    ends_at: int = 101


class Points(NamedTuple):
    """An account: a score once it is open, remembered points before."""

    is_open: bool = False
    points: int = 0


class Deed(NamedTuple):
    """What was done: "lay" (a tile, at "left", "right" or ""), "draw" (a tile), "knock" or "timeout"."""

    what: str
    player: int
    tile: str = ""
    end: str = ""


class Happening(NamedTuple):
    """One thing that happens, under the name that the referee's events have."""

    kind: str
    rule: str
    player: int = -1
    tiles: tuple[str, ...] = ()
    end: str = ""
    points: int = 0
    total: int = 0


@dataclass(frozen=True)
class Round:
    """A round: how it began, and everything that was done."""

    terms: Terms
    players: int
    deck: tuple[str, ...]
    accounts: tuple[Points, ...]
    leader: int | None = None
    carry: int = 0
    done: tuple[Deed, ...] = ()


def halves(tile: str) -> tuple[int, int]:
    """Both numbers of a tile, the higher one first."""
    high, low = tile.split("-")
    return int(high), int(low)


def pips(tile: str) -> int:
    """The pips of a tile."""
    return sum(halves(tile))


def all_tiles(terms: Terms) -> list[str]:
    """KOZ-1. Every tile, written with the higher half first."""
    return [f"{high}-{low}" for high in range(terms.highest + 1) for low in range(high + 1)]


# --- the deal -------------------------------------------------------------------------------------------


def dealt(terms: Terms, players: int, deck: tuple[str, ...], player: int) -> list[str]:
    """KOZ-1. Tiles go one at a time, clockwise."""
    return [deck[round_of_dealing * players + player] for round_of_dealing in range(terms.hand_tiles)]


def must_be_dealt_again(terms: Terms, hand: list[str]) -> bool:
    """KOZ-2. Five or more doubles, or six or more tiles that bear one number."""
    doubles = 0
    for tile in hand:
        high, low = halves(tile)
        if high == low:
            doubles += 1
    if doubles >= terms.redeal_doubles:
        return True
    for number in range(terms.highest + 1):
        bearing = 0
        for tile in hand:
            if number in halves(tile):
                bearing += 1
        if bearing >= terms.redeal_bearing:
            return True
    return False


def who_asks_for_a_redeal(terms: Terms, players: int, deck: tuple[str, ...]) -> int | None:
    """KOZ-2. The first player whose hand must be dealt again."""
    for player in range(players):
        if must_be_dealt_again(terms, dealt(terms, players, deck, player)):
            return player
    return None


# --- how it stands --------------------------------------------------------------------------------------


def hand(state: Round, player: int) -> list[str]:
    """The tiles of a player: dealt and drawn, without those that he laid."""
    held = dealt(state.terms, state.players, state.deck, player)
    for deed in state.done:
        if deed.player == player and deed.what == "draw":
            held.append(deed.tile)
        if deed.player == player and deed.what == "lay":
            held.remove(deed.tile)
    return held


def boneyard(state: Round) -> list[str]:
    """KOZ-1. What was not dealt and not drawn."""
    drawn = [deed for deed in state.done if deed.what == "draw"]
    return list(state.deck[state.players * state.terms.hand_tiles :])[len(drawn) :]


def ends(state: Round) -> tuple[int, int] | None:
    """KOZ-4. What the left and the right end show; the first tile lies with its higher half to the left."""
    left = right = None
    for deed in state.done:
        if deed.what != "lay":
            continue
        high, low = halves(deed.tile)
        if left is None or right is None:
            left, right = high, low
        elif deed.end == "left":
            left = low if high == left else high
        else:
            right = low if high == right else high
    return None if left is None or right is None else (left, right)


def laid(state: Round) -> list[str]:
    """The tiles on the table."""
    return [deed.tile for deed in state.done if deed.what == "lay"]


def who_laid_last(state: Round) -> int | None:
    """The player who laid the last tile."""
    players = [deed.player for deed in state.done if deed.what == "lay"]
    return players[-1] if players else None


def opening_tile(state: Round) -> str:
    """KOZ-3. 1-1 if anybody holds it, else 2-2 and so on to 6-6, then 0-0, then the others by pips."""
    held = [tile for player in range(state.players) for tile in dealt(state.terms, state.players, state.deck, player)]
    for number in [*range(1, state.terms.highest + 1), 0]:
        if f"{number}-{number}" in held:
            return f"{number}-{number}"
    most = max(pips(tile) for tile in held)
    heaviest = [tile for tile in held if pips(tile) == most]
    return max(heaviest, key=halves)


def whose_turn(state: Round) -> int:
    """KOZ-3, KOZ-4. The leader first; then the next one clockwise after a tile was laid or somebody knocked."""
    if state.leader is not None:
        turn = state.leader
    else:
        compulsory = opening_tile(state)
        turn = 0
        while compulsory not in dealt(state.terms, state.players, state.deck, turn):
            turn += 1
    for deed in state.done:
        if deed.what in ("lay", "knock"):
            turn = (deed.player + 1) % state.players
    return turn


def fish_maker(state: Round) -> int | None:
    """KOZ-7. Who left both ends equal with all six non-doubles of their number on the table; None without a fish."""
    for number_of_deeds in range(1, len(state.done) + 1):
        before = replace(state, done=state.done[:number_of_deeds])
        showing = ends(before)
        if showing is None or showing[0] != showing[1]:
            continue
        number = showing[0]
        others = [other for other in range(state.terms.highest + 1) if other != number]
        six = [f"{max(number, other)}-{min(number, other)}" for other in others]
        if not all(tile in laid(before) for tile in six):
            continue
        if state.terms.fish == "NO_LEGAL_MOVE" and f"{number}-{number}" not in laid(state):
            return None
        return before.done[-1].player
    return None


def ending(state: Round) -> str:
    """KOZ-6, KOZ-17. "" while it is played, else "OUT", "FISH" or "TIMEOUT"."""
    if any(deed.what == "timeout" for deed in state.done):
        return "TIMEOUT"
    last = who_laid_last(state)
    if last is not None and not hand(state, last):
        return "OUT"
    return "FISH" if fish_maker(state) is not None else ""


# --- what may be done -----------------------------------------------------------------------------------


def fitting_ends(state: Round, tile: str) -> list[str]:
    """KOZ-4. The ends where a tile matches; the first tile needs none."""
    showing = ends(state)
    if showing is None:
        return [""]
    return [name for name, number in zip(("left", "right"), showing, strict=True) if number in halves(tile)]


def options(state: Round, player: int) -> list[tuple[str, str]]:
    """KOZ-3, KOZ-4, KOZ-5. Every tile that the player may lay now, with the end."""
    if ending(state) or whose_turn(state) != player:
        return []
    if ends(state) is None and state.leader is None:
        return [(opening_tile(state), "")]
    return [(tile, end) for tile in hand(state, player) for end in fitting_ends(state, tile)]


def refusal(state: Round, player: int, what: str, tile: str, end: str) -> tuple[str, str] | None:
    """Why it may not be done: the reason and the rule, the first that applies; None when it is legal."""
    if ending(state):
        return "ROUND_OVER", "BET-9"
    if not 0 <= player < state.players:
        return "SEAT_NOT_IN_ROUND", "BET-9"
    if whose_turn(state) != player:
        return "OUT_OF_TURN", "KOZ-4"
    if what != "lay" and (tile or end):
        return "MALFORMED_ACTION", "BET-8"
    if what == "timeout":
        return None
    if what in ("draw", "knock"):
        return "HOLDS_A_PLAYABLE_TILE", "KOZ-5"
    if tile not in all_tiles(state.terms):
        return "NO_SUCH_TILE", "KOZ-1"
    if tile not in hand(state, player):
        return "TILE_NOT_HELD", "KOZ-4"
    if ends(state) is None and state.leader is None and tile != opening_tile(state):
        return "OPENING_TILE_COMPULSORY", "KOZ-3"
    fitting = fitting_ends(state, tile)
    if not fitting:
        return "TILE_DOES_NOT_FIT", "KOZ-4"
    if not end and len(fitting) == 2:
        return "END_NOT_NAMED", "KOZ-4"
    if end and end not in fitting:
        return "END_DOES_NOT_FIT", "KOZ-4"
    return None


# --- what happens ---------------------------------------------------------------------------------------


def opening(
    terms: Terms,
    players: int,
    decks: tuple[tuple[str, ...], ...],
    accounts: tuple[Points, ...],
    leader: int | None,
    carry: int,
) -> tuple[Round, list[Happening]]:
    """KOZ-1 to KOZ-3. Deals until a deal is played, and says who leads."""
    happened = []
    for deck in decks:
        for player in range(players):
            happened.append(Happening("TILES_DEALT", "KOZ-1", player, tuple(dealt(terms, players, deck, player))))
        again = who_asks_for_a_redeal(terms, players, deck)
        if again is not None:
            happened.append(Happening("REDEALT", "KOZ-2", again))
    state = Round(terms, players, decks[-1], accounts, leader, carry)
    if boneyard(state):
        happened.append(Happening("BONEYARD_LAID", "KOZ-1", tiles=tuple(boneyard(state))))
    happened.append(Happening("LEAD_GIVEN", "KOZ-3", whose_turn(state)))
    return state, happened


def done(state: Round, player: int, what: str, tile: str, end: str) -> tuple[Round, list[Happening]]:
    """Does what is legal, and all that follows until somebody must choose or the round is over."""
    if what == "timeout":
        state = replace(state, done=(*state.done, Deed("timeout", player)))
        return state, [Happening("TIMED_OUT", "KOZ-17", player), *after_timeout(state, player)]
    first = ends(state) is None
    end = end or fitting_ends(state, tile)[0]
    state = replace(state, done=(*state.done, Deed("lay", player, tile, end)))
    happened = [Happening("TILE_LAID", "KOZ-3" if first else "KOZ-4", player, (tile,), end)]
    while not ending(state) and not options(state, whose_turn(state)):
        turn = whose_turn(state)
        if boneyard(state):
            drawn = boneyard(state)[0]
            state = replace(state, done=(*state.done, Deed("draw", turn, drawn)))
            happened.append(Happening("TILE_DRAWN", "KOZ-5", turn, (drawn,)))
        else:
            state = replace(state, done=(*state.done, Deed("knock", turn)))
            happened.append(Happening("KNOCKED", "KOZ-5", turn))
    if ending(state):
        happened.extend(after_play(state))
    return state, happened


def counted(terms: Terms, tiles: list[str]) -> int:
    """KOZ-8. Pips; the lone 0-0 counts ten."""
    return terms.lone_blank if tiles == ["0-0"] else sum(pips(tile) for tile in tiles)


def winner(state: Round) -> int:
    """KOZ-3. Who went out or made the fish, and so leads next."""
    player = who_laid_last(state) if ending(state) == "OUT" else fish_maker(state)
    assert player is not None
    return player


def scored(
    terms: Terms, before: tuple[Points, ...], carry: int, out: int | None, counts: list[int]
) -> tuple[list[Happening], list[Points], int]:
    """KOZ-9 to KOZ-14. What becomes of the accounts and the carry; ``out`` is who went out, None at a fish."""
    most = max(counts)
    alone = counts.count(most) == 1
    to_one = out is None and terms.fish_scoring == "ON_ONE"
    if to_one and not alone:  # KOZ-14: nobody scores, nobody's remembered points are cleared
        carry += sum(counts)
        return [Happening("SUM_CARRIED", "KOZ-14", points=sum(counts), total=carry)], list(before), carry
    happened = []
    given = carry if alone else 0
    if given:
        happened.append(Happening("CARRY_GIVEN", "KOZ-14", counts.index(most), points=given))
    after = []
    for player, account in enumerate(before):
        gets = counts[player]
        if to_one:  # KOZ-13
            gets = sum(counts) if counts[player] == most else 0
        if counts[player] == most:
            gets += given
        if gets == 0:
            cleared = not account.is_open and (to_one or player == out)  # KOZ-13, KOZ-11
            if cleared and account.points:
                rule = "KOZ-13" if to_one else "KOZ-11"
                happened.append(Happening("REMEMBERED_CLEARED", rule, player, points=account.points))
            after.append(Points() if cleared else account)
        elif account.is_open:  # KOZ-10
            after.append(Points(True, account.points + gets))
            happened.append(Happening("POINTS_SCORED", "KOZ-10", player, (), "", gets, account.points + gets))
        elif gets > terms.remembered_to:  # KOZ-10
            after.append(Points(True, account.points + gets))
            happened.append(Happening("ACCOUNT_OPENED", "KOZ-10", player, (), "", gets, account.points + gets))
        else:  # KOZ-9
            after.append(Points(False, account.points + gets))
            happened.append(Happening("POINTS_REMEMBERED", "KOZ-9", player, (), "", gets, account.points + gets))
    return happened, after, carry - given


def half_up(tenths: int) -> int:
    """KOZ-16. A tenth of a number, rounded half up."""
    whole, rest = divmod(tenths, 10)
    return whole + 1 if rest >= 5 else whole


def after_play(state: Round) -> list[Happening]:
    """KOZ-6 to KOZ-16. The end of a round that was played out."""
    out = ending(state) == "OUT"
    player = winner(state)
    happened = [Happening("WENT_OUT", "KOZ-6", player)]
    if not out:
        showing = ends(state)
        assert showing is not None
        happened = [Happening("FISH_MADE", "KOZ-7", player, points=showing[0])]
    counts = []
    for one in range(state.players):
        left = hand(state, one)
        counts.append(counted(state.terms, left))
        happened.append(Happening("HAND_COUNTED", "KOZ-8", one, tuple(left), points=counts[one]))
    entries, accounts, carry = scored(state.terms, state.accounts, state.carry, player if out else None, counts)
    happened += entries
    scores = [account.points if account.is_open else 0 for account in accounts]
    if max(scores) >= state.terms.ends_at:  # KOZ-15
        lost = [one for one in range(state.players) if scores[one] == max(scores)]
        happened += [Happening("GAME_LOST", "KOZ-15", one, total=scores[one]) for one in lost]
        happened += [Happening("CARRY_LAPSED", "KOZ-14", points=carry)] if carry else []
        for one in range(state.players):
            rating = 0 if one in lost else max(0, half_up(100 - scores[one]))
            happened.append(Happening("RATED", "KOZ-16", one, points=rating, total=scores[one]))
    return [*happened, Happening("ROUND_ENDED", "KOZ-6")]


def after_timeout(state: Round, late: int) -> list[Happening]:
    """KOZ-16, KOZ-17. The game is over, and the round is not scored."""
    scores = [account.points if account.is_open else 0 for account in state.accounts]
    happened = [Happening("CARRY_LAPSED", "KOZ-14", points=state.carry)] if state.carry else []
    for player in range(state.players):
        rating = 0 if player == late else max(1, half_up(scores[late] - scores[player]))
        happened.append(Happening("RATED", "KOZ-16", player, points=rating, total=scores[player]))
    return [*happened, Happening("ROUND_ENDED", "KOZ-17")]
