"""Finds hands of an archive right by the betting that they share with hands before them.

A line of betting is a path in a tree: who has the game, the seats, the stacks and the stakes in common begins at one
root, and each action leads on. What the rules say to an action is worked out where it is first taken, with no card
known, and holds for every hand that comes there: until the showdown no rule of a game without discards looks at a card,
so that what they answer without cards they answer with any. What cards decide is asked hand by hand: that none is there
twice (GAME-5), who shows, and who wins (SHOW, POT-5).

All that is ever said here is that a hand is right. Of any other hand, wrong or merely written otherwise, nothing is
known, and it is read and judged as if it were the only one.
"""

from typing import Final

from mypy_extensions import i64, mypyc_attr

from referee.judge import proposal_of, showdown_findings
from referee.record.hand_record import HandRecord, RecordedResult, RecordedStep
from referee.record.notation.amounts import ONE
from referee.record.notation.holes import shown_seats
from referee.record.notation.phh_fields import NOTATION
from referee.record.notation.phh_outline import (
    DEALT,
    OUTLINED_HOLE_CARDS,
    Outline,
    betting_step,
    board_bits,
    cards_on_board,
    result_line,
    showing_step,
)
from referee.record.rule_sets import AnyRuleSet
from referee.rules.cards import UNKNOWN, parse_cards
from referee.rules.events import HAND_MUCKED, HAND_SHOWN, Event
from referee.rules.hand import advance, carry_out, deal_again, is_undecided, open_hand
from referee.rules.ruleset import BOARD_CARDS, RuleSet, RuleSetError
from referee.rules.setup import HandSetup, deck_from
from referee.rules.state import Hand

MAX_NODES: Final = 32_768
"""Points of betting that are remembered, a kilobyte each with their hands; when there are more, all are forgotten."""

NODES_OF_A_HAND: Final = 2
"""How many points a hand adds where it leaves the known lines: only what is gone along again is worth a place."""

MAX_FRAMES: Final = 1_024
"""Games, with seats, stacks and stakes, that are remembered."""


@mypyc_attr(acyclic=True)
class _Node:
    """The hand after an action: where it leads from here, and how many cards of the board have been dealt.

    ``result`` is the right line of finishing stacks where the hand is over, and empty where it is not.
    ``is_shown_down`` marks that the cards decide what follows. ``hand`` is the hand itself, with no card known, where
    it is kept: where the cards decide, and where hands have left the known lines.
    """

    def __init__(self, hand: Hand, result: str = "") -> None:
        self.after: dict[str, _Node] = {}
        self.board: Final = len(hand.board)
        self.result: Final = result
        self.is_shown_down: Final = is_undecided(hand)
        self.hand: Hand | None = hand.copy() if self.is_shown_down else None


class _Frame:
    """What hands share: ``setup`` with no card known; ``root`` is None where no hand of it is judged here."""

    def __init__(self, setup: HandSetup, named: bool, root: _Node | None) -> None:
        self.setup: Final = setup
        self.named: Final = named
        self.root: Final = root


class KnownLines:
    """The lines of betting of archives that are being audited, at most MAX_NODES points of them."""

    def __init__(self) -> None:
        self._given: AnyRuleSet | None = None
        self._frames: dict[str, _Frame | None] = {}
        self._nodes = 0

    @property
    def nodes(self) -> int:
        """How many points of betting are remembered."""
        return self._nodes

    @property
    def frames(self) -> int:
        """How many games are remembered."""
        return len(self._frames)

    def judged_by(self, given: AnyRuleSet | None) -> None:
        """Forgets everything where hands were judged by another rule set than they are now to be."""
        if given is not self._given:
            self._given = given
            self._forget()

    def is_right(self, hand: Outline) -> bool:
        """Whether the hand is known to be right; False says nothing about it."""
        frame = self._frames.get(hand.frame)
        if frame is None or frame.root is None or hand.players != len(frame.setup.seats):
            return False
        node, told, bits = frame.root, 0, hand.bits
        actions = hand.actions
        for at in range(hand.players, len(actions)):
            action = actions[at]
            if told == node.board:
                after = node.after.get(action)
                if after is None:
                    return self._is_right_beyond(frame, node, hand, at, bits)
                node = after
                if node.is_shown_down:
                    assert node.hand is not None, "it is kept where the cards decide"
                    return _is_right_at_showdown(frame, node.hand.copy(), hand, at + 1)
            else:
                dealt = board_bits(action)
                told += cards_on_board(action)
                if dealt < 0 or bits & dealt or told > node.board:
                    return False
                bits |= dealt
        return node.result != "" and (not hand.result or hand.result == node.result)

    def rule_set_of(self, hand: Outline) -> RuleSet | None:
        """The rule set by which hands like this one are judged; None where that is not remembered."""
        frame = self._frames.get(hand.frame)
        return None if frame is None else frame.setup.rule_set

    def _is_right_beyond(self, frame: _Frame, node: _Node, hand: Outline, begin: int, bits: i64) -> bool:
        """The same for a hand whose action ``begin`` nobody has taken here: the rules are asked from there on."""
        state = _state_at(frame, node, hand, begin)
        told, added, result = node.board, 0, ""
        for at in range(begin, len(hand.actions)):
            action = hand.actions[at]
            if told == len(state.board):
                step = betting_step(action, frame.setup.seats)
                if step is None or carry_out(state, proposal_of(state, step)) is None:
                    return False
                if state.has_ended():
                    result = result_line(state.stack)
                if added < NODES_OF_A_HAND:
                    node = self._added(node, action, _Node(state, result))
                    added += 1
                if is_undecided(state):
                    return _is_right_at_showdown(frame, state, hand, at + 1)
            else:
                dealt = board_bits(action)
                told += cards_on_board(action)
                if dealt < 0 or bits & dealt or told > len(state.board):
                    return False
                bits |= dealt
        return result != "" and (not hand.result or hand.result == result)

    def meet(self, hand: Outline, record: HandRecord) -> None:
        """Takes a hand's frame up when it is there for the second time; the hand has been read and is plain TOML."""
        if hand.frame in self._frames:
            if self._frames[hand.frame] is None:
                self._frames[hand.frame] = _frame_of(hand, record)
                self._nodes += 1
            return
        if len(self._frames) >= MAX_FRAMES:
            self._forget()
        self._frames[hand.frame] = None

    def _forget(self) -> None:
        self._frames.clear()
        self._nodes = 0

    def _added(self, node: _Node, action: str, after: _Node) -> _Node:
        """Remembers what an action leads to."""
        if self._nodes >= MAX_NODES:
            self._forget()
        self._nodes += 1
        node.after[action] = after
        return after


def _frame_of(hand: Outline, record: HandRecord) -> _Frame:
    """What a hand shares with others, from how it was read."""
    read, result = record.setup, record.result
    game = read.rule_set.game
    setup = _setup_of(read)
    is_judged = (
        (game.hole_cards, game.discards) == (OUTLINED_HOLE_CARDS, 0)
        and record.unit == ONE
        and (result.collected, result.total_pot, result.rake) == (None, None, None)
        and (result.finishing_stacks is not None) == bool(hand.result)
    )
    try:
        opened = open_hand(setup)[0] if is_judged else None
    except RuleSetError:
        opened = None
    if opened is None or is_undecided(opened):
        return _Frame(setup, record.rule_set_named, None)
    root = _Node(opened)
    root.hand = opened
    return _Frame(setup, record.rule_set_named, root)


def _setup_of(setup: HandSetup, deck: tuple[int, ...] = (), show_when_beaten: tuple[int, ...] = ()) -> HandSetup:
    """The same setup with another deck, or none, and nothing that only one hand's record says."""
    return HandSetup(
        setup.rule_set,
        setup.limit,
        setup.stakes,
        setup.seats,
        setup.stacks,
        setup.button_seat,
        setup.small_blind_seat,
        setup.big_blind_seat,
        deck,
        setup.posts,
        show_when_beaten,
    )


def _state_at(frame: _Frame, node: _Node, hand: Outline, end: int) -> Hand:
    """The hand at a node where it leaves the known lines, by its actions before ``end``; others will leave it here."""
    if node.hand is None:
        assert frame.root is not None, "the hand came from there"
        kept, begin = frame.root, hand.players
        point = kept
        for at in range(hand.players, end):
            point = point.after.get(hand.actions[at], point)  # a board leads nowhere else
            if point.hand is not None:
                kept, begin = point, at + 1
        assert kept.hand is not None, "the root's is kept"
        node.hand = kept.hand.copy()
        for action in hand.actions[begin:end]:
            step = betting_step(action, frame.setup.seats)
            if step is not None:
                carry_out(node.hand, proposal_of(node.hand, step))
    return node.hand.copy()


def _is_right_at_showdown(frame: _Frame, state: Hand, hand: Outline, begin: int) -> bool:
    """Whether a hand that its cards decide is right: from the action ``begin`` on only cards are told."""
    bits = hand.bits
    board: list[int] = []
    shows: list[RecordedStep] = []
    for at in range(hand.players, len(hand.actions)):
        action = hand.actions[at]
        if action.startswith(DEALT):
            dealt = board_bits(action)
            if dealt < 0 or bits & dealt:
                return False
            bits |= dealt
            board.extend(parse_cards(action[len(DEALT) :]))
        elif at >= begin:
            step = showing_step(action, frame.setup.seats)
            if step is None:
                return False
            shows.append(step)
    deck = deck_from(OUTLINED_HOLE_CARDS, hand.holes(), tuple(board))
    if len(board) != BOARD_CARDS or UNKNOWN in deck:
        return False
    setup = _setup_of(frame.setup, deck, shown_seats(shows))
    deal_again(state, setup)
    happened = advance(state)
    if not state.has_ended() or (hand.result and hand.result != result_line(state.stack)):
        return False
    if _tells(shows, happened):
        return True
    record = HandRecord(setup, tuple(shows), RecordedResult(), (), NOTATION, rule_set_named=frame.named)
    return not showdown_findings(record, state)


def _tells(shows: list[RecordedStep], happened: tuple[Event, ...]) -> bool:
    """Whether these are just the hands that were shown and mucked, in the same order: then there is nothing to find."""
    at = 0
    for event in happened:
        if event.kind is HAND_SHOWN or event.kind is HAND_MUCKED:
            if at == len(shows) or shows[at].seat != event.seat or shows[at].cards != event.cards:
                return False
            at += 1
    return at == len(shows)
