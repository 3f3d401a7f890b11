"""What holds in every hand: random hands over all games, structures and options, 2 to 10 seats.

A failing hand is named by its seed: ``random_setup(random.Random(seed))`` makes it again.
"""

import random
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, precondition
from hypothesis.stateful import rule as step

from referee.rules.cards import UNKNOWN
from referee.rules.events import Event, EventKind
from referee.rules.hand import (
    forced,
    impose,
    is_undecided,
    legal_options,
    next_decision,
    open_hand,
    open_seats,
    propose,
    replay,
)
from referee.rules.pots import Pot, best_of, form_pots, is_sole_contender, rake_of, shares, uncalled
from referee.rules.ruleset import DiscardVisibility, RuleSetError, Stakes
from referee.rules.rulings import REASON_RULES, ActionKind, LegalOptions, Proposal, Reason
from referee.rules.settlement import settlement
from referee.rules.setup import HandSetup
from referee.rules.state import Hand, Phase, Shown, apply, decode, encode
from tests.proposals import net
from tests.support import options, play_out, random_legal_proposal, random_setup, scale, setup_of

rule = pytest.mark.rule

BLOCKS = 20
"""Random hands come in blocks, so that a run says how far it is and a failure where it stands."""

HANDS = scale(4_000, 200_000)
NET_HANDS = scale(600, 20_000)


def seeds(total: int, block: int) -> range:
    count = total // BLOCKS
    return range(block * count, (block + 1) * count)


# --- invariants after every event -----------------------------------------------------------------------


def check_chips(hand: Hand) -> None:
    """POT-7: stacks, contributions, dead money and rake are always what the players brought."""
    middle = sum(hand.total) + hand.dead - sum(hand.paid) - hand.rake
    assert sum(hand.stack) + middle + hand.rake == sum(hand.setup.stacks)
    assert middle >= 0
    for amounts in (hand.stack, hand.bet, hand.total, hand.paid, hand.returned, [hand.dead, hand.rake]):
        assert min(amounts) >= 0
        assert not any(amount % hand.setup.stakes.chip_unit for amount in amounts)


def check_event(hand: Hand, event: Event) -> None:
    """What an event tells beside its amount is so once it has been folded in."""
    assert event.rule
    player = hand.index_of(event.seat)
    if event.kind in PAID_IN:
        assert event.amount > 0 or event.kind == EventKind.CALLED
        assert event.all_in == (hand.stack[player] == 0)
    if event.kind in (*DEEDS, EventKind.BLIND_POSTED, EventKind.BET_RETURNED) and event.kind != EventKind.DISCARDED:
        assert event.to == hand.bet[player] or hand.phase == Phase.DISCARDING
    if event.kind == EventKind.BLIND_POSTED:
        assert event.rule in ("BLIND-1", "BLIND-3", "SEAT-3")
    if event.kind in (EventKind.HAND_SHOWN, EventKind.HOLE_DEALT):
        assert event.cards == hand.kept[player]
    if event.kind == EventKind.HAND_MUCKED:
        assert event.cards == ()


def check_cards(hand: Hand) -> None:
    """GAME-5: no card twice among holes and board; what is kept and discarded is what was dealt."""
    dealt = [card for hole in hand.hole for card in hole] + list(hand.board)
    known = [card for card in dealt if card != UNKNOWN]
    assert len(set(known)) == len(known)
    for hole, kept, gone in zip(hand.hole, hand.kept, hand.discarded, strict=True):
        assert sorted(kept + gone) == sorted(hole) or UNKNOWN in hole
        assert len(kept) + len(gone) == len(hole)
    assert set(hand.joined) <= {card for gone in hand.discarded for card in gone}


def check_counts(hand: Hand) -> None:
    """What the hand counts along the way is what one would count afresh."""
    players = range(len(hand.stack))
    assert hand.live_count == sum(hand.live) >= 1
    if not any(hand.paid):
        assert hand.chips_count == sum(1 for player in players if hand.live[player] and hand.stack[player])
    assert sum(1 for player in players if hand.bet[player] > hand.level) == 0
    for player in players:
        assert hand.bet[player] <= hand.total[player]
        assert hand.setup.stacks[player] >= hand.total[player]


def check_turns(hand: Hand) -> None:
    """At most one decision is open outside the discard round, and it belongs to a live player with chips."""
    seats = open_seats(hand)
    if hand.phase == Phase.BETTING:
        assert len(seats) == 1
        player = hand.index_of(seats[0])
        assert hand.live[player]
        assert hand.stack[player] > 0
    elif hand.phase == Phase.DISCARDING:
        assert seats
    else:
        assert seats == ()
    assert [seat for seat in hand.setup.seats if legal_options(hand, seat)] == list(seats)


def check_ledger(setup: HandSetup, events: Iterable[Event], hand: Hand) -> None:
    """Final stacks follow from the amounts of the events alone."""
    stacks = dict(zip(setup.seats, setup.stacks, strict=True))
    middle = 0
    for event in events:
        if event.kind in PAID_IN:
            stacks[event.seat] -= event.amount
            middle += event.amount
        elif event.kind in (EventKind.BET_RETURNED, EventKind.POT_AWARDED):
            stacks[event.seat] += event.amount
            middle -= event.amount
        elif event.kind == EventKind.RAKE_TAKEN:
            middle -= event.amount
        else:
            assert event.amount == 0
        assert min(stacks.values()) >= 0
        assert middle >= 0
    assert list(stacks.values()) == hand.stack
    assert middle == 0 or hand.phase != Phase.OVER


DEEDS = {
    *(EventKind.FOLDED, EventKind.CHECKED, EventKind.CALLED, EventKind.BET, EventKind.RAISED, EventKind.DISCARDED),
}

PAID_IN = {
    *(EventKind.ANTE_POSTED, EventKind.DEAD_POSTED, EventKind.BLIND_POSTED),
    *(EventKind.CALLED, EventKind.BET, EventKind.RAISED),
}


def check_settlement(hand: Hand) -> None:
    """The statement agrees with the final stacks, and its winners were shown."""
    said = settlement(hand)
    assert said.over == (hand.phase == Phase.OVER)
    for line, before, after in zip(said.players, hand.setup.stacks, hand.stack, strict=True):
        assert (line.stack_before, line.stack_after) == (before, after)
        assert before - line.contributed - line.dead + line.won == after
    assert sum(line.dead for line in said.players) == hand.dead
    assert sum(pot.amount for pot in said.pots) == sum(hand.total) + hand.dead
    if not said.over:
        return
    assert said.decided
    assert said.rake == hand.rake
    won = dict.fromkeys(hand.setup.seats, 0)
    shown = {seat for seat, what in zip(hand.setup.seats, hand.shown, strict=True) if what == Shown.SHOWN}
    for pot in said.pots:
        assert sum(pot.shares) + pot.rake == pot.amount
        assert max(pot.shares) - min(pot.shares) <= hand.setup.stakes.chip_unit
        assert set(pot.winners) <= set(pot.eligible)
        for seat, share in zip(pot.winners, pot.shares, strict=True):
            won[seat] += share
            # SHOW-3: a winner is always shown, unless nobody else was left.
            known = UNKNOWN not in hand.kept[hand.index_of(seat)]
            assert seat in shown or hand.live_count == 1 or not known
    assert list(won.values()) == hand.paid
    assert {line.seat for line in said.hands if line.shown} == (shown if hand.live_count > 1 else set())
    assert all(line.rule for line in said.lines)


# --- random hands ---------------------------------------------------------------------------------------


@rule("POT-7", "GAME-5", "BET-1", "BET-9")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_chips_cards_and_turns_hold_after_every_event(block: int) -> None:
    for seed in seeds(HANDS, block):
        rng = random.Random(seed)
        setup = random_setup(rng)
        hand, opening = open_hand(setup)
        events = opening + play_out(rng, hand)
        try:
            refolded = Hand(setup)
            for event in events:
                apply(refolded, event)
                check_event(refolded, event)
                check_chips(refolded)
                check_cards(refolded)
                check_counts(refolded)
            check_ledger(setup, events, hand)
            check_settlement(hand)
            assert hand.phase == Phase.OVER or is_undecided(hand)
            assert not forced(hand)
            # The fold of the events is the hand, byte for byte, and so is what was written and read.
            assert encode(refolded) == encode(hand) == encode(replay(setup, events))
            assert encode(decode(encode(hand))) == encode(hand)
            assert encode(hand.copy()) == encode(hand)
        except AssertionError as failure:
            raise AssertionError(f"seed {seed}: {failure}") from failure


@rule("BET-8", "BET-9")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_what_is_accepted_is_what_the_legal_options_say(block: int) -> None:
    """Every legal option, and a wide net of others, at every decision."""
    for seed in seeds(NET_HANDS, block):
        rng = random.Random(f"net {seed}")
        hand, _ = open_hand(random_setup(rng))
        try:
            while open_seats(hand):
                check_turns(hand)
                assert next_decision(hand) == options(hand)
                cast_the_net(hand, rng)
                assert propose(hand, random_legal_proposal(rng, hand)).accepted
            check_turns(hand)
            assert next_decision(hand) is None
            cast_the_net(hand, rng)
        except AssertionError as failure:
            raise AssertionError(f"seed {seed}: {failure}") from failure


def is_offered(hand: Hand, proposal: Proposal) -> bool:
    """Whether the legal options, or for SHOW, TIMEOUT and FORFEIT the rules beside them, allow the proposal."""
    if proposal.hand_id not in ("", hand.setup.hand_id):
        return False
    player = hand.index_of(proposal.seat)
    if proposal.kind == ActionKind.SHOW:
        ended = hand.phase == Phase.OVER and player >= 0
        return ended and hand.live[player] and hand.shown[player] != Shown.SHOWN
    choice = legal_options(hand, proposal.seat)
    if choice is None or proposal.decision_id not in (0, choice.decision_id):
        return False
    kind, to, named = proposal.kind, proposal.to, proposal.cards
    if kind in (ActionKind.TIMEOUT, ActionKind.FORFEIT):
        return not to and not named
    if choice.discard:
        return kind == ActionKind.DISCARD and not to and is_held(choice, named, hand)
    if named:
        return False
    if kind in (ActionKind.BET, ActionKind.RAISE):
        in_range = 0 < choice.min_to <= to <= choice.max_to
        return kind == choice.wager and in_range and to % choice.step == 0
    allowed = {ActionKind.FOLD: choice.fold, ActionKind.CHECK: choice.check, ActionKind.CALL: choice.call > 0}
    return not to and allowed.get(kind, False)


def is_held(choice: LegalOptions, named: tuple[int, ...], hand: Hand) -> bool:
    if len(named) != choice.discard or not all(UNKNOWN <= card < 52 for card in named):
        return False
    known = [card for card in named if card != UNKNOWN]
    if len(set(known)) != len(known):
        return False
    elsewhere = [card for card in named if card == UNKNOWN or card not in choice.held]
    taken = {card for gone in hand.discarded for card in gone} | set(hand.setup.deck)
    return len(elsewhere) <= choice.held.count(UNKNOWN) and not any(
        card != UNKNOWN and card in taken for card in elsewhere
    )


def cast_the_net(hand: Hand, rng: random.Random) -> None:
    before = encode(hand)
    refusals = []
    for proposal in net(hand, rng):
        offered = is_offered(hand, proposal)
        ruling = propose(hand.copy() if offered else hand, proposal)
        assert ruling.accepted == offered, f"{proposal} -> {ruling}"
        if ruling.accepted:
            assert ruling.events
            assert ruling.reason is None
            assert ruling.rule == ruling.events[0].rule
        else:
            refusals.append(proposal)
            assert ruling.events == ()
            assert ruling.reason in REASON_RULES
            assert ruling.message
            assert ruling.rule
            assert ruling.options == legal_options(hand, proposal.seat)
    assert encode(hand) == before, f"one of these changed the hand: {refusals}"


@rule("BET-8")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_way_to_go_on_keeps_the_books(block: int) -> None:
    """From random decisions all the least and greatest options are followed to the end."""
    for seed in seeds(NET_HANDS, block):
        rng = random.Random(f"branch {seed}")
        setup = random_setup(rng)
        hand, opening = open_hand(setup)
        events = opening
        try:
            while open_seats(hand):
                if rng.random() < 0.2:
                    for proposal in boundaries(hand):
                        twin = hand.copy()
                        ruling = propose(twin, proposal)
                        assert ruling.accepted, ruling
                        check_chips(twin)
                        check_turns(twin)
                        rest = play_out(rng, twin)
                        check_ledger(setup, events + ruling.events + rest, twin)
                        check_settlement(twin)
                ruling = propose(hand, random_legal_proposal(rng, hand))
                events += ruling.events
        except AssertionError as failure:
            raise AssertionError(f"seed {seed}: {failure}") from failure


def boundaries(hand: Hand) -> Iterator[Proposal]:
    for choice in [options(hand, seat) for seat in open_seats(hand)]:
        yield Proposal(choice.seat, ActionKind.TIMEOUT)
        yield Proposal(choice.seat, ActionKind.FORFEIT)
        if choice.discard:
            yield Proposal(choice.seat, ActionKind.DISCARD, 0, choice.held[: choice.discard])
        if choice.fold:
            yield Proposal(choice.seat, ActionKind.FOLD)
        if choice.check:
            yield Proposal(choice.seat, ActionKind.CHECK)
        if choice.call:
            yield Proposal(choice.seat, ActionKind.CALL)
        if choice.max_to:
            yield Proposal(choice.seat, choice.wager, choice.min_to)
            yield Proposal(choice.seat, choice.wager, choice.max_to)


# --- bytes ----------------------------------------------------------------------------------------------


def test_other_bytes_than_encoded_hands_raise_what_decode_promises() -> None:
    hand, _ = open_hand(random_setup(random.Random(3)))
    good = encode(hand)
    samples = [b"", b"null", b"[]", b"1", b'"x"', b"{}", b'{"setup":1}', b'{"setup":{}}', b'{"setup":null}', b"\xff"]
    samples += [good[:-1], good[1:], good + b"}", good.replace(b'"bet"', b'"bets"'), good.replace(b"[", b"{")]
    for sample in samples:
        with pytest.raises((ValueError, KeyError, TypeError)):
            decode(sample)


def test_equal_hands_have_equal_bytes_and_different_hands_do_not() -> None:
    rng = random.Random(8)
    seen: dict[bytes, bytes] = {}
    for seed in range(200):
        hand, _ = open_hand(random_setup(random.Random(seed)))
        states = [encode(hand)]
        while open_seats(hand):
            propose(hand, random_legal_proposal(rng, hand))
            states.append(encode(hand))
        assert len(set(states)) == len(states)
        for state in states:
            assert encode(decode(state)) == state
            seen[state] = state
    assert len(seen) > 1500


# --- imposed facts --------------------------------------------------------------------------------------


@rule("BET-8", "POT-7")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_imposed_wrong_actions_keep_the_books_too(block: int) -> None:
    """Somebody else's record may go on after what we refuse; then chips still add up and nothing raises."""
    for seed in seeds(NET_HANDS, block):
        rng = random.Random(f"impose {seed}")
        setup = random_setup(rng)
        hand, events = open_hand(setup)
        while open_seats(hand):
            seat = rng.choice(open_seats(hand))
            player = hand.index_of(seat)
            kind = rng.choice((ActionKind.FOLD, ActionKind.CHECK, ActionKind.CALL, ActionKind.BET, ActionKind.RAISE))
            most, unit = hand.bet[player] + hand.stack[player], setup.stakes.chip_unit
            to = rng.randint(0, most // unit) * unit if kind >= ActionKind.BET else 0
            proposal = Proposal(seat, kind, to)
            followed = impose(hand, proposal) if rng.random() < 0.3 else None
            events += followed if followed else propose(hand, random_legal_proposal(rng, hand)).events
        assert sum(hand.stack) + sum(hand.total) + hand.dead - sum(hand.paid) == sum(setup.stacks), seed
        assert hand.phase == Phase.OVER or is_undecided(hand), seed
        assert encode(replay(setup, events)) == encode(hand), seed


@rule("BET-8", "POT-6")
def test_an_imposed_wager_between_chip_units_does_not_end_in_an_exception() -> None:
    # 27 cannot be made of fives: either it cannot have happened (None), or the hand is followed and settled.
    setup = setup_in_fives()
    hand, _ = open_hand(setup)
    if impose(hand, Proposal(setup.seats[2], ActionKind.RAISE, 27)) is not None:
        while open_seats(hand):
            choice = options(hand)
            assert propose(hand, Proposal(choice.seat, ActionKind.CHECK if choice.check else ActionKind.CALL)).accepted
    assert sum(hand.stack) + hand.chips_in() - sum(hand.paid) == 300


def setup_in_fives() -> HandSetup:
    return setup_of([100, 100, 100], blinds=(5, 10), chip_unit=5)


# --- Hypothesis: hands ----------------------------------------------------------------------------------


class AnyHand(RuleBasedStateMachine):
    """One hand at a time, driven by what Hypothesis draws; a new one begins when one has ended."""

    refused_proposals = Bundle("refused_proposals")

    @initialize(seed=st.integers(0, 1 << 32))
    def begin(self, seed: int) -> None:
        self.setup = random_setup(random.Random(seed), max_seats=6)
        self.hand, self.events = open_hand(self.setup)

    @precondition(lambda self: open_seats(self.hand))
    @step(data=st.data())
    def act(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(open_seats(self.hand)))
        choice = options(self.hand, seat)
        legal = [Proposal(seat, ActionKind.TIMEOUT), Proposal(seat, ActionKind.FORFEIT)]
        if choice.discard:
            gone = data.draw(st.permutations(choice.held))[: choice.discard]
            legal = [Proposal(seat, ActionKind.DISCARD, 0, tuple(gone))]
        legal += [Proposal(seat, ActionKind.FOLD)] if choice.fold else []
        legal += [Proposal(seat, ActionKind.CHECK)] if choice.check else []
        legal += [Proposal(seat, ActionKind.CALL)] if choice.call else []
        if choice.max_to:
            steps = data.draw(st.integers(0, (choice.max_to - choice.min_to) // choice.step))
            legal.append(Proposal(seat, choice.wager, choice.min_to + steps * choice.step))
        ruling = propose(self.hand, data.draw(st.sampled_from(legal)))
        assert ruling.accepted, ruling
        self.events += ruling.events

    @step(
        target=refused_proposals,
        seat=st.integers(-1, 12),
        kind=st.sampled_from([*ActionKind, 0, 9]),
        to=st.integers(-5, 200) | st.integers(),
        named=st.lists(st.integers(-3, 55), max_size=5),
        decision=st.integers(-1, 9),
    )
    def propose_anything(self, seat: int, kind: int, to: int, named: list[int], decision: int) -> Proposal:
        proposal = Proposal(seat, kind, to, tuple(named), "", decision)
        if kind == ActionKind.SHOW:
            proposal = proposal._replace(to=0, cards=(), decision_id=0)
        self.judge(proposal)
        return proposal

    @step(proposal=refused_proposals)
    def propose_again(self, proposal: Proposal) -> None:
        self.judge(proposal)

    def judge(self, proposal: Proposal) -> None:
        before = encode(self.hand)
        twin = self.hand.copy()
        ruling = propose(twin, proposal)
        assert ruling.accepted == is_offered(self.hand, proposal), ruling
        assert ruling.accepted or encode(twin) == before
        assert encode(self.hand) == before

    @precondition(lambda self: not open_seats(self.hand))
    @step(seed=st.integers(0, 1 << 32))
    def settle_and_begin_another(self, seed: int) -> None:
        check_ledger(self.setup, self.events, self.hand)
        check_settlement(self.hand)
        assert encode(replay(self.setup, self.events)) == encode(self.hand)
        self.begin(seed)

    @invariant()
    def books_and_turns(self) -> None:
        if hasattr(self, "hand"):
            check_chips(self.hand)
            check_cards(self.hand)
            check_counts(self.hand)
            check_turns(self.hand)
            assert encode(decode(encode(self.hand))) == encode(self.hand)


TestAnyHand = AnyHand.TestCase
TestAnyHand = rule("BET-8", "POT-7", "GAME-5")(TestAnyHand)


# --- Hypothesis: pots against slow and obvious definitions ----------------------------------------------

amounts = st.integers(0, 40)


@st.composite
def contributions(draw: st.DrawFn) -> tuple[list[int], list[bool], int]:
    totals = draw(st.lists(amounts, min_size=2, max_size=10))
    live = draw(st.lists(st.booleans(), min_size=len(totals), max_size=len(totals)))
    live[draw(st.integers(0, len(totals) - 1))] = True
    return totals, live, draw(st.integers(0, 12))


def slow_pots(totals: list[int], live: list[bool], dead: int) -> list[tuple[int, tuple[int, ...]]]:
    """Chip by chip: who put in his n-th chip, and who of the live players did; dead money to the lowest level."""
    lowest = min(total for total, alive in zip(totals, live, strict=True) if alive)
    chips: dict[tuple[int, ...], int] = {}
    everybody = tuple(i for i, alive in enumerate(live) if alive and totals[i] >= lowest)
    if dead:
        chips[everybody] = dead
    last = everybody
    for height in range(1, max(totals) + 1):
        eligible = tuple(i for i, alive in enumerate(live) if alive and totals[i] >= height) or last
        chips[eligible] = chips.get(eligible, 0) + sum(1 for total in totals if total >= height)
        last = eligible
    return [(amount, eligible) for eligible, amount in chips.items() if amount]


@rule("POT-1", "POT-3", "BLIND-6")
@given(contributions())
def test_pots_are_what_counting_chip_by_chip_gives(drawn: tuple[list[int], list[bool], int]) -> None:
    totals, live, dead = drawn
    pots = form_pots(totals, live, dead)
    if sum(totals) + dead:
        assert [(pot.amount, pot.eligible) for pot in pots] == slow_pots(totals, live, dead)
    assert sum(pot.amount for pot in pots) == sum(totals) + dead


@rule("POT-1")
@given(contributions(), st.randoms(use_true_random=False))
def test_pots_do_not_depend_on_where_players_sit(drawn: tuple[list[int], list[bool], int], rng: random.Random) -> None:
    totals, live, dead = drawn
    order = list(range(len(totals)))
    rng.shuffle(order)
    moved = form_pots([totals[i] for i in order], [live[i] for i in order], dead)
    back = [(pot.amount, {order[i] for i in pot.eligible}) for pot in moved]
    assert back == [(pot.amount, set(pot.eligible)) for pot in form_pots(totals, live, dead)]


@rule("POT-2")
@given(contributions())
def test_what_is_returned_is_what_nobody_matched(drawn: tuple[list[int], list[bool], int]) -> None:
    bets, live, _ = drawn
    player, amount = uncalled(bets, live)
    # One player's n-th chip is uncalled when nobody else, folded or not, put in an n-th chip.
    lone = [
        {i for i, bet in enumerate(bets) if bet >= height}
        for height in range(1, max(bets) + 1)
        if sum(1 for bet in bets if bet >= height) == 1
    ]
    owners = {next(iter(one)) for one in lone}
    assert len(owners) <= 1
    if owners and live[next(iter(owners))]:
        assert (player, amount) == (next(iter(owners)), len(lone))
    else:
        assert (player, amount) == (-1, 0)


@rule("BET-3", "DISC-8")
@given(contributions())
def test_a_sole_contender_is_alone_in_some_pot(drawn: tuple[list[int], list[bool], int]) -> None:
    totals, live, dead = drawn
    for player, alive in enumerate(live):
        if alive:
            alone = any(eligible == (player,) for _, eligible in slow_pots(totals, live, dead))
            if any(totals) or dead:
                assert is_sole_contender(player, totals, live) == alone


@rule("POT-5", "POT-6")
@given(st.integers(0, 3000), st.integers(1, 10), st.sampled_from((1, 5, 25)))
def test_shares_are_dealt_out_one_unit_at_a_time(units: int, winners: int, unit: int) -> None:
    dealt = [0] * winners
    for turn in range(units):
        dealt[turn % winners] += unit
    assert shares(units * unit, tuple(range(winners)), unit) == dealt


@rule("POT-5")
@given(st.lists(st.integers(0, 5), min_size=1, max_size=10))
def test_the_best_of_a_pot_are_those_whom_nobody_beats(strengths: list[int]) -> None:
    eligible = tuple(range(len(strengths)))
    unbeaten = tuple(i for i in eligible if not any(other > strengths[i] for other in strengths))
    assert best_of(eligible, strengths) == unbeaten


@rule("POT-8")
@given(
    st.lists(st.integers(1, 500), min_size=1, max_size=5),
    st.integers(0, 10_000),
    st.integers(-1, 60),
    st.booleans(),
    st.booleans(),
    st.sampled_from((1, 5)),
)
def test_rake_by_the_book(units: list[int], points: int, cap: int, no_drop: bool, flop: bool, unit: int) -> None:
    stakes = Stakes(
        unit,
        unit,
        chip_unit=unit,
        rake_basis_points=points,
        rake_cap=cap * unit if cap > 0 else cap,
        no_flop_no_drop=no_drop,
    )
    pots = [Pot(count * unit, (0, 1)) for count in units]
    taken = rake_of(pots, stakes, flop, -1)
    left = stakes.rake_cap
    for pot, rake in zip(pots, taken, strict=True):
        wanted = max(r for r in range(0, pot.amount + 1, unit) if r * 10_000 <= pot.amount * points)
        if no_drop and not flop:
            wanted = 0
        if left >= 0:
            wanted = min(wanted, left)
            left -= wanted
        assert rake == wanted


@rule("GAME-3", "GAME-5", "DISC-5")
def test_the_random_hands_reach_every_corner() -> None:
    """The net is only as good as its hands: what must be there, is there."""
    seen: set[object] = set()
    for seed in range(1500):
        rng = random.Random(seed)
        try:
            setup = random_setup(rng)
            hand, opening = open_hand(setup)
        except RuleSetError as failure:
            raise AssertionError(f"seed {seed} makes a setup that is refused: {failure}") from failure
        events = opening + play_out(rng, hand)
        rule_set = setup.rule_set
        seen |= {event.kind for event in events} | {setup.limit, len(setup.seats), hand.phase}
        seen |= {rule_set.game.discard_point, rule_set.all_in_exposure, rule_set.showdown_order, rule_set.open_fold}
        seen |= {rule_set.cap_heads_up, rule_set.discard_timeout, rule_set.late_minimum, setup.stakes.ante_kind}
        seen |= {("rule", event.rule) for event in events} | {("pots", len(settlement(hand).pots))}
        seen |= {("joined", len(hand.joined) > 20), ("unit", setup.stakes.chip_unit), ("odd", any(hand.returned))}
        if rule_set.game.discard_visibility == DiscardVisibility.JOINS_BOARD:
            seen.add("joins")
    wanted: set[object] = {*EventKind, *range(2, 11), Phase.OVER, Phase.BETWEEN, "joins", ("joined", True)}
    wanted |= {
        ("rule", rule_id) for rule_id in ("BLIND-3", "SEAT-3", "BLIND-6", "SIZE-8", "SIZE-2", "DISC-8", "TIME-2")
    }
    wanted |= {("pots", count) for count in (1, 2, 3, 4)}
    assert wanted <= seen, wanted - seen


def test_the_net_draws_every_reason_there_is() -> None:
    # LAST_ELIGIBLE_CANNOT_FOLD needs a live post ahead of short blinds and has its own test with BET-3.
    reached: set[Reason | None] = {Reason.LAST_ELIGIBLE_CANNOT_FOLD}
    for seed in range(3000):
        rng = random.Random(f"reasons {seed}")
        hand, _ = open_hand(random_setup(rng, known=0.6))
        while open_seats(hand):
            if rng.random() < 0.05:
                reached |= {propose(hand.copy(), proposal).reason for proposal in net(hand, rng)}
            propose(hand, random_legal_proposal(rng, hand))
        reached |= {propose(hand.copy(), proposal).reason for proposal in net(hand, rng)}
        if seed >= 100 and reached >= {None, *Reason}:
            return
    assert not set(Reason) - reached
