"""Writes PHH: what :mod:`referee.record.notation.phh` reads back as an equal record.

Lost is only what the notation has no form for: the difference between a check and a call and between a bet and a
raise, what a call added, and steps that say that an uncalled bet was returned.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from referee.record.hand_record import HandRecord, RecordedStep, Step
from referee.record.notation.amounts import amount_of, amount_text, common_unit
from referee.record.notation.house import default_rule_set, game_name, published
from referee.record.notation.phh import default_players
from referee.record.notation.phh_actions import FORFEIT_COMMENT
from referee.record.notation.phh_fields import (
    BUTTON,
    CHIP_UNIT,
    NOTATION,
    RAKE,
    RULE_SET,
    SMALL_BLIND,
    STACKS_KNOWN,
    TOTAL_POT,
    UNIT,
    VARIANTS,
)
from referee.record.notation.toml_text import fact_value, toml_key, toml_string
from referee.rules.cards import cards_text
from referee.rules.ruleset import AnteKind, Limit, RuleSet
from referee.rules.setup import NOBODY, HandSetup, hole_of

_CODES: Final = {meant: code for code, meant in VARIANTS.items()}


def write_phh(record: HandRecord) -> str:
    """One hand as the text of a ``.phh`` file; raises ValueError for a hand that PHH has no form for."""
    return "".join(f"{key} = {value}\n" for key, value in _fields(record).items())


def write_phhs(records: Iterable[HandRecord]) -> str:
    """Many hands as the text of a ``.phhs`` file, numbered from 1."""
    return "\n".join(f"[{number}]\n{write_phh(record)}" for number, record in enumerate(records, 1))


def _fields(record: HandRecord) -> dict[str, str]:
    setup, stakes = record.setup, record.setup.stakes
    game = game_name(setup.rule_set.game)
    if not game:
        raise ValueError(f"PHH has no variant code for the game of {setup.rule_set.full_name}")
    fields = {"variant": toml_string(_CODES[game, setup.limit])}
    fields.update(_posting(record))
    late_bet = stakes.late_bet()
    if setup.limit == Limit.FIXED_LIMIT:
        fields["small_bet"] = amount_text(stakes.big_blind, record.unit)
        fields["big_bet"] = amount_text(late_bet, record.unit)
    else:
        fields["min_bet"] = amount_text(stakes.big_blind, record.unit)
        if late_bet != 2 * stakes.big_blind:
            fields["big_bet"] = amount_text(late_bet, record.unit)
    fields["starting_stacks"] = _amounts(setup.stacks, record)
    actions = [*_deal(setup), *(text for step in record.steps if (text := _action(step, record)))]
    fields["actions"] = "[" + ", ".join(toml_string(action) for action in actions) + "]"
    fields.update(_names(record))
    fields.update(_results(record))
    fields.update(_own_fields(record, game))
    fields.update({_fact_key(name, record): fact_value(fact) for name, fact in record.facts.items()})
    return fields


def _fact_key(name: str, record: HandRecord) -> str:
    """The field of a fact: PHH's own as it was, another notation's as one of ours."""
    return toml_key(name if record.notation == NOTATION else f"_{name.replace(' ', '_')}")


def _posting(record: HandRecord) -> dict[str, str]:
    setup, stakes = record.setup, record.setup.stakes
    players = len(setup.seats)
    blinds, antes = [0] * players, [0] * players
    if setup.small_blind_seat != NOBODY:
        blinds[setup.seats.index(setup.small_blind_seat)] = stakes.small_blind
    blinds[setup.seats.index(setup.big_blind_seat)] = stakes.big_blind
    for post in setup.posts:
        blinds[setup.seats.index(post.seat)] = -post.live
        antes[setup.seats.index(post.seat)] = post.dead
    if stakes.ante_kind == AnteKind.BIG_BLIND:
        antes[setup.seats.index(setup.big_blind_seat)] = stakes.ante
    elif stakes.ante_kind == AnteKind.EACH:
        if any(antes):
            raise ValueError("PHH has no form for antes of every player beside a dead small blind")
        antes = [stakes.ante] * players
    if players == 2:  # Listed by blind, small first, as PHH files usually have it.
        blinds.reverse()
        antes.reverse()
    dead = any(antes) and stakes.ante_kind != AnteKind.EACH
    return {
        "ante_trimming_status": "false" if dead else "true",
        "antes": _amounts(antes, record),
        "blinds_or_straddles": _amounts(blinds, record),
    }


def _deal(setup: HandSetup) -> Iterable[str]:
    for player in range(len(setup.seats)):
        yield f"d dh p{player + 1} {cards_text(hole_of(setup, player), '')}"


def _action(step: RecordedStep, record: HandRecord) -> str:
    """The action of a step; "" for one that the notation has no form for."""
    cards = cards_text(step.cards, "")
    if step.step == Step.BOARD:
        return f"d db {cards}"
    player = f"p{record.setup.seats.index(step.seat) + 1}"
    match step.step:
        case Step.FOLD:
            return f"{player} f"
        case Step.FORFEIT:  # of a betting round: a forfeited discard is a discard
            return f"{player} f # {FORFEIT_COMMENT}"
        case Step.CHECK | Step.CALL | Step.CHECK_OR_CALL:
            return f"{player} cc"
        case Step.BET | Step.RAISE | Step.BET_OR_RAISE:
            return f"{player} cbr {amount_text(step.to, record.unit)}"
        case Step.DISCARD:
            return f"{player} sd {cards}"
        case Step.SHOW:
            return f"{player} sm {cards or '-'}"
        case Step.MUCK:
            return f"{player} sm"
        case Step.RETURNED:
            return ""
        case _:
            raise ValueError(f"PHH has no form for {step.step.value!r}")


def _names(record: HandRecord) -> dict[str, str]:
    setup = record.setup
    fields: dict[str, str] = {}
    if setup.hand_id:
        number = setup.hand_id.isascii() and setup.hand_id.isdigit() and str(int(setup.hand_id)) == setup.hand_id
        fields["hand"] = setup.hand_id if number else toml_string(setup.hand_id)
    if setup.seats != tuple(range(1, len(setup.seats) + 1)):
        fields["seats"] = f"[{', '.join(map(str, setup.seats))}]"
    if record.players != default_players(len(setup.seats)):
        fields["players"] = f"[{', '.join(map(toml_string, record.players))}]"
    if record.currency:
        key = "currency" if record.currency.isalnum() else "currency_symbol"
        fields[key] = toml_string(record.currency)
    return fields


def _results(record: HandRecord) -> dict[str, str]:
    result = record.result
    fields: dict[str, str] = {}
    if result.finishing_stacks is not None:
        fields["finishing_stacks"] = _amounts(result.finishing_stacks, record)
    if result.collected is not None:
        fields["winnings"] = _amounts(result.collected, record)
    if result.total_pot is not None:
        fields[TOTAL_POT] = amount_text(result.total_pot, record.unit)
    if result.rake is not None:
        fields[RAKE] = amount_text(result.rake, record.unit)
    return fields


def _own_fields(record: HandRecord, game: str) -> dict[str, str]:
    setup, stakes = record.setup, record.setup.stakes
    fields: dict[str, str] = {}
    if record.rule_set_named or setup.rule_set != default_rule_set(game, setup.limit):
        fields[RULE_SET] = toml_string(_published_name(setup.rule_set))
    if setup.button_seat != setup.seats[-1]:
        fields[BUTTON] = str(setup.button_seat)
    if setup.small_blind_seat == NOBODY and 2 * stakes.small_blind != stakes.big_blind:
        fields[SMALL_BLIND] = amount_text(stakes.small_blind, record.unit)
    if stakes.chip_unit != 1:
        fields[CHIP_UNIT] = str(stakes.chip_unit)
    if not record.stacks_known:
        fields[STACKS_KNOWN] = "false"
    put_in = [stakes.small_blind, stakes.big_blind, stakes.late_bet(), stakes.ante, *setup.stacks]
    wagers = [step.to for step in record.steps]
    if common_unit(amount_of(chips, record.unit) for chips in put_in + wagers) != record.unit:
        fields[UNIT] = f"{record.unit:f}"
    return fields


def _published_name(rule_set: RuleSet) -> str:
    if published(rule_set.full_name) != rule_set:
        raise ValueError(f"{rule_set.full_name} is published with other options, so a record cannot name it")
    return rule_set.full_name


def _amounts(chips: Iterable[int | Fraction], record: HandRecord) -> str:
    return "[" + ", ".join(amount_text(amount, record.unit) for amount in chips) + "]"
