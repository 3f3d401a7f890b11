"""Random hold'em hands played by pokerkit 0.7.7 and by us at once: legal actions at every decision, final stacks.

pokerkit is an oracle only where it follows the rules that ours do. Where it does not, the disagreement has a name
below: the rule id of the rulebook, and a predicate over both states that must hold for the disagreement to count as
that one. A disagreement without a name fails the test. After each the hand goes on with what both accept, or stops
where the two games have become different ones.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from pokerkit import AntePosting, Automation, BetCollection, FixedLimitTexasHoldem, NoLimitTexasHoldem, State

from referee.rules.cards import cards_text
from referee.rules.events import EventKind
from referee.rules.hand import open_hand, open_seats, propose
from referee.rules.ruleset import HOLDEM, AnteKind, Limit, Stakes
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Reason
from referee.rules.settlement import settlement
from referee.rules.setup import HandSetup
from referee.rules.state import Hand
from tests.support import FL, NL, options, play, rules, scale, setup_of

rule = pytest.mark.rule

HANDS = scale(2_000, 20_000)
BLOCKS = 10
RULES = rules(HOLDEM)
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


# --- the two games --------------------------------------------------------------------------------------


def random_holdem(rng: random.Random) -> HandSetup:
    """2 to 9 seats, no-limit or fixed-limit, uneven stacks, half of the time antes."""
    players = rng.randint(2, 9)
    limit = rng.choice((NL, FL))
    big = rng.choice((2, 4, 10, 20))
    ante = rng.choice((0, 0, 1, big // 2))
    stacks = []
    for _ in range(players):
        most = rng.choice((2, 5, 12, 40, 100)) * big
        stacks.append(rng.choice((most, rng.randint(1, most), rng.randint(big, 3 * big))))
    seats = tuple(range(1, players + 1))
    deck = list(range(52))
    rng.shuffle(deck)
    return HandSetup(
        RULES,
        limit,
        Stakes(big // 2, big, ante_kind=AnteKind.EACH if ante else AnteKind.NONE, ante=ante),
        seats,
        tuple(stacks),
        players,
        seats[1] if players == 2 else seats[0],
        seats[0] if players == 2 else seats[1],
        tuple(deck[: 2 * players + 5]),
    )


def theirs_of(setup: HandSetup) -> State:
    """The same hand in pokerkit, whose players stand in the same order: from the left of the button."""
    stakes = setup.stakes
    blinds = (stakes.small_blind, stakes.big_blind)
    count = len(setup.seats)
    if setup.limit == Limit.NO_LIMIT:
        make = NoLimitTexasHoldem.create_state
        state = make(AUTOMATIONS, True, stakes.ante, blinds, stakes.big_blind, setup.stacks, count)
    else:
        make = FixedLimitTexasHoldem.create_state
        bets = (stakes.big_blind, 2 * stakes.big_blind)
        state = make(AUTOMATIONS, True, stakes.ante, blinds, *bets, setup.stacks, count)
    for player in range(count):
        state.deal_hole(cards_text(setup.deck[player : 2 * count : count], ""))
    return state


def deal_board(state: State, setup: HandSetup) -> None:
    """Deals what pokerkit waits for; burnt cards are unknown ones, ours come without gaps."""
    while state.status and state.actor_index is None:
        if state.can_burn_card():
            state.burn_card("??")
        on_board = sum(len(cards) for cards in state.board_cards)
        start = 2 * len(setup.seats) + on_board
        state.deal_board(cards_text(setup.deck[start : start + (1 if on_board else 3)], ""))


# --- disagreements and their names ----------------------------------------------------------------------


@dataclass
class Match:
    """Both games at one decision. ``lifts`` are the street totals wagered to on this street, in order."""

    hand: Hand
    state: State
    setup: HandSetup
    lifts: list[tuple[int, int]] = field(default_factory=list)
    street: int = 0

    @property
    def player(self) -> int:
        return self.hand.to_act

    @property
    def one_bet(self) -> int:
        return self.setup.stakes.big_blind * (2 if self.hand.street >= 2 else 1)

    def short_big_blind(self) -> bool:
        big = self.setup.seats.index(self.setup.big_blind_seat)
        ante = min(self.setup.stakes.ante, self.setup.stacks[big])
        return self.setup.stacks[big] - ante < self.setup.stakes.big_blind

    def risen(self) -> int:
        return self.hand.level - self.hand.acted[self.player]

    def everything(self) -> int:
        return self.hand.bet[self.player] + self.hand.stack[self.player]

    def our_refusal(self) -> Reason | None:
        """Why ours refuses the player to act any wager; None when some size is legal."""
        choice = options(self.hand)
        if choice.max_to:
            return None
        return propose(self.hand.copy(), Proposal(choice.seat, choice.wager, self.everything())).reason

    def their_refusal(self) -> str:
        """Why pokerkit does, in its own words; empty when some size is legal."""
        try:
            self.state.verify_completion_betting_or_raising_to()
        except ValueError as refusal:
            return str(refusal)
        return ""

    def full_lift(self) -> int:
        """What reopens the betting (OPEN-2): a full increment, in fixed-limit half a bet rounded up."""
        return (self.one_bet + 1) // 2 if self.setup.limit == FL else self.hand.increment


def antes_returned(setup: HandSetup) -> int:
    """How much of the largest ante pokerkit gives back because nobody else had as much."""
    antes = sorted(min(setup.stakes.ante, stack) for stack in setup.stacks)
    return antes[-1] - antes[-2]


def returned_antes_agree(setup: HandSetup) -> bool:
    """Whether pokerkit gave back just what the largest ante was above the second largest, and ours nothing."""
    operations = theirs_of(setup).operations
    posted = [operation.amount for operation in operations if isinstance(operation, AntePosting)]
    collected = next(operation.bets for operation in operations if isinstance(operation, BetCollection))
    _, events = open_hand(setup)
    ours = [event.amount for event in events if event.kind == EventKind.ANTE_POSTED]
    return posted == ours and sum(posted) - sum(collected) == antes_returned(setup)


def blind_3(match: Match, ours: LegalOptions) -> bool:
    """A short big blind is called short by pokerkit; our level stays at the full big blind."""
    return match.hand.street == 0 and match.short_big_blind() and max(match.state.bets) < match.hand.level


def open_4(match: Match, ours: LegalOptions) -> bool:
    """pokerkit forbids a raise that nobody left has the chips to match in part; OPEN-4 asks for all-ins."""
    hand, me = match.hand, match.player
    others = [player for player in range(len(hand.stack)) if hand.live[player] and player != me]
    return (
        match.our_refusal() is None
        and "There is no reason" in match.their_refusal()
        and any(hand.stack[player] for player in others)
        and all(hand.bet[player] + hand.stack[player] <= hand.level for player in others)
    )


def size_6(match: Match, ours: LegalOptions) -> bool:
    """pokerkit allows four raises over the big blind; for SIZE-6 the big blind is the first of four bets."""
    return (
        match.setup.limit == FL
        and match.hand.street == 0
        and match.our_refusal() == Reason.RAISES_CAPPED
        and match.their_refusal() == ""
        and match.hand.wagers == 1 + RULES.max_raises
        and match.state.completion_betting_or_raising_count == len(match.lifts) == RULES.max_raises
    )


def size_8_size(match: Match, ours: LegalOptions) -> bool:
    """After an all-in below half a bet ours complete to base and one bet, pokerkit raises by a whole bet."""
    hand, everything = match.hand, match.everything()
    return (
        match.setup.limit == FL
        and hand.base < hand.level
        and ours.max_to == min(hand.base + match.one_bet, everything)
        and match.state.max_completion_betting_or_raising_to_amount == min(hand.level + match.one_bet, everything)
    )


def size_8_cap(match: Match, ours: LegalOptions) -> bool:
    """pokerkit counts every all-in for the cap; SIZE-8 only those of half a bet above the base."""
    counted = match.hand.wagers - (1 if match.hand.street == 0 else 0)
    return (
        match.setup.limit == FL
        and match.our_refusal() is None
        and "No more completion" in match.their_refusal()
        and match.state.completion_betting_or_raising_count == len(match.lifts) > counted
    )


def open_2_half(match: Match, ours: LegalOptions) -> bool:
    """In fixed-limit half a bet reopens; pokerkit asks for as much as the largest lift of the street."""
    refusal = match.their_refusal()
    return (
        match.setup.limit == FL
        and match.our_refusal() is None
        and ("Short all-in" in refusal or "already acted" in refusal)
        and match.hand.acted[match.player] >= 0
        and match.full_lift() <= match.risen()
        and min(match.risen(), sum(match.state.consecutive_short_all_in_amounts))
        < match.state.completion_betting_or_raising_amount
    )


def open_2_short_taken_for_full(match: Match, ours: LegalOptions) -> bool:
    """Where only short all-ins lifted the level, pokerkit takes the largest of them for a full raise."""
    return (
        match.our_refusal() == Reason.RAISE_NOT_REOPENED
        and match.their_refusal() == ""
        and match.risen() < match.full_lift()
        and match.state.completion_betting_or_raising_amount < match.full_lift()
        and all(after - before < match.full_lift() for before, after in match.lifts)
    )


def open_2_per_player(match: Match, ours: LegalOptions) -> bool:
    """pokerkit forgets that a player was raised in full when another short all-in follows; OPEN-2 adds up."""
    state = match.state
    return (
        match.setup.limit == NL
        and match.our_refusal() is None
        and "already acted" in match.their_refusal()
        and match.hand.acted[match.player] >= 0
        and match.risen() >= match.full_lift()
        and 0 < sum(state.consecutive_short_all_in_amounts) < state.completion_betting_or_raising_amount
    )


NAMES: dict[str, Callable[[Match, LegalOptions], bool]] = {
    "BLIND-3 short big blind called short": blind_3,
    "OPEN-4 nobody left could match more": open_4,
    "SIZE-6 big blind is the first bet": size_6,
    "SIZE-8 completion after a small all-in": size_8_size,
    "SIZE-8 small all-ins count for the cap": size_8_cap,
    "OPEN-2 half a bet reopens": open_2_half,
    "OPEN-2 short all-in taken for a full raise": open_2_short_taken_for_full,
    "OPEN-2 judged per player": open_2_per_player,
}
BET_6 = "BET-6 asked with nothing owed and nobody to bet with"
ANTES = "POT-2 uneven antes returned"
POT_6_ONE_SEAT = "POT-6 odd chips to one seat"
POT_6_TOGETHER = "POT-6 odd chips of several pots together"
AGREED = "hands that agree to the last chip"
DECISIONS = "decisions compared"


# --- one hand -------------------------------------------------------------------------------------------


def compare_hand(seed: int, counts: Counter[str]) -> None:
    rng = random.Random(f"pokerkit {seed}")
    setup = random_holdem(rng)
    if antes_returned(setup):
        # A different game from the first chip on: what came back may even be posted as a blind.
        counts[ANTES] += 1
        assert returned_antes_agree(setup), f"seed {seed}: uneven antes do not explain it"
        return
    match = Match(open_hand(setup)[0], theirs_of(setup), setup)
    boldness = rng.choice((0.1, 0.3, 0.6))
    while True:
        deal_board(match.state, setup)
        skip_empty_questions(match, counts)
        if not match.state.status:
            break
        if not decide(match, counts, rng, boldness, seed):
            return
    assert not open_seats(match.hand), f"seed {seed}: pokerkit is at the end, seat {open_seats(match.hand)} is asked"
    compare_stacks(match, counts, seed)


def skip_empty_questions(match: Match, counts: Counter[str]) -> None:
    """BET-6: a player who owes nothing and faces only all-in players is not asked; pokerkit lets him check."""
    state, hand = match.state, match.hand
    while state.status and state.actor_index is not None and is_empty_question(match):
        counts[BET_6] += 1
        state.check_or_call()
        deal_board(state, match.setup)
    assert state.status or not open_seats(hand)


def is_empty_question(match: Match) -> bool:
    state = match.state
    me = state.actor_index
    others = [player for player in state.player_indices if state.statuses[player] and player != me]
    asks_nobody = match.hand.to_act != me or match.hand.street != state.street_index
    return asks_nobody and state.checking_or_calling_amount == 0 and not any(state.stacks[player] for player in others)


def decide(match: Match, counts: Counter[str], rng: random.Random, boldness: float, seed: int) -> bool:
    """Compares one decision and plays it in both games; False when the two have become different games."""
    hand, state = match.hand, match.state
    assert open_seats(hand), f"seed {seed}: ours is over, pokerkit asks {state.actor_index}"
    if hand.street != match.street:
        match.street, match.lifts = hand.street, []
    counts[DECISIONS] += 1
    ours = options(hand)
    found = (
        state.actor_index,
        state.can_fold(),
        state.checking_or_calling_amount,
        state.min_completion_betting_or_raising_to_amount or 0,
        state.max_completion_betting_or_raising_to_amount or 0,
    )
    mine = (hand.to_act, ours.fold, ours.call, ours.min_to, ours.max_to)
    if found != mine:
        name = next((name for name, holds in NAMES.items() if holds(match, ours)), "")
        assert name, f"seed {seed}: unexplained; pokerkit {found}, ours {mine}, {setup_text(match)}"
        counts[name] += 1
        if found[:3] != mine[:3]:
            assert name.startswith("BLIND-3"), f"seed {seed}: {name} does not explain {found} and {mine}"
            return False
    play_both(match, ours, found[3:], rng, boldness)
    return True


def setup_text(match: Match) -> str:
    setup = match.setup
    return f"{setup.limit.name} {setup.stakes} {setup.stacks}, bets {match.hand.bet}, lifts {match.lifts}"


def play_both(match: Match, ours: LegalOptions, theirs: tuple[int, int], rng: random.Random, boldness: float) -> None:
    low, high = max(ours.min_to, theirs[0]), min(ours.max_to, theirs[1])
    if ours.max_to and theirs[1] and low <= high and rng.random() < boldness:
        to = rng.choice((low, low, high, rng.randint(low, high), min(high, low + rng.randint(0, 20))))
        match.lifts.append((match.hand.level, to))
        match.state.complete_bet_or_raise_to(to)
        proposal = Proposal(ours.seat, ours.wager, to)
    elif ours.fold and rng.random() < 0.2:
        match.state.fold()
        proposal = Proposal(ours.seat, ActionKind.FOLD)
    else:
        match.state.check_or_call()
        proposal = Proposal(ours.seat, ActionKind.CHECK if ours.check else ActionKind.CALL)
    assert propose(match.hand, proposal).accepted


def compare_stacks(match: Match, counts: Counter[str], seed: int) -> None:
    hand = match.hand
    if list(match.state.stacks) == hand.stack:
        counts[AGREED] += 1
        return
    for name, separately in ((POT_6_ONE_SEAT, True), (POT_6_TOGETHER, False)):
        if stacks_with_odd_chips_to_one(match, separately) == list(match.state.stacks):
            counts[name] += 1
            return
    raise AssertionError(f"seed {seed}: unexplained stacks {match.state.stacks}, ours {hand.stack}")


def stacks_with_odd_chips_to_one(match: Match, separately: bool) -> list[int]:
    """Our own awards, but with all that does not divide given to the first winner, as pokerkit does.

    pokerkit mucks beaten hands first and then takes pots together that the same hands are left in; what does not
    divide is then one remainder where POT-6 has one for each pot.
    """
    hand, setup = match.hand, match.setup
    stacks = [stack - paid for stack, paid in zip(hand.stack, hand.paid, strict=True)]
    heaps: list[tuple[int, tuple[int, ...], list[int]]] = []
    for pot in settlement(hand).pots:
        left = [seat for seat in pot.eligible if match.state.statuses[setup.seats.index(seat)]]
        if heaps and heaps[-1][2] == left and not separately:
            heaps[-1] = (heaps[-1][0] + pot.amount, pot.winners, left)
        else:
            heaps.append((pot.amount, pot.winners, left))
    for amount, winners, _ in heaps:
        each, odd = divmod(amount, len(winners))
        for place, seat in enumerate(winners):
            stacks[setup.seats.index(seat)] += each + (odd if place == 0 else 0)
    return stacks


TOTALS: Counter[str] = Counter()


@rule("OPEN-2")
def test_the_disagreement_that_random_hands_do_not_reach() -> None:
    """A bet, a short all-in, a call, an all-in that makes it a full raise, and one more short all-in."""
    setup = setup_of((5000, 225, 5000, 300, 330), RULES, NL, blinds=(50, 100))
    match = Match(open_hand(setup)[0], theirs_of(setup), setup)
    for script in (
        "p3 call, p4 call, p5 call, p1 call, p2 check",
        "p1 bet 100, p2 bet 125, p3 call, p4 bet 200, p5 bet 230",
    ):
        for words in script.split(", "):
            deal_board(match.state, setup)
            seat, deed, *to = words.split()
            if deed == "bet":
                match.lifts.append((match.hand.level, int(to[0])))
                match.state.complete_bet_or_raise_to(int(to[0]))
                play(match.hand, f"{seat} {'raise' if match.hand.level else 'bet'} {to[0]}")
            else:
                match.state.check_or_call()
                play(match.hand, words)
        match.lifts = [] if match.hand.street == 0 else match.lifts
    ours = options(match.hand)
    assert (ours.seat, ours.call, ours.min_to) == (1, 130, 330)
    assert [name for name, holds in NAMES.items() if holds(match, ours)] == ["OPEN-2 judged per player"]


@rule("BET-1", "BET-2", "BET-4", "BET-5", "SIZE-1", "SIZE-2", "SIZE-5", "OPEN-2", "POT-1", "POT-2", "POT-5", "RANK-1")
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_hands_agree_or_disagree_by_a_known_rule(block: int) -> None:
    count = HANDS // BLOCKS
    for seed in range(block * count, (block + 1) * count):
        compare_hand(seed, TOTALS)


def test_the_disagreements_by_rule(capsys: pytest.CaptureFixture[str]) -> None:
    """Prints what the test above counted."""
    if not TOTALS:
        pytest.skip("the hands were not played in this run")
    with capsys.disabled():
        print(f"\n{HANDS} hold'em hands against pokerkit")
        for name, count in sorted(TOTALS.items(), key=lambda item: -item[1]):
            print(f"{count:9,}  {name}")
    assert TOTALS[AGREED] > HANDS // 2
