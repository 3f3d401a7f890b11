"""Ruling on proposals: the referee's one question, "may this seat do this now?", and what then follows by itself.

``check`` is a pure question and never changes the hand, so a refusal changes nothing (BET-8). ``forced`` says what
happens next without anybody choosing: posting, dealing, closing, showing, awarding.
"""

from referee.rules.betting import Fault, betting_options, owed, passive_fault, wager_fault
from referee.rules.discards import (
    automatic_discard,
    closing_events,
    discard_fault,
    discard_is_due,
    discard_options,
    late_discard,
    late_fold_events,
)
from referee.rules.events import (
    ANTE_POSTED,
    BET_RETURNED,
    BLIND_POSTED,
    BOARD_DEALT,
    CALLED,
    CHECKED,
    DEAD_POSTED,
    DISCARDED,
    DISCARDS_OPENED,
    FOLDED,
    HAND_ENDED,
    HAND_MUCKED,
    HAND_SHOWN,
    HOLE_DEALT,
    POT_AWARDED,
    RAISED,
    RAKE_TAKEN,
    ROUND_CLOSED,
    Event,
    EventKind,
)
from referee.rules.pots import Pot, uncalled
from referee.rules.ruleset import AllInExposure, AnteKind, Limit
from referee.rules.rulings import (
    BET,
    CALL,
    CHECK,
    DISCARD,
    FOLD,
    FORFEIT,
    RAISE,
    SHOW,
    TIMEOUT,
    ActionKind,
    LegalOptions,
    Proposal,
    Reason,
    Ruling,
)
from referee.rules.setup import NOBODY, HandSetup, board_of, hole_of
from referee.rules.showdown import (
    awards_of,
    is_decided,
    pots_of,
    showings,
    strengths_of,
)
from referee.rules.state import (
    BETTING,
    BETWEEN,
    DISCARDING,
    LAST_STREET,
    NO_PLAYER,
    OPENING,
    OVER,
    STREET_CARDS,
    Hand,
    Shown,
    apply,
)


def open_hand(setup: HandSetup) -> tuple[Hand, tuple[Event, ...]]:
    """Begins a hand: posts, deals, and goes on to the first decision. Raises RuleSetError for a refused setup."""
    hand = Hand(setup)
    return hand, advance(hand)


def replay(setup: HandSetup, events: tuple[Event, ...]) -> Hand:
    """The hand after these events: nothing but the fold, without asking whether they were right."""
    hand = Hand(setup)
    for event in events:
        apply(hand, event)
    return hand


def deal_again(hand: Hand, setup: HandSetup) -> None:
    """Gives the hand the cards of another setup, which is to differ from the hand's own in cards alone.

    Only while no card has mattered: nobody has discarded, and nothing has been compared. That no card of the setup
    appears twice is not checked.
    """
    assert hand.phase is not OVER, "hands have been compared"
    assert not any(hand.discarded), "somebody has discarded by his cards"
    hand.setup = setup
    hand.hole = [hole_of(setup, player) for player in range(len(setup.seats))]
    hand.kept = hand.hole.copy()
    hand.board = board_of(setup)[: len(hand.board)]


def propose(hand: Hand, proposal: Proposal) -> Ruling:
    """Rules on one proposal and, if it is accepted, carries the hand on to the next decision.

    Never raises for illegal play. A refusal leaves ``encode(hand)`` as it was.
    """
    player = hand.index_of(proposal.seat)
    fault = check(hand, proposal, player)
    if fault is not None:
        return _refusal(hand, proposal, fault)
    event = action_event(hand, player, proposal)
    apply(hand, event)
    warning = "folded with nothing to match (BET-3)" if event.rule == "BET-3" else ""
    if hand.to_act >= 0 and hand.phase is BETTING:
        return Ruling(True, event.rule, (event,), None, "", None, warning)
    happened = [event]
    _go_on(hand, happened)
    return Ruling(True, event.rule, tuple(happened), None, "", None, warning)


def carry_out(hand: Hand, proposal: Proposal) -> Event | None:
    """Does what :func:`propose` does with a right proposal, but tells no more than the action's event.

    None for any other proposal, and then nothing has changed. For whoever follows very many hands and wants no rulings.
    """
    player = hand.index_of(proposal.seat)
    if check(hand, proposal, player) is not None:
        return None
    event = action_event(hand, player, proposal)
    apply(hand, event)
    if hand.to_act < 0 or hand.phase is not BETTING:
        advance(hand)
    return event


def _refusal(hand: Hand, proposal: Proposal, fault: Fault) -> Ruling:
    reason, rule, message = fault
    return Ruling(False, rule, (), reason, message, legal_options(hand, proposal.seat))


def propose_timeouts(hand: Hand, seats: tuple[int, ...]) -> list[Ruling]:
    """Rules on seats that are late together, clockwise from the button (DISC-8)."""
    return propose_together(hand, tuple([Proposal(seat, TIMEOUT) for seat in sorted(seats, key=hand.index_of)]))


def propose_together(hand: Hand, proposals: tuple[Proposal, ...]) -> list[Ruling]:
    """Rules on what is proposed for several seats at one moment, in this order (DISC-8, TIME-4).

    Meant can only be a decision that is open now: one that opens by what happens to another seat is a later one.
    """
    faults = [check(hand, proposal, hand.index_of(proposal.seat)) for proposal in proposals]
    return [
        propose(hand, proposal) if fault is None else _refusal(hand, proposal, fault)
        for proposal, fault in zip(proposals, faults, strict=True)
    ]


def impose(hand: Hand, proposal: Proposal) -> tuple[Event, ...] | None:
    """Takes a refused action as a fact, so that the rest of somebody else's record can still be followed.

    Only for judging records. None when it cannot even have happened: the seat had no turn, or not those chips.
    """
    player = hand.index_of(proposal.seat)
    if player == NO_PLAYER or hand.phase is not BETTING or hand.to_act != player:
        return None
    if proposal.kind in (BET, RAISE):
        in_units = proposal.to % hand.setup.stakes.chip_unit == 0
        if not in_units or not hand.level < proposal.to <= hand.bet[player] + hand.stack[player]:
            return None
    elif proposal.kind not in (FOLD, CHECK, CALL) or (proposal.kind is CHECK and owed(hand, player) > 0):
        return None
    event = action_event(hand, player, proposal)
    apply(hand, event)
    return (event, *advance(hand))


def legal_options(hand: Hand, seat: int) -> LegalOptions | None:
    """What the seat may do now; None when it has no open decision."""
    player = hand.index_of(seat)
    if player == NO_PLAYER:
        return None
    if hand.phase is BETTING and hand.to_act == player:
        return betting_options(hand, player)
    return discard_options(hand, player) if hand.owes_discard(player) else None


def next_decision(hand: Hand) -> LegalOptions | None:
    """What may be done at the open decision; of several in the discard round, at the first clockwise.

    None when no decision is open.
    """
    if hand.phase is BETTING and hand.to_act != NO_PLAYER:
        return betting_options(hand, hand.to_act)
    for player in range(len(hand.live)):
        if hand.owes_discard(player):
            return discard_options(hand, player)
    return None


def open_decision(hand: Hand, seat: int) -> int:
    """The id of the seat's open decision, or of the next one it will have: decisions are counted per seat (BET-9)."""
    return hand.answered[hand.index_of(seat)] + 1


def open_seats(hand: Hand) -> tuple[int, ...]:
    """The seats that have an open decision, clockwise: one in a betting round, several in the discard round."""
    seats = hand.setup.seats
    if hand.phase is BETTING:
        return (seats[hand.to_act],)
    return tuple([seats[player] for player in range(len(seats)) if hand.owes_discard(player)])


def is_undecided(hand: Hand) -> bool:
    """Whether the hand has reached a showdown that the known cards do not decide."""
    return hand.phase is BETWEEN


# --- the question ---------------------------------------------------------------------------------------


def check(hand: Hand, proposal: Proposal, player: int) -> Fault | None:
    """Why the proposal is refused, the first reason in their order of precedence, or None (BET-8, BET-9)."""
    if proposal.hand_id and proposal.hand_id != hand.setup.hand_id:
        return Reason.WRONG_HAND, "BET-9", "this is another hand"
    if proposal.kind is SHOW:
        return _show_fault(hand, proposal, player)
    if hand.phase is BETTING and hand.to_act == player:
        return _betting_fault(hand, proposal, player)
    if hand.phase is OVER:
        return Reason.HAND_OVER, "BET-9", "the hand is over"
    if player == NO_PLAYER:
        return Reason.SEAT_NOT_IN_HAND, "BET-9", f"seat {proposal.seat} was not dealt in"
    if not hand.live[player]:
        return Reason.SEAT_FOLDED, "BET-9", f"seat {proposal.seat} has folded"
    if hand.phase is DISCARDING:
        return _discard_round_fault(hand, proposal, player)
    if hand.stack[player] == 0:
        return Reason.SEAT_ALL_IN, "BET-5", f"seat {proposal.seat} is all-in and has no decision"
    if hand.phase is BETTING:
        return Reason.OUT_OF_TURN, "BET-1", f"seat {hand.setup.seats[hand.to_act]} is to act"
    waiting = (Reason.SHOWDOWN_UNDECIDED, "RANK-1", "the showdown waits for cards that are not known")
    return _stale(proposal, 0) or _form_fault(proposal) or waiting


def _betting_fault(hand: Hand, proposal: Proposal, player: int) -> Fault | None:
    """The same for the player whose turn it is in a betting round."""
    if proposal.decision_id and proposal.decision_id != hand.answered[player] + 1:
        return _stale(proposal, hand.answered[player] + 1)
    fault = _form_fault(proposal)
    if fault is not None:
        return fault
    kind = proposal.kind
    if kind is DISCARD:
        return Reason.NO_DISCARD_ROUND, "DISC-1", "no discard round is open"
    if kind is BET or kind is RAISE:
        return wager_fault(hand, player, kind, proposal.to)
    return passive_fault(hand, player, kind)


def _stale(proposal: Proposal, open_decision: int) -> Fault | None:
    """The fault of naming a decision other than the seat's open one, of which 0 means none (BET-9)."""
    if not proposal.decision_id or proposal.decision_id == open_decision:
        return None
    what = f"{open_decision} is" if open_decision else "the seat has none"
    return Reason.STALE_DECISION, "BET-9", f"decision {proposal.decision_id} is not open; {what}"


def _form_fault(proposal: Proposal) -> Fault | None:
    """The fault of an action that is none, or that carries what does not belong to it (BET-8)."""
    kind = proposal.kind
    if not isinstance(kind, ActionKind):
        return Reason.UNKNOWN_ACTION, "BET-8", f"{kind} is not an action"
    if proposal.cards and kind is not DISCARD:
        return Reason.MALFORMED_ACTION, "BET-8", "only a discard names cards"
    if proposal.to and kind is not BET and kind is not RAISE:
        return Reason.MALFORMED_ACTION, "BET-8", "only a bet or raise names an amount"
    return None


def _discard_round_fault(hand: Hand, proposal: Proposal, player: int) -> Fault | None:
    if hand.discarded[player]:
        return Reason.ALREADY_DISCARDED, "DISC-2", f"seat {proposal.seat} has discarded; that is final"
    fault = _stale(proposal, hand.answered[player] + 1) or _form_fault(proposal)
    if fault is not None:
        return fault
    if proposal.kind is FOLD:
        return Reason.DISCARD_OWED, "DISC-6", "folding instead of discarding is not legal"
    if proposal.kind is TIMEOUT or proposal.kind is FORFEIT:
        return None
    if proposal.kind is not DISCARD:
        return Reason.DISCARD_OWED, "DISC-1", "no wager until every live player has discarded"
    return discard_fault(hand, player, proposal.cards)


def _show_fault(hand: Hand, proposal: Proposal, player: int) -> Fault | None:
    if player == NO_PLAYER:
        return Reason.SEAT_NOT_IN_HAND, "BET-9", f"seat {proposal.seat} was not dealt in"
    fault = _stale(proposal, 0) or _form_fault(proposal)
    if fault is not None:
        return fault
    if not hand.live[player]:
        return Reason.NOTHING_TO_SHOW, "SHOW-8", "a folded hand is never shown"
    if hand.shown[player] is Shown.SHOWN:
        return Reason.NOTHING_TO_SHOW, "SHOW-7", "the hand has been shown"
    if hand.phase is not OVER:
        return Reason.SHOW_TOO_EARLY, "SHOW-2", "hands are shown by their owners after the hand is over"
    return None


# --- what an accepted proposal becomes ------------------------------------------------------------------


def action_event(hand: Hand, player: int, proposal: Proposal) -> Event:
    """The event of an accepted (or imposed) proposal."""
    kind = proposal.kind
    seat = proposal.seat
    if kind is TIMEOUT:
        if hand.phase is DISCARDING:
            return late_discard(hand, player)
        late = FOLDED if owed(hand, player) > 0 else CHECKED
        return Event(late, "TIME-2", seat, to=hand.bet[player], automatic=True)
    if kind is FORFEIT:
        if hand.phase is DISCARDING:
            return automatic_discard(hand, player, "TIME-4")
        return Event(FOLDED, "TIME-4", seat, to=hand.bet[player], automatic=True)
    to_call = hand.level - hand.bet[player]
    if kind is CHECK:
        return Event(CHECKED, "BET-2", seat, 0, hand.bet[player])
    if kind is FOLD:
        return Event(FOLDED, "BET-2" if to_call > 0 else "BET-3", seat, 0, hand.bet[player])
    if kind is DISCARD:
        return Event(DISCARDED, "DISC-2", seat, cards=proposal.cards)
    if kind is SHOW:
        rule = "SHOW-7" if hand.live_count == 1 else "SHOW-2"
        return Event(HAND_SHOWN, rule, seat, cards=hand.kept[player])
    if kind is CALL:
        stack = hand.stack[player]
        amount = to_call if to_call < stack else stack
        return Event(CALLED, "BET-2", seat, amount, hand.bet[player] + amount, (), 0, amount == stack)
    amount = proposal.to - hand.bet[player]
    made = RAISED if hand.level else EventKind.BET
    return Event(made, wager_rule(hand, proposal.to), seat, amount, proposal.to, (), 0, amount == hand.stack[player])


def wager_rule(hand: Hand, to: int) -> str:
    """The rule that makes a wager of this size right."""
    limit = hand.setup.limit
    if limit is Limit.FIXED_LIMIT:
        return "SIZE-5" if hand.base == hand.level else "SIZE-8"
    if to < hand.level + hand.increment:
        return "SIZE-2"
    if limit is Limit.POT_LIMIT:
        return "SIZE-4"
    return "SIZE-3" if hand.level else "SIZE-1"


# --- what follows by itself -----------------------------------------------------------------------------


def advance(hand: Hand) -> tuple[Event, ...]:
    """Applies everything that follows without a decision, and returns it."""
    happened: list[Event] = []
    _go_on(hand, happened)
    return tuple(happened)


def _go_on(hand: Hand, happened: list[Event]) -> None:
    """The same, at the end of what happened before."""
    while True:
        events = forced(hand)
        if not events:
            return
        for event in events:
            apply(hand, event)
            happened.append(event)


def forced(hand: Hand) -> list[Event]:
    """What happens next without anybody choosing; nothing when a decision is open or the hand is over.

    A function of the state alone, so that an auditor can compare it with what was recorded.
    """
    phase = hand.phase
    if phase is BETTING:
        return [] if hand.to_act != NO_PLAYER else _close_round(hand)
    if phase is BETWEEN:
        return _between_rounds(hand)
    if phase is DISCARDING:
        if hand.live_count == 1:
            return [*late_fold_events(hand), *_end_without_showdown(hand)]
        waiting = [player for player in range(len(hand.live)) if hand.owes_discard(player)]
        return [] if waiting else closing_events(hand)
    return _opening(hand) if phase is OPENING else []


def _opening(hand: Hand) -> list[Event]:
    setup, stakes = hand.setup, hand.setup.stakes
    seats = setup.seats
    left = list(setup.stacks)
    events: list[Event] = []
    if stakes.ante_kind is AnteKind.EACH:
        for seat in seats:
            _post(events, left, seats, ANTE_POSTED, "BLIND-5", seat, stakes.ante)
    if setup.small_blind_seat != NOBODY:
        _post_blind(events, left, seats, setup.small_blind_seat, stakes.small_blind)
    _post_blind(events, left, seats, setup.big_blind_seat, stakes.big_blind)
    if setup.posts:
        for extra in sorted(setup.posts, key=lambda one: seats.index(one.seat)):
            _post(events, left, seats, BLIND_POSTED, "SEAT-3", extra.seat, extra.live)
            _post(events, left, seats, DEAD_POSTED, "BLIND-6", extra.seat, extra.dead)
    if stakes.ante_kind is AnteKind.BIG_BLIND:
        _post(events, left, seats, DEAD_POSTED, "BLIND-5", setup.big_blind_seat, stakes.ante)
    for player, seat in enumerate(seats):
        events.append(Event(HOLE_DEALT, "DEAL-1", seat, 0, 0, hole_of(setup, player)))
    return events


def _post_blind(events: list[Event], left: list[int], seats: tuple[int, ...], seat: int, blind: int) -> None:
    rule = "BLIND-3" if left[seats.index(seat)] < blind else "BLIND-1"
    _post(events, left, seats, BLIND_POSTED, rule, seat, blind)


def _post(
    events: list[Event], left: list[int], seats: tuple[int, ...], kind: EventKind, rule: str, seat: int, amount: int
) -> None:
    """Adds a post of what the seat has ``left``, if that is anything."""
    player = seats.index(seat)
    paid = min(amount, left[player])
    if paid:
        left[player] -= paid
        to = paid if kind is BLIND_POSTED else 0
        events.append(Event(kind, rule, seat, paid, to, (), 0, left[player] == 0))


def _close_round(hand: Hand) -> list[Event]:
    events: list[Event] = []
    player, amount = uncalled(hand.bet, hand.live)
    if amount:
        seat = hand.setup.seats[player]
        events.append(Event(BET_RETURNED, "POT-2", seat, amount, hand.bet[player] - amount))
    events.append(Event(ROUND_CLOSED, "BET-7" if hand.live_count == 1 else "BET-4"))
    return events


def _between_rounds(hand: Hand) -> list[Event]:
    if hand.live_count == 1:
        return _end_without_showdown(hand)
    if discard_is_due(hand):
        return [Event(DISCARDS_OPENED, "DISC-1")]
    tabled = _tabled_hands(hand)
    if tabled:
        return tabled
    if hand.street == LAST_STREET:
        return _showdown(hand)
    dealt = len(hand.board)
    cards = board_of(hand.setup)[dealt : dealt + STREET_CARDS[hand.street + 1]]
    return [Event(BOARD_DEALT, "DEAL-3", cards=cards)]


def _tabled_hands(hand: Hand) -> list[Event]:
    """Every live hand not yet shown, when betting is over with an all-in player (SHOW-4, DISC-7)."""
    if hand.setup.rule_set.all_in_exposure != AllInExposure.TABLE_ALL or not hand.discards_done:
        return []
    betting_is_over = hand.chips_count <= 1 or hand.street == LAST_STREET
    already_up = hand.shown[hand.live.index(True)] is Shown.SHOWN
    if not betting_is_over or already_up or hand.chips_count == hand.live_count:
        return []
    return [
        Event(HAND_SHOWN, "SHOW-4", seat, cards=hand.kept[player])
        for player, seat in enumerate(hand.setup.seats)
        if hand.live[player] and hand.shown[player] == Shown.NOT_YET and seat not in hand.setup.mucked_unseen
    ]


def _end_without_showdown(hand: Hand) -> list[Event]:
    return [*_award_events(hand, pots_of(hand), [0] * len(hand.live)), Event(HAND_ENDED, "BET-7")]


def _showdown(hand: Hand) -> list[Event]:
    pots = pots_of(hand)
    strengths = strengths_of(hand)
    if not is_decided(pots, strengths):
        return []
    events: list[Event] = []
    if _some_are_down(hand):
        for showing in showings(hand, pots, strengths):
            player = showing.player
            seat = hand.setup.seats[player]
            if hand.shown[player] is Shown.SHOWN:
                continue
            if showing.shows:
                events.append(Event(HAND_SHOWN, showing.rule, seat, 0, 0, hand.kept[player]))
            else:
                events.append(Event(HAND_MUCKED, showing.rule, seat))
    events.extend(_award_events(hand, pots, strengths))
    events.append(Event(HAND_ENDED, "POT-7"))
    return events


def _some_are_down(hand: Hand) -> bool:
    """Whether a live hand was not tabled before the showdown (SHOW-4)."""
    for player, shown in enumerate(hand.shown):  # noqa: SIM110 - a generator would be slower
        if shown is not Shown.SHOWN and hand.live[player]:
            return True
    return False


def _award_events(hand: Hand, pots: list[Pot], strengths: list[int]) -> list[Event]:
    """Rake, then awards from the last side pot to the main pot (SHOW-6); every chip is accounted for (POT-7)."""
    awards = awards_of(hand, pots, strengths)
    events: list[Event] = []
    given = 0
    for at, award in enumerate(awards):
        if award.rake:
            events.append(Event(RAKE_TAKEN, "POT-8", amount=award.rake, pot=at))
            given += award.rake
    for at in range(len(awards) - 1, -1, -1):
        award = awards[at]
        rule = "POT-4" if len(award.pot.eligible) == 1 else "POT-5"
        for place, player in enumerate(award.winners):
            share = award.shares[place]
            events.append(Event(POT_AWARDED, rule, hand.setup.seats[player], share, pot=at))
            given += share
    assert sum(hand.stack) + given == sum(hand.setup.stacks), "POT-7: chips are not conserved"
    return events
