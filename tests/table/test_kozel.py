"""A table plays one game of Kozel: its rounds, its end, its record, and what everybody is told of it."""

import random
from itertools import pairwise

import pytest

from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.kozel.events import BONEYARD_LAID, HAND_COUNTED, TILE_DRAWN, TILE_LAID, TILES_DEALT, Event
from referee.kozel.rulings import LegalOptions, Reason
from referee.kozel.setup import FIRST_ROUND
from referee.kozel.state import encode
from referee.kozel.tiles import UNKNOWN, parse_tile
from referee.kozel_judge import judge_round
from referee.rules.ruleset import RuleSetError
from referee.rules.rulings import ActionKind
from referee.rules.rulings import Proposal as PokerProposal
from referee.table.clocks import ClockRules
from referee.table.config import config_message
from referee.table.faults import FaultPolicy, FaultRules
from referee.table.games import config_of
from referee.table.happenings import Ruled, content_bytes, ruling_of, stored_event_bytes
from referee.table.records import reviewed_hand, round_record
from referee.table.seats import TableError
from referee.table.table import Table, restored
from referee.table.views import AUDITOR, PUBLIC, parts, seen, table_state
from referee.v1 import record_pb2, table_pb2
from tests.support import scale
from tests.table.kozel_tables import PlayedTable, config

GAMES = [(players, f"kozel/{rules}@1") for players in (2, 3, 4) for rules in ("on-all", "on-one")]


def judged(played):
    """Judges every finished round again from what is stored of it; returns them."""
    rounds = []
    for number, happened in played.by_round().items():
        table = reviewed_hand("t1", played.config, played.table.decks, happened) if number else None
        if table is not None:
            judgement = judge_round(round_record(table, happened))
            assert judgement.agrees(), judgement.findings
            assert judgement.events == tuple([one for one in happened if isinstance(one, Event)])
            rounds.append(table.hand)
    return rounds


# --- games --------------------------------------------------------------------------------------------


@pytest.mark.rule("KOZ-3", "KOZ-14", "KOZ-15", "KOZ-16")
@pytest.mark.parametrize(("players", "rule_set"), GAMES)
def test_a_game_is_played_round_after_round_until_somebody_has_lost(players, rule_set):
    for game in range(scale(2, 40)):
        played = PlayedTable(players, rule_set=rule_set, seed=bytes([game]) * 32)
        played.play(random.Random(game))
        table = played.table
        assert table.end_reason == table_pb2.END_REASON_GAME_OVER
        rounds = judged(played)
        assert len(rounds) == table.hand_number
        assert rounds[0].setup.leader_seat == FIRST_ROUND
        for before, after in pairwise(rounds):
            assert after.setup.accounts == tuple(before.accounts)
            assert after.setup.carry == before.carry
            assert after.setup.leader_seat == before.setup.seats[before.winner]
            assert not before.game_has_ended()
        last = table.hand
        assert max(account.score for account in last.accounts) >= 101
        assert all(last.ratings[player] == 0 for player in last.lost)


@pytest.mark.parametrize(("players", "rule_set"), GAMES)
def test_the_fold_of_what_is_stored_is_the_table_after_every_batch(players, rule_set):
    played = PlayedTable(players, rule_set=rule_set)
    rng = random.Random(players)
    while not played.table.has_ended:
        table, again = played.table, restored("t1", played.happened)
        assert encode(again.hand) == encode(table.hand)
        assert table_state(again) == table_state(table)
        assert {seat: one.decision_id for seat, one in again.decisions.items()} == {
            seat: one.decision_id for seat, one in table.decisions.items()
        }
        assert again.game.options_bytes(played.to_act) == table.game.options_bytes(played.to_act)
        # From the beginning of the round on, with what came before the first, it is the same.
        rounds = played.by_round()
        short = rounds[0] + rounds[table.hand_number]
        assert encode(restored("t1", short).hand) == encode(table.hand)
        for _ in range(7):
            if not played.table.has_ended:
                played.lay(rng)


def test_the_host_bounds_the_rounds_or_closes_the_table():
    played = PlayedTable(hands=2)
    played.play(random.Random(1))
    assert (played.table.hand_number, played.table.end_reason) == (2, table_pb2.END_REASON_HANDS_PLAYED)
    played = PlayedTable()
    played.lay(random.Random(2))
    played.table.close(played.now)
    played.keep()
    played.play(random.Random(2))
    assert (played.table.hand_number, played.table.end_reason) == (1, table_pb2.END_REASON_CLOSED)
    assert not played.table.hand.game_has_ended()


# --- decks --------------------------------------------------------------------------------------------


def began(played, number):
    """How a round began."""
    return played.by_round()[number][0].hand_began


@pytest.mark.rule("KOZ-1", "KOZ-2")
def test_decks_follow_from_the_seeds_and_each_has_its_root():
    redealt = 0
    for seed in range(40):
        played = PlayedTable(4, seed=bytes([seed]) * 32, hands=1)
        decks = played.table.fair_decks()
        assert isinstance(decks, FairDecks)
        told = began(played, 1).kozel
        setup = played.table.hand.setup
        assert setup.decks == tuple([decks.deck(0, 1, redeal) for redeal in range(len(setup.decks))])
        assert list(told.deck_roots) == [decks.committed(0, 1, redeal).root for redeal in range(len(setup.decks))]
        assert not began(played, 1).deck_root
        redealt += len(setup.decks) - 1
        if len(setup.decks) > 1:
            played.play(random.Random(seed))
            judged(played)
    assert redealt > 0, "the seeds are chosen so that some round is dealt again"


def deck_file(seeds):
    """Decks that need no other deal for four players, as the host writes them."""
    lines = []
    for seed in seeds:
        setup = PlayedTable(4, seed=bytes([seed]) * 32).table.hand.setup
        lines.append(" ".join([TILES[tile] for tile in setup.decks[-1]]))
    return "\n".join(lines) + "\n"


@pytest.mark.rule("KOZ-1")
def test_the_host_may_give_the_decks():
    text = deck_file((3, 5))
    played = PlayedTable(4, decks=text)
    assert config_of(config_message(played.config, with_seed=True), b"") == played.config
    for number, line in enumerate(text.split("\n")[:2], 1):
        assert not began(played, number).kozel.deck_roots
        assert played.table.hand.setup.decks == (tuple([parse_tile(word) for word in line.split()]),)
        played.play(random.Random(4), rounds=number)
    assert played.table.end_reason == table_pb2.END_REASON_NO_DECK
    judged(played)


# --- seats --------------------------------------------------------------------------------------------


@pytest.mark.rule("KOZ-16", "KOZ-17")
def test_who_is_out_of_time_ends_the_game_and_the_round_is_not_scored():
    played = PlayedTable(3, clock=ClockRules(action_ms=10_000, bank_ms=5_000))
    rng = random.Random(3)
    played.play(rng, rounds=1)
    played.lay(rng)
    accounts, seat = list(played.table.hand.accounts), played.to_act
    played.propose(played.proposal(played.table.options(seat).moves[0]), after_ms=15_000)
    assert played.table.hand_is_on, "exactly on the deadline is in time"
    late = played.to_act
    played.pass_time(15_001)
    table = played.table
    assert table.end_reason == table_pb2.END_REASON_GAME_OVER
    assert list(table.hand.accounts) == accounts
    scores = [account.score for account in accounts]
    player = table.hand.index_of(late)
    for other, rating in enumerate(table.hand.ratings):
        assert rating == (0 if other == player else max(1, (scores[player] - scores[other] + 5) // 10))
    ruled = [one for one in played.happened if isinstance(one, Ruled)][-1]
    assert (ruled.seat, ruled.request_id, ruled.accepted) == (late, "", True)
    judged(played)


@pytest.mark.rule("KOZ-17")
def test_a_seat_that_leaves_is_out_of_time_when_it_is_its_turn():
    played = PlayedTable(3)
    leaver = next(seat for seat in (1, 2, 3) if seat != played.to_act)
    played.table.leave_seat(leaver, played.now)
    played.keep()
    assert played.table.hand_is_on, "others play on until it is its turn"
    played.play(random.Random(1))
    assert played.table.end_reason == table_pb2.END_REASON_GAME_OVER
    assert played.table.hand.ratings[played.table.hand.index_of(leaver)] == 0
    assert not played.table.hand.lost


@pytest.mark.rule("KOZ-17")
def test_a_seat_that_leaves_between_rounds_still_belongs_to_the_game():
    played = PlayedTable(2, between_hands_ms=1_000)
    while played.table.hand_is_on:
        played.lay(random.Random(1))
    played.table.leave_seat(2, played.now)
    played.keep()
    assert not played.table.has_ended
    played.pass_time(1_000)
    played.play(random.Random(1))
    assert played.table.hand_number == 2
    assert played.table.end_reason == table_pb2.END_REASON_GAME_OVER
    again = restored("t1", played.happened)
    assert table_state(again) == table_state(played.table)


def test_a_seat_that_leaves_before_the_first_round_does_not_play():
    table = Table("t1", config(3, reveal_ms=1_000))
    for seat in (1, 2, 3):
        table.take_seat(seat, f"player {seat}", bytes([seat]) * 32, False, 0, commits_seed=seat == 1)
    table.commit_seed(1, bytes(32), 0)  # the commitments are closed now, and the seed is waited for
    assert not table.hand_number
    table.leave_seat(3, 1)
    table.tick(1_001)
    assert table.hand.setup.seats == (1, 2)


def test_nobody_sits_down_out_or_in_and_no_stack_is_filled_up_in_a_game():
    played = PlayedTable(4, players_to_start=3)
    table = played.table
    assert table.hand.setup.seats == (1, 2, 3)
    for refused, words in (
        (lambda: table.take_seat(4, "late", b"x" * 32, False, 0), "begun"),
        (lambda: table.sit_out(1), "sits out"),
        (lambda: table.sit_in(1, False, 0), "sits out"),
        (lambda: table.top_up(1, 100, 0), "no stacks"),
    ):
        with pytest.raises(TableError, match=words):
            refused()
    assert not table.take_fresh()


@pytest.mark.rule("TIME-4")
def test_faults_are_counted_and_may_forfeit_the_game():
    played = PlayedTable(3, faults=FaultRules(3, FaultPolicy.FORFEIT_MATCH))
    seat = played.to_act
    options = played.table.options(seat)
    away = next(tile for tile in range(28) if tile not in options.held)
    wrong = played.proposal(options.moves[0])._replace(tile=away)
    for changes, reason in (
        ({"decision_id": options.decision_id + 1}, Reason.STALE_DECISION),  # meant for another decision: no fault
        ({"hand_id": "t1-9"}, Reason.WRONG_ROUND),
        ({}, Reason.TILE_NOT_HELD),
        ({}, Reason.TILE_NOT_HELD),
        ({}, Reason.TILE_NOT_HELD),
    ):
        assert not played.table.has_ended
        assert ruling_of(played.propose(wrong._replace(**changes))).reason == reason
    assert played.table.end_reason == table_pb2.END_REASON_GAME_OVER
    assert played.table.hand.ratings[played.table.hand.index_of(seat)] == 0
    assert [one.fault_applied.seat for one in played.happened if is_stored(one, "fault_applied")] == [seat]


def is_stored(one, kind):
    """Whether something rare of this kind happened."""
    return isinstance(one, record_pb2.StoredEvent) and one.HasField(kind)


# --- what is refused ----------------------------------------------------------------------------------


@pytest.mark.rule("BET-8", "BET-9")
def test_a_refusal_changes_nothing_and_the_decision_stays():
    played = PlayedTable(3)
    rng = random.Random(5)
    for _ in range(40):
        seat, before = played.to_act, encode(played.table.hand)
        options = played.table.options(seat)
        other = next(one for one in (1, 2, 3) if one != seat)
        elsewhere = next(tile for tile in range(28) if tile not in options.held)
        wrong = [
            (played.proposal(options.moves[0], other), Reason.OUT_OF_TURN),
            (played.proposal(options.moves[0])._replace(hand_id="t1-99"), Reason.WRONG_ROUND),
            (played.proposal(options.moves[0])._replace(tile=elsewhere), Reason.TILE_NOT_HELD),
            (played.proposal(options.moves[0])._replace(tile=UNKNOWN), Reason.NO_SUCH_TILE),
        ]
        for proposal, reason in wrong:
            one = played.propose(proposal)
            ruling = ruling_of(one)
            assert (ruling.accepted, ruling.reason) == (False, reason)
            assert ruling.options.decision_id == (options.decision_id if proposal.seat == seat else 0)
        assert encode(played.table.hand) == before
        assert played.table.options(seat) == options
        played.lay(rng)


def test_a_proposal_of_another_game_is_a_fault_of_the_caller():
    played = PlayedTable(3)
    with pytest.raises(AssertionError, match="Kozel"):
        played.table.propose(PokerProposal(played.to_act, ActionKind.CHECK), "r", 0)


DOUBLES = [tile for tile in TILES if tile[0] == tile[2]]
OTHERS = [tile for tile in TILES if tile not in DOUBLES]
DOUBLES_FOR_ONE = [DOUBLES.pop() if place % 3 == 0 and DOUBLES else OTHERS.pop() for place in range(28)]


def message(**changes):
    """A table's configuration as a message."""
    fields = {"rule_set_name": "kozel/on-all@1", "seats": 3} | changes
    return table_pb2.TableConfig(**{name: value for name, value in fields.items() if value is not None})


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        pytest.param({"seats": 5}, "KOZ-1", marks=pytest.mark.rule("KOZ-1")),
        ({"players_to_start": 4}, "KOZ-1"),
        ({"players_to_start": 1}, "KOZ-1"),
        ({"rule_set_name": "kozel/on-two@1"}, "KOZ-1"),
        ({"rule_set_name": None, "kozel_rule_set": {"name": "kozel/on-all", "version": 1, "fish_scoring": 2}}, "KOZ-1"),
        ({"stakes": {"big_blind": 2}}, "KOZ-1"),
        ({"structure": 1}, "KOZ-1"),
        ({"starting_stack": 100}, "KOZ-1"),
        ({"top_up_to": 100}, "KOZ-1"),
        ({"reset_stacks": True}, "KOZ-1"),
        ({"start": {"stacks": [1, 2]}}, "KOZ-1"),
        ({"faults": {"max_faults": 1, "policy": table_pb2.FAULT_POLICY_SIT_OUT}}, "TIME-4"),
        ({"faults": {"max_faults": 1, "policy": table_pb2.FAULT_POLICY_FORFEIT_HAND}}, "TIME-4"),
        ({"decks": "6-5 6-4\n"}, "KOZ-1"),
        ({"decks": "Ah Kd\n"}, "KOZ-1"),
        ({"decks": " ".join(DOUBLES_FOR_ONE) + "\n"}, "KOZ-2"),
    ],
)
def test_a_table_that_cannot_be_played_is_refused_with_its_rule(changes, rule):
    with pytest.raises(RuleSetError) as refused:
        config_of(message(**changes), bytes(32))
    assert refused.value.rule == rule


def test_a_rule_set_of_the_hosts_own_is_played():
    own = {"name": "house/kozel", "version": 2, "fish": 2, "fish_scoring": 2}
    read = config_of(message(rule_set_name=None, kozel_rule_set=own), bytes(32))
    assert read.rules() == ("house/kozel@2", bytes.fromhex(read.rule_set.sha256()))
    assert config_of(config_message(read, with_seed=True), b"") == read
    with pytest.raises(RuleSetError, match="GAME-3"):
        config_of(message(rule_set_name="house/kozel@2", structure=1, starting_stack=1), b"")


# --- who sees what ------------------------------------------------------------------------------------


def told_tiles(shown):
    """The tiles that a viewer is told by an event."""
    event = table_pb2.SeenEvent.FromString(shown).kozel_event
    return [parse_tile(tile) for tile in event.tiles]


@pytest.mark.rule("KOZ-1", "KOZ-5")
def test_a_seat_is_told_its_own_tiles_and_what_lies_and_nothing_else():
    hidden = 0
    for game in range(scale(3, 60)):
        played = PlayedTable(2 + game % 3, seed=bytes([game + 100]) * 32)
        played.play(random.Random(game))
        for one in played.happened:
            if not isinstance(one, Event):
                continue
            content = content_bytes(one)
            for viewer in (PUBLIC, 1, 2, 3, 4):
                tiles = told_tiles(seen(one, content, viewer, played.config))
                if one.kind is TILE_LAID or (one.seat == viewer and viewer != PUBLIC):
                    assert tiles == list(one.tiles)
                else:
                    assert set(tiles) <= {UNKNOWN}
                    assert len(tiles) == len(one.tiles), "how many there are is told"
            assert told_tiles(seen(one, content, AUDITOR, played.config)) == list(one.tiles)
            shown, closed = parts(one, content, stored_event_bytes(one, content), played.config)
            assert shown == seen(one, content, PUBLIC, played.config)
            is_hidden = one.kind in (TILES_DEALT, TILE_DRAWN, HAND_COUNTED, BONEYARD_LAID)
            assert bool(closed) == is_hidden
            hidden += is_hidden
    assert hidden > 100


def test_everybody_is_told_the_game_and_its_accounts_unless_the_table_is_private():
    for is_private in (False, True):
        played = PlayedTable(3, private_table=is_private)
        played.play(random.Random(8), rounds=3)
        state = table_state(played.table)
        assert state.game == "kozel"
        assert not state.config.seed
        accounts = played.table.hand.accounts
        for seat in state.seats:
            assert seat.HasField("kozel_account") != is_private
            assert seat.stack == 0
            if not is_private:
                told = seat.kozel_account
                assert (told.score, told.remembered, told.open) == accounts[seat.seat - 1]
        assert any(account != (0, 0, False) for account in accounts)


def test_options_are_those_of_the_round():
    played = PlayedTable(2)
    options = played.table.options(played.to_act)
    assert isinstance(options, LegalOptions)
    assert played.table.options(3) is None
