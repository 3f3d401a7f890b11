"""What the SDK's check of the deals says of a referee that withholds or changes seeds."""

from dataclasses import replace

from referee.client.deals import DealCheck
from referee.client.poker_game import PokerGame
from referee.dealing.fair import FairDecks
from referee.dealing.seeds import MatchSeeds, SeatSeed, commit_referee, commit_seat
from referee.record import wire
from referee.rules.hand import open_hand
from referee.v1 import hand_pb2, table_pb2
from tests.support import setup_of

CONFIG = table_pb2.TableConfig(
    rule_set_name="holdem/tda@1",
    structure=hand_pb2.BETTING_STRUCTURE_NO_LIMIT,
    stakes=hand_pb2.Stakes(small_blind=5, big_blind=10),
    seats=2,
    starting_stack=500,
)
MATCH, REFEREE = "a-match", bytes(32)
COMMITMENT = commit_referee(MATCH, REFEREE)
SEEDS = {seat: bytes([seat]) * 32 for seat in (1, 2)}
MADE = {seat: commit_seat(MATCH, seat, seed, COMMITMENT) for seat, seed in SEEDS.items()}


def checked(change=lambda shown: shown, root=lambda root: root, deck=lambda deck: deck):
    """A check of one hand, with what the referee shows at the end changed."""
    check = DealCheck(SEEDS[1])
    check.opened(table_pb2.TableOpened(match_name=MATCH, deal_commitment=COMMITMENT))
    commitments = [table_pb2.SeedCommitted(seat=seat, commitment=made) for seat, made in MADE.items()]
    check.closed(table_pb2.CommitmentsClosed(seats=[1, 2], commitments=commitments))
    seeds = MatchSeeds(MATCH, REFEREE, tuple([SeatSeed(seat, MADE[seat], SEEDS[seat]) for seat in (1, 2)]))
    committed = FairDecks(MATCH, seeds.match_seed()).committed(0, 1)
    setup = setup_of([500, 500], "holdem/tda@1", hand_id="t-1")
    game = PokerGame(CONFIG, "t")
    began = table_pb2.HandBegan(
        hand_id=setup.hand_id,
        players=[hand_pb2.PlayerSetup(seat=seat, stack=500) for seat in setup.seats],
        button_seat=setup.button_seat,
        small_blind_seat=setup.small_blind_seat,
        big_blind_seat=setup.big_blind_seat,
        deck_root=root(committed.root),
    )
    game.begin(1, began, {}, MATCH)
    for event in open_hand(replace(setup, deck=deck(committed.deck)))[1]:
        game.fold(table_pb2.SeenEvent(hand_event=wire.event_message(event)))
    dealt = game.dealt()
    assert dealt is not None
    check.over(1, dealt)
    shown = table_pb2.MatchSeeds(
        match_name=MATCH,
        referee_seed=REFEREE,
        seats=[table_pb2.SeatSeed(seat=seat, commitment=MADE[seat], seed=SEEDS[seat]) for seat in (1, 2)],
    )
    check.ended(change(shown), game.deck_items)
    return check.checked, check.fault


def without_seats(shown):
    del shown.seats[:]
    return shown


def test_an_honest_match_is_checked():
    assert checked() == (1, "")


def test_withheld_seeds_are_a_fault_once_hands_were_dealt():
    assert checked(without_seats) == (0, "hands were dealt, and the seeds are not shown")


def test_other_seeds_roots_and_cards_are_faults():
    def other_referee(shown):
        shown.referee_seed = bytes([9]) * 32
        return shown

    def without_mine(shown):
        shown.seats[0].seed = b""
        return shown

    assert "the referee's seed is not the committed one" in checked(other_referee)[1]
    assert "own seed is not among" in checked(without_mine)[1]
    assert "not the one that was committed to" in checked(root=lambda root: bytes(32))[1]
    assert "was dealt" in checked(deck=lambda deck: deck[::-1])[1]
