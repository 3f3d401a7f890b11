"""A hand of poker as it stands, and what is proposed and ruled in it, in words for reports."""

from referee.record import wire
from referee.record.telling import Names, event_text, options_text, proposal_text, seat_name
from referee.rules.cards import cards_text
from referee.rules.events import Event
from referee.rules.hand import legal_options, open_seats
from referee.rules.pots import form_pots
from referee.rules.rulings import Ruling
from referee.rules.state import BETTING, DISCARDING, OVER, STREET_NAMES, Hand, Shown
from referee.v1 import hand_pb2, record_pb2


def hand_lines(hand: Hand, names: Names) -> list[str]:
    """How a hand stands: street and board, pots, each player, and whose decision is open."""
    board = cards_text(hand.board) if hand.board else "no board"
    street = "discard round" if hand.phase is DISCARDING else STREET_NAMES[hand.street]
    lines = [f"{'the hand is over' if hand.phase is OVER else street}: {board}"]
    in_front = list(hand.bet) if hand.phase is BETTING else [0] * len(hand.bet)
    settled = [total - bet for total, bet in zip(hand.total, in_front, strict=True)]
    pots = [] if hand.phase is OVER else form_pots(settled, hand.live, hand.dead)
    if pots and any([pot.amount for pot in pots]):
        lines.append("pots: " + ", ".join([str(pot.amount) for pot in pots]))
    for player, seat in enumerate(hand.setup.seats):
        button = " (button)" if seat == hand.setup.button_seat else ""
        cards = cards_text(hand.kept[player]) if hand.kept[player] else "no cards"
        lines.append(
            f"{seat_name(seat, names)}{button}: {hand.stack[player]} behind, {in_front[player]} in front, {cards}"
            + _standing(hand, player)
        )
    waiting = open_seats(hand)
    if waiting:
        lines.append("to decide: " + "; ".join([_decision(hand, seat, names) for seat in waiting]))
    return lines


def _standing(hand: Hand, player: int) -> str:
    if not hand.live[player]:
        return ", folded"
    if hand.shown[player] is Shown.MUCKED:
        return ", mucked"
    return ", all-in" if hand.all_in(player) and hand.phase is not OVER else ""


def _decision(hand: Hand, seat: int, names: Names) -> str:
    options = legal_options(hand, seat)
    return seat_name(seat, names) + (f" ({options_text(options)})" if options else "")


def hand_text(hand: Hand | None, names: Names) -> str:
    """The same on one line."""
    return "before the first hand" if hand is None else "; ".join(hand_lines(hand, names))


def event_words(event: Event, names: Names) -> str:
    """An event with its rule and its numbers, so that two that differ do not read the same."""
    told = event_text(event, names)
    pot = f", pot {event.pot}" if event.pot else ""
    return f"{told} ({event.rule}; amount {event.amount}, street total {event.to}{pot})"


def ruling_words(ruling: Ruling) -> str:
    """A ruling in words."""
    if ruling.accepted:
        return f"accepted by {ruling.rule}" + (f", with a warning: {ruling.warning}" if ruling.warning else "")
    reason = "" if ruling.reason is None else f" ({ruling.reason.name})"
    legal = f"; legal: {options_text(ruling.options)}" if ruling.options else "; no decision is open"
    return f"refused by {ruling.rule}{reason}: {ruling.message}{legal}"


def recorded_ruling_words(ruling: hand_pb2.Ruling) -> str:
    """A recorded ruling in words."""
    if ruling.accepted:
        return f"accepted by {ruling.rule}" + (f", with a warning: {ruling.warning}" if ruling.warning else "")
    reason = hand_pb2.Reason.Name(ruling.reason) if ruling.reason in hand_pb2.Reason.values() else str(ruling.reason)
    legal = " ".join(str(ruling.legal).split()) if ruling.HasField("legal") else "no decision is open"
    return f"refused by {ruling.rule} ({reason.removeprefix('REASON_')}): {ruling.message}; legal: {legal}"


def proposal_words(stored: record_pb2.StoredRuling, names: Names) -> str:
    """A recorded proposal and its ruling in words."""
    try:
        proposed = proposal_text(wire.proposal_of(stored.proposal, stored.seat))
    except (ValueError, KeyError, AssertionError):
        proposed = "something that is no action"
    return f"{seat_name(stored.seat, names)}: {proposed}: {recorded_ruling_words(stored.ruling)}"
