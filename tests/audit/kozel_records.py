"""Recorded tables of Kozel for tests: a whole game is played by practice bots, with refusals, on a fake clock."""

import random
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.audit.bundling import Entry
from referee.bots.kozel import make_kozel_bot
from referee.client.kozel_view import KozelView
from referee.dealing.seeds import commit_seat
from referee.kozel.events import Event
from referee.kozel.round import legal_options
from referee.kozel.ruleset import find_rule_set
from referee.kozel.rulings import ActionKind, Proposal
from referee.kozel.views import view
from referee.record.signed_proposals import proposal_text
from referee.table.happenings import content_bytes, ends_hand, stored_event_bytes
from referee.table.kozel_config import KozelConfig
from referee.table.table import Table, opened_event
from referee.table.views import parts
from referee.v1 import record_pb2
from tests.audit.records import CLOCK, START_MS, ends_a_piece, seal_pieces, seed_of

BOTS = ("tile-counter", "heaviest-first", "random-legal")


class RecordedGame:
    """A table of Kozel that is played, with everything that happens as entries of pieces.

    Seat 1 reveals the seed that it commits to, seat 2 signs its proposals and reveals too, the others give none.
    ``liked`` are decks that the operator likes better than those of the seeds: a fraud.
    """

    def __init__(self, players=3, rule_set="kozel/on-one@1", table_id="k1", seed="", liked=None, **options):
        self.table_id = table_id
        self.players = players
        self.now = START_MS
        self.round = 0
        self.requests = 0
        self.pieces = [[]]
        self.events = []
        values = {
            "seats": players,
            "hands": 0,
            "players_to_start": players,
            "clock": CLOCK,
            "between_hands_ms": 0,
            "seed": seed_of(f"{table_id} referee {seed}"),
        }
        self.config = KozelConfig(find_rule_set(rule_set), **(values | options))
        self.key = Ed25519PrivateKey.from_private_bytes(seed_of("player 2"))
        self.write(opened_event(table_id, self.config))
        self.table = Table(table_id, self.config)
        self.bots = [make_kozel_bot(BOTS[seat % 3], seat) for seat in range(players)]
        for seat in range(1, players + 1):
            self._take(seat)
        for seat in self.table.seeds.commitments if liked is None else (1,):
            self.table.reveal_seed(seat, self._seed(seat), self.now)
            self.drain()
        if liked is not None:
            self.table.decks = liked
            self.pass_time(self.config.reveal_ms + 1)

    def _seed(self, seat):
        return seed_of(f"{self.table_id} seat {seat}")

    def _take(self, seat):
        key = self.key.public_key().public_bytes_raw() if seat == 2 else b""
        commits = seat < 3
        self.table.take_seat(seat, f"player {seat}", seed_of(f"token {seat}"), False, self.now, key, commits)
        self.drain()
        if commits and not self.table.seeds.are_closed:
            committed = commit_seat(self.table_id, seat, self._seed(seat), self.table.seeds.commitment)
            self.table.commit_seed(seat, committed, self.now)
            self.drain()

    def drain(self):
        """Writes what has happened at the table, and starts the clocks."""
        for happening in self.table.take_fresh():
            self.write(happening)
        for seat, decision in self.table.decisions.items():
            self.table.start_clock(seat, decision.decision_id, self.now)

    def write(self, happening):
        """Writes what happened as an entry; the beginning of the first round and the end of any begins a piece."""
        if isinstance(happening, record_pb2.StoredEvent) and happening.HasField("hand_began"):
            self.round = happening.hand_began.hand
            self.events = []
            if self.round == 1:
                self.pieces.append([])
        if isinstance(happening, Event):
            self.events.append(happening)
        content = content_bytes(happening)
        both = parts(happening, content, stored_event_bytes(happening, content), self.config)
        self.pieces[-1].append(Entry(self.round, self.now, *both))
        if ends_hand(happening):
            self.pieces.append([])
        self.now += 7

    @property
    def to_act(self):
        """The seat that has the decision."""
        (seat,) = self.table.decisions
        return seat

    def propose(self, proposal, after_ms=200):
        """A proposal after some time; seat 2 signs its own."""
        self.now += after_ms
        self.requests += 1
        proposal = proposal._replace(hand_id=self.table.game.hand_id)
        if not proposal.decision_id:
            proposal = proposal._replace(decision_id=self.table.game.open_decision(proposal.seat))
        request_id = f"request-{self.requests}"
        signs = proposal.seat == 2 and proposal.kind is not ActionKind.TIMEOUT
        signature = self.key.sign(proposal_text(proposal, request_id).encode()) if signs else b""
        one = self.table.propose(proposal, request_id, self.now, b"", signature)
        self.drain()
        return one

    def pass_time(self, time_ms):
        """Lets time pass; who is late is answered for."""
        self.now += time_ms
        self.table.tick(self.now)
        self.drain()

    def play(self, rng, rounds=1 << 30, refusals=0.15):
        """Plays on until so many rounds are over, or the table has ended."""
        while not self.table.has_ended and (self.table.hand_number, not self.table.hand_is_on) < (rounds, True):
            if rng.random() < refusals:
                self.propose(wrong_proposal(rng, self), after_ms=rng.randint(1, 300))
                continue
            proposal = self.bots[self.to_act - 1](self.decision())
            self.propose(proposal, rng.choice((200, 3_000, 9_000, 11_000)))

    def decision(self):
        """The open decision as its seat is asked it."""
        state = self.table.hand
        seen = KozelView(replace(state.setup, decks=()), self.table.hand_number, self.table_id)
        for event in self.events:
            seen.fold(view(event, self.to_act))
        return seen.decision(legal_options(state, self.to_act))

    def sealed(self):
        """The pieces that have ended, sealed."""
        pieces = [list(piece) for piece in self.pieces]
        while pieces and not ends_a_piece(pieces[-1]) and len(pieces) > 1:
            pieces.pop()
        return seal_pieces(self.table_id, pieces)


def wrong_proposal(rng, game):
    """A proposal that is refused, by one reason or another."""
    seat = game.to_act
    hand = game.table.hand.hands[game.table.hand.index_of(seat)]
    others = [tile for tile in range(28) if tile not in hand]
    return rng.choice(
        [
            Proposal(seat, ActionKind.DRAW),
            Proposal(seat, ActionKind.KNOCK),
            Proposal(seat, ActionKind.LAY, rng.choice(others)),
            Proposal(seat, ActionKind.LAY, hand[0], decision_id=99),
            Proposal(seat % game.players + 1, ActionKind.LAY, hand[0]),
        ]
    )


def played_game(players=3, rule_set="kozel/on-one@1", seed=1, **options):
    """A whole game, played to its end."""
    game = RecordedGame(players, rule_set, seed=str(seed), **options)
    game.play(random.Random(seed))
    return game
