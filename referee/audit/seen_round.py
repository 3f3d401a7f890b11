"""What follows in a round of which some tiles are hidden, as long as no seeds tell them.

Whoever holds only tiles that are told is judged by the rules as always. Of anybody else it is known whose turn it is,
what lies, and how many tiles there are: what he lays must fit, he draws while there is a boneyard and knocks when
there is none, and whether he had to is taken from what happened.
"""

from referee.audit.kozel_tiles import KnownTiles
from referee.kozel.events import (
    BONEYARD_LAID,
    KNOCKED,
    LEAD_GIVEN,
    REDEALT,
    TILE_DRAWN,
    TILES_DEALT,
    Event,
)
from referee.kozel.opening import OPENING_ORDER
from referee.kozel.round import action_event, check, end_events, ends_of, forced, legal_options
from referee.kozel.rulings import REASON_RULES, TIMEOUT, Proposal, Reason, Ruling
from referee.kozel.scoring import count_of
from referee.kozel.setup import FIRST_ROUND, must_redeal
from referee.kozel.state import COUNTING, DEALING, PLAYING, Round, apply
from referee.kozel.tiles import PIPS, UNKNOWN, pips_of, tile_text

Tiles = tuple[int, ...]


def is_told(tiles: Tiles) -> bool:
    """Whether all of some tiles are told."""
    return UNKNOWN not in tiles


def advance_seen(state: Round, known: KnownTiles) -> tuple[Event, ...]:
    """Applies everything that follows without a decision as far as that can be told, and returns it."""
    happened: list[Event] = []
    while True:
        events = _forced_seen(state, known)
        if not events:
            return tuple(happened)
        for event in events:
            apply(state, event)
        happened.extend(events)


def _forced_seen(state: Round, known: KnownTiles) -> list[Event]:
    if state.phase is DEALING:
        return _deal(state, known)
    if state.phase is PLAYING:
        ends = state.last >= 0 and not state.hands[state.last]
        if ends or state.is_fish() or is_told(state.hands[state.to_act]):
            return forced(state)
        return []  # to lay, to draw or to knock: who sees the tiles knows
    return end_events(state, _counts(state, known)) if state.phase is COUNTING else []


def _deal(state: Round, known: KnownTiles) -> list[Event]:
    setup, rule_set = state.setup, state.setup.rule_set
    number = state.redeals
    dealt = known.deals[number] if number < len(known.deals) else {}
    hidden = (UNKNOWN,) * rule_set.hand_tiles
    hands = [dealt.get(seat, hidden) for seat in setup.seats]
    events = [Event(TILES_DEALT, "KOZ-1", seat, hand) for seat, hand in zip(setup.seats, hands, strict=True)]
    told_again = known.redealt[number] if number < len(known.redealt) else 0
    for seat, hand in zip(setup.seats, hands, strict=True):
        if must_redeal(hand, rule_set) if is_told(hand) else seat == told_again:
            return [*events, Event(REDEALT, "KOZ-2", seat)]
    left = len(rule_set.tiles()) - len(setup.seats) * rule_set.hand_tiles
    if left:
        boneyard = (*known.drawn, *(UNKNOWN,) * left)[:left]
        events.append(Event(BONEYARD_LAID, "KOZ-1", tiles=boneyard))
    leader = known.lead_seat if setup.leader_seat == FIRST_ROUND else setup.leader_seat
    if leader not in setup.seats:
        leader = setup.seats[0]
    events.append(Event(LEAD_GIVEN, "KOZ-3", leader))
    return events


def _counts(state: Round, known: KnownTiles) -> tuple[int, ...]:
    """What hands count: of those that are hidden what was told, where so many unseen tiles can count that (KOZ-8)."""
    rule_set = state.setup.rule_set
    seen = {*state.chain, *[tile for hand in state.hands for tile in hand]}
    unseen = sorted([tile for tile in rule_set.tiles() if tile not in seen], key=lambda tile: PIPS[tile])
    counts = []
    for seat, hand in zip(state.setup.seats, state.hands, strict=True):
        if is_told(hand):
            counts.append(count_of(hand, rule_set))
            continue
        fewest, most = tuple(unseen[: len(hand)]), tuple(unseen[-len(hand) :])
        least = 0 if len(hand) == 1 else pips_of(fewest)
        told, greatest = known.counts.get(seat, 0), max(pips_of(most), count_of(fewest, rule_set))
        counts.append(min(max(told, least), greatest))
    return tuple(counts)


def propose_seen(state: Round, proposal: Proposal, known: KnownTiles) -> Ruling:
    """Rules on a proposal as far as that can be told, and carries the round on."""
    player = state.index_of(proposal.seat)
    seen = player < 0 or is_told(state.hands[player]) or proposal.kind is TIMEOUT or state.to_act != player
    fault = check(state, proposal, player) if seen else _hidden_fault(state, proposal)
    if fault is not None:
        reason, message = fault
        options = legal_options(state, proposal.seat) if seen else None
        return Ruling(False, REASON_RULES[reason], (), reason, message, options)
    event = action_event(state, player, proposal)
    apply(state, event)
    return Ruling(True, event.rule, (event, *advance_seen(state, known)))


def _hidden_fault(state: Round, proposal: Proposal) -> tuple[Reason, str] | None:
    """Why somebody whose tiles are hidden cannot have laid this tile there, None where he can."""
    tile = proposal.tile
    elsewhere = {*state.chain, *[one for hand in state.hands for one in hand if one != UNKNOWN]}
    elsewhere -= set(state.hands[state.index_of(proposal.seat)])
    if tile not in state.setup.rule_set.tiles() or tile in elsewhere:
        return Reason.TILE_NOT_HELD, f"{tile_text(tile)} lies, or another seat has it"
    if not state.chain:
        first = state.setup.leader_seat == FIRST_ROUND
        before = [one for one in OPENING_ORDER[: OPENING_ORDER.index(tile)] if one in elsewhere] if first else []
        return (Reason.OPENING_TILE_COMPULSORY, f"{tile_text(before[0])} must be led") if before else None
    fitting = ends_of(state, tile)
    if proposal.end not in fitting:
        return Reason.TILE_DOES_NOT_FIT, f"{tile_text(tile)} does not fit {state.left} or {state.right} there"
    return None


def drew_or_knocked(state: Round, event: Event) -> Event | None:
    """The event as it must be when a seat whose tiles are hidden lays nothing; None where it may not (KOZ-5)."""
    player = state.to_act
    if state.phase is not PLAYING or player < 0 or is_told(state.hands[player]):
        return None
    seat = state.setup.seats[player]
    if event.kind is TILE_DRAWN and event.seat == seat and state.boneyard:
        return Event(TILE_DRAWN, "KOZ-5", seat, state.boneyard[:1])
    if event.kind is KNOCKED and event.seat == seat and not state.boneyard:
        return Event(KNOCKED, "KOZ-5", seat)
    return None
