"""A table of Kozel as one of its seats is told it."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any, Final, final

from referee.conformance.told import Item, ScriptError, Told
from referee.conformance.verdicts import FailedError, NotExercisedError
from referee.conformance.wording import told_action
from referee.dealing.fair import FairDecks
from referee.dealing.items import TILES
from referee.kozel.events import End, Event
from referee.kozel.game import Decks, first_round, next_round
from referee.kozel.round import legal_options, open_round, open_seats, propose
from referee.kozel.ruleset import RuleSet, find_rule_set
from referee.kozel.rulings import LAY, TIMEOUT, LegalOptions, Move, Proposal, Ruling
from referee.kozel.setup import Account, RoundSetup
from referee.kozel.state import Round
from referee.kozel.tiles import parse_tile, pips_of, tile_text
from referee.kozel.views import seen_by, view
from referee.record import kozel_wire as wire
from referee.v1 import hand_pb2, kozel_pb2, table_pb2

DECKS: Final = FairDecks("conformance", bytes(32), len(TILES))
"""Some decks, always the same: by block and round."""

_ENDS: Final = {None: End.NONE, "left": End.LEFT, "right": End.RIGHT}


def counted(state: Round, seat: int) -> int:
    """The number by which a client that follows the round chooses a move: everything that it is told goes into it."""
    seen = seen_by(state, seat)
    players = zip(seen.seats, seen.tile_counts, seen.accounts, strict=True)
    return (
        pips_of(seen.own_tiles)
        + len(seen.chain)
        + seen.left
        + seen.right
        + seen.boneyard_count
        + seen.carry
        + sum([one * tiles + account.score + account.remembered for one, tiles, account in players])
    )


def wished_move(state: Round, seat: int, wish: str) -> Move:
    """The move of a wish ``first``, ``last`` or ``counted``."""
    options = legal_options(state, seat)
    if options is None:
        raise ScriptError(f"seat {seat} has no decision")
    match wish:
        case "first":
            return options.moves[0]
        case "last":
            return options.moves[-1]
        case "counted":
            return options.moves[counted(state, seat) % len(options.moves)]
        case _:
            raise ScriptError(f"{wish!r} is no move")


@dataclass(frozen=True)
class Rehearsal:
    """A round as it goes when everybody does as wished: its setup, its events, and what the client was asked."""

    setup: RoundSetup
    events: tuple[Event, ...]
    asked: tuple[LegalOptions, ...]


def rehearsed(setup: RoundSetup, seat: int, wish: str, others: str) -> Rehearsal:
    """Plays a round in which the client's seat does its wish and the others theirs."""
    state, events = open_round(setup)
    asked = []
    while open_seats(state):
        to_act = open_seats(state)[0]
        options = legal_options(state, to_act)
        if options is not None and to_act == seat:
            asked.append(options)
        move = wished_move(state, to_act, wish if to_act == seat else others)
        events += propose(state, Proposal(to_act, LAY, move.tile, move.end)).events
    return Rehearsal(setup, events, tuple(asked))


@final
class KozelTold(Told):
    """One seat's table of Kozel; each round goes on from the one before. ``block`` chooses the decks."""

    proposal_field = "kozel"
    deck_items = len(TILES)

    def __init__(
        self, table_id: str, match_name: str, players: int, *, seat: int = 2, rule_set: RuleSet | str = "kozel/on-one@1"
    ) -> None:
        super().__init__(table_id, match_name, tuple(range(1, players + 1)), seat)
        self.rule_set = find_rule_set(rule_set) if isinstance(rule_set, str) else rule_set
        self.block = 0
        self.round: Round | None = None

    def config(self) -> table_pb2.TableConfig:
        """What the table plays."""
        return table_pb2.TableConfig(rule_set_name=self.rule_set.full_name, seats=len(self.seats))

    def rules(self) -> tuple[str, str]:
        """The rule set's full name and SHA-256."""
        return self.rule_set.full_name, self.rule_set.sha256()

    def state(self) -> table_pb2.TableState:
        """How the table stands."""
        state = super().state()
        state.game = "kozel"
        return state

    # --- play -------------------------------------------------------------------------------------------

    def playing(self) -> Round:
        """The round under way, or the last one."""
        if self.round is None:
            raise ScriptError("no round was begun")
        return self.round

    def is_over(self) -> bool:
        """Whether no round is under way."""
        return self.round is None or self.round.has_ended()

    def game_is_over(self) -> bool:
        """Whether the game has ended."""
        return self.round is not None and self.round.game_has_ended()

    @property
    def to_act(self) -> int:
        """The seat that has the open decision."""
        return open_seats(self.playing())[0]

    def legal(self) -> LegalOptions:
        """Everything that the seat may do now."""
        options = legal_options(self.playing(), self.seat)
        if options is None:
            raise ScriptError(f"seat {self.seat} has no decision")
        return options

    def write_options(self, message: table_pb2.Decision) -> None:
        """Writes the same into a decision's message."""
        message.kozel.CopyFrom(wire.options_message(self.legal()))

    def setup(
        self, decks: Decks | None = None, accounts: Sequence[Account] = (), carry: int = 0, leader: int = 0
    ) -> RoundSetup:
        """How the next round begins: after the one before, or with what is given."""
        number = self.number + 1
        decks = decks or partial(DECKS.deck, self.block, number)
        hand_id = f"{self.table_id}-{number}"
        following = None if self.round is None or accounts else next_round(self.round, decks, hand_id)
        if following is not None:
            return following
        first = first_round(self.rule_set, self.seats, decks, hand_id)
        return replace(first, accounts=tuple(accounts) or first.accounts, carry=carry, leader_seat=leader)

    def find(self, wish: str, others: str, suits: Callable[[Rehearsal], bool], **setup: Any) -> Rehearsal:
        """Chooses the first decks with which the next round goes as the scenario needs it."""
        for block in count():
            self.block = block
            rehearsal = rehearsed(self.setup(**setup), self.seat, wish, others)
            if suits(rehearsal):
                return rehearsal
        raise AssertionError("counting does not end")

    def begin(self, *, deck_roots: Iterable[bytes] = (), **setup: Any) -> list[Item]:
        """The next round begins; ``setup`` as in :meth:`setup`."""
        begins = self.setup(**setup)
        self.number += 1
        self.round, opening = open_round(begins)
        began = table_pb2.HandBegan(
            hand_id=begins.hand_id,
            players=[hand_pb2.PlayerSetup(seat=seat, name=f"player {seat}") for seat in begins.seats],
            kozel=table_pb2.KozelRoundBegan(
                accounts=[wire.account_message(account) for account in begins.accounts],
                leader_seat=begins.leader_seat,
                carry=begins.carry,
                deck_roots=deck_roots,
            ),
        )
        return [self.seen(hand_began=began), *self.happened(opening)]

    def happened(self, events: Iterable[Event]) -> list[Item]:
        """Events as the seat is told them."""
        return [self.seen(kozel_event=wire.event_message(view(event, self.seat))) for event in events]

    def act(self, words: str) -> list[Item]:
        """A scripted player acts, such as ``p3 lay 6-5 left``, ``p1 first``, ``p2 time`` for being out of time."""
        match = re.fullmatch(r"p(\d+) (?:(time|first|last)|lay (\d-\d)(?: (left|right))?)", words.strip())
        if match is None:
            raise ScriptError(f"{words!r} is nothing that a player does")
        seat = int(match[1])
        if match[2] == "time":
            proposal = Proposal(seat, TIMEOUT)
        elif match[2]:
            proposal = Proposal(seat, LAY, *wished_move(self.playing(), seat, match[2]))
        else:
            proposal = Proposal(seat, LAY, parse_tile(match[3]), _ENDS[match[4]])
        ruling = propose(self.playing(), proposal)
        if not ruling.accepted:
            raise ScriptError(f"{words}: {ruling.rule} {ruling.message}")
        return self.happened(ruling.events)

    def rule(self, asked: table_pb2.Propose) -> tuple[Ruling, Item, list[Item]]:
        """The ruling on what the client proposed: itself, the answer, and what follows from it."""
        ruling = propose(self.playing(), wire.proposal_of(asked.kozel, self.seat))
        return ruling, self.answered(asked, ruling), self.happened(ruling.events)

    def would_rule(self, asked: table_pb2.Propose) -> Ruling:
        """How the rules decide on a proposal, which is not carried out."""
        return propose(self.playing().copy(), wire.proposal_of(asked.kozel, self.seat))

    def answered(self, asked: table_pb2.Propose, ruling: Ruling) -> Item:
        """A ruling as the answer to what was asked."""
        told = wire.ruling_message(ruling._replace(events=()))
        return self.item(answered=table_pb2.Answered(request_id=asked.request_id, kozel=told))

    # --- what is wished for -----------------------------------------------------------------------------

    def check_wish(self, wish: str, asked: table_pb2.Propose) -> None:
        """Checks an accepted proposal against ``first``, ``last``, ``counted``, or ``any`` for whatever is legal."""
        if wish == "any":
            return
        state = self.playing()
        right = wished_move(state, self.seat, wish)
        laid = wire.proposal_of(asked.kozel, self.seat)
        if (laid.tile, laid.end) in ((right.tile, right.end), (right.tile, End.NONE)):
            return
        expected = f"lay {_text(right)} (the {wish} of {len(self.legal().moves)} moves)"
        if wish == "counted":
            raise FailedError(f"{expected}: the count is {counted(state, self.seat)}", told_action(asked))
        raise NotExercisedError(expected, told_action(asked))


def _text(move: Move) -> str:
    end = kozel_pb2.KozelEnd.Name(int(move.end)).removeprefix("KOZEL_END_").lower()
    return tile_text(move.tile) + ("" if move.end is End.NONE else f" {end}")
