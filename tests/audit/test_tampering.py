"""Whatever is altered in a bundle is named: by bytes, by entries and pieces, by a lying operator who seals it anew."""

import random
import time
from collections import Counter
from hashlib import sha256

import pytest

from referee.audit.redaction import redacted
from referee.audit.report import Verdict
from referee.audit.trust import trust_in
from referee.audit.verify import verify, verify_bundle
from referee.dealing.fair import FairDecks
from referee.record import sealing
from referee.record.log.checkpoints import parse_checkpoint
from referee.record.log.notes import parse_note
from referee.rules.cards import CARD_TEXTS
from referee.v1 import hand_pb2, record_pb2, table_pb2
from tests.audit.records import (
    CLOCK,
    LOG_KEY,
    OTHER_KEY,
    STRANGER,
    TRUST,
    WITNESS,
    RecordedTable,
    amended,
    file_of,
    logged,
    resealed,
    seal_pieces,
    seed_of,
    side_pots_table,
    stored_event_of,
)
from tests.support import scale

VIEWS = {
    "auditor": (record_pb2.BUNDLE_VIEW_AUDITOR, 0),
    "seat": (record_pb2.BUNDLE_VIEW_SEAT, 2),
    "public": (record_pb2.BUNDLE_VIEW_PUBLIC, 0),
}
SIDE_POTS = 2
"""The piece of the hand with side pots."""


@pytest.fixture(scope="module")
def table():
    return side_pots_table()


@pytest.fixture(scope="module")
def bundle(table):
    return logged(table.sealed(), cosigners=(WITNESS, STRANGER))


def copy_of(bundle):
    twin = record_pb2.Bundle()
    twin.CopyFrom(bundle)
    return twin


def found(bundle, check, **options):
    """What the verifier says first of a bundle in which ``check``, among others, must fail."""
    report = verify_bundle(file_of(bundle), TRUST, **options)
    assert report.verdict == Verdict.INVALID
    failed = [one.name for one in report.checks if one.outcome == 2]
    assert check in failed, (failed, report.divergence)
    return report.divergence


# --- bytes ----------------------------------------------------------------------------------------------


def altered(data, at):
    """The bytes with one of them changed: a bit in the bounded run, another bit in every place."""
    changed = bytearray(data)
    changed[at] ^= 1 << (at % 8)
    return bytes(changed)


def with_digest(body):
    return b"referee-bundle/1\n" + sha256(body).hexdigest().encode() + b"\n" + body


@pytest.mark.parametrize("view", VIEWS)
def test_every_altered_byte_of_a_file_is_found_by_the_digest(bundle, view):
    data = file_of(redacted(bundle, *VIEWS[view]))
    assert verify_bundle(data, TRUST, 1).verdict == Verdict.VALID
    for at in range(0, len(data), scale(37, 1)):
        assert verify_bundle(altered(data, at), TRUST, 1).verdict == Verdict.UNREADABLE, at
    for end in range(0, len(data), scale(371, 37)):
        assert verify_bundle(data[:end], TRUST, 1).verdict == Verdict.UNREADABLE, end


@pytest.mark.parametrize("view", VIEWS)
def test_every_altered_byte_under_a_new_digest_is_named_or_is_outside_of_what_is_signed(bundle, view):
    """Outside are the names that the file gives itself: its software, the keys that nobody need believe, and the
    lines of the signed head by keys that the verifier does not know."""
    told = redacted(bundle, *VIEWS[view])
    body = told.SerializeToString(deterministic=True)
    note = parse_note(told.checkpoint)
    outside = Counter()
    for at in range(0, len(body), scale(37, 1)):
        changed = altered(body, at)
        report = verify_bundle(with_digest(changed), TRUST, 1)
        if report.verdict != Verdict.VALID:
            assert report.divergence is not None or report.missing
            continue
        other = record_pb2.Bundle.FromString(changed)
        (field,) = [one.name for one in told.DESCRIPTOR.fields if getattr(other, one.name) != getattr(told, one.name)]
        outside[field] += 1
        if field == "checkpoint":
            other_note = parse_note(other.checkpoint)
            assert (other_note.text, other_note.signatures[:2]) == (note.text, note.signatures[:2])
    assert set(outside) <= {"software", "keys", "checkpoint"}
    assert len(body) / scale(37, 1) > 10 * sum(outside.values()) > 0


def test_every_byte_can_become_any_other_without_the_verifier_failing(bundle):
    rng = random.Random(7)
    body = bundle.SerializeToString(deterministic=True)
    for _ in range(scale(150, 20_000)):
        changed = bytearray(body)
        for _ in range(rng.choice((1, 1, 2, 5))):
            at = rng.randrange(len(changed))
            match rng.randrange(3):
                case 0:
                    changed[at] = rng.randrange(256)
                case 1:
                    del changed[at : at + rng.randint(1, 9)]
                case _:
                    changed[at:at] = rng.randbytes(rng.randint(1, 9))
        assert verify_bundle(with_digest(bytes(changed)), TRUST, 1).verdict in set(Verdict)


# --- entries, pieces, keys ------------------------------------------------------------------------------


def test_dropped_doubled_and_swapped_entries_are_found(bundle):
    for piece in range(5):
        for at in range(0, len(bundle.pieces[piece].entries) - 1, scale(9, 1)):
            dropped, doubled, swapped = copy_of(bundle), copy_of(bundle), copy_of(bundle)
            del dropped.pieces[piece].entries[at]
            assert found(dropped, "seals").piece <= piece
            doubled.pieces[piece].entries.insert(at, bundle.pieces[piece].entries[at])
            assert found(doubled, "chain").piece <= piece
            entries = swapped.pieces[piece].entries
            one, other = bundle.pieces[piece].entries[at], bundle.pieces[piece].entries[at + 1]
            entries[at].CopyFrom(other)
            entries[at + 1].CopyFrom(one)
            assert found(swapped, "chain").piece <= piece


def test_dropped_doubled_and_swapped_pieces_are_found(bundle):
    dropped = copy_of(bundle)
    del dropped.pieces[2]
    assert "left out" in found(dropped, "seals").message
    doubled = copy_of(bundle)
    doubled.pieces.insert(2, bundle.pieces[2])
    assert found(doubled, "seals").message == "piece 2 after piece 2"
    swapped = copy_of(bundle)
    swapped.pieces[1].CopyFrom(bundle.pieces[2])
    swapped.pieces[2].CopyFrom(bundle.pieces[1])
    assert found(swapped, "seals").message
    # A piece of another table, in the log as well, is not one of this table.
    other = logged(side_pots_table().sealed()[:1] + seal_pieces("t2", [side_pots_table().pieces[1]]))
    assert found(other, "hands").message == "the first entry does not open the table"


def test_a_bundle_signed_by_another_key_is_found(table, bundle):
    stolen = logged(table.sealed(), key=OTHER_KEY)
    assert "not signed by any known key" in found(stolen, "checkpoint").message
    # A valid head of the log that has other records.
    foreign = copy_of(bundle)
    foreign.checkpoint = logged(table.sealed(), others=9).checkpoint
    assert found(foreign, "inclusion")


def test_a_bundle_that_says_it_is_for_somebody_else_is_found(bundle):
    public = redacted(bundle, record_pb2.BUNDLE_VIEW_PUBLIC)
    for view in (record_pb2.BUNDLE_VIEW_AUDITOR, record_pb2.BUNDLE_VIEW_SEAT):
        public.view, public.seat = view, 2 if view == record_pb2.BUNDLE_VIEW_SEAT else 0
        assert verify(public, TRUST).verdict == Verdict.INCOMPLETE
    seat = redacted(bundle, record_pb2.BUNDLE_VIEW_SEAT, 2)
    seat.seat = 3
    assert "may not see" in found(seat, "bundle").message


def test_a_closed_part_of_others_behind_its_commitment_is_found(table, bundle):
    """Without the entry's salt nothing else fits the sealed commitment; with another commitment the chain breaks."""
    piece, at = discard_of(bundle)
    closed = stored_discard(bundle, piece, at)
    closed.hand_event.cards[0] = "2c" if closed.hand_event.cards[0] != "2c" else "3c"
    changed = copy_of(bundle)
    changed.pieces[piece].entries[at].closed = closed.SerializeToString()
    assert found(changed, "chain").entry > 0
    recomputed = redacted(bundle, record_pb2.BUNDLE_VIEW_PUBLIC)
    entry = recomputed.pieces[piece].entries[at]
    entry.commitment = sealing.commitment(seed_of("a salt")[:16], closed.SerializeToString())
    assert found(recomputed, "chain").check == "chain"


def discard_of(bundle):
    """Piece and place of a discard."""
    for piece, one in enumerate(bundle.pieces):
        for at, entry in enumerate(one.entries):
            message = record_pb2.StoredEvent.FromString(entry.closed)
            if message.hand_event.kind == hand_pb2.EVENT_KIND_DISCARDED:
                return piece, at
    raise AssertionError("nobody discards")


def stored_discard(bundle, piece, at):
    return record_pb2.StoredEvent.FromString(bundle.pieces[piece].entries[at].closed)


# --- a lying operator -----------------------------------------------------------------------------------


def lied(table, change):
    """A bundle whose entries an operator changed, and sealed, logged and signed by the true key."""
    return logged(resealed(table.sealed(), change))


def places(table, kind, accept=lambda message: True, piece=SIDE_POTS):
    """The places in a piece of the entries of a kind."""
    pieces = [entries for _, entries in table.sealed()]
    return [
        at
        for at, entry in enumerate(pieces[piece])
        if (message := stored_event_of(entry)).WhichOneof("event") == kind and accept(message)
    ]


def change_at(table, at, change, piece=SIDE_POTS):
    """A lie in one place: the stored event is changed, and what everybody sees of it with it."""

    def lie(pieces):
        pieces[piece][at] = amended(pieces[piece][at], table.config, change)

    return lied(table, lie)


def is_kind(kind):
    return lambda message: message.hand_event.kind == kind


def accepted(message):
    return message.ruling.ruling.accepted


def refused(message):
    return not message.ruling.ruling.accepted


def test_an_honest_operator_who_seals_again_is_believed(table):
    report = verify(lied(table, lambda pieces: None), TRUST)
    assert report.verdict == Verdict.VALID


def test_a_swapped_board_card_is_found_by_its_place_in_the_deck(table):
    (flop, *_) = places(table, "hand_event", is_kind(hand_pb2.EVENT_KIND_BOARD_DEALT))

    def swap(message):
        cards = message.hand_event.cards
        cards[0], cards[1] = cards[1], cards[0]

    divergence = found(change_at(table, flop, swap), "cards")
    assert (divergence.piece, divergence.rule) == (SIDE_POTS, "DEAL-3")
    assert sorted(divergence.recorded.split()) == sorted(divergence.right.split())


def test_other_hole_cards_are_found_though_the_hand_plays_on_rightly(table):
    """The order of a player's cards decides nothing but what is discarded for him, and is fixed all the same."""
    dealt = places(table, "hand_event", is_kind(hand_pb2.EVENT_KIND_HOLE_DEALT))
    divergence = found(change_at(table, dealt[0], lambda message: message.hand_event.cards.reverse()), "cards")
    assert divergence.rule == "DEAL-1"
    assert divergence.entry > 0


@pytest.mark.parametrize("view", VIEWS)
def test_a_match_dealt_from_other_decks_than_its_seeds_make_is_found_by_everybody(view):
    """The operator plays honestly in all else, and commits to the decks that it deals."""
    table = RecordedTable(hands=2)
    table.start(decks=FairDecks("t1", seed_of("decks that the operator likes")))
    table.play_on(random.Random(3))
    told = redacted(logged(table.sealed()), *VIEWS[view])
    assert found(told, "deck_roots").check in ("deck_roots", "positions")
    report = verify(told, TRUST)
    assert report.check("cards").outcome == 2
    assert report.check("events").outcome == report.check("chain").outcome == 1


def test_a_table_of_thousands_of_seats_is_refused_at_once(table):
    def lie(message):
        message.opened.config.seats = message.opened.opened.config.seats = 2**31 - 1

    assert found(change_at(table, 0, lie, piece=0), "rules").rule == "GAME-4"


def test_an_illegal_action_that_was_accepted_is_found_with_the_rule(table):
    """A refused proposal becomes an accepted one: what is legal is told, with the rule and the hand before it."""
    (at, *_) = places(table, "ruling", refused)

    def accept(message):
        message.ruling.ruling.CopyFrom(hand_pb2.Ruling(accepted=True, rule="BET-2"))

    divergence = found(change_at(table, at, accept), "rulings")
    assert divergence.message == "an illegal proposal was accepted"
    assert divergence.rule.startswith(("BET", "SIZE", "DISC"))
    assert divergence.rule_text
    assert "behind" in divergence.before
    assert divergence.recorded.endswith("accepted by BET-2")
    assert divergence.right.startswith("refused by")


def test_a_legal_action_that_was_refused_is_found(table):
    (at, *_) = places(table, "ruling", lambda one: accepted(one) and one.ruling.request_id)

    def refuse(message):
        ruling = hand_pb2.Ruling(rule="BET-1", reason=7, message="seat 1 is to act")
        message.ruling.ruling.CopyFrom(ruling)

    divergence = found(change_at(table, at, refuse), "refusals")
    assert divergence.message == "a legal proposal was refused"
    assert divergence.right.startswith("accepted by ")


def test_every_ruling_that_gives_another_rule_reason_or_option_is_found(table):
    lies = (
        lambda ruling: setattr(ruling, "rule", "SIZE-4"),
        lambda ruling: setattr(ruling, "message", ruling.message + "!"),
        lambda ruling: setattr(ruling, "reason", 5),
        lambda ruling: setattr(ruling, "warning", "careful"),
        lambda ruling: setattr(ruling.legal, "amount_to_call", ruling.legal.amount_to_call + 1),
    )
    for at in places(table, "ruling")[:: scale(4, 1)]:
        for lie in lies:
            changed = change_at(table, at, lambda message, lie=lie: lie(message.ruling.ruling))
            divergence = found(changed, "refusals" if refused(stored_at(table, at)) else "rulings")
            assert divergence.message == "another ruling"


def stored_at(table, at, piece=SIDE_POTS):
    return stored_event_of(table.sealed()[piece][1][at])


@pytest.mark.parametrize("field", ["amount", "street_total", "seat", "pot", "kind", "rule"])
def test_every_event_that_is_not_what_follows_is_found(table, field):
    """Amounts of bets and pots, who acts, what it is called: one after another is changed and all of it sealed anew."""
    names = {"rule": "BET-2"}
    for at in places(table, "hand_event")[:: scale(3, 1)]:
        if field == "rule" and stored_at(table, at).hand_event.rule == "BET-2":
            continue

        def lie(message):
            event = message.hand_event
            if field == "seat":
                event.seat = event.seat % 4 + 1
            elif field == "kind":
                event.kind = event.kind % 22 + 1
            else:
                setattr(event, field, names.get(field) or getattr(event, field) + 1)

        changed = change_at(table, at, lie)
        for told in (changed, redacted(changed, *VIEWS["public"])):
            report = verify(told, TRUST)
            assert report.verdict == Verdict.INVALID, at
            assert report.divergence.piece == SIDE_POTS
            assert report.divergence.entry >= 0


def test_shown_hands_without_their_cards_are_found(table):
    """Everybody saw the cards of a hand that was shown: a record in which they are unknown is a lie."""

    def hide(message):
        del message.hand_event.cards[:]
        message.hand_event.cards.extend(["??", "??"])

    for at in places(table, "hand_event", is_kind(hand_pb2.EVENT_KIND_HAND_SHOWN)):
        changed = change_at(table, at, hide)
        for shown in (changed, redacted(changed, *VIEWS["public"])):
            assert verify(shown, TRUST).verdict is Verdict.INVALID


def test_a_key_is_believed_within_its_bounds_only(bundle):
    size = parse_checkpoint(parse_note(bundle.checkpoint).text).size
    key = LOG_KEY.verifier.text
    for bounds, verdict in (
        ("", Verdict.VALID),
        (f" until_size {size + 1}", Verdict.VALID),
        (f" until_size {size}", Verdict.INVALID),
        (f" from_size {size + 1}", Verdict.INVALID),
    ):
        assert verify(bundle, trust_in([key + bounds])).verdict is verdict, bounds


def test_hands_that_begin_and_never_end_do_not_take_for_ever(table):
    def many(pieces):
        began = next(entry for entry in pieces[1] if entry.closed and stored_event_of(entry).HasField("hand_began"))
        pieces[1][:] = [began] * 20_000

    changed, begun = lied(table, many), time.process_time()
    assert verify(changed, TRUST).verdict is Verdict.INVALID
    once = time.process_time() - begun

    def twice(pieces):
        many(pieces)
        pieces[1][:] *= 2

    changed, begun = lied(table, twice), time.process_time()
    assert verify(changed, TRUST).verdict is Verdict.INVALID
    assert time.process_time() - begun < 3.5 * once + 0.5, "twice as many take about twice as long"


def test_a_pot_given_to_somebody_else_is_found_with_who_should_have_it(table):
    (at, *_) = places(table, "hand_event", is_kind(hand_pb2.EVENT_KIND_POT_AWARDED))

    def give(message):
        message.hand_event.seat = message.hand_event.seat % 4 + 1

    divergence = found(change_at(table, at, give), "settlement")
    assert divergence.rule in ("POT-4", "POT-5")
    assert "collects" in divergence.right
    assert divergence.before.startswith("river: ")


def test_chips_that_appear_are_found_within_a_hand_and_between_hands(table):
    (at, *_) = places(table, "hand_event", is_kind(hand_pb2.EVENT_KIND_POT_AWARDED))

    def more(message):
        message.hand_event.amount += 10

    assert found(change_at(table, at, more), "conservation")

    def richer(message):
        message.hand_began.seats[0].stack += 10

    divergence = found(change_at(table, 0, richer), "seats")
    assert divergence.rule == "POT-7"
    assert int(divergence.recorded) == int(divergence.right) + 10


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (lambda began: setattr(began, "button_seat", began.button_seat % 4 + 1), "positions"),
        (lambda began: setattr(began, "big_blind_seat", began.big_blind_seat % 4 + 1), "positions"),
        (lambda began: setattr(began, "small_blind_position", 9), "positions"),
        (lambda began: began.dealt_in.pop(), "positions"),
        (lambda began: setattr(began, "hand_id", "t1-7"), "hands"),
        (lambda began: setattr(began, "closing", True), "hands"),
        (lambda began: setattr(began, "hand", 7), "hands"),
        (lambda began: setattr(began, "deck_root", bytes(32)), "deck_roots"),
        (lambda began: setattr(began.seats[1], "name", "somebody"), "seats"),
        (lambda began: setattr(began.seats[1], "waiting", True), "seats"),
        (lambda began: setattr(began.seats[1], "show_when_beaten", True), "seats"),
        (lambda began: setattr(began.seats[1], "token_sha256", bytes(32)), "seats"),
        (lambda began: setattr(began.seats[1], "public_key", bytes(32)), "seats"),
        (lambda began: setattr(began.seats[1], "bank_ms", 60_000), "clocks"),
    ],
)
def test_a_hand_that_begins_otherwise_is_found(table, change, check):
    divergence = found(change_at(table, 0, lambda message: change(message.hand_began)), check)
    first = record_pb2.Seal.FromString(table.sealed()[SIDE_POTS][0].seal).first_number
    assert (divergence.piece, divergence.entry) == (SIDE_POTS, first)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (lambda one: setattr(one, "bank_ms", one.bank_ms + 1), "clocks"),
        (lambda one: setattr(one, "elapsed_ms", one.elapsed_ms + 60_000), "clocks"),
        (lambda one: setattr(one, "received_unix_ms", one.received_unix_ms + 60_000), "clocks"),
        (lambda one: setattr(one, "further_refusals", 3), "refusals"),
    ],
)
def test_time_and_banks_that_do_not_add_up_are_found(table, change, check):
    def in_time(message):
        return accepted(message) and message.ruling.request_id

    for at in places(table, "ruling", in_time)[:: scale(4, 1)]:
        divergence = found(change_at(table, at, lambda message: change(message.ruling)), check)
        assert divergence.rule in ("TIME-1", "TIME-2", "BET-8")


def test_a_seat_that_is_given_other_time_than_it_has_is_found(table):
    for at in places(table, "decision_opened")[:: scale(4, 1)]:
        for field in ("action_ms", "bank_ms"):
            changed = change_at(table, at, lambda message, field=field: setattr(message.decision_opened, field, 77_000))
            for told in (changed, redacted(changed, *VIEWS["public"])):
                divergence = verify(told, TRUST).divergence
                if field == "action_ms" or told is changed:
                    assert (divergence.check, divergence.rule) == ("clocks", "TIME-1")


def test_a_time_out_of_a_seat_that_had_time_is_found(table):
    for at in places(table, "ruling", lambda message: not message.ruling.request_id):
        seat = stored_at(table, at).ruling.seat
        asked = [stored_at(table, one).decision_opened for one in places(table, "decision_opened") if one < at]
        bank_ms = [one.bank_ms for one in asked if one.seat == seat][-1]

        def early(message, bank_ms=bank_ms):
            message.ruling.elapsed_ms = CLOCK.action_ms + bank_ms
            message.ruling.bank_ms = CLOCK.increment_ms

        divergence = found(change_at(table, at, early), "timeouts")
        assert (divergence.check, divergence.rule) == ("timeouts", "TIME-2")
        assert divergence.message == "answered for a seat that had time left"


def test_a_time_out_that_the_operator_invents_is_found(table):
    def invented(message):
        message.ruling.proposal.action.timeout.SetInParent()
        message.ruling.request_id = ""

    for at in places(table, "ruling", lambda message: accepted(message) and message.ruling.request_id):
        report = verify(change_at(table, at, invented), TRUST)
        assert report.verdict == Verdict.INVALID
        assert report.divergence.check in ("timeouts", "signatures", "rulings")


def test_a_proposal_that_the_player_did_not_sign_is_found(table):
    (at, *_) = places(table, "ruling", lambda message: message.ruling.signature)

    def other(message):
        message.ruling.request_id += "0"

    assert found(change_at(table, at, other), "signatures").message == "the player did not sign this proposal"


def test_entries_left_out_added_or_moved_by_the_operator_are_found(table):
    """Every entry of the hand but a refused proposal is needed: a refusal that is left out leaves no trace."""
    count = len(table.sealed()[SIDE_POTS][1])
    refusals = set(places(table, "ruling", refused))
    for at in range(0, count, scale(3, 1)):

        def drop(pieces, at=at):
            del pieces[SIDE_POTS][at]

        def double(pieces, at=at):
            pieces[SIDE_POTS].insert(at, pieces[SIDE_POTS][at])

        if at in refusals:
            continue
        assert verify(lied(table, drop), TRUST).verdict == Verdict.INVALID, at
        assert verify(lied(table, double), TRUST).verdict == Verdict.INVALID, at


def test_what_everybody_was_shown_must_be_what_happened(table):
    (at, *_) = places(table, "hand_event", is_kind(hand_pb2.EVENT_KIND_DISCARDED))

    def show(pieces):
        entry = pieces[SIDE_POTS][at]
        whole = record_pb2.StoredEvent.FromString(entry.closed)
        shown = table_pb2.SeenEvent(hand_event=whole.hand_event).SerializeToString()
        pieces[SIDE_POTS][at] = entry._replace(open=shown)

    assert found(lied(table, show), "open_parts").rule == "DEAL-4"

    def hide(pieces):
        entry = pieces[SIDE_POTS][0]
        began = table_pb2.SeenEvent.FromString(entry.open)
        began.hand_began.players[0].stack += 1
        pieces[SIDE_POTS][0] = entry._replace(open=began.SerializeToString())

    assert found(lied(table, hide), "open_parts")


@pytest.mark.parametrize(
    ("kind", "change", "check"),
    [
        ("opened", lambda one: setattr(one.opened, "rule_set_sha256", bytes(32)), "rules"),
        ("opened", lambda one: setattr(one.opened, "rule_set_name", "irish/tda@1"), "rules"),
        ("opened", lambda one: setattr(one.config, "starting_stack", 7), "rules"),
        ("opened", lambda one: setattr(one.opened, "deal_commitment", bytes(32)), "seeds"),
        ("opened", lambda one: setattr(one.opened, "deal_commitment", b""), "commitments"),
        ("opened", lambda one: setattr(one.config, "seed", bytes(32)), "seeds"),
        ("seed_committed", lambda one: setattr(one, "commitment", bytes(32)), "commitments"),
        ("seed_revealed", lambda one: setattr(one, "seed", bytes(32)), "seeds"),
        ("commitments_closed", lambda one: one.commitments.pop(), "commitments"),
        ("commitments_closed", lambda one: one.seats.pop(), "seeds"),
        ("commitments_closed", lambda one: one.seats.append(9), "commitments"),
        ("seat_taken", lambda one: setattr(one, "stack", one.stack + 1), "seats"),
    ],
)
def test_lies_about_rules_and_seeds_are_found(table, kind, change, check):
    at = places(table, kind, piece=0)[-1 if kind == "seed_committed" else 0]
    changed = change_at(table, at, lambda message: change(getattr(message, kind)), piece=0)
    assert found(changed, check)


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (lambda seeds: setattr(seeds, "referee_seed", bytes(32)), "seeds"),
        (lambda seeds: setattr(seeds.seats[0], "seed", bytes(32)), "seeds"),
        (lambda seeds: setattr(seeds.seats[2], "seed", bytes(32)), "seeds"),
        (lambda seeds: setattr(seeds.seats[0], "seed", b""), "seeds"),
        (lambda seeds: seeds.seats.pop(), "seeds"),
        (lambda seeds: setattr(seeds, "match_name", "t2"), "seeds"),
    ],
)
def test_other_seeds_at_the_end_than_at_the_beginning_are_found(table, change, check):
    (at,) = places(table, "ended", piece=4)
    changed = change_at(table, at, lambda message: change(message.ended.seeds), piece=4)
    assert found(changed, check)


def test_a_table_that_ends_without_showing_its_seeds_is_found(table):
    (at,) = places(table, "ended", piece=4)
    changed = change_at(table, at, lambda message: message.ended.ClearField("seeds"), piece=4)
    assert "its seeds are not shown" in found(changed, "seeds").message


def test_seeds_chosen_after_the_commitments_are_found_by_the_order(table):
    """A commitment that comes after the closing, and a seed that is revealed before it."""
    committed = places(table, "seed_committed", piece=0)[-1]
    (closed,) = places(table, "commitments_closed", piece=0)

    def late(pieces):
        pieces[0].insert(closed, pieces[0].pop(committed))

    assert found(lied(table, late), "commitments")
    revealed = places(table, "seed_revealed", piece=0)[0]

    def early(pieces):
        pieces[0].insert(closed, pieces[0].pop(revealed))

    assert "no seeds are taken" in found(lied(table, early), "commitments").message


def test_pieces_that_are_not_hands_are_found(table):
    def split(pieces):
        pieces[2:3] = [pieces[2][:20], pieces[2][20:]]

    assert found(lied(table, split), "hands")

    def merge(pieces):
        pieces[1:3] = [pieces[1] + pieces[2]]

    assert found(lied(table, merge), "hands")


def test_entries_where_none_can_be_are_found(table):
    def opened_again(pieces):
        pieces[1].insert(0, pieces[0][0])

    assert found(lied(table, opened_again), "hands").message == "the table is opened a second time"

    def before_any_hand(pieces):
        pieces[0].insert(3, pieces[1][1]._replace(hand=0))

    assert found(lied(table, before_any_hand), "events").message == "this happens before any hand"

    def left_and_asked(pieces):
        gone = table_pb2.SeenEvent(seat_leaving=table_pb2.SeatLeaving(seat=1)).SerializeToString()
        pieces[1].insert(len(pieces[1]) // 2, pieces[1][3]._replace(open=gone, closed=b""))

    report = verify(lied(table, left_and_asked), TRUST)
    assert report.verdict == Verdict.INVALID
    assert report.divergence.check in ("timeouts", "events", "rulings")


def test_a_view_cannot_be_told_that_something_public_has_a_hidden_part(table, bundle):
    told = redacted(bundle, *VIEWS["public"])
    (at, *_) = places(table, "hand_event", is_kind(hand_pb2.EVENT_KIND_BOARD_DEALT))
    told.pieces[SIDE_POTS].entries[at].commitment = bytes(32)
    assert found(told, "entries").message == "of hand_event nothing can be hidden"


def test_any_lie_in_any_field_is_followed_to_a_verdict(table):
    """Random fields of random entries are set to random values, and everything is sealed and signed anew.

    The verifier never fails. What it does not find is what only players or witnesses can tell: names, moments, request
    ids, signatures that are left out, what the software called itself, and what exactly was proposed where it is
    refused for the same reason all the same.
    """
    rng = random.Random(11)
    believed = Counter()
    sealed = table.sealed()
    tries = scale(120, 20_000)
    for _ in range(tries):
        piece = rng.randrange(len(sealed))
        at = rng.randrange(len(sealed[piece][1]))
        path = []

        def lie(message, path=path):
            path.append("refused" if message.HasField("ruling") and refused(message) else "lie")
            change_any_field(message, rng, path)

        try:
            changed = change_at(table, at, lie, piece)
        except (ValueError, KeyError, IndexError, OverflowError, AttributeError):
            continue  # no operator could have written that
        if verify(changed, TRUST).verdict == Verdict.VALID and path[-1] != "same":
            believed[".".join(path)] += 1
    assert not [path for path in believed if not path.startswith(UNPROVED_PARTS) and not path.endswith(UNPROVED)]
    assert sum(believed.values()) < tries / 5


UNPROVED = ("name", "unix_ms", "request_id", "software", "token_sha256", "elapsed_ms", "signature")
UNPROVED_PARTS = ("refused.ruling.proposal",)


def change_any_field(message, rng, path):
    fields = [one for one, _ in message.ListFields()]
    field = rng.choice(fields) if fields else None
    if field is None:
        path.append("same")
        return
    path.append(field.name)
    value = getattr(message, field.name)
    if field.is_repeated:
        if field.message_type is None:
            value.append(value[0])
        elif rng.random() < 0.3:
            value.pop()
        else:
            change_any_field(rng.choice(value), rng, path)
    elif field.message_type is not None:
        change_any_field(value, rng, path)
    else:
        new = _another(field, value, rng)
        setattr(message, field.name, new)
        if new == value:
            path.append("same")


def _another(field, value, rng):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + rng.choice((-1, 1, 2, 10, 1 << 20)))
    if isinstance(value, str):
        return rng.choice((value + "x", "", rng.choice(CARD_TEXTS)))
    return rng.choice((value[1:] + b"\x01", b"", bytes(32)))
