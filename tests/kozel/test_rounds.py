"""What holds in every round: random rounds for 2, 3 and 4 players under both readings of a fish and both scorings.

A failing round is named by its seed. With REFEREE_LONG=1 there are 100,000 for each number of players.
"""

import random
from collections import Counter

import pytest

from referee.kozel.events import End, EventKind
from referee.kozel.round import (
    advance,
    forced,
    legal_options,
    moves_of,
    open_decision,
    open_round,
    open_seats,
    propose,
    replay,
)
from referee.kozel.ruleset import Fish, RuleSet
from referee.kozel.rulings import REASON_RULES, ActionKind, LegalOptions, Proposal, Reason
from referee.kozel.scoring import Ending
from referee.kozel.state import Phase, Round, apply, check_conserved, decode, encode
from referee.kozel.tiles import PIPS, TILES
from tests.kozel.rounds import EVERY_RULE_SET, double_lies, only, opened, play_out, random_legal, random_round
from tests.support import scale

rule = pytest.mark.rule
ROUNDS = scale(1_000, 100_000)
"""Rounds for each number of players, a quarter with each rule set."""
BLOCKS = scale(1, 10)
EVERY_END = tuple(End)


def check_tiles(state: Round) -> None:
    """KOZ-1: 28 tiles and 168 pips, each in one place."""
    everything = [*state.boneyard, *state.chain, *[tile for hand in state.hands for tile in hand]]
    assert sorted(everything) == list(range(TILES))
    assert sum(PIPS[tile] for tile in everything) == 168


def check_offers(state: Round) -> None:
    """Who is asked holds a tile that fits; nobody who could lay has drawn or knocked since (KOZ-5)."""
    for seat in open_seats(state):
        legal = legal_options(state, seat)
        assert legal is not None
        assert legal.moves
        assert legal.decision_id == open_decision(state, seat)
        assert {move.tile for move in legal.moves} <= set(legal.held)


def check_passing(state: Round, events: tuple) -> None:
    """A player with a playable tile never draws or knocks: asked of the round before each such event (KOZ-5)."""
    for event in events:
        if event.kind in (EventKind.TILE_DRAWN, EventKind.KNOCKED):
            player = state.index_of(event.seat)
            assert not moves_of(state, player), "he could have laid a tile"
            assert (event.kind is EventKind.KNOCKED) == (not state.boneyard)
        apply(state, event)
        if state.phase is not Phase.DEALING:
            check_tiles(state)


@rule("KOZ-1", "KOZ-5", "KOZ-6", "KOZ-7")
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_rounds(players: int, block: int) -> None:
    found: Counter[str] = Counter()
    for number in range(ROUNDS // BLOCKS):
        rng = random.Random(f"{players}/{block}/{number}")
        rule_set = EVERY_RULE_SET[number % len(EVERY_RULE_SET)]
        one_round(rng, rule_set, players, found)
    report = " ".join(f"{what}: {count}" for what, count in sorted(found.items()))
    for fish in Fish:
        fishes, unplayed = found[f"{fish.name} fishes"], found[f"{fish.name} unplayed"]
        report += f"; {fish.name}: {unplayed} of {fishes} fishes with the double unplayed ({unplayed / fishes:.4f})"
    print(f"{players} players: {ROUNDS // BLOCKS} rounds; {report}")
    assert found["NO_LEGAL_MOVE unplayed"] == 0
    share = found["STRUCTURAL unplayed"] / found["STRUCTURAL fishes"]
    assert abs(share - 0.36) < scale(0.2, 0.06), "about a third"
    assert found["OUT"] + found["FISH"] == ROUNDS // BLOCKS, "play always ends"


def one_round(rng: random.Random, rule_set: RuleSet, players: int, found: Counter[str]) -> None:
    state, opening = random_round(rng, rule_set, players)
    before = replay(state.setup, ())
    check_passing(before, opening)
    assert encode(before) == encode(state)
    moves = 0
    while open_seats(state):
        check_offers(state)
        ruling = propose(state, random_legal(rng, state))
        assert ruling.accepted
        check_passing(before, ruling.events)
        moves += 1
        assert moves <= TILES, "play ends"
    assert encode(before) == encode(state)
    assert forced(state) == []
    found[state.ending.name] += 1
    found["redeals"] += state.redeals
    if state.ending is Ending.FISH:
        found[f"{rule_set.fish.name} fishes"] += 1
        found[f"{rule_set.fish.name} unplayed"] += not double_lies(state)
        assert state.left == state.right
        assert min(len(hand) for hand in state.hands) > 0
    check_points(state)


def check_points(state: Round) -> None:
    """Nothing is scored that was not in a hand or carried: accounts and carry gain what hands count."""
    gained = sum(a.score + a.remembered for a in state.accounts) - sum(
        a.score + a.remembered for a in state.setup.accounts
    )
    cleared = sum(
        before.remembered
        for before, now in zip(state.setup.accounts, state.accounts, strict=True)
        if not now.is_open and now.remembered < before.remembered
    )
    lapsed = state.setup.carry + sum(state.counts) - cleared - gained - state.carry
    assert lapsed == 0 or (state.game_has_ended() and lapsed > 0), "a carry lapses at the end only"


@rule("BET-8", "BET-9")
def test_refusals_change_nothing_and_come_in_their_order() -> None:
    reasons: Counter[str] = Counter()
    for number in range(scale(40, 2_000)):
        rng = random.Random(number)
        state, _ = random_round(rng, EVERY_RULE_SET[number % 4], 2 + number % 3)
        while True:
            before = encode(state)
            for proposal in proposals(state, rng):
                ruling = propose(state, proposal)
                if ruling.accepted:
                    state = decode(before)
                    continue
                assert ruling.reason is not None
                assert ruling.rule == REASON_RULES[ruling.reason]
                assert ruling.events == ()
                assert ruling.message
                assert ruling.options == legal_options(state, proposal.seat)
                assert encode(state) == before
                reasons[ruling.reason.name] += 1
            if not open_seats(state):
                break
            assert propose(state, random_legal(rng, state)).accepted
    assert set(reasons) == {reason.name for reason in Reason}


def proposals(state: Round, rng: random.Random) -> list[Proposal]:
    """Wrong in every part: seats, kinds, tiles, ends, ids."""
    seat = open_seats(state)[0] if open_seats(state) else state.setup.seats[0]
    tile = rng.randint(-2, 29)
    held = rng.choice(state.hands[state.index_of(seat)] or (0,))
    made = [Proposal(other, ActionKind.LAY, held) for other in (*state.setup.seats, 0, 11)]
    made += [Proposal(seat, kind) for kind in (*ActionKind, 0, 9)]  # type: ignore[arg-type]
    made += [Proposal(seat, ActionKind.LAY, one, end) for one in (tile, held) for end in (0, 1, 2, 3)]  # type: ignore[arg-type]
    made += [Proposal(seat, ActionKind.LAY, one, end) for one in (tile, held) for end in EVERY_END]
    made += [Proposal(seat, ActionKind.LAY, held, hand_id=hand_id) for hand_id in ("round-7", "another")]
    made += [Proposal(seat, ActionKind.LAY, held, decision_id=decision) for decision in (-1, 1, 2, 99)]
    made += [Proposal(seat, ActionKind.DRAW, held), Proposal(seat, ActionKind.TIMEOUT, -1, EVERY_END[1])]
    return made


@rule("BET-9")
def test_each_fault_hides_those_after_it() -> None:
    """One proposal with every fault; as they are taken away one by one, the next reason in order is given."""
    state, _ = random_round(random.Random(1), EVERY_RULE_SET[0], 4)
    seat = open_seats(state)[0]
    while state.hands[state.index_of(seat)][0] in [move.tile for move in legal(state, seat).moves]:
        propose(state, random_legal(random.Random(1), state))
        seat = open_seats(state)[0]
    held = state.hands[state.index_of(seat)][0]
    other = next(one for one in state.setup.seats if one != seat)
    worst = Proposal(11, ActionKind.LAY, 99, End.LEFT, "another", 99)
    steps = [
        ("WRONG_ROUND", {}),
        ("SEAT_NOT_IN_ROUND", {"hand_id": ""}),
        ("OUT_OF_TURN", {"seat": other}),
        ("STALE_DECISION", {"seat": seat}),
        ("UNKNOWN_ACTION", {"decision_id": 0, "kind": 9}),
        ("MALFORMED_ACTION", {"kind": ActionKind.DRAW}),
        ("NO_SUCH_TILE", {"kind": ActionKind.LAY}),
        ("TILE_NOT_HELD", {"tile": state.chain[0]}),
        ("TILE_DOES_NOT_FIT", {"tile": held}),
    ]
    for reason, repaired in steps:
        worst = worst._replace(**repaired)
        ruling = propose(state, worst)
        assert ruling.reason is not None
        assert ruling.reason.name == reason


def legal(state: Round, seat: int) -> LegalOptions:
    found = legal_options(state, seat)
    assert found is not None
    return found


@rule("BET-9")
def test_the_reasons_have_stable_numbers() -> None:
    assert [reason.name for reason in sorted(Reason)] == list(Reason.__members__)
    assert [int(reason) for reason in Reason] == list(range(1, len(Reason) + 1))
    assert set(REASON_RULES) == set(Reason)


@rule("KOZ-1")
def test_a_tile_that_is_lost_or_doubled_is_a_bug_that_shows() -> None:
    state = opened(("1-1 3-1 4-1 5-1 6-2 4-2 3-0", "2-2 1-0 2-0 5-0 6-0 5-4 4-0"))
    state.boneyard = state.boneyard[1:]
    with pytest.raises(AssertionError, match="not accounted for"):
        check_conserved(state)
    with pytest.raises(AssertionError, match="not accounted for"):
        advance(state)


def test_equal_states_have_equal_bytes_and_others_are_refused() -> None:
    rng = random.Random(5)
    state, _ = random_round(rng, EVERY_RULE_SET[1], 3)
    play_out(rng, state)
    twin = decode(encode(state))
    assert encode(twin) == encode(state) == encode(state.copy())
    assert type(twin.accounts[0]) is type(state.accounts[0])
    for wrong in (b"{}", b"[]", b'{"phase":0}'):
        with pytest.raises(ValueError, match="not an encoded round"):
            decode(wrong)


def test_a_copy_is_independent() -> None:
    rng = random.Random(6)
    state, _ = random_round(rng, EVERY_RULE_SET[0], 3)
    before = encode(state)
    play_out(rng, state.copy())
    assert encode(state) == before


def test_a_round_is_the_fold_of_its_events() -> None:
    rng = random.Random(7)
    state, opening = random_round(rng, EVERY_RULE_SET[0], 4)
    events = (*opening, *play_out(rng, state))
    assert encode(replay(state.setup, events)) == encode(state)
    assert only(events, EventKind.ROUND_ENDED) == [events[-1]]
    assert encode(open_round(state.setup)[0]) == encode(replay(state.setup, opening))
