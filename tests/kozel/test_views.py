"""What a seat may see: its own tiles, the chain, counts of others and of the boneyard, accounts; nothing else."""

import random

import pytest

from referee.kozel.events import EventKind
from referee.kozel.round import legal_options, open_seats, propose, replay
from referee.kozel.setup import RoundSetup
from referee.kozel.state import Round, apply
from referee.kozel.tiles import UNKNOWN, tiles_text
from referee.kozel.views import PUBLIC, seen_by, view
from tests.kozel.rounds import EVERY_RULE_SET, opened, play, random_legal, random_round
from tests.support import scale

rule = pytest.mark.rule
ROUNDS = scale(100, 2_000)


def whole(rng: random.Random, players: int):
    """The events of a round, and the round."""
    state, opening = random_round(rng, EVERY_RULE_SET[players % 4], players)
    events = list(opening)
    while open_seats(state):
        events.extend(propose(state, random_legal(rng, state)).events)
    return state, events


@rule("KOZ-1", "KOZ-5", "KOZ-8")
def test_nobody_sees_a_tile_that_is_neither_his_nor_on_the_table() -> None:
    for number in range(ROUNDS):
        rng = random.Random(number)
        state, events = whole(rng, 2 + number % 3)
        table = set(state.chain)
        for viewer in (PUBLIC, *state.setup.seats):
            own = {
                tile
                for event in events
                if event.seat == viewer
                and viewer != PUBLIC
                and event.kind in (EventKind.TILES_DEALT, EventKind.TILE_DRAWN)
                for tile in event.tiles
            }
            seen = {tile for event in events for tile in view(event, viewer).tiles} - {UNKNOWN}
            assert seen <= own | table
            assert own <= seen


@rule("KOZ-1")
def test_how_many_tiles_there_are_is_seen_by_everybody() -> None:
    state, events = whole(random.Random(1), 2)
    for event in events:
        for viewer in (PUBLIC, 1, 2):
            told = view(event, viewer)
            assert len(told.tiles) == len(event.tiles)
            assert told._replace(tiles=event.tiles) == event, "everything but tiles is public"
    assert state.has_ended()


@rule("KOZ-8", "KOZ-9")
def test_what_hands_count_and_every_account_is_public_but_not_the_tiles_left_in_them() -> None:
    state, events = whole(random.Random(2), 4)
    counted = [event for event in events if event.kind is EventKind.HAND_COUNTED]
    for event in counted:
        assert set(view(event, PUBLIC).tiles) <= {UNKNOWN}
        assert view(event, PUBLIC).points == event.points
        assert view(event, event.seat) == event
    assert seen_by(state, PUBLIC).accounts == tuple(state.accounts)


@rule("KOZ-2")
def test_a_hand_that_is_dealt_again_is_not_shown() -> None:
    state = None
    number = 0
    while state is None or not state.redeals:
        state, events = random_round(random.Random(number), EVERY_RULE_SET[0], 4)
        number += 1
    (again, *_) = [event for event in events if event.kind is EventKind.REDEALT]
    assert again.tiles == ()
    for event in events:
        if event.kind is EventKind.TILES_DEALT:
            assert set(view(event, event.seat % 4 + 1).tiles) == {UNKNOWN}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_viewer_who_folds_what_he_is_told_knows_how_the_round_stands(players: int) -> None:
    """The same fold, from a setup without decks, leads to what :func:`seen_by` says of the whole round."""
    for number in range(ROUNDS // 4):
        rng = random.Random(number)
        state, opening = random_round(rng, EVERY_RULE_SET[number % 4], players)
        blind = RoundSetup(
            state.setup.rule_set,
            state.setup.seats,
            (),
            state.setup.accounts,
            state.setup.leader_seat,
            state.setup.carry,
        )
        folded = {
            viewer: replay(blind, tuple(view(event, viewer) for event in opening))
            for viewer in (PUBLIC, *state.setup.seats)
        }
        while True:
            for viewer, known in folded.items():
                compare(known, state, viewer)
            if not open_seats(state):
                break
            for event in propose(state, random_legal(rng, state)).events:
                for viewer, known in folded.items():
                    apply(known, view(event, viewer))


def compare(known: Round, state: Round, viewer: int) -> None:
    told, right = seen_by(known, viewer), seen_by(state, viewer)
    if right.options is not None and not state.chain and state.setup.leader_seat == 0:
        # Who must lead is told that he leads; which tile, KOZ-3 says of all hands, and the decision names it.
        assert told.options is not None
        assert right.options.moves[0].tile in right.own_tiles
    else:
        assert told.options == right.options
    assert told.own_tiles == right.own_tiles
    assert (told.chain, told.left, told.right) == (right.chain, right.left, right.right)
    assert (told.tile_counts, told.boneyard_count) == (right.tile_counts, right.boneyard_count)
    assert (told.accounts, told.carry, told.phase, told.open_seats) == (
        right.accounts,
        right.carry,
        right.phase,
        right.open_seats,
    )


def test_a_seat_sees_its_own_tiles_and_options_only() -> None:
    state = opened(("1-1 3-1 4-1 5-1 6-2 4-2 3-0", "2-2 1-0 2-0 5-0 6-0 5-4 4-0"))
    play(state, "1 1-1")
    assert tiles_text(seen_by(state, 1).own_tiles) == "3-1 4-1 5-1 6-2 4-2 3-0"
    assert seen_by(state, 1).options is None
    assert seen_by(state, 2).options == legal_options(state, 2)
    public = seen_by(state, PUBLIC)
    assert (public.own_tiles, public.options, public.tile_counts, public.boneyard_count) == ((), None, (6, 7), 14)
