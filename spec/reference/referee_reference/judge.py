"""The one question: may this seat do this now? And if not, why not (BET-2, BET-8, BET-9, DISC-2, SHOW-7)."""

from referee_reference.betting import base as base_of
from referee_reference.betting import (
    betting_options,
    fixed_bet,
    is_fixed_limit,
    may_fold_for_nothing,
    minimum_bet,
    wager_range,
    why_no_wager,
)
from referee_reference.discards import discard_options, discard_refusal
from referee_reference.hand import (
    BETTING,
    DISCARDING,
    OVER,
    Hand,
    everything,
    is_all_in,
    level,
    live,
    next_to_act,
    open_decision,
    owes_discard,
    player_at,
    players,
    to_match,
)
from referee_reference.terms import Options, Proposal, Refusal

KINDS = ("FOLD", "CHECK", "CALL", "BET", "RAISE", "DISCARD", "TIMEOUT", "FORFEIT", "SHOW")


def seats_asked(hand: Hand) -> list[int]:
    """The seats with an open decision, clockwise: one in a betting round, all who owe in the discard round (DISC-3)."""
    if hand.stage == BETTING:
        asked = next_to_act(hand)
        return [] if asked is None else [hand.setup.seats[asked]]
    return [hand.setup.seats[player] for player in players(hand) if owes_discard(hand, player)]


def options(hand: Hand, seat: int) -> Options | None:
    """What the seat may do now, None if it has no open decision. Spec: Options."""
    player = player_at(hand, seat)
    if player is None or seat not in seats_asked(hand):
        return None
    return betting_options(hand, player) if hand.stage == BETTING else discard_options(hand, player)


def refusal(hand: Hand, proposal: Proposal) -> Refusal | None:
    """Why the proposal is refused, of several reasons the first in the documented order; None if it is accepted."""
    if proposal.hand_id not in ("", hand.setup.hand_id):
        return Refusal("WRONG_HAND", "BET-9", "this is another hand")
    if proposal.kind == "SHOW":
        return show_refusal(hand, proposal)
    return (
        seat_refusal(hand, proposal)
        or stale_refusal(hand, proposal)
        or form_refusal(proposal)
        or (discard_round_refusal(hand, proposal) if hand.stage == DISCARDING else betting_refusal(hand, proposal))
    )


def seat_refusal(hand: Hand, proposal: Proposal) -> Refusal | None:
    """BET-9: whether the seat has a decision to answer at all."""
    player = player_at(hand, proposal.seat)
    if hand.stage == OVER:
        return Refusal("HAND_OVER", "BET-9", "the hand is over")
    if player is None:
        return Refusal("SEAT_NOT_IN_HAND", "BET-9", "this seat was not dealt in")
    if player not in live(hand):
        return Refusal("SEAT_FOLDED", "BET-9", "this seat has folded")
    if hand.stage == DISCARDING:
        if hand.discarded[player] != ():
            return Refusal("ALREADY_DISCARDED", "DISC-2", "a discard is final once accepted")
        return None
    if is_all_in(hand, player):
        return Refusal("SEAT_ALL_IN", "BET-5", "an all-in player has no decision")
    if hand.stage == BETTING and next_to_act(hand) != player:
        return Refusal("OUT_OF_TURN", "BET-1", "it is another seat's turn")
    return None


def stale_refusal(hand: Hand, proposal: Proposal) -> Refusal | None:
    """BET-9: a decision id that is not the seat's open one; 0 means the one that is open."""
    player = player_at(hand, proposal.seat)
    is_asked = player is not None and proposal.seat in seats_asked(hand)
    open_one = open_decision(hand, player) if player is not None and is_asked else 0
    if proposal.decision_id in (0, open_one):
        return None
    return Refusal("STALE_DECISION", "BET-9", "that decision is not open")


def form_refusal(proposal: Proposal) -> Refusal | None:
    """BET-8: an action that is none, or that carries what does not belong to it; nothing is reinterpreted."""
    if proposal.kind not in KINDS:
        return Refusal("UNKNOWN_ACTION", "BET-8", "that is not an action")
    if proposal.cards != () and proposal.kind != "DISCARD":
        return Refusal("MALFORMED_ACTION", "BET-8", "only a discard names cards")
    if proposal.to != 0 and proposal.kind not in ("BET", "RAISE"):
        return Refusal("MALFORMED_ACTION", "BET-8", "only a bet or raise names an amount")
    return None


def betting_refusal(hand: Hand, proposal: Proposal) -> Refusal | None:
    """BET-2, BET-3: what the player whose turn it is may not do."""
    player = player_at(hand, proposal.seat)
    assert player is not None
    if hand.stage != BETTING:
        return Refusal("SHOWDOWN_UNDECIDED", "RANK-1", "the showdown waits for cards that nobody knows")
    owed = to_match(hand, player)
    match proposal.kind:
        case "DISCARD":
            return Refusal("NO_DISCARD_ROUND", "DISC-1", "no discard round is open")
        case "FOLD" if owed == 0 and hand.setup.rule_set.open_fold == "REFUSE":
            return Refusal("NOTHING_TO_FOLD_TO", "BET-3", "nothing is owed, so folding is not among the options")
        case "FOLD" if owed == 0 and not may_fold_for_nothing(hand, player):
            return Refusal("LAST_ELIGIBLE_CANNOT_FOLD", "BET-3", "nobody else is left to win one of the pots")
        case "CHECK" if owed > 0:
            return Refusal("CHECK_WHILE_OWING", "BET-2", f"{min(owed, hand.chips[player])} is owed")
        case "CALL" if owed == 0:
            return Refusal("NOTHING_TO_CALL", "BET-2", "nothing is owed")
        case "BET" if level(hand) > 0:
            return Refusal("BET_OVER_A_BET", "BET-2", "there is a bet already")
        case "RAISE" if level(hand) == 0:
            return Refusal("RAISE_WITHOUT_A_BET", "BET-2", "there is nothing to raise")
        case "BET" | "RAISE":
            return wager_refusal(hand, player, proposal.to)
    return None


RULES_AGAINST_ANY_WAGER = {
    "OPPONENTS_ALL_IN": "OPEN-4",
    "NO_CHIPS_TO_RAISE": "SIZE-2",
    "RAISES_CAPPED": "SIZE-6",
    "RAISE_NOT_REOPENED": "OPEN-2",
}


def wager_refusal(hand: Hand, player: int, to: int) -> Refusal | None:
    """SIZE, OPEN: why the player may not bet or raise to this street total."""
    none_at_all = why_no_wager(hand, player)
    if none_at_all is not None:
        return Refusal(none_at_all, RULES_AGAINST_ANY_WAGER[none_at_all], "no wager is open to this player")
    lowest, highest = wager_range(hand, player)
    if to % hand.setup.stakes.chip_unit != 0:
        return Refusal("NOT_A_CHIP_MULTIPLE", "BET-8", "wagers are multiples of the chip unit")
    if to > everything(hand, player):
        return Refusal("ABOVE_STACK", "SIZE-2", "that is more than all his chips")
    if is_fixed_limit(hand) and to != lowest:
        rule = "SIZE-5" if base_of(hand) == level(hand) else "SIZE-8"
        return Refusal("NOT_THE_FIXED_SIZE", rule, f"{lowest} is the only size: one bet is {fixed_bet(hand)}")
    if to > highest:
        return Refusal("ABOVE_POT_LIMIT", "SIZE-4", f"{highest} is the most")
    if to < lowest:
        late = minimum_bet(hand) > hand.setup.stakes.big_blind
        rule = "SIZE-3" if level(hand) > 0 else "SIZE-9" if late else "SIZE-1"
        return Refusal("BELOW_MINIMUM", rule, f"{lowest} is the least")
    return None


def discard_round_refusal(hand: Hand, proposal: Proposal) -> Refusal | None:
    """DISC-1, DISC-2, DISC-6: nothing but a discard, its time-out or a forfeit, by whoever still owes one."""
    player = player_at(hand, proposal.seat)
    assert player is not None
    match proposal.kind:
        case "TIMEOUT" | "FORFEIT":
            return None
        case "DISCARD":
            return discard_refusal(hand, player, proposal.cards)
        case "FOLD":
            return Refusal("DISCARD_OWED", "DISC-6", "folding instead of discarding is not legal")
        case _:
            return Refusal("DISCARD_OWED", "DISC-1", "nothing further happens until every live player has discarded")


def show_refusal(hand: Hand, proposal: Proposal) -> Refusal | None:
    """SHOW-2, SHOW-7, SHOW-8: a live hand may be shown by its owner once the hand is over. It answers no decision."""
    player = player_at(hand, proposal.seat)
    if player is None:
        return Refusal("SEAT_NOT_IN_HAND", "BET-9", "this seat was not dealt in")
    if proposal.decision_id != 0:
        return Refusal("STALE_DECISION", "BET-9", "showing answers no decision")
    if form_refusal(proposal) is not None:
        return form_refusal(proposal)
    if player not in live(hand):
        return Refusal("NOTHING_TO_SHOW", "SHOW-8", "a folded hand is never shown")
    if hand.shown[player] == "SHOWN":
        return Refusal("NOTHING_TO_SHOW", "SHOW-7", "the hand has been shown")
    if hand.stage != OVER:
        return Refusal("SHOW_TOO_EARLY", "SHOW-2", "hands are shown by their owners after the hand is over")
    return None


def can_have_happened(hand: Hand, proposal: Proposal) -> bool:
    """Whether a refused action of somebody else's record can be taken as a fact: he had the turn and the chips."""
    player = player_at(hand, proposal.seat)
    if player is None or hand.stage != BETTING or next_to_act(hand) != player:
        return False
    if proposal.kind in ("BET", "RAISE"):
        whole = proposal.to % hand.setup.stakes.chip_unit == 0
        return whole and level(hand) < proposal.to <= everything(hand, player)
    return proposal.kind in ("FOLD", "CALL") or (proposal.kind == "CHECK" and to_match(hand, player) == 0)
