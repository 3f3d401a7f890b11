"""The course of a hand: what an action does, and everything that follows without anybody choosing.

Each step takes a hand and gives the next one with what happened, in the order in which it is told.
"""

from dataclasses import replace
from typing import TypeVar

from referee_reference.betting import base, increment, is_fixed_limit
from referee_reference.cards import board_cards, hole_cards
from referee_reference.discards import cards_dealt_last, discards_are_due, late_discard_folds
from referee_reference.hand import (
    BETTING,
    BETWEEN,
    DISCARDING,
    OVER,
    Deed,
    Hand,
    Street,
    board,
    kept,
    level,
    live,
    next_to_act,
    owes_discard,
    player_at,
    players,
    put,
    round_number,
    to_match,
)
from referee_reference.pots import pots, rakes, shares, uncalled
from referee_reference.showdown import is_decided, showings, tabled_now, winners
from referee_reference.terms import NOBODY, Happening, Proposal, Setup

Thing = TypeVar("Thing")
Step = tuple[Hand, list[Happening]]


def changed(numbers: tuple[int, ...], player: int, by: int) -> tuple[int, ...]:
    """The same amounts with one player's changed."""
    return tuple(number + by if place == player else number for place, number in enumerate(numbers))


def instead(things: tuple[Thing, ...], player: int, thing: Thing) -> tuple[Thing, ...]:
    """The same things with one player's replaced."""
    return tuple(thing if place == player else other for place, other in enumerate(things))


# --- before the first decision --------------------------------------------------------------------------


def begin(setup: Setup) -> Step:
    """Posts, deals, and goes on to the first decision (DEAL-1: blinds first). The setup is one that can be played.

    Spec: PostAndDeal.
    """
    count = len(setup.seats)
    hand = Hand(
        setup=setup,
        stage=BETTING,
        chips=setup.stacks,
        totals=(0,) * count,
        dead=0,
        blinds_posted=0,
        streets=(Street(tuple(range(count)), (0,) * count),),
        folded=frozenset(),
        discarded=((),) * count,
        returned=(0,) * count,
        answered=(0,) * count,
        shown=("",) * count,
        won=(0,) * count,
    )
    hand, told = post_everything(hand)
    for player, seat in enumerate(setup.seats):
        told.append(Happening("HOLE_DEALT", "DEAL-1", seat, cards=hole_cards(setup, player)))
    hand, followed = go_on(hand)
    return hand, told + followed


def post_everything(hand: Hand) -> Step:
    """BLIND: antes of each player first; then the blinds; then posts, live before dead; a big-blind ante last."""
    setup, stakes = hand.setup, hand.setup.stakes
    told: list[Happening] = []

    def post(hand: Hand, kind: str, rule: str, seat: int, wanted: int) -> Hand:
        player = setup.seats.index(seat)
        paid = min(wanted, hand.chips[player])  # BLIND-3: a player with less posts all he has
        if paid == 0:
            return hand
        hand = replace(hand, chips=changed(hand.chips, player, -paid))
        if kind == "DEAD_POSTED":
            hand = replace(hand, dead=hand.dead + paid)  # BLIND-6
        else:
            hand = replace(hand, totals=changed(hand.totals, player, paid))
        if kind == "BLIND_POSTED":  # BLIND-4: live, so it counts towards the bet
            street = hand.streets[-1]
            hand = replace(hand, streets=(replace(street, put=changed(street.put, player, paid)),))
            if seat in (setup.small_blind_seat, setup.big_blind_seat):
                hand = replace(hand, blinds_posted=hand.blinds_posted + paid)
        on_street = paid if kind == "BLIND_POSTED" else 0
        if rule == "BLIND-1" and paid < wanted:
            rule = "BLIND-3"
        told.append(Happening(kind, rule, seat, paid, on_street, all_in=hand.chips[player] == 0))
        return hand

    if stakes.ante_kind == "EACH":  # BLIND-5: every player, before the blinds
        for seat in setup.seats:
            hand = post(hand, "ANTE_POSTED", "BLIND-5", seat, stakes.ante)
    if setup.small_blind_seat != NOBODY:
        hand = post(hand, "BLIND_POSTED", "BLIND-1", setup.small_blind_seat, stakes.small_blind)
    hand = post(hand, "BLIND_POSTED", "BLIND-1", setup.big_blind_seat, stakes.big_blind)
    for seat in setup.seats:
        for one in setup.posts:
            if one.seat == seat:  # SEAT-3: the live part paid first
                hand = post(hand, "BLIND_POSTED", "SEAT-3", seat, one.live)
                hand = post(hand, "DEAD_POSTED", "BLIND-6", seat, one.dead)
    if stakes.ante_kind == "BIG_BLIND":  # BLIND-5: the blind is paid before the ante
        hand = post(hand, "DEAD_POSTED", "BLIND-5", setup.big_blind_seat, stakes.ante)
    return hand, told


# --- what an action does --------------------------------------------------------------------------------


def act(hand: Hand, proposal: Proposal) -> Step:
    """The hand after an accepted proposal and all that follows from it."""
    player = player_at(hand, proposal.seat)
    assert player is not None
    if proposal.kind == "SHOW":
        rule = "SHOW-7" if len(live(hand)) == 1 else "SHOW-2"
        told = [Happening("HAND_SHOWN", rule, proposal.seat, cards=kept(hand, player))]
        return shown(hand, player), told
    if hand.stage == DISCARDING:
        hand, told = act_in_discard_round(hand, player, proposal)
    elif proposal.kind == "TIMEOUT":  # TIME-2: check if nothing is owed, else fold
        kind = "FOLD" if to_match(hand, player) > 0 else "CHECK"
        hand, told = act_in_betting_round(hand, player, kind, 0, "TIME-2")
    elif proposal.kind == "FORFEIT":  # TIME-4: the seat folds, whether it owes something or not
        hand, told = act_in_betting_round(hand, player, "FOLD", 0, "TIME-4")
    else:
        hand, told = act_in_betting_round(hand, player, proposal.kind, proposal.to)
    hand = replace(hand, answered=changed(hand.answered, player, 1))
    hand, followed = go_on(hand)
    return hand, told + followed


def act_in_betting_round(hand: Hand, player: int, kind: str, to: int, in_his_place: str = "") -> Step:
    """BET-2: fold, check, call, or a wager named by the street total that it goes to.

    ``in_his_place`` is the rule by which the referee acts in the player's place. Spec: Folded, Checked, Called, Bet,
    Raised, TimedOutBetting.
    """
    before = level(hand)
    rule = in_his_place or rule_of_action(hand, player, kind, to)
    paid = 0
    if kind == "CALL":
        paid = min(to_match(hand, player), hand.chips[player])
    elif kind in ("BET", "RAISE"):
        paid = to - put(hand, player)
    street = hand.streets[-1]
    street = replace(street, put=changed(street.put, player, paid))
    hand = replace(
        hand,
        chips=changed(hand.chips, player, -paid),
        totals=changed(hand.totals, player, paid),
        streets=(*hand.streets[:-1], street),
        folded=hand.folded | {player} if kind == "FOLD" else hand.folded,
    )
    deed = Deed(player, "WAGER" if kind in ("BET", "RAISE") else kind, before, level(hand))
    street = replace(street, deeds=(*street.deeds, deed))
    hand = replace(hand, streets=(*hand.streets[:-1], street))
    name = {"FOLD": "FOLDED", "CHECK": "CHECKED", "CALL": "CALLED"}.get(kind, "RAISED" if before > 0 else "BET")
    all_in = kind in ("CALL", "BET", "RAISE") and hand.chips[player] == 0
    seat = hand.setup.seats[player]
    return hand, [Happening(name, rule, seat, paid, put(hand, player), all_in=all_in, automatic=in_his_place != "")]


def rule_of_action(hand: Hand, player: int, kind: str, to: int) -> str:
    """The rule that a player's own action is told with: for a wager the one that makes its size right."""
    if kind == "FOLD" and to_match(hand, player) == 0:
        return "BET-3"
    if kind not in ("BET", "RAISE"):
        return "BET-2"
    if is_fixed_limit(hand):
        return "SIZE-5" if base(hand) == level(hand) else "SIZE-8"
    if to < level(hand) + increment(hand):
        return "SIZE-2"
    if hand.setup.limit == "POT_LIMIT":
        return "SIZE-4"
    return "SIZE-3" if level(hand) > 0 else "SIZE-1"


def act_in_discard_round(hand: Hand, player: int, proposal: Proposal) -> Step:
    """DISC-2; DISC-8 for a discard not made in time; TIME-4 for one that the player has forfeited.

    Spec: Discarded, TimedOutDiscarding.
    """
    seat = hand.setup.seats[player]
    if proposal.kind == "TIMEOUT" and late_discard_folds(hand, player):
        unseen = hand.unseen_folds
        if hand.setup.rule_set.hide_discard_progress:  # DISC-3: others learn of it when all are done
            unseen = (*unseen, player)
        hand = replace(hand, folded=hand.folded | {player}, unseen_folds=unseen)
        return hand, [Happening("FOLDED", "DISC-8", seat, automatic=True)]
    rule = {"TIMEOUT": "DISC-8", "FORFEIT": "TIME-4"}.get(proposal.kind, "DISC-2")
    by_referee = rule != "DISC-2"
    cards = cards_dealt_last(hand, player) if by_referee else proposal.cards
    hand = replace(hand, discarded=instead(hand.discarded, player, cards))
    return hand, [Happening("DISCARDED", rule, seat, cards=cards, automatic=by_referee)]


def shown(hand: Hand, player: int, how: str = "SHOWN") -> Hand:
    """The hand with one player's cards shown, or mucked."""
    return replace(hand, shown=instead(hand.shown, player, how))


# --- what follows by itself -----------------------------------------------------------------------------


def go_on(hand: Hand) -> Step:
    """Everything that follows until somebody is asked, the hand is over, or it waits for cards that nobody knows."""
    told: list[Happening] = []
    while True:
        hand, happened = follow(hand)
        if not happened:
            return hand, told
        told.extend(happened)


def follow(hand: Hand) -> Step:
    """The next thing that happens without anybody choosing; nothing if somebody is to choose, or the hand is over."""
    if hand.stage == BETTING:
        return close_round(hand) if next_to_act(hand) is None else (hand, [])
    if hand.stage == DISCARDING:
        if len(live(hand)) == 1:  # BET-7, by DISC-8
            ended, told = end_without_showdown(hand)
            return ended, late_folds_told(hand) + told
        waiting = any(owes_discard(hand, player) for player in players(hand))
        return (hand, []) if waiting else close_discards(hand)
    if hand.stage == BETWEEN:
        return between_rounds(hand)
    return hand, []


def close_round(hand: Hand) -> Step:
    """BET-4, POT-2: the round closes, and what was not called is returned. Spec: RoundClosed."""
    told = []
    excess = uncalled(hand)
    if excess is not None:
        player, amount = excess
        street = hand.streets[-1]
        street = replace(street, put=changed(street.put, player, -amount))
        hand = replace(
            hand,
            chips=changed(hand.chips, player, amount),
            totals=changed(hand.totals, player, -amount),
            returned=changed(hand.returned, player, amount),
            streets=(*hand.streets[:-1], street),
        )
        told.append(Happening("BET_RETURNED", "POT-2", hand.setup.seats[player], amount, put(hand, player)))
    told.append(Happening("ROUND_CLOSED", "BET-7" if len(live(hand)) == 1 else "BET-4"))
    return replace(hand, stage=BETWEEN, round_closed=True), told


def between_rounds(hand: Hand) -> Step:
    """A round has closed, a flop was dealt, or the discards are in: what is next."""
    if len(live(hand)) == 1:  # BET-7: over at once
        return end_without_showdown(hand)
    if discards_are_due(hand):  # DISC-1
        return replace(hand, stage=DISCARDING), [Happening("DISCARDS_OPENED", "DISC-1")]
    tabled = tabled_now(hand)
    if tabled:  # SHOW-4
        told = [Happening("HAND_SHOWN", "SHOW-4", hand.setup.seats[one], cards=kept(hand, one)) for one in tabled]
        for one in tabled:
            hand = shown(hand, one)
        return hand, told
    if round_number(hand) == 4:
        return showdown(hand)
    return deal(hand)


def deal(hand: Hand) -> Step:
    """DEAL-3: the next board cards, from their places in the deck; a new round begins. Spec: BoardDealt."""
    already = len(board(hand))
    begun = replace(
        hand,
        streets=(*hand.streets, Street(tuple(live(hand)), (0,) * len(players(hand)))),
        round_closed=False,
    )
    dealt = Happening("BOARD_DEALT", "DEAL-3", cards=board_cards(hand.setup, len(board(begun)))[already:])
    if discards_are_due(begun):  # GAME-3, BEFORE_FLOP_BETTING
        return begun, [dealt]
    return open_betting(begun), [dealt]


def open_betting(hand: Hand) -> Hand:
    """BET-5: a round in which no wager is possible is skipped; the discards and cards are not. Spec: StartBetting."""
    if next_to_act(hand) is None:
        return replace(hand, stage=BETWEEN, round_closed=True)
    return replace(hand, stage=BETTING)


def late_folds_told(hand: Hand) -> list[Happening]:
    """DISC-3: who folded by DISC-8 while nobody was told, clockwise."""
    return [Happening("LATE_FOLD_SHOWN", "DISC-3", hand.setup.seats[player]) for player in sorted(hand.unseen_folds)]


def close_discards(hand: Hand) -> Step:
    """DISC-5: the last discard is in; what the game shows is turned up together, clockwise. Spec: DiscardsClosed."""
    told = late_folds_told(hand)
    becomes = hand.setup.rule_set.game.becomes
    joined: tuple[str, ...] = ()
    if becomes != "HIDDEN":
        for player in live(hand):
            told.append(Happening("DISCARD_SHOWN", "DISC-5", hand.setup.seats[player], cards=hand.discarded[player]))
            if becomes == "JOINS_BOARD":
                joined += hand.discarded[player]
    told.append(Happening("DISCARDS_CLOSED", "DISC-1"))
    hand = replace(hand, stage=BETWEEN, discards_over=True, joined=joined, unseen_folds=())
    return (hand, told) if hand.round_closed else (open_betting(hand), told)


def end_without_showdown(hand: Hand) -> Step:
    """BET-7, SHOW-7: one live player left; nothing is shown. Spec: WonUncontested."""
    hand, told = award(hand)
    return replace(hand, stage=OVER, unseen_folds=()), [*told, Happening("HAND_ENDED", "BET-7")]


def showdown(hand: Hand) -> Step:
    """SHOW: hands are shown or mucked in order, then the pots are awarded. It waits while cards are not known.

    Spec: SomeShowdown.
    """
    if not all(is_decided(hand, pot) for pot in pots(hand)):
        return hand, []
    told = []
    for showing in showings(hand):
        seat = hand.setup.seats[showing.player]
        if hand.shown[showing.player] == "SHOWN":
            continue  # turned up before (SHOW-4)
        if showing.shows:
            told.append(Happening("HAND_SHOWN", showing.rule, seat, cards=kept(hand, showing.player)))
        else:
            told.append(Happening("HAND_MUCKED", showing.rule, seat))
        hand = shown(hand, showing.player, "SHOWN" if showing.shows else "MUCKED")
    hand, awarded = award(hand)
    return replace(hand, stage=OVER), [*told, *awarded, Happening("HAND_ENDED", "POT-7")]


def award(hand: Hand) -> Step:
    """POT-4 to POT-8, SHOW-6: the rake of each pot, then the awards from the last side pot to the main pot.

    Spec: Award.
    """
    told = []
    contested = pots(hand)
    taken = rakes(hand, contested)
    for number, amount in enumerate(taken):
        if amount > 0:
            told.append(Happening("RAKE_TAKEN", "POT-8", amount=amount, pot=number))
    decided = [winners(hand, pot) for pot in contested]
    for number in reversed(range(len(contested))):
        amount = contested[number].amount - taken[number]
        dealt = shares(amount, decided[number], hand.setup.stakes.chip_unit)
        for player, share in zip(decided[number], dealt, strict=True):
            rule = "POT-4" if len(contested[number].eligible) == 1 else "POT-5"
            told.append(Happening("POT_AWARDED", rule, hand.setup.seats[player], share, pot=number))
            hand = replace(hand, chips=changed(hand.chips, player, share), won=changed(hand.won, player, share))
    hand = replace(hand, rake=sum(taken))
    assert sum(hand.chips) + hand.rake == sum(hand.setup.stacks), "POT-7"
    return hand, told
