"""Seeds of a table's match: committed, listed, revealed, and shown when nothing is dealt from them any more."""

import pytest

from referee.dealing.fair import FairDecks
from referee.dealing.seeds import MatchSeeds, SeatSeed, commit_seat
from referee.record.view import PUBLIC
from referee.rules.rulings import ActionKind, Proposal
from referee.table.happenings import content_bytes
from referee.table.seats import TableError
from referee.table.table import Table, opened_event, restored
from referee.table.views import seen
from referee.v1 import record_pb2, table_pb2
from tests.table.tables import FakeMoments, config

REVEAL_MS = 4_000
SEEDS = {seat: bytes([seat]) * 32 for seat in range(1, 5)}


def rare(table):
    """The kinds of what has happened, hands' events left out, and what is new."""
    fresh = table.take_fresh()
    stored = [one for one in fresh if isinstance(one, record_pb2.StoredEvent)]
    return [one.WhichOneof("event") for one in stored], fresh


def take(table, seat, now, commits=True):
    table.take_seat(seat, f"player {seat}", bytes([seat]) * 32, False, now, commits_seed=commits)


def commit(table, seat, now, seed=None):
    made = commit_seat(table.seeds.match, seat, seed or SEEDS[seat], table.seeds.commitment)
    table.commit_seed(seat, made, now)


def match_seeds(table, **seats):
    """The match's seeds with the seats' states given as words."""
    given = []
    for name, deed in seats.items():
        seat = int(name.removeprefix("seat"))
        made = commit_seat(table.seeds.match, seat, SEEDS[seat], table.seeds.commitment)
        given.append(SeatSeed(seat, b"" if deed == "silent" else made, SEEDS[seat] if deed == "revealed" else b""))
    return MatchSeeds(table.seeds.match, table.config.seed, tuple(given))


def test_seats_commit_are_shown_all_commitments_reveal_and_then_cards_are_dealt():
    table, now = Table("t1", config(3, reveal_ms=REVEAL_MS)), FakeMoments().now
    for seat in (1, 2, 3):
        take(table, seat, now)
        commit(table, seat, now)
    kinds, fresh = rare(table)
    assert kinds == ["seat_taken", "seed_committed"] * 3 + ["commitments_closed"]
    closed = fresh[-1].commitments_closed
    assert list(closed.seats) == [1, 2, 3]
    assert [one.seat for one in closed.commitments] == [1, 2, 3]
    assert closed.reveal_until_unix_ms == now + REVEAL_MS == table.next_deadline_ms()
    for seat in (2, 3, 1):
        assert table.hand is None
        table.reveal_seed(seat, SEEDS[seat], now + 1)
    assert table.hand_is_on
    seeds = match_seeds(table, seat1="revealed", seat2="revealed", seat3="revealed")
    decks = FairDecks("t1", seeds.match_seed())
    assert table.hand.setup.deck == decks.deck(0, 1)
    assert table.game.positions.button == decks.first_button((1, 2, 3))
    kinds, fresh = rare(table)
    assert kinds == ["seed_revealed"] * 3 + ["hand_began"]
    assert fresh[3].hand_began.deck_root == decks.committed(0, 1).root


@pytest.mark.parametrize("late", [0, 1])
def test_who_does_not_commit_or_reveal_in_time_stops_nobody(late):
    table, now = Table("t1", config(3, reveal_ms=REVEAL_MS)), FakeMoments().now
    take(table, 1, now)
    take(table, 2, now)
    take(table, 3, now)  # from now on all are waited for
    commit(table, 1, now)
    commit(table, 2, now + 10)
    assert not table.seeds.are_closed
    assert table.next_deadline_ms() == now + REVEAL_MS
    table.tick(now + REVEAL_MS - 1)
    assert not table.seeds.are_closed
    table.tick(now + REVEAL_MS)
    assert table.seeds.are_closed
    with pytest.raises(TableError, match="closed"):
        commit(table, 3, now + REVEAL_MS)
    table.reveal_seed(1, SEEDS[1], now + REVEAL_MS + 1)
    table.tick(now + 2 * REVEAL_MS - 1 + late)
    assert table.hand_is_on == bool(late)
    if late:
        seeds = match_seeds(table, seat1="revealed", seat2="hidden", seat3="silent")
        assert table.hand.setup.deck == FairDecks("t1", seeds.match_seed()).deck(0, 1)
        with pytest.raises(TableError, match="not taken any more"):
            table.reveal_seed(2, SEEDS[2], now + 2 * REVEAL_MS)


def test_where_nobody_wants_to_commit_the_first_hand_begins_at_once():
    table, now = Table("t1", config(2)), FakeMoments().now
    take(table, 1, now, commits=False)
    take(table, 2, now, commits=False)
    assert table.hand_is_on
    assert table.hand.setup.deck == FairDecks(
        "t1", match_seeds(table, seat1="silent", seat2="silent").match_seed()
    ).deck(0, 1)


def test_wrong_seeds_and_second_commitments_are_refused_and_change_nothing():
    table, now = Table("t1", config(2)), FakeMoments().now
    take(table, 1, now)
    commit(table, 1, now)
    with pytest.raises(TableError, match="another seed"):
        commit(table, 1, now, seed=SEEDS[2])
    with pytest.raises(TableError, match="when the commitments are closed"):
        table.reveal_seed(1, SEEDS[1], now)
    table.take_fresh()
    commit(table, 1, now)  # the same again
    assert table.take_fresh() == []
    take(table, 2, now)
    commit(table, 2, now)
    with pytest.raises(TableError, match="not the committed one"):
        table.reveal_seed(1, SEEDS[2], now)
    table.take_fresh()
    table.reveal_seed(1, SEEDS[1], now)
    table.reveal_seed(1, SEEDS[1], now)
    assert rare(table)[0] == ["seed_revealed"]


def test_a_seat_that_leaves_before_the_closing_takes_its_commitment_with_it():
    table, now = Table("t1", config(2)), FakeMoments().now
    take(table, 1, now)
    commit(table, 1, now)
    table.leave_seat(1, now)
    take(table, 1, now, commits=False)
    take(table, 2, now)
    commit(table, 2, now)
    assert table.seeds.are_closed
    assert list(table.seeds.commitments) == [2]


def test_a_seat_that_leaves_after_the_closing_stays_in_the_match_and_out_of_the_hand():
    table, now = Table("t1", config(3)), FakeMoments().now
    for seat in (1, 2, 3):
        take(table, seat, now)
        commit(table, seat, now)
    table.reveal_seed(1, SEEDS[1], now)
    table.leave_seat(3, now)
    table.reveal_seed(2, SEEDS[2], now)
    assert not table.hand_is_on
    table.tick(table.next_deadline_ms())
    assert table.hand_is_on
    assert set(table.game.positions.dealt_in) == {1, 2}
    seeds = match_seeds(table, seat1="revealed", seat2="revealed", seat3="hidden")
    assert table.hand.setup.deck == FairDecks("t1", seeds.match_seed()).deck(0, 1)


def test_every_prefix_of_what_happened_restores_the_same_seeds():
    table, now = Table("t1", config(3, reveal_ms=REVEAL_MS)), FakeMoments().now
    stored = [opened_event("t1", table.config)]
    for seat in (1, 2, 3):
        take(table, seat, now)
        commit(table, seat, now)
    stored += table.take_fresh()
    table.reveal_seed(1, SEEDS[1], now)
    stored += table.take_fresh()
    again = restored("t1", stored)
    again.resume(now + 5)
    assert again.take_fresh() == []
    assert again.next_deadline_ms() == now + REVEAL_MS
    for each in (table, again):
        each.tick(now + REVEAL_MS)
    assert again.hand.setup.deck == table.hand.setup.deck


def test_seeds_are_secret_until_the_table_ends():
    table, now = Table("t1", config(2, hands=1)), FakeMoments().now
    opened = opened_event("t1", table.config)
    for seat in (1, 2):
        take(table, seat, now)
        commit(table, seat, now)
    for seat in (1, 2):
        table.reveal_seed(seat, SEEDS[seat], now)
    happened = [opened, *table.take_fresh()]
    told = b"".join([seen(one, content_bytes(one), PUBLIC, table.config) or b"" for one in happened])
    secrets = (table.config.seed, SEEDS[1], SEEDS[2], table.decks.deck(0, 1))
    assert not any(secret in told for secret in secrets[:3])
    assert table.seeds.commitment in told
    table.close(now)
    for seat in (1, 2):
        table.leave_seat(seat, now)
    ended = table.take_fresh()[-1].ended
    assert ended.reason == table_pb2.END_REASON_CLOSED
    assert ended.seeds.referee_seed == table.config.seed
    assert [one.seed for one in ended.seeds.seats] == [SEEDS[1], SEEDS[2]]
    assert ended.seeds.match_name == "t1"


def test_nothing_is_added_to_the_record_of_a_table_that_has_ended():
    table, now = Table("t1", config(2, hands=1)), FakeMoments().now
    for seat in (1, 2):
        take(table, seat, now)
        commit(table, seat, now)
    table.close(now)
    assert table.has_ended
    table.take_fresh()
    with pytest.raises(TableError):
        table.reveal_seed(1, SEEDS[1], now)
    assert table.take_fresh() == []
    played = Table("t2", config(2, hands=1))
    for seat in (1, 2):
        take(played, seat, now, commits=False)
    (seat,) = played.decisions
    folds = Proposal(seat, ActionKind.FOLD, hand_id="t2-1", decision_id=1)
    assert played.propose(folds, "fold", now).accepted
    assert played.has_ended
    played.take_fresh()
    with pytest.raises(TableError):
        played.propose(Proposal(3 - seat, ActionKind.SHOW, hand_id="t2-1"), "show", now)
    assert not played.propose(folds, "again", now).accepted
    assert played.take_fresh() == []
