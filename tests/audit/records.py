"""Recorded tables for tests: hands are played, sealed, logged and bundled, all of it by keys that the tests know."""

import random
from dataclasses import dataclass, field
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.audit.bundling import Entry, LoggedPiece, bundle_of
from referee.audit.trust import trust_in
from referee.dealing.seeds import commit_seat
from referee.merkle.proofs import inclusion_proof
from referee.merkle.tree import Tree
from referee.record import sealing
from referee.record.bundle import bundle_bytes
from referee.record.log.checkpoints import Checkpoint
from referee.record.log.keys import SignatureKind, SigningKey
from referee.record.log.notes import Note, write_note
from referee.record.log.signing import sign
from referee.record.signed_proposals import proposal_text
from referee.rules.events import HAND_ENDED, Event
from referee.rules.ruleset import Limit, RuleSet, Stakes, find_rule_set
from referee.rules.rulings import ActionKind, Proposal
from referee.table.clocks import ClockRules
from referee.table.happenings import content_bytes, happening_in, stored_event_bytes
from referee.table.poker_config import PokerConfig
from referee.table.table import Table, opened_event
from referee.table.views import parts
from referee.v1 import hand_pb2, kozel_pb2, record_pb2, table_pb2
from tests.table.test_sealing import entries as stored_entries

LOG = "referee.test/log"
LOG_KEY = SigningKey(LOG, sha256(b"the log's key").digest())
OTHER_KEY = SigningKey(LOG, sha256(b"another key").digest())
WITNESS = SigningKey("witness.test/w1", sha256(b"a witness").digest(), SignatureKind.COSIGNATURE)
STRANGER = SigningKey("witness.test/w2", sha256(b"a stranger").digest(), SignatureKind.COSIGNATURE)
TRUST = trust_in([LOG_KEY.verifier.text], [WITNESS.verifier.text])
CLOCK = ClockRules(10_000, 5_000, 500, 50)
START_MS = 1_800_000_000_000


def seed_of(text):
    """32 bytes from a text."""
    return sha256(text.encode()).digest()


@dataclass
class RecordedTable:
    """A table that is played on a fake clock, with everything that happens as entries of pieces.

    ``revealing`` says of the seats that commit to a seed whether they reveal it.
    """

    table_id: str = "t1"
    players: int = 4
    rule_set: str | RuleSet = "irish/full-tilt@1"
    limit: Limit = Limit.NO_LIMIT
    stack: int = 300
    clock: ClockRules = CLOCK
    hands: int = 3
    options: dict = field(default_factory=dict)
    signing_seats: tuple = (2,)
    revealing: dict = field(default_factory=lambda: {1: True, 2: True, 3: False})

    def __post_init__(self):
        self.now = START_MS
        self.hand = 0
        self.requests = 0
        self.pieces: list[list[Entry]] = [[]]
        rule_set = find_rule_set(self.rule_set) if isinstance(self.rule_set, str) else self.rule_set
        values = {
            "stakes": Stakes(5, 10),
            "seats": self.players,
            "starting_stack": self.stack,
            "reset_stacks": False,
            "hands": self.hands,
            "players_to_start": self.players,
            "clock": self.clock,
            "between_hands_ms": 0,
            "seed": seed_of(f"{self.table_id} referee"),
        }
        self.config = PokerConfig(rule_set, self.limit, **(values | self.options))
        self.keys = {
            seat: Ed25519PrivateKey.from_private_bytes(seed_of(f"player {seat}")) for seat in self.signing_seats
        }
        self.write(opened_event(self.table_id, self.config))
        self.table = Table(self.table_id, self.config)
        for seat in range(1, self.players):
            self.take(seat)

    # --- before the first hand ---------------------------------------------------------------------------

    def take(self, seat, show_when_beaten=False):
        """Seats a player, who commits to a seed."""
        key = self.keys[seat].public_key().public_bytes_raw() if seat in self.keys else b""
        commits = seat in self.revealing
        token = seed_of(f"token {seat}")
        self.table.take_seat(seat, f"player {seat}", token, show_when_beaten, self.now, key, commits)
        self.drain()
        if commits and not self.table.seeds.are_closed:
            committed = commit_seat(self.table_id, seat, self.seed(seat), self.table.seeds.commitment)
            self.table.commit_seed(seat, committed, self.now)
            self.drain()

    def seed(self, seat):
        """A seat's seed."""
        return seed_of(f"{self.table_id} seat {seat}")

    def start(self, decks=None, seats_last=True):
        """Takes the last seat, reveals the seeds, and lets the first hand begin; other decks are a fraud."""
        if seats_last:
            self.take(self.players)
        for seat, reveals in self.revealing.items():
            if reveals and seat in self.table.seeds.commitments and self.table.hand is None:
                self.table.reveal_seed(seat, self.seed(seat), self.now)
                self.drain()
        if decks is not None:
            self.table.decks = decks
        self.pass_time(self.config.reveal_ms + 1)

    # --- writing -----------------------------------------------------------------------------------------

    def drain(self):
        """Writes what has happened at the table."""
        for happening in self.table.take_fresh():
            self.write(happening)
        if self.clock.action_ms:
            for seat, decision in self.table.decisions.items():
                self.table.start_clock(seat, decision.decision_id, self.now)

    def write(self, happening):
        """Writes what happened as an entry; the beginning of the first hand and the end of any begins a piece."""
        if isinstance(happening, record_pb2.StoredEvent) and happening.HasField("hand_began"):
            self.hand = happening.hand_began.hand
            if self.hand == 1:
                self.pieces.append([])
        content = content_bytes(happening)
        both = parts(happening, content, stored_event_bytes(happening, content), self.config)
        self.pieces[-1].append(Entry(self.hand, self.now, *both))
        if isinstance(happening, Event) and happening.kind is HAND_ENDED:
            self.pieces.append([])
        self.now += 7

    # --- playing -----------------------------------------------------------------------------------------

    def propose(self, seat, kind, to=0, cards=(), after_ms=1_000, **changes):
        """A proposal of a seat after some time; refused or not, it is written."""
        self.now += after_ms
        self.requests += 1
        proposal = Proposal(seat, kind, to, cards, self.table.hand.setup.hand_id, self._decision_id(seat, kind))
        proposal, request_id = proposal._replace(**changes), f"request-{self.requests}"
        signs = seat in self.keys and seat in self.table.seats and self.table.seats[seat].public_key
        signature = self.keys[seat].sign(proposal_text(proposal, request_id).encode()) if signs else b""
        one = self.table.propose(proposal, request_id, self.now, b"", signature)
        self.drain()
        return one

    def _decision_id(self, seat, kind):
        decision = self.table.decisions.get(seat)
        if kind == ActionKind.SHOW:
            return 0
        return 1 if decision is None else decision.decision_id

    def pass_time(self, time_ms):
        """Lets time pass; who is late is answered for."""
        self.now += time_ms
        self.table.tick(self.now)
        self.drain()

    def leave(self, seat):
        """A player leaves."""
        self.table.leave_seat(seat, self.now)
        self.drain()

    def come_or_go(self, rng):
        """Somebody leaves, takes a free seat, or shows his hand when it is over."""
        free = [seat for seat in range(1, self.players + 1) if seat not in self.table.seats]
        if free and not self.table.closing:
            guest = f"guest {self.now}"
            self.table.take_seat(free[0], guest, seed_of(guest), rng.random() < 0.5, self.now)
            self.drain()
        else:
            self.leave(rng.choice(list(self.table.seats)))

    def close(self):
        """The host closes the table."""
        self.table.close(self.now)
        self.drain()

    def play_on(self, rng, until=lambda table: False, refusals=0.15, late=0.05, comings=False):
        """Plays at random, with refused proposals and time-outs, until the table ends."""
        while self.table.hand_is_on and not until(self.table):
            seats = list(self.table.decisions)
            seat = rng.choice(seats)
            options = self.table.options(seat)
            if comings and rng.random() < 0.03:
                self.come_or_go(rng)
                continue
            if rng.random() < refusals:
                other = rng.choice(list(self.table.seats))
                kind, to = rng.choice([(ActionKind.BET, 3), (ActionKind.CHECK, 0), (ActionKind.RAISE, 10**6)])
                self.propose(other, kind, to, after_ms=rng.randint(1, 400))
                continue
            if rng.random() < late:
                self.pass_time(20_000)
                continue
            after_ms = rng.choice((200, 200, 3_000, 9_000, 11_000)) if self.table.seats[seat].bank_ms > 2_000 else 200
            if options.discard:
                self.propose(seat, ActionKind.DISCARD, 0, tuple(rng.sample(options.held, options.discard)), after_ms)
            elif options.max_to and rng.random() < 0.4:
                to = rng.choice([options.min_to, options.max_to, options.max_to])
                self.propose(seat, options.wager, to, after_ms=after_ms)
            elif options.fold and rng.random() < 0.2:
                self.propose(seat, ActionKind.FOLD, after_ms=after_ms)
            else:
                self.propose(seat, ActionKind.CHECK if options.check else ActionKind.CALL, after_ms=after_ms)

    # --- sealing -----------------------------------------------------------------------------------------

    def sealed(self):
        """The pieces that have ended, sealed; what happened after the table's end is in none."""
        pieces = [list(piece) for piece in self.pieces]
        while pieces and not ends_a_piece(pieces[-1]):
            if not pieces[-1] or not any([ends_a_piece([entry]) for entry in pieces[-1]]):
                pieces.pop()
                break
            pieces[-1].pop()
        return seal_pieces(self.table_id, pieces)


def ends_a_piece(entries):
    """Whether the last entry ends its piece: the end of a hand, or of the table."""
    last = table_pb2.SeenEvent.FromString(entries[-1].open) if entries else table_pb2.SeenEvent()
    kinds = last.hand_event.kind, last.kozel_event.kind
    return (
        last.HasField("ended")
        or kinds[0] == hand_pb2.EVENT_KIND_HAND_ENDED
        or kinds[1] == kozel_pb2.KOZEL_EVENT_KIND_ROUND_ENDED
    )


def seal_pieces(table_id, pieces, place=None):
    """Seals pieces of a table, one after another."""
    place = place or sealing.Place()
    sealed = []
    for entries in pieces:
        piece = sealing.OpenPiece(table_id, place, seed_of(f"{table_id} salt {place.piece}"))
        for entry in entries:
            piece.add(*entry)
        one = piece.seal(entries[-1].time_unix_ms + 1)
        sealed.append((one, entries))
        place = sealing.Place.behind(one.seal)
    return sealed


def logged(sealed, key=LOG_KEY, cosigners=(WITNESS,), others=3):
    """The auditor's bundle of sealed pieces, in a log that has other leaves too."""
    tree = Tree([seed_of(f"another leaf {number}") for number in range(others)])
    indices = [tree.append(one.leaf) for one, _ in sealed]
    tree.append(seed_of("the last leaf"))
    pieces = [
        LoggedPiece(one, index, tree.inclusion_proof(index), entries)
        for (one, entries), index in zip(sealed, indices, strict=True)
    ]
    return bundle_of(pieces, signed_head(tree, key, cosigners), [LOG_KEY.verifier.text])


def signed_head(tree, key=LOG_KEY, cosigners=(WITNESS,)):
    """The head of a log, signed and cosigned."""
    text = Checkpoint(key.verifier.name, tree.size, tree.root()).text
    note = Note(text, (sign(text, key),))
    for cosigner in cosigners:
        note = note.with_signature(sign(text, cosigner, START_MS // 1000))
    return write_note(note)


def random_table(seed=1, comings=False, **options):
    """A table played at random to its end."""
    recorded = RecordedTable(**options)
    rng = random.Random(seed)
    recorded.start()
    recorded.play_on(rng, comings=comings)
    while not recorded.table.has_ended:  # time between hands, in which hands may be shown
        if recorded.table.hand is not None and rng.random() < 0.8:
            recorded.propose(rng.choice(list(recorded.table.seats)), ActionKind.SHOW, after_ms=1)
        recorded.pass_time(1_000)
        recorded.play_on(rng, comings=comings)
    return recorded


def file_of(bundle):
    """The bytes of a bundle file."""
    return bundle_bytes(bundle)


def side_pots_table():
    """An Irish table whose second hand has two side pots, four all-ins, refused proposals, time-outs and discards."""
    return random_table(69, hands=3, stack=200)


def resealed(sealed, change):
    """The same pieces after a lying operator changed the entries and sealed everything again.

    ``change`` takes the pieces as lists of entries and may change them in place.
    """
    pieces = [list(entries) for _, entries in sealed]
    change(pieces)
    table_id = record_pb2.Seal.FromString(sealed[0][0].seal).table_id
    return seal_pieces(table_id, pieces)


def amended(entry, config, change):
    """An entry whose stored event was changed, with the open part that follows from it."""
    message = stored_event_of(entry)
    change(message)
    event = message.SerializeToString(deterministic=True)
    happening = happening_in(event)
    both = parts(happening, content_bytes(happening), event, config)
    return Entry(entry.hand, entry.time_unix_ms, *both)


def stored_event_of(entry):
    """The stored event of an entry."""
    if entry.closed:
        return record_pb2.StoredEvent.FromString(entry.closed)
    seen = table_pb2.SeenEvent.FromString(entry.open)
    kind = seen.WhichOneof("event")
    return record_pb2.StoredEvent(**{kind: getattr(seen, kind)})


def bundle_from_store(store, table_id, config):
    """The auditor's bundle of what a store keeps of a table."""
    everything = [Entry(*one) for _, *one in stored_entries(store, table_id, config)]
    pieces, done = [], 0
    while (stored := store.piece(table_id, len(pieces))) is not None:
        count = record_pb2.Seal.FromString(stored.seal).entries
        proof = inclusion_proof(store.frontier.size, stored.log_index, store.node)
        sealed = sealing.SealedPiece(stored.seal, stored.salt)
        pieces.append(LoggedPiece(sealed, stored.log_index, proof, everything[done : done + count]))
        done += count
    text = Checkpoint(LOG, store.frontier.size, store.frontier.root()).text
    return bundle_of(pieces, write_note(Note(text, (sign(text, LOG_KEY),))))
