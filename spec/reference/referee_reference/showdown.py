"""The showdown (SHOW): who shows first, who must show, who may muck, and who wins each pot (POT-4, POT-5)."""

from dataclasses import dataclass

from referee_reference.hand import Hand, board, is_all_in, kept, live, players, with_chips
from referee_reference.pots import Pot, pots
from referee_reference.ranking import Strength, best_strength
from referee_reference.terms import UNKNOWN


@dataclass(frozen=True)
class Showing:
    """What becomes of one live player's hand: whether it must be shown, whether it is, and by which rule."""

    player: int
    must_show: bool
    shows: bool
    rule: str


def first_to_show(hand: Hand) -> int:
    """SHOW-1: the last player to lift the level, going back round by round from round four; if he is live.

    Any lift counts, an all-in of any size and a bet that was returned included (SHOW-5); posting and calling do not.

    Spec: FirstToShow.
    """
    rounds = list(hand.streets)
    looked_at = rounds[3:] if hand.setup.rule_set.showdown_order == "FINAL_ROUND" else rounds[::-1]
    for street in looked_at:
        lifts = [deed.player for deed in street.deeds if deed.kind == "WAGER"]
        if lifts and lifts[-1] in live(hand):
            return lifts[-1]
    return live(hand)[0]  # the first live player left of the button


def showing_order(hand: Hand) -> list[int]:
    """SHOW-1, SHOW-2: the first, then clockwise. One order serves all pots. Spec: ShowOrder."""
    first, everybody = first_to_show(hand), list(players(hand))
    return [player for player in everybody[first:] + everybody[:first] if player in live(hand)]


def strength(hand: Hand, player: int) -> Strength | None:
    """RANK-1: the kept hole cards and the board, with the discards that joined it; None where a card is unknown."""
    cards = kept(hand, player) + board(hand) + hand.joined
    return None if UNKNOWN in cards or len(board(hand)) < 5 else best_strength(cards)


def gave_up_unseen(hand: Hand, player: int) -> bool:
    """Whether the record says that the player gave up, at the showdown, a hand that nobody knows."""
    return hand.setup.seats[player] in hand.setup.mucked_unseen and strength(hand, player) is None


def contenders(hand: Hand, pot: Pot) -> list[int]:
    """Who is compared for a pot: the eligible players, less those who gave up an unknown hand."""
    return [player for player in pot.eligible if not gave_up_unseen(hand, player)]


def is_decided(hand: Hand, pot: Pot) -> bool:
    """Whether the known cards decide a pot; one with a single eligible player needs none (POT-4)."""
    if len(pot.eligible) == 1:
        return True
    compared = contenders(hand, pot)
    return len(compared) > 0 and all(strength(hand, player) is not None for player in compared)


def winners(hand: Hand, pot: Pot) -> tuple[int, ...]:
    """POT-4: the only one eligible, without comparison; POT-5: the best hand among those eligible, or equal ones.

    Spec: Winners.
    """
    if len(pot.eligible) == 1:
        return pot.eligible
    worth = {player: strength(hand, player) for player in contenders(hand, pot)}
    best = max(value for value in worth.values() if value is not None)
    return tuple(player for player in pot.eligible if worth.get(player) == best)


def is_beaten(hand: Hand, player: int, pot: Pot, shown: list[int]) -> bool:
    """SHOW-2: whether an eligible hand shown so far beats the player's for this pot; equal does not beat.

    Spec: MustShow.
    """
    own = strength(hand, player)
    for other in shown:
        theirs = strength(hand, other)
        if other in pot.eligible and own is not None and theirs is not None and theirs > own:
            return True
    return False


def hands_are_tabled(hand: Hand) -> bool:
    """SHOW-4, TABLE_ALL: betting over with an all-in player turns every live hand up at once, no muck."""
    exposure = hand.setup.rule_set.all_in_exposure
    return exposure == "TABLE_ALL" and any(is_all_in(hand, player) for player in live(hand))


def tabled_now(hand: Hand) -> list[int]:
    """SHOW-4, DISC-7: whose hands are turned up now: betting is over, and no discard is still to come.

    Spec: TablingDue.
    """
    to_come = hand.setup.rule_set.game.discards > 0 and not hand.discards_over
    betting_is_over = hand.round_closed and (len(with_chips(hand)) <= 1 or len(hand.streets) == 4)
    if not hands_are_tabled(hand) or to_come or not betting_is_over:
        return []
    hidden = [player for player in live(hand) if hand.shown[player] != "SHOWN"]
    return [player for player in hidden if hand.setup.seats[player] not in hand.setup.mucked_unseen]


def showings(hand: Hand) -> list[Showing]:
    """SHOW-2, SHOW-3, SHOW-4: what becomes of every live hand, in order. A winner is never beaten, so he shows.

    Spec: Showings.
    """
    decided: list[Showing] = []
    for player in showing_order(hand):
        shown = [earlier.player for earlier in decided if earlier.shows]
        rule = why_he_must(hand, player, shown, is_first=decided == [])
        chooses = hand.setup.seats[player] in hand.setup.show_when_beaten
        if gave_up_unseen(hand, player):
            decided.append(Showing(player, False, False, "SHOW-2"))
        elif rule is not None:
            decided.append(Showing(player, True, True, rule))
        else:
            decided.append(Showing(player, False, chooses, "SHOW-2"))
    return decided


def why_he_must(hand: Hand, player: int, shown: list[int], is_first: bool) -> str | None:
    """The rule by which the player must show, None if he may muck; ``shown`` are those who have shown before him."""
    if hands_are_tabled(hand):
        return "SHOW-4"
    if is_first:
        return "SHOW-3"  # the first in order always shows
    if any(player in pot.eligible and not is_beaten(hand, player, pot, shown) for pot in pots(hand)):
        return "SHOW-2"
    return "SHOW-4" if hand.setup.rule_set.all_in_exposure == "SHOW_ALL" else None
