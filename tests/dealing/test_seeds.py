"""Commitments, seeds, the order in which they come, and the match seed."""

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from referee.dealing.collecting import SeedCollection
from referee.dealing.errors import CommitmentError, SeedError
from referee.dealing.seeds import MatchSeeds, SeatSeed, SeedState, commit_referee, commit_seat, hkdf

SEED, OTHER = bytes(range(32)), bytes(range(1, 33))


def collection(seats=(1, 2, 5), match="match-1"):
    return SeedCollection(match, SEED, seats)


def committed(some, seat, seed=OTHER, match="match-1"):
    commitment = commit_seat(match, seat, seed, some.referee_commitment)
    some.commit(seat, commitment)
    return commitment


@given(st.binary(min_size=1, max_size=200), st.text("a/1", max_size=20), st.text("b/2", max_size=20))
def test_hkdf_is_that_of_the_rfc(material, salt, info):
    assert hkdf(material, salt, info) == HKDF(SHA256(), 32, salt.encode(), info.encode()).derive(material)


def test_everybody_reveals():
    some = collection()
    commitments = [committed(some, seat) for seat in (1, 2, 5)]
    assert some.close_commitments() == tuple(zip((1, 2, 5), commitments, strict=True))
    for seat in (5, 1, 2):
        some.reveal(seat, OTHER)
    seeds = some.seeds()
    seeds.check(some.referee_commitment)
    assert [seat.seat for seat in seeds.seats] == [1, 2, 5]
    assert {seat.state for seat in seeds.seats} == {SeedState.REVEALED}


def test_what_is_missing_is_recorded_and_replaced():
    some = collection()
    commitment = committed(some, 2)
    committed(some, 5)
    some.close_commitments()
    some.reveal(5, OTHER)
    seeds = some.seeds()
    seeds.check(some.referee_commitment)
    assert [seat.state for seat in seeds.seats] == [
        SeedState.NOT_COMMITTED,
        SeedState.NOT_REVEALED,
        SeedState.REVEALED,
    ]
    assert [seat.counted for seat in seeds.seats] == [bytes(32), commitment, OTHER]
    assert len(seeds.match_seed()) == 32


def test_a_match_without_any_player_seed_has_a_seed():
    some = collection()
    some.close_commitments()
    assert some.seeds().match_seed() != SEED


def test_the_same_seed_of_two_seats_or_matches_makes_two_commitments():
    first = commit_referee("match-1", SEED)
    seen = {
        first,
        commit_referee("match-2", SEED),
        commit_seat("match-1", 1, SEED, first),
        commit_seat("match-1", 2, SEED, first),
        commit_seat("match-2", 1, SEED, first),
        commit_seat("match-1", 1, SEED, commit_referee("match-1", OTHER)),
    }
    assert len(seen) == 6


def test_the_match_seed_depends_on_everything():
    base = MatchSeeds("match-1", SEED, (SeatSeed(1, seed=SEED), SeatSeed(2, seed=OTHER)))
    others = [
        MatchSeeds("match-2", SEED, base.seats),
        MatchSeeds("match-1", OTHER, base.seats),
        MatchSeeds("match-1", SEED, base.seats[:1]),
        MatchSeeds("match-1", SEED, (SeatSeed(1, seed=OTHER), SeatSeed(2, seed=SEED))),
        MatchSeeds("match-1", SEED, (SeatSeed(1, seed=SEED), SeatSeed(3, seed=OTHER))),
        MatchSeeds("match-1", SEED, (SeatSeed(1, seed=SEED), SeatSeed(2, commitment=SEED))),
        MatchSeeds("match-1", SEED, (SeatSeed(1, seed=SEED), SeatSeed(2))),
    ]
    assert len({seeds.match_seed() for seeds in (base, *others)}) == 8


def test_every_changed_bit_of_a_seed_or_commitment_is_noticed():
    some = collection((3,))
    committed(some, 3)
    some.close_commitments()
    some.reveal(3, OTHER)
    seeds = some.seeds()
    (seat,) = seeds.seats
    for bit in range(256):

        def flipped(some_bytes, bit=bit):
            return (int.from_bytes(some_bytes, "big") ^ 1 << bit).to_bytes(32, "big")

        for changed, whose in (
            (MatchSeeds("match-1", flipped(SEED), seeds.seats), 0),
            (MatchSeeds("match-1", SEED, (SeatSeed(3, seat.commitment, flipped(OTHER)),)), 3),
            (MatchSeeds("match-1", SEED, (SeatSeed(3, flipped(seat.commitment), OTHER),)), 3),
        ):
            with pytest.raises(CommitmentError) as caught:
                changed.check(some.referee_commitment)
            assert caught.value.seat == whose
        with pytest.raises(CommitmentError):
            seeds.check(flipped(some.referee_commitment))


def test_a_revealed_seed_without_a_commitment_is_noticed():
    with pytest.raises(CommitmentError, match="seat 1"):
        MatchSeeds("m", SEED, (SeatSeed(1, seed=OTHER),)).check(commit_referee("m", SEED))


def test_seeds_come_after_all_commitments():
    some = collection()
    committed(some, 1)
    with pytest.raises(SeedError, match="when the commitments are closed"):
        some.reveal(1, OTHER)
    with pytest.raises(SeedError, match="still open"):
        some.seeds()
    some.close_commitments()
    with pytest.raises(SeedError, match="seat 2: commitments are closed"):
        committed(some, 2)
    with pytest.raises(SeedError, match="seat 2 has committed to no seed"):
        some.reveal(2, OTHER)
    with pytest.raises(CommitmentError, match="seat 1's seed is not the committed one"):
        some.reveal(1, SEED)


def test_what_is_sent_twice_counts_once():
    some = collection()
    commitment = committed(some, 1)
    some.commit(1, commitment)
    with pytest.raises(SeedError, match="seat 1 is committed to another seed"):
        committed(some, 1, SEED)
    some.close_commitments()
    some.commit(1, commitment)
    some.reveal(1, OTHER)
    some.reveal(1, OTHER)
    assert some.seeds().seats[0] == SeatSeed(1, commitment, OTHER)


def test_an_unknown_seat_is_refused():
    some = collection()
    for deed in (some.commit, some.reveal):
        with pytest.raises(SeedError, match="there is no seat 3 in match match-1"):
            deed(3, SEED)


@pytest.mark.parametrize("match", ["", "a/b", "a b", "x" * 65, "ä", "a\n"])
def test_a_match_name_that_could_be_read_two_ways_is_refused(match):
    with pytest.raises(SeedError, match="not a match's name"):
        collection(match=match)


@pytest.mark.parametrize("seats", [(), (0, 1), (2, 1), (1, 1), tuple(range(1, 1026))])
def test_seats_are_ascending_numbers_from_one(seats):
    with pytest.raises(SeedError):
        collection(seats)


@pytest.mark.parametrize(
    ("seeds", "message"),
    [
        (MatchSeeds("a/b", SEED, (SeatSeed(1),)), "not a match's name"),
        (MatchSeeds("m", b"", (SeatSeed(1),)), "the referee's seed has 0 bytes"),
        (MatchSeeds("m", SEED, ()), "0 seats"),
        (MatchSeeds("m", SEED, (SeatSeed(2), SeatSeed(1))), "ascending"),
        (MatchSeeds("m", SEED, (SeatSeed(1, SEED, b"short"),)), "seat 1's seed has 5 bytes"),
        (MatchSeeds("m", SEED, (SeatSeed(1, b"short"),)), "seat 1's commitment has 5 bytes"),
    ],
)
def test_what_no_seed_can_be_makes_no_match_seed(seeds, message):
    with pytest.raises(SeedError, match=message):
        seeds.match_seed()
    with pytest.raises(SeedError, match=message):
        seeds.check(SEED)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_seeds_and_commitments_have_32_bytes(length):
    some = collection()
    with pytest.raises(SeedError, match=f"{length} bytes"):
        some.commit(1, bytes(length))
    with pytest.raises(SeedError, match=f"{length} bytes"):
        commit_seat("m", 1, bytes(length), some.referee_commitment)
    with pytest.raises(SeedError, match=f"{length} bytes"):
        commit_seat("m", 1, SEED, bytes(length))
    with pytest.raises(SeedError, match=f"{length} bytes"):
        SeedCollection("m", bytes(length), (1,))
