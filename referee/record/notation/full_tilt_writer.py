"""Writes hands in Full Tilt's text format: what :mod:`referee.record.notation.full_tilt` reads back as equal records.

Lost is what the format has no form for: the name of a rule set other than the one it is read with, and hole cards of
which only some are known and that nobody shows.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from referee.record.hand_record import HandRecord, RecordedStep, Step
from referee.record.notation.full_tilt_lines import NOTATION, PLACE, SEAT_FACT, TIME
from referee.record.notation.full_tilt_text import SUMMARY, WRITTEN_GAMES, WRITTEN_LIMITS, money_text
from referee.record.notation.holes import hole_cards, kept_after
from referee.record.notation.house import game_name
from referee.record.notation.ledger import Ledger
from referee.rules.cards import UNKNOWN, cards_text
from referee.rules.events import Event, EventKind
from referee.rules.pots import form_pots, uncalled
from referee.rules.ruleset import BOARD_CARDS, AnteKind, Limit
from referee.rules.settlement import Settlement, pot_name
from referee.rules.state import LAST_STREET

_STREETS: Final = ("", "FLOP", "TURN", "RIVER")
_FOLDED: Final = ("before the Flop", "on the Flop", "on the Turn", "on the River")


def write_full_tilt(record: HandRecord, settlement: Settlement | None = None) -> str:
    """One hand as text; with its settlement the winners are told pot by pot, with the names of their hands.

    Raises ValueError for a hand that the format has no form for.
    """
    return "\n".join([*_Writer(record, settlement).lines(), ""])


def write_full_tilt_hands(records: Iterable[HandRecord]) -> str:
    """Many hands as one text, with two empty lines between them as the room has it."""
    return "\n\n\n".join(write_full_tilt(record) for record in records)


class _Writer:
    """Writes one hand line by line, adding up on the way what the format tells and the record may not."""

    def __init__(self, record: HandRecord, settlement: Settlement | None) -> None:
        self._record = record
        self._setup = record.setup
        self._settlement = settlement
        self._ledger = Ledger(record.setup)
        self._names = dict(zip(record.setup.seats, record.players, strict=True))
        if len(set(record.players)) != len(record.players):
            raise ValueError("the format tells players by their names, which must differ")
        self._kept = hole_cards(record.setup)
        self._board: tuple[int, ...] = ()
        self._folded: dict[int, int] = {}
        self._shown: dict[int, tuple[int, ...]] = {}
        self._discards_told = False
        self._showdown_told = False
        told = record.notation == NOTATION or any(step.step == Step.RETURNED for step in record.steps)
        self._returns_are_told = told

    def lines(self) -> Iterator[str]:
        """The lines of the hand."""
        yield self._header()
        yield from self._seats()
        yield from map(self._posting, self._ledger.posted)
        yield f"The button is in seat #{self._setup.button_seat}"
        yield "*** HOLE CARDS ***"
        for seat, hole in hole_cards(self._setup).items():
            if UNKNOWN not in hole:
                yield f"Dealt to {self._names[seat]} [{cards_text(hole)}]"
        for step in self._record.steps:
            yield from self._step(step)
        yield from self._uncalled()
        yield from self._winners()
        yield SUMMARY
        yield from self._summary()

    def _money(self, chips: int | Fraction) -> str:
        currency = self._record.currency
        return money_text(chips, self._record.unit, currency if currency in ("$", "€", "£") else "")

    def _header(self) -> str:
        setup, stakes, facts = self._setup, self._setup.stakes, self._record.facts
        game = game_name(setup.rule_set.game)
        if not game:
            raise ValueError(f"the format has no name for the game of {setup.rule_set.full_name}")
        small, big = stakes.small_blind, stakes.big_blind
        if setup.limit == Limit.FIXED_LIMIT:
            small, big = stakes.big_blind, stakes.late_bet()
        elif stakes.big_bet not in (0, 2 * big):
            raise ValueError("the format has no form for a big bet in no-limit and pot-limit")
        ante = ""
        if stakes.ante_kind == AnteKind.EACH:
            ante = f" Ante {self._money(stakes.ante)}"
        elif stakes.ante_kind == AnteKind.BIG_BLIND:
            raise ValueError("the format has no form for an ante of the big blind alone")
        number = setup.hand_id if setup.hand_id.isascii() and setup.hand_id.isdigit() else "0"
        limit = f"{WRITTEN_LIMITS[setup.limit]} {WRITTEN_GAMES[game]}"
        place, time = facts.get(PLACE, "Table 1"), facts.get(TIME, "00:00:00 ET - 2000/01/01")
        stakes_text = f"{self._money(small)}/{self._money(big)}{ante}"
        return f"Full Tilt Poker Game #{number}: {place} - {stakes_text} - {limit} - {time}"

    def _seats(self) -> Iterator[str]:
        lines = {
            seat: f"Seat {seat}: {name} ({self._money(stack)})"
            for (seat, name), stack in zip(self._names.items(), self._setup.stacks, strict=True)
        }
        for seat, told in self._sitting_out().items():
            lines[seat] = f"Seat {seat}: {told}, is sitting out"
        yield from (lines[seat] for seat in sorted(lines))

    def _sitting_out(self) -> dict[int, str]:
        return {
            int(name.removeprefix(SEAT_FACT)): told
            for name, told in self._record.facts.items()
            if name.startswith(SEAT_FACT) and name.removeprefix(SEAT_FACT).isdigit()
        }

    def _posting(self, event: Event) -> str:
        if event.kind == EventKind.ANTE_POSTED:
            what = "antes"
        elif event.kind == EventKind.DEAD_POSTED:
            what = "posts a dead small blind of"
        elif event.seat == self._setup.small_blind_seat:
            what = "posts the small blind of"
        else:
            what = "posts the big blind of" if event.seat == self._setup.big_blind_seat else "posts"
        all_in = ", and is all in" if event.all_in else ""
        return f"{self._names[event.seat]} {what} {self._money(event.amount)}{all_in}"

    def _step(self, step: RecordedStep) -> Iterator[str]:
        if step.step == Step.BOARD:
            yield from self._uncalled()
            yield self._street(step)
            return
        if step.seat not in self._names:
            raise ValueError(f"seat {step.seat} is not dealt in")
        name = self._names[step.seat]
        match step.step:
            case Step.DISCARD:
                yield from self._discard(step, name)
            case Step.SHOW | Step.MUCK:
                yield from self._showdown(step, name)
            case Step.RETURNED:
                self._ledger.follow(step)
                yield f"Uncalled bet of {self._money(step.amount)} returned to {name}"
            case Step.TIMEOUT:
                yield f"{name} has timed out"
                owes = self._ledger.owed(self._setup.seats.index(step.seat)) > 0
                yield self._move(RecordedStep(Step.FOLD if owes else Step.CHECK, step.seat), name)
            case Step.FORFEIT:
                raise ValueError("Full Tilt's text has no form for a hand that is forfeited by faults")
            case _:
                yield self._move(step, name)

    def _street(self, step: RecordedStep) -> str:
        self._ledger.follow(step)
        street = self._ledger.street
        if street > LAST_STREET:
            raise ValueError("the format has three streets after the hole cards")
        before = f" [{cards_text(self._board)}]" if self._board else ""
        self._board += step.cards
        return f"*** {_STREETS[street]} ***{before} [{cards_text(step.cards)}] {self._in_the_middle()}"

    def _in_the_middle(self) -> str:
        ledger = self._ledger
        live = [player for player, is_live in enumerate(ledger.live) if is_live]
        all_in = sum(ledger.all_in(player) for player in live)
        told = f", {all_in} All-In" if all_in else ""
        return f"(Total Pot: {self._money(ledger.pot)}, {len(live)} Players{told})"

    def _discard(self, step: RecordedStep, name: str) -> Iterator[str]:
        yield from self._uncalled()
        if not self._discards_told:
            self._discards_told = True
            yield f"*** DISCARD ROUND *** {self._in_the_middle()}"
        self._kept[step.seat] = kept_after(self._kept[step.seat], step.cards)
        yield f"{name} discards" + ("" if UNKNOWN in step.cards else f" [{cards_text(step.cards)}]")

    def _showdown(self, step: RecordedStep, name: str) -> Iterator[str]:
        yield from self._uncalled()
        if len(self._board) == BOARD_CARDS and sum(self._ledger.live) > 1 and not self._showdown_told:
            self._showdown_told = True
            yield "*** SHOW DOWN ***"
        cards = step.cards or self._kept[step.seat]
        if step.step == Step.MUCK:
            yield f"{name} mucks"
        elif UNKNOWN not in cards:
            self._shown[step.seat] = cards
            yield f"{name} shows [{cards_text(cards)}]"

    def _move(self, step: RecordedStep, name: str) -> str:
        ledger = self._ledger
        player = self._setup.seats.index(step.seat)
        level, owed = ledger.level, ledger.owed(player)
        added = ledger.follow(step)
        if step.step == Step.FOLD:
            self._folded[step.seat] = ledger.street
            return f"{name} folds"
        if step.step == Step.CHECK or (step.step == Step.CHECK_OR_CALL and not owed):
            return f"{name} checks"
        all_in = ", and is all in" if ledger.all_in(player) else ""
        if step.step in (Step.CALL, Step.CHECK_OR_CALL) or ledger.bet[player] <= level:
            return f"{name} calls {self._money(added)}{all_in}"
        raises = step.step == Step.RAISE or (step.step != Step.BET and level > 0)
        verb = "raises to" if raises else "bets"
        return f"{name} {verb} {self._money(ledger.bet[player])}{all_in}"

    def _uncalled(self) -> Iterator[str]:
        """The bet that nobody matched, once the round has closed, where the record's notation leaves that out."""
        if self._returns_are_told:
            return
        player, amount = uncalled(self._ledger.bet, self._ledger.live)
        if amount and self._round_is_closed(player):
            seat = self._setup.seats[player]
            self._ledger.follow(RecordedStep(Step.RETURNED, seat, amount=amount))
            yield f"Uncalled bet of {self._money(amount)} returned to {self._names[seat]}"

    def _round_is_closed(self, bettor: int) -> bool:
        ledger = self._ledger
        return all(
            not is_live or player == bettor or ledger.stack[player] == 0 for player, is_live in enumerate(ledger.live)
        )

    # --- results ----------------------------------------------------------------------------------------

    def _winners(self) -> Iterator[str]:
        collected = self._record.result.collected
        statement = self._settlement
        if statement is not None and self._fits(statement):
            yield from self._pot_by_pot(statement)
        elif collected is not None:
            for name, amount in zip(self._record.players, collected, strict=True):
                if amount:
                    yield f"{name} wins the pot ({self._money(amount)})"

    def _fits(self, statement: Settlement) -> bool:
        collected = self._record.result.collected
        return statement.over and (collected is None or [player.won for player in statement.players] == list(collected))

    def _pot_by_pot(self, statement: Settlement) -> Iterator[str]:
        hands = {hand.seat: hand.name for hand in statement.hands if hand.name}
        for at in range(len(statement.pots) - 1, -1, -1):
            pot = statement.pots[at]
            name = pot_name(at, len(statement.pots)).replace("side pot ", "side pot #")
            named = name if name.startswith("side pot #") and len(statement.pots) > 2 else f"the {name.split(' #')[0]}"
            for seat, share in zip(pot.winners, pot.shares, strict=True):
                with_hand = f" with {hands[seat]}" if seat in hands else ""
                verb = "wins" if len(pot.winners) == 1 else "ties for"
                yield f"{self._names[seat]} {verb} {named} ({self._money(share)}){with_hand}"

    def _summary(self) -> Iterator[str]:
        result, ledger = self._record.result, self._ledger
        total = ledger.pot if result.total_pot is None else result.total_pot
        pots = form_pots(ledger.total, ledger.live, ledger.dead) if any(ledger.live) else []
        told = ""
        if len(pots) > 1:
            main, *sides = [self._money(pot.amount) for pot in pots]
            numbers = [""] if len(sides) == 1 else [f" {number}" for number in range(1, len(sides) + 1)]
            told = f" Main pot {main}." + "".join(
                f" Side pot{number} {amount}." for number, amount in zip(numbers, sides, strict=True)
            )
        yield f"Total pot {self._money(total)}{told} | Rake {self._money(result.rake or 0)}"
        if self._board:
            yield f"Board: [{cards_text(self._board)}]"
        lines = {seat: f"Seat {seat}: {name}{self._outcome(seat)}" for seat, name in self._names.items()}
        for seat, out in self._sitting_out().items():
            button = " (button)" if seat == self._setup.button_seat else ""
            lines[seat] = f"Seat {seat}: {out.rpartition(' (')[0]}{button} is sitting out"
        yield from (lines[seat] for seat in sorted(lines))

    def _outcome(self, seat: int) -> str:
        setup = self._setup
        place = ""
        if seat == setup.small_blind_seat:
            place = " (small blind)"
        elif seat == setup.big_blind_seat:
            place = " (big blind)"
        elif seat == setup.button_seat:
            place = " (button)"
        if seat in self._folded:
            player = setup.seats.index(seat)
            bet = self._ledger.total[player] > 0 or self._folded[seat] > 0
            return f"{place} folded {_FOLDED[self._folded[seat]]}" if bet else f"{place} didn't bet (folded)"
        collected = self._record.result.collected
        won = collected[setup.seats.index(seat)] if collected is not None else Fraction(0)
        if seat in self._shown:
            shown = f"{place} showed [{cards_text(self._shown[seat])}]"
            return f"{shown} and won ({self._money(won)})" if won else f"{shown} and lost"
        return f"{place} collected ({self._money(won)}), mucked" if won else f"{place} mucked"
