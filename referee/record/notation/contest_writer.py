"""Writes logs of the contest dealer: what :mod:`referee.record.notation.contest` reads back as equal records."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from referee.record.hand_record import HandRecord, RecordedStep, Step
from referee.record.notation.amounts import amount_text
from referee.record.notation.contest import GAME, MATCH, SEED
from referee.record.notation.contest_game import ROUNDS, UNLIMITED_RAISES, GameDefinition
from referee.record.notation.holes import hole_cards
from referee.record.notation.ledger import Ledger
from referee.rules.cards import UNKNOWN, cards_text
from referee.rules.ruleset import HOLDEM, MAX_RAISES, AnteKind, Limit
from referee.rules.state import STREET_CARDS

_ONE = Decimal(1)


def game_of(record: HandRecord) -> GameDefinition:
    """The game definition that a record's setup amounts to; raises ValueError when the dealer has no such game."""
    setup, stakes = record.setup, record.setup.stakes
    if setup.rule_set.game != HOLDEM or setup.limit == Limit.POT_LIMIT:
        raise ValueError("a contest log holds no-limit and limit hold'em only")
    if stakes.ante_kind != AnteKind.NONE or setup.posts or not setup.small_blind_seat:
        raise ValueError("a contest log has no antes, posts or dead blinds")
    blinds = [0] * len(setup.seats)
    blinds[setup.seats.index(setup.small_blind_seat)] = stakes.small_blind
    blinds[setup.seats.index(setup.big_blind_seat)] = stakes.big_blind
    sizes: tuple[int, ...] = ()
    raises: tuple[int, ...] = ()
    if setup.limit == Limit.FIXED_LIMIT:
        cap = setup.rule_set.max_raises
        sizes = (stakes.big_blind, stakes.big_blind, stakes.late_bet(), stakes.late_bet())
        raises = (UNLIMITED_RAISES,) * ROUNDS if cap >= MAX_RAISES else (cap, cap + 1, cap + 1, cap + 1)
    stacks = setup.stacks if record.stacks_known else ()
    return GameDefinition(record.facts.get(GAME, ""), setup.limit, tuple(blinds), stacks, sizes, raises)


def write_contest(records: Sequence[HandRecord]) -> Iterator[str]:
    """The lines of a log, each with its line end; raises ValueError for a hand that it has no form for.

    All records are hands of one match: the heading is that of the first, the closing line adds the results up.
    """
    if records:
        facts = records[0].facts
        heading = (facts.get(MATCH, "match"), facts.get(GAME, "game"), str(len(records)), facts.get(SEED, "0"))
        yield f"# name/game/hands/seed {' '.join(heading)}\n"
    scores: dict[str, Fraction] = {}
    for number, record in enumerate(records):
        yield write_state(record, number) + "\n"
        for name, amount in zip(record.players, _results(record), strict=True):
            scores[name] = scores.get(name, Fraction(0)) + amount
    if records:
        totals = "|".join(amount_text(amount, _ONE) for amount in scores.values())
        yield f"SCORE:{totals}:{'|'.join(scores)}\n"


def write_state(record: HandRecord, number: int = 0) -> str:
    """One hand as a STATE line without its line end; ``number`` counts where the record has no number of its own."""
    game_of(record)
    if any(sign in name for name in record.players for sign in ":|\n"):
        raise ValueError("a contest log has no : and | in names")
    hand_id, cards = record.setup.hand_id, _cards(record)
    results = "|".join(amount_text(amount, _ONE) for amount in _results(record))
    return ":".join(
        (
            "STATE",
            hand_id if hand_id.isascii() and hand_id.isdigit() else str(number),
            _betting(record),
            cards,
            results,
            "|".join(record.players),
        )
    )


def _results(record: HandRecord) -> list[int | Fraction]:
    if record.result.finishing_stacks is None:
        raise ValueError("a contest log says what everybody won or lost; the record does not")
    stacks = record.setup.stacks
    return [after - before for after, before in zip(record.result.finishing_stacks, stacks, strict=True)]


def _cards(record: HandRecord) -> str:
    holes = hole_cards(record.setup).values()
    parts = ["|".join("" if UNKNOWN in hole else cards_text(hole, "") for hole in holes)]
    for step in record.steps:
        if step.step == Step.BOARD:
            if len(parts) == ROUNDS or len(step.cards) != STREET_CARDS[len(parts)] or UNKNOWN in step.cards:
                raise ValueError("a contest log deals three known cards, then one, then one")
            parts.append(cards_text(step.cards, ""))
    return "/".join(parts)


def _betting(record: HandRecord) -> str:
    ledger = Ledger(record.setup)
    game = game_of(record)
    player = game.first_player(0) - 1
    moves: list[str] = []
    for step in record.steps:
        if step.step in (Step.SHOW, Step.MUCK, Step.RETURNED):
            continue
        if step.step == Step.BOARD:
            player = game.first_player(1) - 1
        else:
            player = ledger.next_player(player + 1)
            if player < 0 or record.setup.seats[player] != step.seat:
                raise ValueError(f"a contest log cannot say that seat {step.seat} acts out of turn")
        moves.append(_move(step, player, ledger, game))
        ledger.follow(step)
    return "".join(moves)


def _move(step: RecordedStep, player: int, ledger: Ledger, game: GameDefinition) -> str:
    all_chips = ledger.bet[player] + ledger.stack[player]
    match step.step:
        case Step.BOARD:
            return "/"
        case Step.FOLD:
            return "f"
        case Step.CHECK | Step.CALL | Step.CHECK_OR_CALL:
            return "c"
        case Step.TIMEOUT:
            return "f" if ledger.owed(player) else "c"
        case Step.BET | Step.RAISE | Step.BET_OR_RAISE:
            to = step.to
        case Step.ALL_IN:
            to = all_chips
            if to <= ledger.level:
                return "c"
        case _:
            raise ValueError(f"a contest log has no form for {step.step.value!r}")
    if game.limit == Limit.NO_LIMIT:
        return f"r{to + ledger.total[player] - ledger.bet[player]}"
    if to != min(ledger.level + game.raise_sizes[ledger.street], all_chips):
        raise ValueError(f"a contest log has no form for a raise to {to} in limit")
    return "r"
