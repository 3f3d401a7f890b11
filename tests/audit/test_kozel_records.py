"""Records of Kozel: whole games verify in every view, lies are named by check and rule, nothing hidden is told."""

import json
import random
from collections import Counter
from hashlib import sha256
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from referee.audit.kozel_tiles import known_tiles
from referee.audit.opening import config_in
from referee.audit.reading import read_piece
from referee.audit.redaction import redacted
from referee.audit.replay import ReplayError, steps_of, tables_of
from referee.audit.report import Verdict
from referee.audit.verify import verify, verify_bundle
from referee.cli import app
from referee.dealing.fair import FairDecks
from referee.kozel.rulings import ActionKind, Proposal
from referee.kozel.setup import RoundSetup
from referee.kozel.tiles import TILE_TEXTS
from referee.kozel_judge import judge_round
from referee.record.kozel_record import recorded
from referee.record.kozel_wire import account_of
from referee.record.log.notes import parse_note
from referee.record.notation.kozel import read_rounds, write_round
from referee.record.sealing import commitment, entry_salt
from referee.table.faults import FaultPolicy, FaultRules
from referee.v1 import kozel_pb2, record_pb2, table_pb2
from tests.audit.kozel_records import RecordedGame, played_game
from tests.audit.records import (
    LOG_KEY,
    OTHER_KEY,
    STRANGER,
    TRUST,
    WITNESS,
    amended,
    file_of,
    logged,
    resealed,
    stored_event_of,
)
from tests.audit.test_tampering import UNPROVED, change_any_field
from tests.support import scale

rule = pytest.mark.rule
AUDITOR, SEAT, PUBLIC = record_pb2.BUNDLE_VIEW_AUDITOR, record_pb2.BUNDLE_VIEW_SEAT, record_pb2.BUNDLE_VIEW_PUBLIC
VIEWS = {"auditor": (AUDITOR, 0), "seat": (SEAT, 2), "public": (PUBLIC, 0)}
GAMES = [(players, f"kozel/{name}@1") for players in (2, 3, 4) for name in ("on-all", "on-one")]
Kind = kozel_pb2.KozelEventKind


@pytest.fixture(scope="module")
def game():
    """A game for three with drawing, knocking, refusals of every kind, and a carry."""
    return played_game(3, "kozel/on-one@1", 50)


@pytest.fixture(scope="module")
def bundle(game):
    return logged(game.sealed(), cosigners=(WITNESS, STRANGER))


@pytest.fixture(scope="module")
def short():
    """A game that the host ends after one round."""
    game = RecordedGame(3, hands=1)
    game.play(random.Random(2))
    return logged(game.sealed(), cosigners=(WITNESS, STRANGER))


def copy_of(bundle):
    twin = record_pb2.Bundle()
    twin.CopyFrom(bundle)
    return twin


def failed(report):
    return [one.name for one in report.checks if one.outcome == 2]


def found(bundle, check):
    """What the verifier says first of a bundle in which ``check``, among others, must fail."""
    report = verify_bundle(file_of(bundle), TRUST)
    assert report.verdict is Verdict.INVALID
    assert check in failed(report), (failed(report), report.divergence)
    return report.divergence


# --- whole games ------------------------------------------------------------------------------------------


@rule("KOZ-2", "KOZ-3", "KOZ-14", "KOZ-15", "KOZ-16")
@pytest.mark.parametrize(("players", "rule_set"), GAMES)
def test_whole_games_verify_in_every_view_and_without_their_end(players, rule_set):
    """With the end the seeds make every tile known; without it others' tiles are hidden, and the game is followed."""
    for seed in range(scale(2, 100)):
        whole = logged(played_game(players, rule_set, seed).sealed())
        for view in VIEWS.values():
            told = redacted(whole, *view)
            for pieces in (len(told.pieces), len(told.pieces) // 2 + 1):
                excerpt = copy_of(told)
                del excerpt.pieces[pieces:]
                report = verify(excerpt, TRUST)
                assert report.verdict is Verdict.VALID, (seed, view, report.divergence, report.missing)
                assert report.hands >= pieces - 2
                assert not failed(report)
        assert {one.name for one in verify(whole, TRUST).checks if not one.compared} <= {"timeouts"}


@rule("KOZ-17")
@pytest.mark.parametrize("view", VIEWS)
def test_a_time_out_ends_the_game_and_is_verified(view):
    game = RecordedGame(3, "kozel/on-all@1")
    game.play(random.Random(3), rounds=2)
    seat = game.to_act
    game.pass_time(60_000)
    assert game.table.end_reason == table_pb2.END_REASON_GAME_OVER
    report = verify(redacted(logged(game.sealed()), *VIEWS[view]), TRUST)
    assert report.verdict is Verdict.VALID
    assert report.hands == 3
    assert report.check("timeouts").compared == (view == "auditor" or VIEWS[view][1] == seat)


@rule("TIME-4", "KOZ-17")
def test_a_seat_that_forfeits_or_leaves_ends_the_game():
    for faults in (FaultRules(3, FaultPolicy.FORFEIT_MATCH), None):
        game = RecordedGame(3, "kozel/on-all@1", faults=faults)
        game.play(random.Random(1), rounds=1, refusals=0)
        seat = game.to_act
        if faults is None:
            game.table.leave_seat(seat, game.now)
            game.drain()
        for _ in range(3 if faults else 0):
            game.propose(Proposal(seat, ActionKind.KNOCK))
        assert game.table.has_ended
        report = verify(logged(game.sealed()), TRUST)
        assert report.verdict is Verdict.VALID, report.divergence
        assert report.check("timeouts").compared == 1


def test_a_game_whose_host_gives_the_tiles_or_bounds_or_closes_it_is_verified():
    first = played_game(3, "kozel/on-all@1", 5)
    decks = "".join([" ".join([TILE_TEXTS[tile] for tile in first.table.decks.deck(0, 1)]) + "\n" for _ in range(2)])
    given = RecordedGame(3, "kozel/on-all@1", decks=decks)
    given.play(random.Random(1))
    bounded = RecordedGame(2, "kozel/on-all@1", hands=2)
    bounded.play(random.Random(1))
    closed = RecordedGame(2, "kozel/on-all@1")
    closed.table.close(closed.now)
    closed.drain()
    closed.play(random.Random(1))
    for one, reason, rounds in ((given, 4, 2), (bounded, 1, 2), (closed, 3, 1)):
        assert (one.table.end_reason, one.table.hand_number) == (reason, rounds)
        for view in VIEWS.values():
            report = verify(redacted(logged(one.sealed()), *view), TRUST)
            assert report.verdict is Verdict.VALID, report.divergence


def test_an_excerpt_without_the_rounds_before_is_followed(bundle):
    excerpt = copy_of(bundle)
    del excerpt.pieces[1:3]
    report = verify(excerpt, TRUST)
    assert report.verdict is Verdict.VALID, report.divergence
    assert "not in the bundle" in report.check("positions").message


# --- bytes, entries, keys ---------------------------------------------------------------------------------


def altered(data, at):
    changed = bytearray(data)
    changed[at] ^= 1 << (at % 8)
    return bytes(changed)


def with_digest(body):
    return b"referee-bundle/1\n" + sha256(body).hexdigest().encode() + b"\n" + body


@pytest.mark.parametrize("view", VIEWS)
def test_every_altered_byte_is_named_or_is_outside_of_what_is_signed(short, view):
    """As of poker: outside are the software's and the keys' names, and lines of the head by keys that nobody knows."""
    told = redacted(short, *VIEWS[view])
    body = told.SerializeToString(deterministic=True)
    note = parse_note(told.checkpoint)
    outside = Counter()
    for at in range(0, len(body), scale(37, 1)):
        changed = altered(body, at)
        report = verify_bundle(with_digest(changed), TRUST, 1)
        if report.verdict is not Verdict.VALID:
            assert report.divergence is not None or report.missing
            continue
        other = record_pb2.Bundle.FromString(changed)
        (field,) = [one.name for one in told.DESCRIPTOR.fields if getattr(other, one.name) != getattr(told, one.name)]
        outside[field] += 1
        if field == "checkpoint":
            other_note = parse_note(other.checkpoint)
            assert (other_note.text, other_note.signatures[:2]) == (note.text, note.signatures[:2])
    assert set(outside) <= {"software", "keys", "checkpoint"}
    assert verify_bundle(altered(file_of(told), 200), TRUST, 1).verdict is Verdict.UNREADABLE


def test_dropped_doubled_and_swapped_entries_and_another_key_are_found(game, bundle):
    for piece in range(len(bundle.pieces)):
        for at in range(0, len(bundle.pieces[piece].entries) - 1, scale(17, 1)):
            dropped, doubled, swapped = copy_of(bundle), copy_of(bundle), copy_of(bundle)
            del dropped.pieces[piece].entries[at]
            assert found(dropped, "seals").piece <= piece
            doubled.pieces[piece].entries.insert(at, bundle.pieces[piece].entries[at])
            assert found(doubled, "chain").piece <= piece
            entries = swapped.pieces[piece].entries
            entries[at].CopyFrom(bundle.pieces[piece].entries[at + 1])
            entries[at + 1].CopyFrom(bundle.pieces[piece].entries[at])
            assert found(swapped, "chain").piece <= piece
    assert "not signed by any known key" in found(logged(game.sealed(), key=OTHER_KEY), "checkpoint").message


# --- a lying operator -------------------------------------------------------------------------------------


def lied(game, change):
    """A bundle whose entries an operator changed, and sealed, logged and signed by the true key."""
    return logged(resealed(game.sealed(), change))


def change_at(game, piece, at, change):
    """A lie in one place: the stored event is changed, and what everybody sees of it with it."""

    def lie(pieces):
        pieces[piece][at] = amended(pieces[piece][at], game.config, change)

    return lied(game, lie)


def places(game, accept):
    """Piece and place of every entry whose stored event is accepted."""
    for piece, (_, entries) in enumerate(game.sealed()):
        for at, entry in enumerate(entries):
            if accept(stored_event_of(entry)):
                yield piece, at


def is_kind(kind):
    return lambda message: message.kozel_event.kind == kind


def first_of(game, kind):
    """The first event of a kind in the record."""
    return next(places(game, is_kind(kind)))


def swap_first(message):
    tiles = message.kozel_event.tiles
    tiles[0], tiles[1] = tiles[1], tiles[0]


@rule("KOZ-1")
@pytest.mark.parametrize("kind", ["TILES_DEALT", "BONEYARD_LAID"])
def test_tiles_that_are_not_those_of_the_deck_are_found(game, kind):
    piece, at = first_of(game, Kind.Value(f"KOZEL_EVENT_KIND_{kind}"))
    divergence = found(change_at(game, piece, at, swap_first), "cards")
    assert (divergence.piece, divergence.rule) == (piece, "KOZ-1")
    assert sorted(divergence.recorded.split()) == sorted(divergence.right.split())
    assert divergence.rule_text


@rule("KOZ-1", "KOZ-5")
def test_another_tile_drawn_is_found(game):
    piece, at = first_of(game, Kind.KOZEL_EVENT_KIND_TILE_DRAWN)

    def other(message):
        message.kozel_event.tiles[0] = "6-6" if message.kozel_event.tiles[0] != "6-6" else "5-5"

    changed = change_at(game, piece, at, other)
    assert found(changed, "cards").piece == piece
    assert "events" in failed(verify(changed, TRUST))


@pytest.mark.parametrize("view", VIEWS)
def test_a_game_dealt_from_other_decks_than_its_seeds_make_is_found_by_everybody(view):
    """The operator plays honestly in all else, and commits to the decks that it deals."""
    game = RecordedGame(3, "kozel/on-all@1", "k2", hands=1, liked=FairDecks("k2", bytes(range(32)), 28))
    game.play(random.Random(3))
    told = redacted(logged(game.sealed()), *VIEWS[view])
    assert found(told, "deck_roots").check in ("deck_roots", "cards")
    report = verify(told, TRUST)
    assert report.check("cards").outcome == 2
    if view == "auditor":
        assert report.check("events").outcome == report.check("rulings").outcome == 1


@rule("KOZ-2")
def test_a_deal_that_must_be_dealt_again_and_is_not_is_found():
    """The record of a round with a redeal from which the first deal is cut out, roots and all."""
    game = next(one for one in (RecordedGame(4, seed=str(seed), hands=1) for seed in range(400)) if redeals(one))
    game.play(random.Random(1), refusals=0)
    assert verify(logged(game.sealed()), TRUST).verdict is Verdict.VALID

    def cut(pieces):
        began, config = pieces[1][0], game.config
        pieces[1][0] = amended(began, config, lambda message: message.hand_began.kozel.deck_roots.pop(0))
        end = [stored_event_of(entry).kozel_event.kind for entry in pieces[1]].index(Kind.KOZEL_EVENT_KIND_REDEALT)
        del pieces[1][1 : end + 1]

    assert found(lied(game, cut), "deck_roots").piece == 1

    def stay(pieces):
        kinds = [stored_event_of(entry).kozel_event.kind for entry in pieces[1]]
        del pieces[1][kinds.index(Kind.KOZEL_EVENT_KIND_REDEALT)]

    assert {"cards", "events"} <= set(failed(verify(lied(game, stay), TRUST)))


def redeals(game):
    return any([event.kind == Kind.KOZEL_EVENT_KIND_REDEALT for event in game.events])


def ruling(accepted, **proposed):
    """Whether a stored event is a ruling like this on laying a tile."""

    def accept(message):
        one = message.ruling
        lays = message.HasField("ruling") and one.kozel_proposal.HasField("lay")
        return lays and one.kozel_ruling.accepted == accepted

    return accept


def refused(message):
    return message.HasField("ruling") and not message.ruling.kozel_ruling.accepted


REASONS = {
    "HOLDS_A_PLAYABLE_TILE": "KOZ-5",
    "TILE_NOT_HELD": "KOZ-4",
    "STALE_DECISION": "BET-9",
    "OUT_OF_TURN": "KOZ-4",
}


@rule("KOZ-4", "KOZ-5", "BET-9")
@pytest.mark.parametrize("reason", REASONS)
def test_an_illegal_proposal_that_was_accepted_is_found_with_the_rule(game, reason):
    number = kozel_pb2.KozelReason.Value(f"KOZEL_REASON_{reason}")
    piece, at = next(places(game, lambda message: message.ruling.kozel_ruling.reason == number))

    def accept(message):
        message.ruling.kozel_ruling.CopyFrom(kozel_pb2.KozelRuling(accepted=True, rule="KOZ-4"))

    divergence = found(change_at(game, piece, at, accept), "rulings")
    assert divergence.message == "an illegal proposal was accepted"
    assert (divergence.piece, divergence.rule) == (piece, REASONS[reason])
    assert divergence.rule_text
    assert divergence.before.startswith("chain: ")
    assert divergence.recorded.endswith("accepted by KOZ-4")
    assert divergence.right.startswith(f"refused by {REASONS[reason]} ({reason})")


def test_a_legal_proposal_that_was_refused_is_found(game):
    piece, at = next(places(game, ruling(accepted=True)))

    def refuse(message):
        message.ruling.kozel_ruling.CopyFrom(kozel_pb2.KozelRuling(rule="KOZ-4", reason=10, message="6-6 is not held"))

    divergence = found(change_at(game, piece, at, refuse), "refusals")
    assert divergence.message == "a legal proposal was refused"
    assert divergence.right.startswith("accepted by KOZ-")


def test_every_ruling_that_gives_another_rule_reason_or_option_is_found(game):
    lies = (
        lambda one: setattr(one, "rule", "KOZ-8"),
        lambda one: setattr(one, "message", one.message + "!"),
        lambda one: setattr(one, "reason", 5 if one.reason != 5 else 6),
        lambda one: one.options.held.append("6-6"),
        lambda one: one.events.add(rule="KOZ-4"),
    )
    for piece, at in list(places(game, lambda message: message.HasField("ruling")))[:: scale(40, 1)]:
        for lie in lies:
            changed = change_at(game, piece, at, lambda message, lie=lie: lie(message.ruling.kozel_ruling))
            report = verify(changed, TRUST)
            assert report.divergence.message == "another ruling"
            assert (report.divergence.piece, report.divergence.check in ("rulings", "refusals")) == (piece, True)


@rule("KOZ-8", "KOZ-9", "KOZ-10", "KOZ-14", "KOZ-16")
@pytest.mark.parametrize("field", ["kind", "rule", "seat", "tiles", "end", "points", "total"])
def test_every_event_that_is_not_what_follows_is_found(game, field):
    """What was laid, drawn, counted, scored or rated: one after another is changed and all of it sealed anew."""
    for piece, at in list(places(game, lambda message: message.HasField("kozel_event")))[:: scale(23, 1)]:

        def lie(message):
            event = message.kozel_event
            if field == "rule":
                event.rule = "KOZ-7" if event.rule != "KOZ-7" else "KOZ-6"
            elif field == "seat":
                event.seat = event.seat % 3 + 1
            elif field == "tiles":
                event.tiles.append("1-0")
            elif field in ("kind", "end"):
                setattr(event, field, getattr(event, field) % (2 if field == "end" else 21) + 1)
            else:
                setattr(event, field, getattr(event, field) + 1)

        changed = change_at(game, piece, at, lie)
        for told in (changed, redacted(changed, *VIEWS["public"])):
            report = verify(told, TRUST)
            assert report.verdict is Verdict.INVALID, (piece, at)
            assert report.divergence.piece == piece
            assert report.divergence.entry >= 0


@rule("KOZ-9", "KOZ-10", "KOZ-16")
@pytest.mark.parametrize(
    ("kind", "field", "rule_id"),
    [
        ("POINTS_REMEMBERED", "points", "KOZ-9"),
        ("ACCOUNT_OPENED", "total", "KOZ-10"),
        ("POINTS_SCORED", "total", "KOZ-10"),
        ("HAND_COUNTED", "points", "KOZ-8"),
        ("RATED", "points", "KOZ-16"),
    ],
)
def test_scores_and_ratings_that_are_wrong_are_found_by_their_rule(game, kind, field, rule_id):
    piece, at = first_of(game, Kind.Value(f"KOZEL_EVENT_KIND_{kind}"))

    def more(message):
        setattr(message.kozel_event, field, getattr(message.kozel_event, field) + 1)

    divergence = found(change_at(game, piece, at, more), "settlement")
    assert (divergence.piece, divergence.rule) == (piece, rule_id)
    assert divergence.before.startswith("chain: ")


@rule("KOZ-1")
def test_a_tile_that_is_there_twice_is_found(game):
    piece, at = first_of(game, Kind.KOZEL_EVENT_KIND_BONEYARD_LAID)

    def twice(message):
        message.kozel_event.tiles[0] = message.kozel_event.tiles[1]

    divergence = found(change_at(game, piece, at, twice), "conservation")
    assert divergence.rule == "KOZ-1"
    report = verify(change_at(game, piece, at, twice), TRUST)
    assert "168 pips" in report.check("conservation").message or report.check("conservation").outcome == 2


BEGINNINGS = [
    (lambda began: setattr(began.kozel, "leader_seat", began.kozel.leader_seat % 3 + 1), "positions", "KOZ-3"),
    (lambda began: setattr(began.kozel, "carry", began.kozel.carry + 5), "seats", "KOZ-14"),
    (lambda began: began.kozel.accounts.reverse(), "seats", "KOZ-10"),
    (lambda began: began.kozel.deck_roots.append(bytes(32)), "deck_roots", ""),
    (lambda began: began.dealt_in.pop(), "positions", "KOZ-3"),
    (lambda began: setattr(began, "hand_id", "k1-7"), "hands", "BET-9"),
    (lambda began: setattr(began, "hand", 7), "hands", "BET-9"),
    (lambda began: setattr(began, "closing", True), "hands", ""),
    (lambda began: setattr(began, "button_seat", 1), "hands", "KOZ-1"),
    (lambda began: setattr(began, "deck_root", bytes(32)), "hands", "KOZ-1"),
    (lambda began: setattr(began.seats[1], "name", "somebody"), "seats", ""),
    (lambda began: setattr(began.seats[1], "stack", 5), "seats", "KOZ-1"),
    (lambda began: setattr(began.seats[1], "leaving", True), "seats", ""),
    (lambda began: setattr(began.seats[1], "public_key", bytes(32)), "seats", ""),
    (lambda began: setattr(began.seats[1], "bank_ms", 60_000), "clocks", "TIME-1"),
]


@rule("KOZ-3", "KOZ-10", "KOZ-14")
@pytest.mark.parametrize(("change", "check", "rule_id"), BEGINNINGS)
def test_a_round_that_begins_otherwise_is_found(game, change, check, rule_id):
    piece, at = list(places(game, lambda message: message.HasField("hand_began")))[3]
    divergence = found(change_at(game, piece, at, lambda message: change(message.hand_began)), check)
    assert (divergence.piece, divergence.entry) == (piece, first_number(game, piece))
    assert rule_id in (divergence.rule, "")


def first_number(game, piece):
    return record_pb2.Seal.FromString(game.sealed()[piece][0].seal).first_number


@pytest.mark.parametrize(
    ("field", "check"), [("bank_ms", "clocks"), ("elapsed_ms", "clocks"), ("received_unix_ms", "clocks")]
)
def test_time_and_banks_that_do_not_add_up_are_found(game, field, check):
    for piece, at in list(places(game, ruling(accepted=True)))[:: scale(40, 1)]:
        changed = change_at(
            game, piece, at, lambda message: setattr(message.ruling, field, getattr(message.ruling, field) + 60_000)
        )
        assert found(changed, check).rule in ("TIME-1", "TIME-2")


@rule("TIME-2", "KOZ-17")
def test_a_time_out_that_the_operator_invents_is_found(game):
    piece, at = next(places(game, lambda message: ruling(accepted=True)(message) and not message.ruling.signature))

    def invented(message):
        message.ruling.kozel_proposal.Clear()
        message.ruling.kozel_proposal.timeout.SetInParent()
        message.ruling.request_id = ""

    divergence = verify(change_at(game, piece, at, invented), TRUST).divergence
    assert (divergence.check, divergence.rule) == ("rulings", "KOZ-17")


def test_a_proposal_that_the_player_did_not_sign_is_found(game):
    piece, at = next(places(game, lambda message: bool(message.ruling.signature)))

    def other(message):
        message.ruling.request_id += "0"

    assert found(change_at(game, piece, at, other), "signatures").message == "the player did not sign this proposal"


@pytest.mark.parametrize(
    ("kind", "change", "check"),
    [
        ("opened", lambda one: setattr(one.opened, "rule_set_sha256", bytes(32)), "rules"),
        ("opened", lambda one: setattr(one.opened, "rule_set_name", "kozel/on-all@1"), "rules"),
        ("opened", lambda one: setattr(one.config, "rule_set_name", "irish/full-tilt@1"), "rules"),
        ("opened", lambda one: setattr(one.opened.config, "starting_stack", 7), "rules"),
        ("opened", lambda one: setattr(one.opened, "deal_commitment", bytes(32)), "seeds"),
        ("opened", lambda one: setattr(one.config, "seed", bytes(32)), "seeds"),
        ("seed_revealed", lambda one: setattr(one, "seed", bytes(32)), "seeds"),
        ("commitments_closed", lambda one: one.commitments.pop(), "commitments"),
        ("seat_taken", lambda one: setattr(one, "stack", 1), "seats"),
        ("ended", lambda one: setattr(one, "reason", table_pb2.END_REASON_HANDS_PLAYED), "hands"),
        ("ended", lambda one: setattr(one, "reason", table_pb2.END_REASON_CLOSED), "hands"),
        ("ended", lambda one: setattr(one.seeds, "referee_seed", bytes(32)), "seeds"),
    ],
)
def test_lies_about_rules_seeds_seats_and_the_end_are_found(game, kind, change, check):
    piece, at = next(places(game, lambda message: message.WhichOneof("event") == kind))
    assert found(change_at(game, piece, at, lambda message: change(getattr(message, kind))), check)


@rule("KOZ-15")
def test_a_game_that_ends_before_somebody_has_lost_is_found(game):
    piece = len(game.sealed()) - 1

    def early(pieces):
        pieces[3:] = [pieces[piece]]
        pieces[3] = [entry._replace(hand=2) for entry in pieces[3]]

    assert "not there" in found(lied(game, early), "hands").message


def test_entries_left_out_added_or_of_another_game_are_found(game):
    """Every entry of a round but a refused proposal is needed: a refusal that is left out leaves no trace."""
    refusals = set(places(game, refused))
    for at in range(0, len(game.sealed()[2][1]), scale(7, 1)):
        if (2, at) in refusals:
            continue

        def drop(pieces, at=at):
            del pieces[2][at]

        def double(pieces, at=at):
            pieces[2].insert(at, pieces[2][at])

        assert verify(lied(game, drop), TRUST).verdict is Verdict.INVALID, at
        assert verify(lied(game, double), TRUST).verdict is Verdict.INVALID, at

    def poker(pieces):
        shown = table_pb2.SeenEvent()
        shown.hand_event.kind, shown.hand_event.rule = 9, "BET-4"
        pieces[2].insert(20, pieces[2][20]._replace(open=shown.SerializeToString(), closed=b""))

    assert found(lied(game, poker), "events").message == "an event of another game"
    piece, at = next(places(game, ruling(accepted=True)))
    both = change_at(game, piece, at, lambda message: setattr(message.ruling.ruling, "accepted", True))
    assert found(both, "rulings").message == "another ruling"


@rule("DEAL-4")
def test_what_everybody_was_shown_must_be_what_happened(game):
    piece, at = first_of(game, Kind.KOZEL_EVENT_KIND_TILE_DRAWN)

    def show(pieces):
        entry = pieces[piece][at]
        whole = record_pb2.StoredEvent.FromString(entry.closed)
        shown = table_pb2.SeenEvent(kozel_event=whole.kozel_event).SerializeToString()
        pieces[piece][at] = entry._replace(open=shown)

    assert found(lied(game, show), "open_parts").piece == piece


@rule("KOZ-4", "KOZ-5")
def test_lies_that_everybody_can_see_are_found_without_the_seeds(game):
    """A public excerpt, in which no seed is revealed: what was laid, who drew, who knocked, what the round scored."""
    lies = {
        "TILE_LAID": lambda event: event.tiles.__setitem__(0, "6-6" if event.tiles[0] != "6-6" else "5-5"),
        "TILE_DRAWN": lambda event: setattr(event, "kind", Kind.KOZEL_EVENT_KIND_KNOCKED),
        "WENT_OUT": lambda event: setattr(event, "seat", event.seat % 3 + 1),
        "POINTS_REMEMBERED": lambda event: setattr(event, "points", event.points + 1),
        "HAND_COUNTED": lambda event: setattr(event, "points", 150),
        "ROUND_ENDED": lambda event: setattr(event, "rule", "KOZ-7"),
    }
    for kind, lie in lies.items():
        piece, at = next(one for one in places(game, is_kind(Kind.Value(f"KOZEL_EVENT_KIND_{kind}"))) if one[0] < 5)
        changed = change_at(game, piece, at, lambda message, lie=lie: lie(message.kozel_event))
        told = redacted(changed, *VIEWS["public"])
        del told.pieces[piece + 1 :]
        report = verify(told, TRUST)
        assert report.check("deck_roots").outcome == 3
        assert report.verdict is Verdict.INVALID, kind
        assert (report.divergence.piece, report.divergence.check in ("events", "settlement")) == (piece, True)


def test_any_lie_in_any_field_is_followed_to_a_verdict(game):
    """As of poker: what is not found is what only players or witnesses can tell."""
    rng = random.Random(11)
    believed = Counter()
    sealed = game.sealed()
    tries = scale(120, 20_000)
    for _ in range(tries):
        piece = rng.randrange(len(sealed))
        at = rng.randrange(len(sealed[piece][1]))
        path = []

        def lie(message, path=path):
            path.append("refused" if refused(message) else "lie")
            change_any_field(message, rng, path)

        try:
            changed = change_at(game, piece, at, lie)
        except (ValueError, KeyError, IndexError, OverflowError, AttributeError):
            continue  # no operator could have written that
        if verify(changed, TRUST).verdict is Verdict.VALID and path[-1] != "same":
            believed[".".join(path)] += 1
    unproved = ("refused.ruling.kozel_proposal",)
    assert not [path for path in believed if not path.startswith(unproved) and not path.endswith(UNPROVED)]
    assert sum(believed.values()) < tries / 4


# --- redaction --------------------------------------------------------------------------------------------


def closed_parts(told):
    """Piece, place and stored event of every closed part that a bundle shows."""
    for piece, one in enumerate(told.pieces):
        for at, entry in enumerate(one.entries):
            if entry.closed:
                yield piece, at, record_pb2.StoredEvent.FromString(entry.closed)


@rule("DEAL-4")
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_nothing_that_a_view_may_not_see_is_in_its_bundle(bundle, seat):
    told = redacted(bundle, SEAT if seat else PUBLIC, seat)
    data = file_of(told)
    hidden = []
    for piece, at, stored in closed_parts(bundle):
        kind = stored.WhichOneof("event")
        own = kind in ("kozel_event", "ruling", "seat_taken", "seed_revealed") and getattr(stored, kind).seat == seat
        if not own or not seat:
            entry = bundle.pieces[piece].entries[at]
            hidden += [entry.closed, entry.salt]
    assert len(hidden) > 80
    assert not [one for one in hidden if one in data]
    for _, _, stored in closed_parts(told):
        assert getattr(stored, stored.WhichOneof("event")).seat == seat
    hides = (1, 2, 6, 11)
    for piece in told.pieces:
        for entry in piece.entries:
            event = table_pb2.SeenEvent.FromString(entry.open).kozel_event
            if event.kind in hides:
                assert set(event.tiles) <= {"?-?"}


def test_enumerating_all_tiles_recovers_nothing_without_the_salt(game, bundle):
    """A drawn tile is one of 28: each is tried against the commitment, with the salt and with what is known instead."""
    public = redacted(bundle, PUBLIC)
    tried = 0
    for piece, at, stored in closed_parts(bundle):
        if stored.kozel_event.kind != Kind.KOZEL_EVENT_KIND_TILE_DRAWN:
            continue
        entry = public.pieces[piece].entries[at]
        salt = entry_salt(game.sealed()[piece][0].salt, first_number(game, piece) + at)
        fitting = []
        for text in TILE_TEXTS:
            guess = record_pb2.StoredEvent()
            guess.CopyFrom(stored)
            guess.kozel_event.tiles[0] = text
            data = guess.SerializeToString()
            tried += 1
            if commitment(salt, data) == entry.commitment:
                fitting.append(text)
            for known in (b"", bytes(16), entry.open[:16], public.pieces[piece].seal[:16]):
                assert commitment(known, data) != entry.commitment
        assert fitting == list(stored.kozel_event.tiles)
    assert tried > 100


# --- looking into it --------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
def test_every_round_can_be_stepped_through(bundle, view):
    told = redacted(bundle, *VIEWS[view])
    rounds = tables_of(told)["k1"]
    assert rounds == list(range(1, len(told.pieces) - 1))
    for number in rounds:
        steps = steps_of(told, "k1", number)
        assert steps[0].text.startswith(f"k1-{number} begins: ")
        assert all([step.rule and step.text and step.table for step in steps])
        assert steps[-1].table[0].startswith("the round is over: ")
        for before, step in pairwise(steps):
            if step.refused:
                assert "refused by" in step.text
                assert step.table == before.table, "a refusal changes nothing"
        hidden = ["?-?" in step.text for step in steps if "is dealt" in step.text and "again" not in step.text]
        own = {"auditor": 0, "seat": len(hidden) // 3, "public": 0}[view]
        assert hidden.count(False) == (own if view != "auditor" else len(hidden))
    with pytest.raises(ReplayError, match="hand 99 of table k1 is not in the bundle"):
        steps_of(told, "k1", 99)


def test_the_commands_verify_redact_and_replay_a_bundle(bundle, tmp_path):
    whole, told = tmp_path / "whole.bundle", tmp_path / "told.bundle"
    whole.write_bytes(file_of(bundle))
    key = ["--key", LOG_KEY.verifier.text]
    command = CliRunner()
    assert command.invoke(app, ["audit", "verify", str(whole), *key]).exit_code == 0
    assert command.invoke(app, ["audit", "redact", str(whole), "--seat", "2", "-o", str(told)]).exit_code == 0
    verified = command.invoke(app, ["audit", "verify", str(told), *key, "--json"])
    assert (verified.exit_code, json.loads(verified.output)["hands"]) == (0, len(bundle.pieces) - 2)
    replayed = command.invoke(
        app, ["audit", "replay", str(whole), "--hand", "2", "--as", "2"], input="n\nn\nb\ne\ns\nq\n"
    )
    shown = [line for line in replayed.output.splitlines() if line.startswith("table k1, hand 2: step ")]
    last = int(shown[0].split()[-1])
    assert [int(line.split()[5]) for line in shown] == [1, 2, 3, 2, last, 1]
    assert "player 2 is dealt ?-?" not in replayed.output
    assert "player 1 is dealt ?-? ?-? ?-? ?-? ?-? ?-? ?-?" in replayed.output
    audited = command.invoke(app, ["audit", "bulk", str(tmp_path), "--jobs", "1", *key, "--json"])
    assert json.loads(audited.output)["hands"] == 2 * (len(bundle.pieces) - 2)


def test_what_an_auditor_exports_is_a_notation_that_the_judge_agrees_with(bundle):
    """From a bundle to Kozel's notation, read back and judged, round by round: nothing is lost and nothing differs."""
    for number, record in rounds_of(bundle):
        (read,) = read_rounds(write_round(record))
        assert read == record
        judgement = judge_round(read)
        assert judgement.agrees(), (number, judgement.findings)


def rounds_of(bundle):
    """Every round of an auditor's bundle, as a record."""
    pieces = [read_piece(piece) for piece in bundle.pieces]
    config = config_in(pieces[0].items[0])
    for piece in pieces[1:]:
        items = [item for item in piece.items if item.kind in ("hand_began", "kozel_event")]
        if not items:
            continue
        began = items[0].content
        seats, told = tuple(began.dealt_in), began.kozel
        decks = known_tiles(items).decks(seats, config.rule_set)
        accounts = tuple([account_of(one) for one in told.accounts])
        setup = RoundSetup(config.rule_set, seats, decks, accounts, told.leader_seat, told.carry, began.hand_id)
        yield began.hand, recorded(setup, tuple([item.content for item in items[1:]]))
