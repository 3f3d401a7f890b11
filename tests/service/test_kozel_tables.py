"""Kozel at live tables over a real server: whole games, cut and resumed, refused, signed, opened, sealed, exported."""

import asyncio
import random
import uuid

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.dealing.items import TILES
from referee.dealing.openings import Deal, Opening, verify_opening
from referee.dealing.seeds import commit_seat
from referee.kozel.events import BONEYARD_LAID, HAND_COUNTED, TILE_DRAWN, TILE_LAID, TILES_DEALT
from referee.kozel.rulings import Reason
from referee.kozel_judge import judge_round
from referee.record import kozel_wire
from referee.record.bundle import read_bundle
from referee.record.notation.kozel import read_rounds
from referee.record.signed_proposals import proposal_text
from referee.record.view import PUBLIC
from referee.table.views import AUDITOR
from referee.v1 import audit_pb2, audit_pb2_grpc, kozel_pb2, kozel_pb2_grpc, record_pb2, table_pb2
from tests.service.playing import (
    Follower,
    answer_to,
    attach_item,
    propose_item,
    propose_of,
    ruling_in,
    run,
    tables,
)
from tests.service.test_streams import ENDED, everything_once, kind_of, read_items
from tests.service.test_tables import status_of
from tests.support import scale
from tests.table.test_sealing import check_record

GAME_OVER = table_pb2.END_REASON_GAME_OVER


async def play_all(running, table_id, tokens, cut=None):
    """Plays every seat to the table's end; returns what each followed."""
    followers = {seat: Follower() for seat in tokens}
    ends = await asyncio.gather(
        *(running.play_seat(table_id, token, seat, followers[seat], cut) for seat, token in tokens.items())
    )
    assert set(ends) == {ENDED}
    return followers


async def record_of(running, table_id, hand):
    request = table_pb2.GetHandRecordRequest(table_id=table_id, hand=hand)
    return await running.stub.GetHandRecord(request, metadata=running.auditor)


async def judge_again(running, table_id):
    """Judges every round of a table again, here and by KozelJudgeService; returns how many there are."""
    judge = kozel_pb2_grpc.KozelJudgeServiceStub(running.channel)
    rounds = running.store.hub.find(table_id).table.hand_number
    for number in range(1, rounds + 1):
        told = await record_of(running, table_id, number)
        assert not told.HasField("record")
        assert not told.HasField("settlement")
        (record,) = read_rounds(told.kozel_round)
        judgement = judge_round(record)
        assert judgement.agrees(), judgement.findings
        events = [one.kozel_event for one in told.events if one.HasField("kozel_event")]
        assert [kozel_wire.event_of(one) for one in events] == list(judgement.events)
        answered = await judge.JudgeKozelRound(kozel_pb2.JudgeKozelRoundRequest(text=told.kozel_round))
        assert answered.judgement.agrees
        accepted = [one for one in told.proposals if one.accepted]
        laid = [one for one in events if one.kind == kozel_pb2.KOZEL_EVENT_KIND_TILE_LAID]
        assert [(one.kozel.lay.tile, one.kozel.seat or 0) for one in accepted if one.kozel.HasField("lay")] == [
            (one.tiles[0], 0) for one in laid
        ]
    return rounds


@pytest.mark.rule("KOZ-15")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whole_games_are_played_over_one_stream_a_seat_and_every_round_agrees(seats, tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            for number in range(scale(1, 8)):
                rules = ("kozel/on-all@1", "kozel/on-one@1")[number % 2]
                table_id, tokens = await running.seated_kozel(seats=seats, rule_set=rules)
                followers = await play_all(running, table_id, tokens)
                rounds = await judge_again(running, table_id)
                state = (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table
                assert (state.game, state.end_reason, state.hand) == ("kozel", GAME_OVER, rounds)
                assert max(seat.kozel_account.score for seat in state.seats) >= 101
                for seat, follower in followers.items():
                    everything_once(running, table_id, follower, seat, rounds)
                    assert follower.events[-1].ended.reason == GAME_OVER
                store = running.store.hub.store
                kept = check_record(store, table_id, running.store.hub.find(table_id).table.config)
                assert kept == (kept[1], kept[1], rounds + 2)

    run(go(), scale(120, 600))


def test_a_stream_cut_after_every_kind_of_message_misses_and_doubles_nothing(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            kinds_cut = set()
            for seed in range(scale(3, 30)):
                table_id, tokens = await running.seated_kozel(seats=2 + seed % 3)
                rng = random.Random(seed)

                def cut(item, rng=rng):
                    event = item.event.kozel_event.kind
                    kind = f"kozel {event}" if event else kind_of(item)
                    if kind in kinds_cut and rng.random() > 0.1:
                        return False
                    kinds_cut.add(kind)
                    return kind != "end"

                followers = await play_all(running, table_id, tokens, cut)
                hands = running.store.hub.find(table_id).table.hand_number
                for seat, follower in followers.items():
                    everything_once(running, table_id, follower, seat, hands)
            assert {"decision", "answered", "hand_began", "decision_opened"} <= kinds_cut
            assert sum(kind.startswith("kozel") for kind in kinds_cut) >= 12

    run(go(), 240)


def test_the_auditor_sees_every_tile_and_a_spectator_what_lies(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = (await running.create_kozel(seats=3, hands=2)).table_id

            async def watch(metadata):
                request = table_pb2.WatchTableRequest(table_id=table_id)
                call = running.stub.WatchTable(request, metadata=metadata)
                follower = Follower()
                for item in await read_items(call, lambda item: item.HasField("end")):
                    follower.take(item)
                return follower

            watching = [asyncio.create_task(watch(metadata)) for metadata in (running.auditor, None)]
            tokens = dict([await running.sit(table_id) for _ in range(3)])
            await play_all(running, table_id, tokens)
            auditor, spectator = await asyncio.gather(*watching)
            hands = running.store.hub.find(table_id).table.hand_number
            everything_once(running, table_id, auditor, AUDITOR, hands)
            everything_once(running, table_id, spectator, PUBLIC, hands)
            dealt = [one.kozel_event for one in auditor.events if one.kozel_event.kind in (TILES_DEALT, BONEYARD_LAID)]
            assert len(dealt) >= 4
            assert not any("?-?" in one.tiles for one in dealt)
            for one in spectator.events:
                if one.kozel_event.tiles and one.kozel_event.kind != TILE_LAID:
                    assert set(one.kozel_event.tiles) == {"?-?"}

    run(go())


# --- one call at a time -------------------------------------------------------------------------------


class Caller:
    """Plays a table by WatchTable and SubmitAction."""

    def __init__(self, running, table_id, tokens):
        self.running, self.table_id, self.tokens = running, table_id, tokens

    async def decision(self):
        """The seat that has the decision, and the decision as it is told."""
        owner = self.running.store.hub.find(self.table_id)
        (seat,) = owner.table.decisions
        request = table_pb2.WatchTableRequest(table_id=self.table_id, seat_token=self.tokens[seat])
        call = self.running.stub.WatchTable(request)
        items = await read_items(call, lambda item: item.HasField("decision"))
        call.cancel()
        return seat, items[-1].decision

    async def submit(self, seat, proposal, request_id=None, **options):
        propose = propose_of(proposal, request_id, **options)
        request = table_pb2.SubmitActionRequest(table_id=self.table_id, seat_token=self.tokens[seat], propose=propose)
        return (await self.running.stub.SubmitAction(request)).answered


def calling(folder, test, **options):
    async def go():
        async with tables(folder) as running:
            table_id, tokens = await running.seated_kozel(**options)
            await test(Caller(running, table_id, tokens))

    run(go())


@pytest.mark.rule("BET-8", "BET-9", "KOZ-1", "KOZ-3", "KOZ-4", "KOZ-5")
def test_refusals_have_the_reason_the_rule_and_what_would_be_legal(tmp_path):
    async def test(caller):
        rng = random.Random(1)
        seen = set()
        for _ in range(25):
            if caller.running.store.hub.find(caller.table_id).table.has_ended:
                return
            seat, decision = await caller.decision()
            legal, right = decision.kozel, answer_to(decision, rng)
            other = next(one for one in caller.tokens if one != seat)
            away = next(tile for tile in TILES if tile not in legal.held)
            fitting = [move.tile for move in legal.moves]
            no_fit = [tile for tile in legal.held if tile not in fitting]
            wrong = [
                (other, {"lay": right.lay}, Reason.OUT_OF_TURN, "KOZ-4"),
                (seat, {"lay": right.lay, "hand_id": "nowhere-1"}, Reason.WRONG_ROUND, "BET-9"),
                (seat, {"lay": right.lay, "decision_id": 900}, Reason.STALE_DECISION, "BET-9"),
                (seat, {"draw": {}}, Reason.HOLDS_A_PLAYABLE_TILE, "KOZ-5"),
                (seat, {"knock": {}}, Reason.HOLDS_A_PLAYABLE_TILE, "KOZ-5"),
                (seat, {"lay": {"tile": "5-6"}}, Reason.NO_SUCH_TILE, "KOZ-1"),
                (seat, {"lay": {"tile": away}}, Reason.TILE_NOT_HELD, "KOZ-4"),
            ]
            is_led = not any(move.end for move in legal.moves)
            if no_fit:
                reason = Reason.OPENING_TILE_COMPULSORY if is_led else Reason.TILE_DOES_NOT_FIT
                wrong.append((seat, {"lay": {"tile": no_fit[0]}}, reason, "KOZ-3" if is_led else "KOZ-4"))
            both = [tile for tile in fitting if fitting.count(tile) == 2]
            if both:
                wrong.append((seat, {"lay": {"tile": both[0]}}, Reason.END_NOT_NAMED, "KOZ-4"))
            one_end = [move for move in legal.moves if move.end and move.tile not in both]
            if one_end:
                lay = {"tile": one_end[0].tile, "end": 3 - one_end[0].end}
                wrong.append((seat, {"lay": lay}, Reason.END_DOES_NOT_FIT, "KOZ-4"))
            for by, changes, reason, rule in wrong:
                ids = {"hand_id": decision.hand_id, "decision_id": legal.decision_id}
                answered = await caller.submit(by, kozel_pb2.KozelProposal(**(ids | changes)))
                ruling = answered.kozel
                assert not answered.HasField("ruling")
                assert (ruling.accepted, ruling.reason, ruling.rule) == (False, reason, rule), ruling
                assert ruling.message
                assert ruling.HasField("options") == (by == seat)
                if by == seat:
                    assert ruling.options == legal
                seen.add(reason)
            assert (await caller.submit(seat, right)).kozel.accepted
        assert len(seen) >= 9

    calling(tmp_path, test, seats=2, hands=1)


@pytest.mark.rule("BET-9")
def test_the_same_request_id_gives_the_first_answer_again(tmp_path):
    async def test(caller):
        seat, decision = await caller.decision()
        right = answer_to(decision, random.Random(2))
        request_id = uuid.uuid4().hex
        first = await caller.submit(seat, right, request_id)
        assert first.kozel.accepted
        assert await caller.submit(seat, right, request_id) == first
        other = kozel_pb2.KozelProposal()
        other.CopyFrom(right)
        other.lay.end = 3 - other.lay.end if other.lay.end else 1
        assert await status_of(caller.submit(seat, other, request_id)) == grpc.StatusCode.ALREADY_EXISTS

    calling(tmp_path, test)


def test_a_proposal_of_another_game_has_no_shape_for_the_table(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            kozel_id, kozel_tokens = await running.seated_kozel(seats=2)
            poker_id, poker_tokens = await running.seated(seats=2)
            caller = Caller(running, kozel_id, kozel_tokens)
            seat, decision = await caller.decision()
            lay = answer_to(decision, random.Random(3))
            poker = Caller(running, poker_id, poker_tokens)
            by, asked = await poker.decision()
            bet = answer_to(asked, random.Random(3))
            invalid = grpc.StatusCode.INVALID_ARGUMENT
            assert await status_of(caller.submit(seat, bet)) == invalid
            assert await status_of(poker.submit(by, lay)) == invalid
            neither = table_pb2.SubmitActionRequest(
                table_id=kozel_id, seat_token=kozel_tokens[seat], propose={"request_id": "r"}
            )
            assert await status_of(running.stub.SubmitAction(neither)) == invalid
            both = table_pb2.Propose(request_id="r", proposal=bet, kozel=lay)
            neither.propose.CopyFrom(both)
            assert await status_of(running.stub.SubmitAction(neither)) == invalid
            timeout = kozel_pb2.KozelProposal(hand_id=decision.hand_id, decision_id=1, timeout={})
            assert await status_of(caller.submit(seat, timeout)) == invalid
            nameless = kozel_pb2.KozelProposal(lay=lay.lay)
            assert await status_of(caller.submit(seat, nameless)) == invalid
            elsewhere = kozel_pb2.KozelProposal(
                seat=3 - seat, lay=lay.lay, hand_id=decision.hand_id, decision_id=lay.decision_id
            )
            assert await status_of(caller.submit(seat, elsewhere)) == invalid
            # On a stream of many tables it is answered, and the others play on.
            call = running.stub.Play()
            await call.write(table_pb2.PlayRequest(items=[attach_item(kozel_id, kozel_tokens[seat])]))
            await call.write(table_pb2.PlayRequest(items=[propose_item(kozel_id, bet, "wrong")]))
            (*_, item) = await read_items(call, lambda item: item.HasField("answered"))
            assert not item.answered.HasField("ruling")
            assert (item.answered.request_id, item.answered.kozel.rule) == ("wrong", "BET-9")
            assert "kozel" in item.answered.kozel.message
            await call.write(table_pb2.PlayRequest(items=[propose_item(kozel_id, lay, "right")]))
            (*_, item) = await read_items(call, lambda item: item.HasField("answered"))
            assert ruling_in(item.answered).accepted
            call.cancel()

    run(go())


def test_what_a_game_of_kozel_has_not_is_refused_in_words(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = (await running.create_kozel(seats=3, players_to_start=2)).table_id
            (_, token), _ = [await running.sit(table_id) for _ in range(2)]
            ids = {"table_id": table_id, "seat_token": token}
            stub = running.stub
            for refused, words in (
                (stub.SitOut(table_pb2.SitOutRequest(request_id="1", **ids)), "nobody sits out"),
                (stub.SitIn(table_pb2.SitInRequest(request_id="2", **ids)), "nobody sits out"),
                (stub.TopUp(table_pb2.TopUpRequest(request_id="3", to=5, **ids)), "no stacks"),
                (running.sit(table_id), "the game has begun"),
            ):
                with pytest.raises(grpc.aio.AioRpcError, match=words) as error:
                    await refused
                assert error.value.code() == grpc.StatusCode.FAILED_PRECONDITION

    run(go())


@pytest.mark.rule("KOZ-1")
def test_tables_that_cannot_be_are_refused_by_rule_or_by_shape(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            for options in ({"seats": 5}, {"stakes": {"big_blind": 2}}, {"rule_set": "kozel/on-none@1"}):
                assert (await running.create_kozel(**options)).refused.rule == "KOZ-1"
            config = {"rule_set_name": "irish/full-tilt@1", "seats": 3}
            request = table_pb2.CreateTableRequest(request_id="r", config=config)
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await running.stub.CreateTable(request, metadata=running.host)
            assert error.value.code() == grpc.StatusCode.INVALID_ARGUMENT
            for name in ("structure", "stakes", "starting_stack"):
                assert name in error.value.details()

    run(go())


# --- time and seats -----------------------------------------------------------------------------------


@pytest.mark.rule("KOZ-16", "KOZ-17")
def test_who_does_not_answer_in_time_ends_the_game(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated_kozel(seats=3, clock={"action_ms": 1, "bank_ms": 1})
            call = running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id, seat_token=tokens[1]))
            items = await read_items(call, lambda item: item.HasField("end"))
            assert items[-1].end.reason == ENDED
            follower = Follower()
            for item in items:
                follower.take(item)
            assert follower.events[-1].ended.reason == GAME_OVER
            kinds = [one.kozel_event.kind for one in follower.events]
            assert kozel_pb2.KOZEL_EVENT_KIND_TIMED_OUT in kinds
            assert kozel_pb2.KOZEL_EVENT_KIND_HAND_COUNTED not in kinds, "the round is not scored"
            assert kinds.count(kozel_pb2.KOZEL_EVENT_KIND_RATED) == 3
            await judge_again(running, table_id)

    run(go())


@pytest.mark.rule("KOZ-17")
def test_a_seat_that_leaves_is_answered_for_and_the_others_are_told_the_end(tmp_path):
    async def test(caller):
        seat, _ = await caller.decision()
        other = next(one for one in caller.tokens if one != seat)
        follower = Follower()
        playing = asyncio.create_task(caller.running.play_seat(caller.table_id, caller.tokens[other], 1, follower))
        leave = table_pb2.LeaveSeatRequest(request_id="leave", table_id=caller.table_id, seat_token=caller.tokens[seat])
        await caller.running.stub.LeaveSeat(leave)
        assert await playing == ENDED
        assert follower.events[-1].ended.reason == GAME_OVER
        late = [one.kozel_event for one in follower.events if one.kozel_event.kind == 10]
        assert [(one.seat, one.rule) for one in late] == [(seat, "KOZ-17")]

    calling(tmp_path, test)


# --- seeds, signatures, openings ----------------------------------------------------------------------


@pytest.mark.rule("KOZ-2")
def test_seats_have_a_part_in_the_seeds_and_may_open_what_they_were_dealt(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            match = "kozel-match"
            table_id = (await running.create_kozel(seats=4, match_name=match, seed=bytes(32), hands=6)).table_id
            taken = [await running.sit(table_id, commits_seed=True) for _ in range(4)]
            state = (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table
            seeds = {seat: bytes([seat + 7]) * 32 for seat, _ in taken}
            playing = asyncio.create_task(play_all(running, table_id, dict(taken)))
            for seat, token in taken:
                made = commit_seat(match, seat, seeds[seat], state.deal_commitment)
                await running.stub.CommitSeed(
                    table_pb2.CommitSeedRequest(table_id=table_id, seat_token=token, commitment=made)
                )
            for seat, token in taken:
                await running.stub.RevealSeed(
                    table_pb2.RevealSeedRequest(table_id=table_id, seat_token=token, seed=seeds[seat])
                )
            followers = await playing
            owner = running.store.hub.find(table_id)
            decks = owner.table.fair_decks()
            audit = audit_pb2_grpc.AuditServiceStub(running.channel)
            for number in range(1, owner.table.hand_number + 1):
                began = next(
                    one.hand_began for one in followers[1].events if one.hand == number and one.HasField("hand_began")
                )
                roots = list(began.kozel.deck_roots)
                assert roots == [decks.committed(0, number, redeal).root for redeal in range(len(roots))]
                for seat, token in (*taken, (0, "")):
                    request = audit_pb2.GetOpeningsRequest(table_id=table_id, hand=number, seat_token=token)
                    told = await audit.GetOpenings(request)
                    assert list(told.deck_roots) == roots
                    opened = {redeal: set() for redeal in range(len(roots))}
                    for one in told.cards:
                        opening = Opening(one.position, TILES.index(one.card), one.salt, tuple(one.path))
                        verify_opening(Deal(match, 28, 0, number, one.redeal), roots[one.redeal], opening)
                        opened[one.redeal].add(one.card)
                    events = owner.seen_events(seat, owner.stored(number, number))
                    last = [one.kozel_event.tiles for one in events if one.kozel_event.tiles]
                    assert opened[len(roots) - 1] <= {tile for tiles in last for tile in tiles}
                    assert len(opened[len(roots) - 1]) >= (7 if seat else 1)
                request = audit_pb2.GetOpeningsRequest(table_id=table_id, hand=number)
                everything = await audit.GetOpenings(request, metadata=running.auditor)
                assert len(everything.cards) == 28 * len(roots)
            assert followers[1].events[-1].ended.seeds.seats[3].seed == seeds[4]

    run(go())


def test_a_signed_proposal_is_kept_and_one_that_does_not_fit_is_refused(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = (await running.create_kozel(seats=2)).table_id
            keys = {seat: Ed25519PrivateKey.generate() for seat in (1, 2)}
            tokens = dict(
                [
                    await running.sit(table_id, seat, public_key=keys[seat].public_key().public_bytes_raw())
                    for seat in keys
                ]
            )
            caller = Caller(running, table_id, tokens)
            rng = random.Random(4)
            for _ in range(4):
                seat, decision = await caller.decision()
                right, request_id = answer_to(decision, rng), uuid.uuid4().hex
                end = ("", " left", " right")[right.lay.end]
                text = (
                    f"referee-proposal/1\n{decision.hand_id}\n{right.decision_id}\n{seat}\n{request_id}\n"
                    f"lay {right.lay.tile}{end}\n"
                )
                assert text == proposal_text(kozel_wire.proposal_of(right, seat), request_id)
                signature = keys[seat].sign(text.encode())
                wrong = caller.submit(seat, right, request_id, signature=bytes(64))
                assert await status_of(wrong) == grpc.StatusCode.PERMISSION_DENIED
                assert (await caller.submit(seat, right, request_id, signature=signature)).kozel.accepted
                rows = running.store.hub.store.rows(table_id, 1, 1)
                assert signature in b"".join([row.body for row in rows])

    run(go())


# --- records ------------------------------------------------------------------------------------------


def test_who_played_may_review_his_own_view_and_bundles_hide_what_a_view_may_not_see(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id, tokens = await running.seated_kozel(seats=3, hands=2)
            followers = await play_all(running, table_id, tokens)
            hands = running.store.hub.find(table_id).table.hand_number
            for seat, token in tokens.items():
                for hand in range(1, hands + 1):
                    request = table_pb2.ReviewHandRequest(table_id=table_id, hand=hand, seat_token=token)
                    review = await running.stub.ReviewHand(request)
                    assert list(review.events) == [one for one in followers[seat].events if one.hand == hand]
                    assert not review.hands
            stub = audit_pb2_grpc.AuditServiceStub(running.channel)

            async def export(metadata=None, **options):
                request = audit_pb2.ExportBundleRequest(table_id=table_id, **options)
                parts = [part.data async for part in stub.ExportBundle(request, metadata=metadata)]
                return read_bundle(b"".join(parts))

            bundles = {-1: await export(running.auditor), 0: await export(), 2: await export(seat_token=tokens[2])}
            for viewer, bundle in bundles.items():
                closed = [e.closed for p in bundle.pieces for e in p.entries if e.closed]
                events = [record_pb2.StoredEvent.FromString(one) for one in closed]
                owners = {one.kozel_event.seat for one in events if one.HasField("kozel_event")}
                assert owners == ({0, 1, 2, 3} if viewer < 0 else {viewer} - {0})
                told = [one.kozel_event.kind for one in events if one.HasField("kozel_event")]
                assert set(told) <= {TILES_DEALT, TILE_DRAWN, HAND_COUNTED, BONEYARD_LAID}
                of_proposals = {one.ruling.seat for one in events if one.HasField("ruling")}
                assert of_proposals == ({1, 2, 3} if viewer < 0 else {viewer} - {0})

    run(go())


def test_nobody_but_seats_and_the_auditor_sees_the_rounds_of_a_private_table(tmp_path):
    async def go():
        async with tables(tmp_path) as running:
            table_id = (await running.create_kozel(seats=2, private_table=True, hands=1)).table_id
            tokens = {}
            for seat in (1, 2):
                request = table_pb2.TakeSeatRequest(request_id=uuid.uuid4().hex, table_id=table_id, name="p")
                assert await status_of(running.stub.TakeSeat(request)) == grpc.StatusCode.UNAUTHENTICATED
                tokens[seat] = (await running.stub.TakeSeat(request, metadata=running.host)).seat_token
            watching = running.stub.WatchTable(table_pb2.WatchTableRequest(table_id=table_id))
            assert await status_of(watching.read()) == grpc.StatusCode.PERMISSION_DENIED
            leave = table_pb2.LeaveSeatRequest(request_id="l", table_id=table_id, seat_token=tokens[1])
            assert await status_of(running.stub.LeaveSeat(leave)) == grpc.StatusCode.FAILED_PRECONDITION
            await play_all(running, table_id, tokens)
            state = (await running.stub.GetTable(table_pb2.GetTableRequest(table_id=table_id))).table
            assert not any(seat.HasField("kozel_account") for seat in state.seats)
            review = table_pb2.ReviewHandRequest(table_id=table_id, hand=1)
            assert await status_of(running.stub.ReviewHand(review)) == grpc.StatusCode.PERMISSION_DENIED

    run(go())
