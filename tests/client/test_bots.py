"""Practice bots: what each is for, how they discard, and that sound play wins."""

import random
from dataclasses import replace
from itertools import combinations

import pytest

from referee.bots import BOTS, make_bot, sensible_discard
from referee.bots import reading as read
from referee.bots.sound import after_the_flop, before_the_flop, chance_to_win
from referee.client import play_duplicate, play_match
from referee.rules.events import EventKind
from referee.rules.ranking import strength
from referee.rules.ruleset import PINEAPPLE, DiscardPoint, DiscardVisibility, Game, Stakes
from referee.rules.rulings import ActionKind
from tests.client.test_decision import decision_of
from tests.support import FL, NL, PL, cards, rules, scale

STAKES = Stakes(5, 10)
SENSIBLE = sorted(set(BOTS) - {"random-legal"})
IRISH_NL = "irish/full-tilt@1"
TO_THE_DISCARD = "p2 call, p1 check, p1 check, p2 check"


def kinds(bot, hands=100, **options):
    """Which events a bot made in seat 1 against one that calls."""
    result = play_match([bot, make_bot("always-call")], IRISH_NL, NL, STAKES, 500, hands, **options)
    return [event for hand in result.hands for event in hand.events if event.seat == 1]


# --- bots of one idea -----------------------------------------------------------------------------------


def test_always_call_never_folds_and_never_raises():
    made = {event.kind for event in kinds(make_bot("always-call"))}
    assert not made & {EventKind.FOLDED, EventKind.BET, EventKind.RAISED}
    assert {EventKind.CHECKED, EventKind.CALLED, EventKind.DISCARDED} <= made


def test_always_fold_folds_to_a_bet_and_checks_otherwise():
    made = {event.kind for event in kinds(make_bot("always-fold"))}
    assert not made & {EventKind.CALLED, EventKind.BET, EventKind.RAISED}
    assert {EventKind.CHECKED, EventKind.FOLDED, EventKind.DISCARDED} <= made


def test_all_in_puts_in_as_much_as_it_may():
    wagers = [event for event in kinds(make_bot("all-in")) if event.kind in (EventKind.BET, EventKind.RAISED)]
    assert len(wagers) > 50
    assert all(event.all_in and event.to == 500 for event in wagers)
    _, decision = decision_of([500] * 3, limit=PL)
    assert make_bot("all-in")(decision).to == 35


def test_random_legal_does_everything_that_is_legal_and_in_any_size():
    made = kinds(make_bot("random-legal", 3), hands=400)
    assert {event.kind for event in made} >= {
        EventKind.FOLDED,
        EventKind.CHECKED,
        EventKind.CALLED,
        EventKind.BET,
        EventKind.RAISED,
        EventKind.DISCARDED,
    }
    assert len({event.to for event in made if event.kind in (EventKind.BET, EventKind.RAISED)}) > 60
    places = set()
    for hand in play_match([make_bot("random-legal", 3)] * 2, IRISH_NL, NL, STAKES, 500, 100).hands:
        for event in hand.events:
            if event.kind == EventKind.DISCARDED:
                hole = next(
                    one.cards for one in hand.events if one.kind == EventKind.HOLE_DEALT and one.seat == event.seat
                )
                places.add(tuple(sorted(hole.index(card) for card in event.cards)))
    assert len(places) == 6, "any two of the four"


def test_random_legal_answers_by_seed_and_decision_alone():
    _, decision = decision_of([500] * 2)
    answers = [make_bot("random-legal", seed)(decision) for seed in range(40)]
    assert answers == [make_bot("random-legal", seed)(decision) for seed in range(40)]
    assert len(set(answers)) > 5


def test_a_bot_of_an_unknown_name_is_a_key_error():
    with pytest.raises(KeyError):
        make_bot("nobody")
    assert list(BOTS) == ["always-call", "always-fold", "random-legal", "all-in", "sound-irish"]


# --- discarding -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hole", "board", "kept"),
    [
        ("AhKd7c7s", "7d 2c Jh", "7c7s"),  # a set, not two overcards
        ("AhKh7c2s", "9h 4h Jc", "AhKh"),  # the nut flush draw
        ("AhQh5h5s", "9h 4h Jc", "AhQh"),  # the nut flush draw, not a small pair
        ("KhQh8s7s", "9h 4h 6c", "8s7s"),  # an open-ended straight draw with pairs to come, or a second flush draw
        ("JsTs3d3c", "Qh 9d 2c", "JsTs"),  # an open-ended straight draw, not a small pair
        ("AcAd8h7h", "9h 6h 2s", "8h7h"),  # a flush draw and an open-ended straight draw
        ("AcAd8h7c", "Kh Ts 2s", "AcAd"),  # an overpair's worth
        ("KcQc9d2s", "Kd Qh 4s", "KcQc"),  # top two pair
        ("AsKs5d4c", "Kd 8s 3s", "AsKs"),  # the nut flush draw with a pair, or better
        ("9s8s9c2d", "Ts 7s 6s", "9s8s"),  # a straight flush
        ("TcTd5h4h", "Th 5d 5c", "TcTd"),  # the better full house
    ],
)
def test_the_best_hand_or_draw_is_kept_after_the_flop(hole, board, kept):
    if hole == "KhQh8s7s":
        assert read.best_keep(cards(hole), 2, cards(board)) in (cards("8s7s"), cards("KhQh"))
    else:
        assert sorted(read.best_keep(cards(hole), 2, cards(board))) == sorted(cards(kept))


@pytest.mark.parametrize(
    ("hole", "kept"),
    [("AhAd7c", "AhAd"), ("Ah7h2c", "Ah7h"), ("9c8cKd", "9c8c"), ("KdQc2h", "KdQc"), ("5c5dKh", "5c5d")],
)
def test_pairs_suited_aces_and_connected_cards_are_kept_before_the_flop(hole, kept):
    assert read.best_keep(cards(hole), 2, ()) == cards(kept)


@pytest.mark.parametrize("name", SENSIBLE)
def test_sensible_bots_never_break_what_they_have_made(name):
    rng = random.Random(name)
    for _ in range(scale(150, 1500)):
        some = rng.sample(range(52), 7)
        holes = {1: "".join(read_text(some[:4]))}
        _, decision = decision_of(
            [500] * 2, TO_THE_DISCARD, rule_set=IRISH_NL, holes=holes, board=read_text(some[4:]), seat=1
        )
        discarded = make_bot(name)(decision).cards
        kept = [card for card in decision.hole if card not in discarded]
        best = max(strength((*two, *decision.board)) for two in combinations(decision.hole, 2))
        if best >> 20 >= 4:  # a straight or better is not given up for less than its class
            assert strength((*kept, *decision.board)) >> 20 == best >> 20


def read_text(some):
    from tests.support import text

    return text(some).replace(" ", "")


@pytest.mark.rule("GAME-3", "DISC-2")
@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("point", list(DiscardPoint)[1:])
@pytest.mark.parametrize(
    ("hole", "discards"), [(2, 1), (3, 1), (3, 2), (5, 3), (6, 1), (9, 4), (12, 6), (23, 1), (23, 22)]
)
def test_every_bot_discards_in_any_game(name, point, hole, discards):
    game = Game(hole, discards, point, DiscardVisibility.JOINS_BOARD if hole % 2 else DiscardVisibility.HIDDEN)
    result = play_match([make_bot(name, 1)] * 2, rules(game), NL, STAKES, 200, 2, seed=hole)
    assert [seat.refusals for seat in result.seats] == [0, 0]
    assert sum(result.net) == 0


def test_with_so_many_choices_that_they_are_not_all_tried_good_cards_are_kept():
    hole = cards("AsKsQsJsTs" + "2c3d4h6c7d8h9c2d3h4c6d")
    assert set(read.best_keep(hole, 8, cards("5c5d5h"))) >= set(cards("AsKsQsJsTs"))


def test_what_is_discarded_and_what_is_kept_are_all_there_was():
    _, decision = decision_of([500] * 2, TO_THE_DISCARD, rule_set=IRISH_NL, seat=1)
    proposal = sensible_discard(decision)
    assert proposal.kind == ActionKind.DISCARD
    assert len(set(proposal.cards)) == 2
    assert set(proposal.cards) < set(decision.hole)


# --- reading --------------------------------------------------------------------------------------------


def test_starts_are_ordered_as_players_order_them():
    order = ["AsAd", "KsKd", "AsKs", "QsQd", "AsKd", "KsQs", "9s9d", "AsTs", "JsTs", "7s6s", "9s7d", "8s2d", "7s2d"]
    values = [read.pair_value(*cards(two)) for two in order]
    assert values[0] == max(values)
    assert values[-1] == min(values)
    assert read.pair_value(*cards("AsKs")) > read.pair_value(*cards("AsKd"))
    assert read.pair_value(*cards("8s7s")) > read.pair_value(*cards("8s3s"))
    assert read.pair_value(*cards("As5s")) > read.pair_value(*cards("As6d"))


def test_percentiles_of_starts():
    assert read.start_percentile(cards("AsAd")) >= 98
    assert read.start_percentile(cards("7s2d")) <= 5
    assert read.start_percentile(cards("AsAdKsKd")) >= 98
    assert read.start_percentile(cards("2s7d9c3h")) <= 25


@pytest.mark.parametrize(
    ("better", "worse", "board"),
    [
        ("AsAd", "KsQd", "Kh 8d 3c"),  # an overpair and top pair
        ("KsAd", "KcQd", "Kh 8d 3c"),  # kickers
        ("8s8c", "KsAd", "Kh 8d 3c"),  # a set and top pair
        ("Ks8s", "AsAd", "Kh 8d 3c"),  # two pair and an overpair
        ("AsKd", "2c2h", "Kc 9d 7h"),
        ("QsQd", "AsJd", "Kh Kd 3c"),  # a pair in hand under a pair on the board, and nothing
    ],
)
def test_made_hands_are_ordered(better, worse, board):
    assert read.made_value(cards(better), cards(board)) > read.made_value(cards(worse), cards(board))


def test_what_the_board_has_by_itself_counts_for_nothing():
    assert read.made_value(cards("2c4d"), cards("KsKdKh")) < 10
    assert read.made_value(cards("2c3d"), cards("AsKsQsJsTs")) < 10


def test_draws_are_ordered_nut_flush_first():
    board = cards("9h 4h Jc")
    nut = read.draw_value(cards("Ah2h"), board)
    second = read.draw_value(cards("Kh2h"), board)
    one_card = read.draw_value(cards("Kh2c"), cards("9h 4h 6h"))
    open_ended = read.draw_value(cards("TsQd"), board)
    gutshot = read.draw_value(cards("8s7d"), board)
    nothing = read.draw_value(cards("2s2d"), board)
    assert nut > second > gutshot > nothing
    assert second > one_card
    assert open_ended > gutshot
    assert read.draw_value(cards("Ah2h"), cards("9h 4h Jc 3s")) < nut, "one card to come, not two"
    assert read.draw_value(cards("Ah2h"), cards("9h 4h Jc 3s 3d")) == 0
    assert read.has_nut_flush_draw(cards("Ah2h"), board)
    assert not read.has_nut_flush_draw(cards("Kh2h"), board)
    assert read.has_nut_flush_draw(cards("Kh2h"), cards("Ah 4h Jc"))


@pytest.mark.parametrize(
    ("board", "coordinated"),
    [("Kh 8d 3c", False), ("9h 8d 7c", True), ("Kh 8h 3h", True), ("Ac 2d 4h", True), ("Ac Kd 7h 2s", False)],
)
def test_coordinated_boards(board, coordinated):
    assert read.is_coordinated(cards(board)) == coordinated


def test_fewer_than_five_cards_are_compared_by_pairs():
    order = ["AsKd9c7h", "2s2dAcKh", "3s3d2c2h", "2s2d2cKh", "2s2d2c2h"]
    values = [read.value_of(cards(four)) for four in order]
    assert values == sorted(values)
    assert read.value_of(()) == 0


# --- sound advice ---------------------------------------------------------------------------------------


def start(hole, script="", **options):
    _, decision = decision_of([1000] * 2, script, rule_set=IRISH_NL, holes={2: hole}, seat=2, **options)
    return before_the_flop(decision)


def test_big_pairs_and_suited_aces_raise_and_poor_starts_fold():
    for hole in ("AsAd8h3c", "KsKd7c2h", "AsKsQd7c", "AhJhTs9s"):
        assert start(hole).kind == ActionKind.RAISE, hole
    assert start("7s2d9c3h").kind == ActionKind.FOLD


def test_a_dear_call_asks_for_a_better_start():
    def facing(hole, to):
        _, decision = decision_of([1000] * 2, f"p2 raise {to}", rule_set=IRISH_NL, holes={1: hole}, seat=1)
        return before_the_flop(decision).kind

    assert facing("Ts9s8d6h", 30) == ActionKind.CALL
    assert facing("Ts9s8d6h", 1000) == ActionKind.FOLD
    assert facing("AsAdKsKd", 1000) == ActionKind.CALL
    assert facing("AsAdKsKd", 60) == ActionKind.RAISE


def on_the_flop(hole, board, script, seat=1, **options):
    options = {"rule_set": "holdem/tda@1"} | options
    _, decision = decision_of(
        [1000] * 2, f"p2 call, p1 check, {script}", holes={seat: hole}, board=board, seat=seat, **options
    )
    return decision


def test_a_set_bets_and_raises_and_nothing_checks_and_folds():
    dry = "Kh8d3c2s2c"
    assert after_the_flop(on_the_flop("8s8c", dry, "")).kind == ActionKind.BET
    assert after_the_flop(on_the_flop("8s8c", dry, "p1 check, p2 bet 20")).kind == ActionKind.RAISE
    assert after_the_flop(on_the_flop("Js5c", dry, "")).kind == ActionKind.CHECK
    assert after_the_flop(on_the_flop("Js5c", dry, "p1 check, p2 bet 20")).kind == ActionKind.FOLD


def test_the_nut_flush_draw_pays_for_the_next_card_and_a_gutshot_does_not():
    board = "9h4hJc2s2c"
    assert after_the_flop(on_the_flop("Ah3h", board, "p1 check, p2 bet 20")).kind in (ActionKind.CALL, ActionKind.RAISE)
    assert after_the_flop(on_the_flop("7s8d", board, "p1 check, p2 bet 40")).kind == ActionKind.FOLD


def test_bare_pairs_and_two_pair_are_worth_less_on_coordinated_boards():
    dry, wet = "Kh8d3c2s2c", "Th9h8h2s2c"
    for pair in (("KsQd", "TsQd"), ("Ks8s", "Ts8s")):
        chances = []
        for hole, board in zip(pair, (dry, wet), strict=True):
            decision = on_the_flop(hole, board, "")
            chances.append(chance_to_win(decision, decision.hole))
        assert chances[0] > chances[1] + 0.15


def test_the_more_opponents_the_smaller_the_chance():
    two = on_the_flop("KsQd", "Kh8d3c2s2c", "")
    _, three = decision_of(
        [1000] * 3, "p3 call, p1 call, p2 check", rule_set="holdem/tda@1", holes={1: "KsQd"}, board="Kh8d3c2s2c", seat=1
    )
    assert chance_to_win(two, two.hole) > chance_to_win(three, three.hole)


@pytest.mark.parametrize("opponent", ["always-call", "random-legal"])
@pytest.mark.parametrize(
    ("rule_set", "limit", "margin"),
    [
        (IRISH_NL, NL, 10),
        (IRISH_NL, PL, 10),
        ("irish/french-limit@1", FL, 3),
        ("holdem/tda@1", NL, 10),
        (rules(PINEAPPLE), NL, 10),
    ],
)
def test_sound_play_wins_clearly(opponent, rule_set, limit, margin):
    """At least ``margin`` chips a hand, a big blind being 10, over 400 hands with seats swapped."""
    sound, other = play_duplicate(
        [make_bot("sound-irish"), make_bot(opponent)], rule_set, limit, STAKES, 1000, 200, seed=1
    )
    assert sound == -other
    assert sound > 400 * margin


def test_sound_play_is_the_same_again():
    bots = [make_bot("sound-irish", seed) for seed in range(4)]
    assert play_match(bots, IRISH_NL, NL, STAKES, 500, 20) == play_match(bots, IRISH_NL, NL, STAKES, 500, 20)


def test_hidden_discards_stay_out_of_reach_of_a_bot_that_reads_cards():
    """Its own discards are known to be in nobody else's hand, and only its own."""
    _, decision = decision_of(
        [500] * 2, TO_THE_DISCARD + ", p1 discard 2c2d", rule_set=IRISH_NL, holes={1: "AsAd2c2d"}, seat=2
    )
    assert decision.discarded == ()
    own = replace(decision, hole=cards("AsAd"), discarded=cards("2c2d"))
    assert 0 <= chance_to_win(own, own.hole) <= 1
