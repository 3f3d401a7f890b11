"""What the tests of Kozel share: decks from hands, staged rounds, scripts such as ``"1 6-5, 2 5-5 R"``, random rounds.

Seats of a round built here are 1, 2, 3 ... clockwise.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from referee.client.kozel_decision import KozelDecision, KozelPlayer
from referee.kozel.events import End, Event, EventKind
from referee.kozel.game import first_round
from referee.kozel.round import advance, legal_options, open_round, open_seats, propose
from referee.kozel.ruleset import ON_ALL, ON_ONE, Fish, RuleSet
from referee.kozel.rulings import ActionKind, LegalOptions, Proposal, Ruling
from referee.kozel.setup import EMPTY_ACCOUNT, FIRST_ROUND, Account, RoundSetup
from referee.kozel.state import PLAYING, Round
from referee.kozel.tiles import HIGH, LOW, bears, is_double, other_half, parse_tile, parse_tiles, tile_text
from referee.kozel.views import seen_by

ENDS = {"": End.NONE, "L": End.LEFT, "R": End.RIGHT}
ON_ALL_NO_MOVE = replace(ON_ALL, name="test/on-all-no-move", fish=Fish.NO_LEGAL_MOVE)
ON_ONE_NO_MOVE = replace(ON_ONE, name="test/on-one-no-move", fish=Fish.NO_LEGAL_MOVE)
EVERY_RULE_SET = (ON_ALL, ON_ONE, ON_ALL_NO_MOVE, ON_ONE_NO_MOVE)


def remembers(points: int) -> Account:
    """An account that is not open."""
    return Account(0, points, False)


def has(score: int) -> Account:
    """An open account."""
    return Account(score, 0, True)


def deck_of(hands: Sequence[str], boneyard: str = "", rule_set: RuleSet = ON_ALL) -> tuple[int, ...]:
    """The deck that deals these hands; tiles that are not named follow in the boneyard in their own order."""
    held = [parse_tiles(hand) for hand in hands]
    assert {len(hand) for hand in held} == {rule_set.hand_tiles}, "each player has a whole hand"
    deck = [hand[at] for at in range(rule_set.hand_tiles) for hand in held]
    deck += parse_tiles(boneyard)
    return (*deck, *[tile for tile in rule_set.tiles() if tile not in deck])


def opened(
    hands: Sequence[str],
    boneyard: str = "",
    rule_set: RuleSet = ON_ALL,
    leader: int = FIRST_ROUND,
    accounts: Sequence[Account] = (),
    carry: int = 0,
) -> Round:
    """A round that begins with these hands."""
    seats = tuple(range(1, len(hands) + 1))
    known = tuple(accounts) or (EMPTY_ACCOUNT,) * len(hands)
    deck = deck_of(hands, boneyard, rule_set)
    return open_round(RoundSetup(rule_set, seats, (deck,), known, leader, carry))[0]


def staged(
    hands: Sequence[str],
    chain: str,
    rule_set: RuleSet = ON_ALL,
    accounts: Sequence[Account] = (),
    carry: int = 0,
    to_act: int = 1,
    boneyard: str | None = None,
    empty_boneyard: bool = False,
) -> Round:
    """A round in the middle: hands and a chain as they are given, whether they can come about or not.

    What is not named is the boneyard. With ``empty_boneyard`` the last player holds it instead.
    """
    seats = tuple(range(1, len(hands) + 1))
    known = tuple(accounts) or (EMPTY_ACCOUNT,) * len(hands)
    state = Round(RoundSetup(rule_set, seats, (), known, 1, carry))
    state.hands = [parse_tiles(hand) for hand in hands]
    state.chain = parse_tiles(chain)
    named = [*state.chain, *[tile for hand in state.hands for tile in hand], *parse_tiles(boneyard or "")]
    assert len(set(named)) == len(named), "a tile twice"
    rest = tuple(tile for tile in rule_set.tiles() if tile not in named)
    state.boneyard = (*parse_tiles(boneyard or ""), *rest)
    if empty_boneyard:
        state.hands[-1] += state.boneyard
        state.boneyard = ()
    state.left, state.right = _ends_of(state.chain)
    state.phase = PLAYING
    state.to_act = to_act - 1
    advance(state)
    return state


def _ends_of(chain: tuple[int, ...]) -> tuple[int, int]:
    """The numbers at both ends of tiles that lie in this order; the first tile of two tells which way it lies."""
    if len(chain) == 1:
        return HIGH[chain[0]], LOW[chain[0]]
    for left in (HIGH[chain[0]], LOW[chain[0]]):
        number, right = left, -1
        for tile in chain:
            if not bears(tile, number):
                break
            number = right = other_half(tile, number)
        else:
            return left, right
    raise AssertionError("this is no chain")


def lay(state: Round, seat: int, tile: str, end: str = "") -> Ruling:
    """Proposes to lay a tile."""
    return propose(state, Proposal(seat, ActionKind.LAY, parse_tile(tile), ENDS[end]))


def play(state: Round, script: str) -> list[Event]:
    """Plays ``"1 6-5, 2 5-5 R"`` and returns all that happened; every proposal must be accepted."""
    happened: list[Event] = []
    for line in script.split(","):
        seat, tile, *end = line.split()
        ruling = lay(state, int(seat), tile, *end)
        assert ruling.accepted, f"{line}: {ruling.message}"
        happened.extend(ruling.events)
    return happened


def options(state: Round, seat: int) -> LegalOptions:
    """What a seat may do; it must have a decision."""
    legal = legal_options(state, seat)
    assert legal is not None, f"seat {seat} has no decision"
    return legal


def moves(state: Round, seat: int) -> list[tuple[str, str]]:
    """The legal moves of a seat as texts."""
    return [(tile_text(move.tile), move.end.name[0]) for move in options(state, seat).moves]


def asked(state: Round, seat: int, events: Sequence[Event] = ()) -> KozelDecision:
    """The decision of a seat, as its bot is asked, after these events of its view."""
    seen = seen_by(state, seat)
    players = zip(seen.seats, seen.tile_counts, seen.accounts, strict=True)
    return KozelDecision(
        "table",
        state.setup.hand_id,
        1,
        seat,
        state.setup.rule_set,
        tuple(KozelPlayer(one, f"player {one}", tiles, account) for one, tiles, account in players),
        seen.own_tiles,
        seen.chain,
        seen.left,
        seen.right,
        seen.boneyard_count,
        seen.carry,
        options(state, seat),
        None,
        tuple(events),
    )


def kinds(events: Sequence[Event]) -> list[str]:
    """Names of events."""
    return [event.kind.name for event in events]


def only(events: Sequence[Event], kind: EventKind) -> list[Event]:
    """The events of one kind."""
    return [event for event in events if event.kind is kind]


def shuffler(rng: random.Random, rule_set: RuleSet = ON_ALL) -> Callable[[int], tuple[int, ...]]:
    """Random decks."""

    def deck(_redeal: int) -> tuple[int, ...]:
        tiles = list(rule_set.tiles())
        rng.shuffle(tiles)
        return tuple(tiles)

    return deck


def random_round(rng: random.Random, rule_set: RuleSet, players: int) -> tuple[Round, tuple[Event, ...]]:
    """A round as it begins, in the middle of some game: any accounts, leader and carry."""
    setup = first_round(rule_set, tuple(range(1, players + 1)), shuffler(rng, rule_set), rng.choice(("", "round-7")))
    if rng.random() < 0.8:
        accounts = tuple(
            has(rng.randint(13, 100)) if rng.random() < 0.6 else remembers(rng.randint(0, 25)) for _ in setup.seats
        )
        carry = rng.choice((0, 0, rng.randint(20, 90))) if rule_set.fish_scoring.name == "ON_ONE" else 0
        setup = replace(setup, accounts=accounts, leader_seat=rng.choice(setup.seats), carry=carry)
    return open_round(setup)


def random_legal(rng: random.Random, state: Round) -> Proposal:
    """One of the legal proposals; the end is left out where it may be."""
    choice = options(state, open_seats(state)[0])
    move = rng.choice(choice.moves)
    ways = len([other for other in choice.moves if other.tile == move.tile])
    end = End.NONE if ways == 1 and rng.random() < 0.5 else move.end
    return Proposal(choice.seat, ActionKind.LAY, move.tile, end, "", rng.choice((0, choice.decision_id)))


def play_out(rng: random.Random, state: Round) -> tuple[Event, ...]:
    """Plays a round to its end at random."""
    happened: list[Event] = []
    while open_seats(state):
        ruling = propose(state, random_legal(rng, state))
        assert ruling.accepted, ruling
        happened.extend(ruling.events)
    return tuple(happened)


def double_lies(state: Round) -> bool:
    """Whether the double of the number at the left end is on the table."""
    return any(is_double(tile) and LOW[tile] == state.left for tile in state.chain)
