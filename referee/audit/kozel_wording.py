"""A round of Kozel as it stands, and what is proposed and ruled in it, in words for reports."""

from referee.kozel.events import Event
from referee.kozel.round import legal_options
from referee.kozel.rulings import Ruling
from referee.kozel.state import DEALING, OVER, Round
from referee.kozel.tiles import UNKNOWN, tiles_text
from referee.record import kozel_wire as wire
from referee.record.kozel_telling import account_words, event_text, options_text, proposal_text
from referee.record.telling import Names, seat_name
from referee.v1 import kozel_pb2, record_pb2


def round_lines(state: Round, names: Names) -> list[str]:
    """How a round stands: the chain with its ends, the boneyard, each player with his tiles and his account."""
    ends = f", open at {state.left} and {state.right}" if state.chain else ""
    chain = (tiles_text(state.chain) or "no tile lies") + ends
    lines = [f"the round is over: {chain}" if state.phase is OVER else f"chain: {chain}"]
    lines.append(f"boneyard: {len(state.boneyard)} tiles" + (f"; carried: {state.carry}" if state.carry else ""))
    for player, seat in enumerate(state.setup.seats):
        hand = state.hands[player]
        tiles = tiles_text(hand) if hand else "no tiles"
        account = account_words(state.accounts[player])
        lines.append(f"{seat_name(seat, names)}: {tiles}; {account}" + _decision(state, player, seat))
    return lines


def _decision(state: Round, player: int, seat: int) -> str:
    if state.to_act != player:
        return ""
    if state.phase is DEALING or UNKNOWN in state.hands[player]:
        return "; to move"
    options = legal_options(state, seat)
    moves = options_text(options) if options is not None else ""
    return f"; to move ({moves})" if moves else "; to move"


def round_text(state: Round, names: Names) -> str:
    """The same on one line."""
    return " | ".join(round_lines(state, names))


def event_words(event: Event, names: Names) -> str:
    """An event with its rule and its numbers, so that two that differ do not read the same."""
    end = f", {event.end.name.lower()} end" if event.end else ""
    tiles = f", tiles {tiles_text(event.tiles)}" if event.tiles else ""
    told = event_text(event, names)
    return f"{told} ({event.rule}{tiles}{end}, points {event.points}, total {event.total})"


def ruling_words(ruling: Ruling) -> str:
    """A ruling in words."""
    if ruling.accepted:
        return f"accepted by {ruling.rule}"
    reason = "" if ruling.reason is None else f" ({ruling.reason.name})"
    legal = f"; legal: {options_text(ruling.options)}" if ruling.options else "; no decision is open"
    return f"refused by {ruling.rule}{reason}: {ruling.message}{legal}"


def _recorded_ruling_words(ruling: kozel_pb2.KozelRuling) -> str:
    if ruling.accepted:
        return f"accepted by {ruling.rule}"
    known = ruling.reason in kozel_pb2.KozelReason.values()
    reason = kozel_pb2.KozelReason.Name(ruling.reason) if known else str(ruling.reason)
    legal = " ".join(str(ruling.options).split()) if ruling.HasField("options") else "no decision is open"
    return f"refused by {ruling.rule} ({reason.removeprefix('KOZEL_REASON_')}): {ruling.message}; legal: {legal}"


def proposal_words(stored: record_pb2.StoredRuling, names: Names) -> str:
    """A recorded proposal and its ruling in words."""
    try:
        proposed = proposal_text(wire.proposal_of(stored.kozel_proposal, stored.seat))
    except (ValueError, KeyError, AssertionError):
        proposed = "something that is no action"
    return f"{seat_name(stored.seat, names)}: {proposed}: {_recorded_ruling_words(stored.kozel_ruling)}"
