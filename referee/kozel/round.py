"""Ruling on proposals: "may this seat lay this tile there?", and what then follows by itself.

``check`` is a pure question and never changes the round, so a refusal changes nothing (BET-8). ``forced`` says what
happens next without anybody choosing: dealing and dealing again, drawing, knocking, counting, scoring.
"""

from typing import Final

from referee.kozel.events import (
    BONEYARD_LAID,
    CARRY_LAPSED,
    FISH_MADE,
    GAME_LOST,
    HAND_COUNTED,
    KNOCKED,
    LEAD_GIVEN,
    RATED,
    REDEALT,
    ROUND_ENDED,
    TILE_DRAWN,
    TILE_LAID,
    TILES_DEALT,
    TIMED_OUT,
    WENT_OUT,
    End,
    Event,
)
from referee.kozel.opening import leader_of, opening_tile
from referee.kozel.rulings import (
    DRAW,
    LAY,
    REASON_RULES,
    TIMEOUT,
    ActionKind,
    LegalOptions,
    Move,
    Proposal,
    Reason,
    Ruling,
)
from referee.kozel.scoring import (
    NO_PLAYER,
    Ending,
    count_of,
    entries_of,
    losers_of,
    rating_of,
    timeout_rating_of,
)
from referee.kozel.setup import FIRST_ROUND, RoundSetup, check_decks, dealt_to, redeal_player
from referee.kozel.state import (
    COUNTING,
    DEALING,
    OVER,
    PLAYING,
    Round,
    apply,
    check_conserved,
)
from referee.kozel.tiles import UNKNOWN, bears, tile_text

Fault = tuple[Reason, str]
"""Why a proposal is refused, and the sentence that says so."""


def open_round(setup: RoundSetup) -> tuple[Round, tuple[Event, ...]]:
    """Begins a round: deals, as often as KOZ-2 asks, up to the first decision.

    Raises SetupRefusedError for a refused setup.
    """
    state = Round(setup)
    check_decks(setup)
    return state, advance(state)


def replay(setup: RoundSetup, events: tuple[Event, ...]) -> Round:
    """The round after these events: nothing but the fold, without asking whether they were right."""
    state = Round(setup)
    for event in events:
        apply(state, event)
    return state


def propose(state: Round, proposal: Proposal) -> Ruling:
    """Rules on one proposal and, if it is accepted, carries the round on to the next decision.

    Never raises for illegal play. A refusal leaves ``encode(state)`` as it was.
    """
    player = state.index_of(proposal.seat)
    fault = check(state, proposal, player)
    if fault is not None:
        reason, message = fault
        options = legal_options(state, proposal.seat)
        return Ruling(False, REASON_RULES[reason], (), reason, message, options)
    event = action_event(state, player, proposal)
    apply(state, event)
    return Ruling(True, event.rule, (event, *advance(state)))


def legal_options(state: Round, seat: int) -> LegalOptions | None:
    """What the seat may do now; None when it has no open decision."""
    player = state.index_of(seat)
    if player == NO_PLAYER or state.to_act != player:
        return None
    return LegalOptions(seat, state.answered[player] + 1, moves_of(state, player), state.hands[player])


def open_seats(state: Round) -> tuple[int, ...]:
    """The seat that has an open decision, if any."""
    return () if state.to_act == NO_PLAYER else (state.setup.seats[state.to_act],)


def open_decision(state: Round, seat: int) -> int:
    """The id of the seat's open decision, or of the next one it will have: decisions are counted per seat (BET-9)."""
    return state.answered[state.index_of(seat)] + 1


def moves_of(state: Round, player: int) -> tuple[Move, ...]:
    """The tiles of a player that may be laid, and where (KOZ-3, KOZ-4); left before right."""
    hand = state.hands[player]
    if not state.chain:
        compulsory = compulsory_tile(state)
        return tuple([Move(tile, End.NONE) for tile in hand if compulsory in (UNKNOWN, tile)])
    moves: list[Move] = []
    for tile in hand:
        moves.extend([Move(tile, end) for end in ends_of(state, tile)])
    return tuple(moves)


def ends_of(state: Round, tile: int) -> tuple[End, ...]:
    """The ends of the chain that a tile fits (KOZ-4)."""
    return _ENDS[bears(tile, state.left)][bears(tile, state.right)]


_ENDS: Final[tuple[tuple[tuple[End, ...], ...], ...]] = (
    ((), (End.RIGHT,)),
    ((End.LEFT,), (End.LEFT, End.RIGHT)),
)


def compulsory_tile(state: Round) -> int:
    """The tile that must be led, or UNKNOWN when any may be (KOZ-3)."""
    if state.chain or state.setup.leader_seat != FIRST_ROUND:
        return UNKNOWN
    return opening_tile(state.hands)


# --- the question ---------------------------------------------------------------------------------------


def check(state: Round, proposal: Proposal, player: int) -> Fault | None:
    """Why the proposal is refused, the first reason in their order of precedence, or None (BET-8, BET-9)."""
    if proposal.hand_id and proposal.hand_id != state.setup.hand_id:
        return Reason.WRONG_ROUND, "this is another round"
    if state.phase is OVER:
        return Reason.ROUND_OVER, "the round is over"
    if player == NO_PLAYER:
        return Reason.SEAT_NOT_IN_ROUND, f"seat {proposal.seat} is not in the round"
    if state.to_act != player:
        return Reason.OUT_OF_TURN, f"seat {state.setup.seats[state.to_act]} is to act"
    decision = state.answered[player] + 1
    if proposal.decision_id and proposal.decision_id != decision:
        return Reason.STALE_DECISION, f"decision {proposal.decision_id} is not open; {decision} is"
    fault = _form_fault(proposal)
    if fault is not None or proposal.kind is TIMEOUT:
        return fault
    if proposal.kind is not LAY:
        what = "drawn" if proposal.kind is DRAW else "knocked"
        return (
            Reason.HOLDS_A_PLAYABLE_TILE,
            f"nothing is {what} while a tile can be laid; the referee does it by itself",
        )
    return _lay_fault(state, player, proposal.tile, proposal.end)


def _kind_as_given(proposal: Proposal) -> object:
    """Whatever a caller that is not type-checked put there; reading the field itself would demand an ActionKind."""
    return getattr(proposal, "kind")  # noqa: B009


def _end_as_given(proposal: Proposal) -> object:
    return getattr(proposal, "end")  # noqa: B009


def _form_fault(proposal: Proposal) -> Fault | None:
    """The fault of an action that is none, or that carries what does not belong to it (BET-8)."""
    kind = _kind_as_given(proposal)
    if not isinstance(kind, ActionKind):
        return Reason.UNKNOWN_ACTION, f"{kind} is not an action"
    end = _end_as_given(proposal)
    if not isinstance(end, End):
        return Reason.MALFORMED_ACTION, f"{end} is not an end of the chain"
    if kind is not LAY and (proposal.tile != UNKNOWN or end is not End.NONE):
        return Reason.MALFORMED_ACTION, "only laying names a tile and an end"
    return None


def _lay_fault(state: Round, player: int, tile: int, end: End) -> Fault | None:
    if tile not in state.setup.rule_set.tiles():
        return Reason.NO_SUCH_TILE, f"there is no tile {tile}"
    text = tile_text(tile)
    if tile not in state.hands[player]:
        return Reason.TILE_NOT_HELD, f"{text} is not held"
    if not state.chain:
        return _lead_fault(state, tile, end)
    fitting = ends_of(state, tile)
    if not fitting:
        return Reason.TILE_DOES_NOT_FIT, f"{text} fits neither {state.left} nor {state.right}"
    if end is End.NONE and len(fitting) > 1:
        return Reason.END_NOT_NAMED, f"{text} fits both ends; the proposal must name one"
    if end is not End.NONE and end not in fitting:
        return Reason.END_DOES_NOT_FIT, f"{text} does not fit the {end.name.lower()} end"
    return None


def _lead_fault(state: Round, tile: int, end: End) -> Fault | None:
    compulsory = compulsory_tile(state)
    if compulsory not in (UNKNOWN, tile):
        return Reason.OPENING_TILE_COMPULSORY, f"{tile_text(compulsory)} must be led"
    if end is not End.NONE:
        return Reason.END_DOES_NOT_FIT, "the first tile is laid at no end"
    return None


# --- what an accepted proposal becomes ------------------------------------------------------------------


def action_event(state: Round, player: int, proposal: Proposal) -> Event:
    """The event of an accepted proposal."""
    if proposal.kind is TIMEOUT:
        return Event(TIMED_OUT, "KOZ-17", proposal.seat)
    tile = proposal.tile
    if not state.chain:
        return Event(TILE_LAID, "KOZ-3", proposal.seat, (tile,))
    end = proposal.end if proposal.end is not End.NONE else ends_of(state, tile)[0]
    return Event(TILE_LAID, "KOZ-4", proposal.seat, (tile,), end)


# --- what follows by itself -----------------------------------------------------------------------------


def advance(state: Round) -> tuple[Event, ...]:
    """Applies everything that follows without a decision, and returns it."""
    happened: list[Event] = []
    while True:
        events = forced(state)
        if not events:
            check_conserved(state)
            return tuple(happened)
        for event in events:
            apply(state, event)
        happened.extend(events)


def forced(state: Round) -> list[Event]:
    """What happens next without anybody choosing; nothing when a decision is open or the round is over.

    A function of the state alone, so that an auditor can compare it with what was recorded.
    """
    phase = state.phase
    if phase is PLAYING:
        return _between_turns(state)
    if phase is DEALING:
        return _deal(state)
    return _end(state) if phase is COUNTING else []


def _deal(state: Round) -> list[Event]:
    setup, rule_set = state.setup, state.setup.rule_set
    players = len(setup.seats)
    deck = setup.decks[state.redeals]
    hands = [dealt_to(deck, player, players, rule_set.hand_tiles) for player in range(players)]
    events = [Event(TILES_DEALT, "KOZ-1", seat, hands[player]) for player, seat in enumerate(setup.seats)]
    again = redeal_player(deck, players, rule_set)
    if again >= 0:
        events.append(Event(REDEALT, "KOZ-2", setup.seats[again]))
        return events
    boneyard = deck[players * rule_set.hand_tiles :]
    if boneyard:
        events.append(Event(BONEYARD_LAID, "KOZ-1", tiles=boneyard))
    events.append(Event(LEAD_GIVEN, "KOZ-3", setup.seats[leader_of(setup, hands)]))
    return events


def _between_turns(state: Round) -> list[Event]:
    """The end of play, or drawing or knocking for who cannot lay (KOZ-5 to KOZ-7)."""
    seats = state.setup.seats
    if state.last != NO_PLAYER and not state.hands[state.last]:
        return [Event(WENT_OUT, "KOZ-6", seats[state.last])]
    if state.is_fish():
        return [Event(FISH_MADE, "KOZ-7", seats[state.fish_player], points=state.left)]
    player = state.to_act
    if state.can_lay(player):
        return []
    if state.boneyard:
        return [Event(TILE_DRAWN, "KOZ-5", seats[player], (state.boneyard[0],))]
    return [Event(KNOCKED, "KOZ-5", seats[player])]


def _end(state: Round) -> list[Event]:
    """Counting, scoring and, if this was the last round, the game's end."""
    return end_events(state, tuple([count_of(hand, state.setup.rule_set) for hand in state.hands]))


def end_events(state: Round, counts: tuple[int, ...]) -> list[Event]:
    """What follows when play is over and hands count so much; after a time-out nothing is counted (KOZ-17)."""
    if state.ending is Ending.TIMEOUT:
        return [*_timed_out(state), Event(ROUND_ENDED, "KOZ-17")]
    setup = state.setup
    events = [
        Event(HAND_COUNTED, "KOZ-8", seat, state.hands[player], points=counts[player])
        for player, seat in enumerate(setup.seats)
    ]
    scored = state.copy()
    accounts = tuple(state.accounts)
    for entry in entries_of(setup.rule_set, accounts, state.carry, state.ending, state.winner, counts):
        seat = setup.seats[entry.player] if entry.player != NO_PLAYER else 0
        event = Event(entry.kind, entry.rule, seat, points=entry.points, total=entry.total)
        apply(scored, event)
        events.append(event)
    events.extend(_game_end(scored))
    events.append(Event(ROUND_ENDED, "KOZ-6"))
    return events


def _game_end(state: Round) -> list[Event]:
    """What follows when a score has reached the end (KOZ-15, KOZ-16); nothing before."""
    seats = state.setup.seats
    scores = tuple([account.score for account in state.accounts])
    lost = losers_of(scores, state.setup.rule_set.ends_at)
    if not lost:
        return []
    events = [Event(GAME_LOST, "KOZ-15", seats[player], total=scores[player]) for player in lost]
    events.extend(_lapsed(state))
    for player, score in enumerate(scores):
        rating = 0 if player in lost else rating_of(score)
        events.append(Event(RATED, "KOZ-16", seats[player], points=rating, total=score))
    return events


def _timed_out(state: Round) -> list[Event]:
    """The game's end by time: the round is not scored (KOZ-16, KOZ-17)."""
    late = state.last
    scores = [account.score for account in state.accounts]
    events = _lapsed(state)
    for player, seat in enumerate(state.setup.seats):
        rating = 0 if player == late else timeout_rating_of(scores[player], scores[late])
        events.append(Event(RATED, "KOZ-16", seat, points=rating, total=scores[player]))
    return events


def _lapsed(state: Round) -> list[Event]:
    """A carry that waits when the game ends lapses (KOZ-14)."""
    return [Event(CARRY_LAPSED, "KOZ-14", points=state.carry)] if state.carry else []
