"""What a view may not see is not in its bundle, and cannot be found by trying every value."""

import random
from hashlib import sha256
from itertools import combinations

import pytest

from referee.audit.redaction import RedactionError, redacted
from referee.audit.report import Verdict
from referee.audit.verify import verify
from referee.record.sealing import commitment, entry_salt
from referee.rules.cards import card_text
from referee.table.happenings import content_bytes, happening_in, stored_event_bytes
from referee.v1 import hand_pb2, record_pb2, table_pb2
from tests.audit.records import TRUST, RecordedTable, file_of, logged, seed_of, side_pots_table

PUBLIC, SEAT, AUDITOR = record_pb2.BUNDLE_VIEW_PUBLIC, record_pb2.BUNDLE_VIEW_SEAT, record_pb2.BUNDLE_VIEW_AUDITOR


@pytest.fixture(scope="module")
def table():
    return side_pots_table()


@pytest.fixture(scope="module")
def whole(table):
    return logged(table.sealed())


def closed_parts(bundle):
    """Piece, place and stored event of every closed part that a bundle shows."""
    for piece, one in enumerate(bundle.pieces):
        for at, entry in enumerate(one.entries):
            if entry.closed:
                yield piece, at, record_pb2.StoredEvent.FromString(entry.closed)


def secrets(whole, seat):
    """Bytes that only an auditor may see, or another seat than this one: cards, proposals, tokens, salts."""
    found = []
    for piece, at, stored in closed_parts(whole):
        kind = stored.WhichOneof("event")
        content = getattr(stored, kind)
        owner = getattr(content, "seat", 0)
        if kind in ("hand_event", "ruling", "seat_taken", "seed_revealed") and owner == seat:
            continue
        entry = whole.pieces[piece].entries[at]
        found += [entry.closed, entry.salt]
    return found


@pytest.mark.parametrize("seat", [0, 1, 2, 3, 4])
def test_nothing_that_a_view_may_not_see_is_in_its_bundle(whole, seat):
    told = redacted(whole, SEAT if seat else PUBLIC, seat)
    data = file_of(told)
    hidden = secrets(whole, seat)
    assert len(hidden) > 80
    assert not [one for one in hidden if one in data]
    shown = {stored.WhichOneof("event") for _, _, stored in closed_parts(told)}
    if not seat:
        assert not shown
        assert not any([entry.salt for piece in told.pieces for entry in piece.entries])
        return
    assert shown >= {"hand_event", "ruling", "seat_taken"}
    for _, _, stored in closed_parts(told):
        assert getattr(stored, stored.WhichOneof("event")).seat == seat
    # Others' hole cards, and discards of hands that were not shown, are question marks.
    for piece in told.pieces:
        for entry in piece.entries:
            event = table_pb2.SeenEvent.FromString(entry.open).hand_event
            if event.kind in (hand_pb2.EVENT_KIND_HOLE_DEALT, hand_pb2.EVENT_KIND_DISCARDED):
                assert set(event.cards) == {"??"}


def test_a_seat_sees_every_own_card_and_proposal(whole):
    told = {(piece, at) for piece, at, _ in closed_parts(redacted(whole, SEAT, 3))}
    own = {
        (piece, at)
        for piece, at, stored in closed_parts(whole)
        if stored.WhichOneof("event") in ("hand_event", "ruling")
        and getattr(stored, stored.WhichOneof("event")).seat == 3
    }
    assert own
    assert own <= told


def test_enumerating_all_possible_discards_recovers_nothing_without_the_salt(table, whole):
    """Two discards of four known hole cards are six possibilities (twelve in order): each is tried, with what is
    known of the record, against the commitment in the public bundle. With the salt one fits; without it none does,
    and each is as likely as the others."""
    public = redacted(whole, PUBLIC)
    tried = 0
    for piece, at, stored in closed_parts(whole):
        event = stored.hand_event
        if event.kind != hand_pb2.EVENT_KIND_DISCARDED:
            continue
        hole = hole_of(whole, piece, event.seat)
        entry = public.pieces[piece].entries[at]
        number = record_pb2.Seal.FromString(public.pieces[piece].seal).first_number + at
        salt = entry_salt(table.sealed()[piece][0].salt, number)
        fitting = []
        for pair in combinations(hole, 2):
            for cards in (pair, pair[::-1]):
                guess = candidate(stored, cards)
                tried += 1
                if commitment(salt, guess) == entry.commitment:
                    fitting.append(cards)
                for known in guessed_salts(public, piece, at, number):
                    assert commitment(known, guess) != entry.commitment
                    assert sha256(guess + known).digest() != entry.commitment
        assert fitting == [tuple(event.cards)]
    assert tried >= 12 * 4


def hole_of(whole, piece, seat):
    """A seat's hole cards in the hand of a piece."""
    for other, _, stored in closed_parts(whole):
        event = stored.hand_event
        if other == piece and event.kind == hand_pb2.EVENT_KIND_HOLE_DEALT and event.seat == seat:
            return list(event.cards)
    raise AssertionError("the seat was dealt in")


def candidate(stored, cards):
    """The closed part if these cards had been discarded."""
    guess = record_pb2.StoredEvent()
    guess.CopyFrom(stored)
    del guess.hand_event.cards[:]
    guess.hand_event.cards.extend(cards)
    happening = happening_in(guess.SerializeToString())
    assert all([card_text(card) in cards for card in happening.cards])
    return stored_event_bytes(happening, content_bytes(happening))


def guessed_salts(public, piece, at, number):
    """Salts that somebody could try who has the public bundle alone."""
    seal = record_pb2.Seal.FromString(public.pieces[piece].seal)
    yield from (b"", bytes(16), seal.head[:16], seal.opening[:16], public.pieces[piece].seal[:16])
    for secret in (b"", bytes(32), seal.head, seal.opening, seal.previous):
        yield entry_salt(secret, number)
    for entry in public.pieces[piece].entries[max(0, at - 3) : at + 3]:
        yield entry.commitment[:16]
        yield entry_salt(entry.commitment, number)


def test_equal_closed_parts_have_different_commitments(whole):
    """Who sees that two are equal would learn something; each entry has a salt of its own."""
    public = redacted(whole, PUBLIC)
    commitments = [entry.commitment for piece in public.pieces for entry in piece.entries if entry.commitment]
    assert len(set(commitments)) == len(commitments) > 50


def test_redacting_again_keeps_what_is_left_and_what_is_hidden(whole):
    seat = redacted(whole, SEAT, 2)
    assert redacted(seat, SEAT, 2) == seat
    assert redacted(seat, PUBLIC) == redacted(whole, PUBLIC)
    assert verify(redacted(seat, AUDITOR), TRUST).verdict == Verdict.INCOMPLETE
    assert redacted(whole, AUDITOR) == whole


@pytest.mark.parametrize(("view", "seat"), [(0, 0), (PUBLIC, 2), (SEAT, 0), (SEAT, -1), (AUDITOR, 1), (9, 0)])
def test_views_that_are_none_are_refused(whole, view, seat):
    with pytest.raises(RedactionError):
        redacted(whole, view, seat)


def test_who_takes_a_seat_later_is_not_shown_the_hands_of_who_was_there_before():
    table = RecordedTable(
        players=3, hands=4, options={"reset_stacks": True, "between_hands_ms": 1000}, signing_seats=()
    )
    table.start()
    rng = random.Random(5)
    table.play_on(rng)
    table.leave(3)
    table.pass_time(1_000)
    table.play_on(rng)
    newcomer = seed_of("newcomer")
    table.table.take_seat(3, "newcomer", newcomer, False, table.now)
    table.drain()
    while not table.table.has_ended:
        table.pass_time(1_000)
        table.play_on(rng)
    whole = logged(table.sealed())
    with pytest.raises(RedactionError, match="several players"):
        redacted(whole, SEAT, 3)
    first, second = (redacted(whole, SEAT, 3, holder) for holder in (seed_of("token 3"), newcomer))
    hands_of = [
        {
            record_pb2.Seal.FromString(told.pieces[piece].seal).piece
            for piece, _, one in closed_parts(told)
            if one.ruling.seat
        }
        for told in (first, second)
    ]
    assert hands_of[0] == {1}
    assert hands_of[1] <= {3, 4}
    assert hands_of[1]
    for told in (first, second, redacted(whole, SEAT, 1)):
        report = verify(told, TRUST)
        assert report.verdict == Verdict.VALID, report.divergence
