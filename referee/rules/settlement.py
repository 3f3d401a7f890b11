"""The settlement statement: every line that an arbiter would print about how a hand was settled, with its rule.

Computed on demand from the hand alone by the same functions that settled it, so it can be asked for at any time;
before the end it says how matters stand.
"""

from dataclasses import dataclass
from typing import Final

from referee.rules.cards import cards_text
from referee.rules.pots import Pot
from referee.rules.ranking import best_five, describe
from referee.rules.showdown import (
    CONCEDED,
    UNDECIDED,
    Award,
    ShowWhy,
    awards_of,
    first_to_show,
    is_decided,
    pots_of,
    showings,
    strengths_of,
)
from referee.rules.state import LAST_STREET, STREET_NAMES, Hand, Phase, Shown


@dataclass(init=False, unsafe_hash=True)
class StatementLine:
    """One sentence of the statement and the rule id behind it."""

    rule: Final[str]
    text: Final[str]

    def __init__(
        self,
        rule: str,
        text: str,
    ) -> None:
        self.rule = rule
        self.text = text


@dataclass(init=False, unsafe_hash=True)
class PlayerSettlement:
    """One player's account, in chips: ``stack_before - contributed - dead + won == stack_after``.

    ``contributed`` is the total of POT-1, what was returned already taken off; ``dead`` is dead money (BLIND-6).
    """

    seat: Final[int]
    stack_before: Final[int]
    contributed: Final[int]
    dead: Final[int]
    returned: Final[int]
    won: Final[int]
    stack_after: Final[int]
    folded: Final[bool]

    def __init__(
        self,
        seat: int,
        stack_before: int,
        contributed: int,
        dead: int,
        returned: int,
        won: int,
        stack_after: int,
        folded: bool,
    ) -> None:
        self.seat = seat
        self.stack_before = stack_before
        self.contributed = contributed
        self.dead = dead
        self.returned = returned
        self.won = won
        self.stack_after = stack_after
        self.folded = folded


@dataclass(init=False, unsafe_hash=True)
class PotSettlement:
    """One pot: what is in it, who contests it, and what each winner gets.

    ``winners`` and ``shares`` are in the order of odd chips; ``odd_chips`` is how much of each share that is.
    Empty winners: not decided yet, or not by the cards that are known.
    """

    amount: Final[int]
    eligible: Final[tuple[int, ...]]
    rake: Final[int]
    winners: Final[tuple[int, ...]]
    shares: Final[tuple[int, ...]]
    odd_chips: Final[tuple[int, ...]]
    compared: Final[bool]

    def __init__(
        self,
        amount: int,
        eligible: tuple[int, ...],
        rake: int,
        winners: tuple[int, ...],
        shares: tuple[int, ...],
        odd_chips: tuple[int, ...],
        compared: bool,
    ) -> None:
        self.amount = amount
        self.eligible = eligible
        self.rake = rake
        self.winners = winners
        self.shares = shares
        self.odd_chips = odd_chips
        self.compared = compared


@dataclass(init=False, unsafe_hash=True)
class HandSettlement:
    """A live player's hand at the showdown: whether it had to be shown and was, and what it is worth.

    ``best_five`` and ``name`` are empty while cards are unknown, and ``cards`` holds those that are kept.
    """

    seat: Final[int]
    cards: Final[tuple[int, ...]]
    best_five: Final[tuple[int, ...]]
    name: Final[str]
    must_show: Final[bool]
    shown: Final[bool]
    why: Final[ShowWhy]
    rule: Final[str]

    def __init__(
        self,
        seat: int,
        cards: tuple[int, ...],
        best_five: tuple[int, ...],
        name: str,
        must_show: bool,
        shown: bool,
        why: ShowWhy,
        rule: str,
    ) -> None:
        self.seat = seat
        self.cards = cards
        self.best_five = best_five
        self.name = name
        self.must_show = must_show
        self.shown = shown
        self.why = why
        self.rule = rule


@dataclass(init=False, unsafe_hash=True)
class Settlement:
    """The whole statement. ``hands`` are in the order of the showdown, ``pots`` main pot first, amounts in chips."""

    over: Final[bool]
    decided: Final[bool]
    board: Final[tuple[int, ...]]
    players: Final[tuple[PlayerSettlement, ...]]
    pots: Final[tuple[PotSettlement, ...]]
    hands: Final[tuple[HandSettlement, ...]]
    rake: Final[int]
    lines: Final[tuple[StatementLine, ...]]

    def __init__(
        self,
        over: bool,
        decided: bool,
        board: tuple[int, ...],
        players: tuple[PlayerSettlement, ...],
        pots: tuple[PotSettlement, ...],
        hands: tuple[HandSettlement, ...],
        rake: int,
        lines: tuple[StatementLine, ...],
    ) -> None:
        self.over = over
        self.decided = decided
        self.board = board
        self.players = players
        self.pots = pots
        self.hands = hands
        self.rake = rake
        self.lines = lines


def settlement(hand: Hand) -> Settlement:
    """The statement of a hand as it stands; final once ``over`` is true."""
    pots = pots_of(hand)
    at_showdown = hand.live_count > 1 and hand.street == LAST_STREET and hand.closed
    strengths = strengths_of(hand)
    decided = hand.live_count == 1 or (at_showdown and is_decided(pots, strengths))
    awards = awards_of(hand, pots, strengths) if decided else []
    players = tuple([_player(hand, index) for index in range(len(hand.stack))])
    seats = hand.setup.seats
    pot_lines = tuple([pot_settlement(pot, awards[at] if awards else None, seats) for at, pot in enumerate(pots)])
    hands = _hands(hand, pots, strengths) if at_showdown and decided else ()
    rake = sum([one.rake for one in awards])
    lines = _statement(hand, players, pot_lines, hands, rake)
    return Settlement(
        hand.phase == Phase.OVER, decided, hand.board + hand.joined, players, pot_lines, hands, rake, tuple(lines)
    )


def _player(hand: Hand, index: int) -> PlayerSettlement:
    before = hand.setup.stacks[index]
    dead = before - hand.total[index] - hand.stack[index] + hand.paid[index]
    return PlayerSettlement(
        hand.setup.seats[index],
        before,
        hand.total[index],
        dead,
        hand.returned[index],
        hand.paid[index],
        hand.stack[index],
        not hand.live[index],
    )


def pot_settlement(pot: Pot, decided: Award | None, seats: tuple[int, ...]) -> PotSettlement:
    """A pot by seats instead of players, with its award if it is decided."""
    eligible = tuple([seats[player] for player in pot.eligible])
    if decided is None:
        return PotSettlement(pot.amount, eligible, 0, (), (), (), False)
    least = min(decided.shares)
    winners = tuple([seats[player] for player in decided.winners])
    odd = tuple([share - least for share in decided.shares])
    return PotSettlement(pot.amount, eligible, decided.rake, winners, decided.shares, odd, len(eligible) > 1)


def _hands(hand: Hand, pots: list[Pot], strengths: list[int]) -> tuple[HandSettlement, ...]:
    result: list[HandSettlement] = []
    for showing in showings(hand, pots, strengths):
        player = showing.player
        value = strengths[player]
        ranked = value not in (CONCEDED, UNDECIDED)
        result.append(
            HandSettlement(
                hand.setup.seats[player],
                hand.kept[player],
                best_five(hand.kept[player] + hand.board + hand.joined) if ranked else (),
                describe(value) if ranked else "",
                showing.must_show,
                hand.shown[player] == Shown.SHOWN or showing.shows,
                showing.why,
                showing.rule,
            )
        )
    return tuple(result)


_WHY_TEXTS = {
    ShowWhy.FIRST_IN_ORDER: "must show: first in order",
    ShowWhy.NOT_BEATEN: "must show: no eligible hand shown so far beats it",
    ShowWhy.CHOSE_TO_SHOW: "beaten and may muck; chose to show",
    ShowWhy.MUCKED: "beaten and may muck; mucked",
    ShowWhy.ALL_HANDS_SHOWN: "must show: every live hand is shown",
    ShowWhy.TABLED_ALL_IN: "turned up: betting was over with a player all-in",
    ShowWhy.GAVE_UP_UNSEEN: "gave up an unknown hand",
}


def pot_name(at: int, count: int) -> str:
    """What a pot is called: the pot, the main pot, or a numbered side pot."""
    if count == 1:
        return "pot"
    return "main pot" if at == 0 else f"side pot {at}"


def _statement(
    hand: Hand,
    players: tuple[PlayerSettlement, ...],
    pots: tuple[PotSettlement, ...],
    hands: tuple[HandSettlement, ...],
    rake: int,
) -> list[StatementLine]:
    lines: list[StatementLine] = []
    for player in players:
        dead = f" and {player.dead} dead" if player.dead else ""
        folded = ", folded" if player.folded else ""
        lines.append(StatementLine("POT-1", f"seat {player.seat} put in {player.contributed}{dead}{folded}"))
    for player in players:
        if player.returned:
            lines.append(StatementLine("POT-2", f"{player.returned} uncalled returned to seat {player.seat}"))
    lines.extend(_show_lines(hand, hands))
    for at in range(len(pots) - 1, -1, -1):
        lines.extend(_pot_lines(hand, pot_name(at, len(pots)), pots[at], hands))
    if rake:
        lines.append(StatementLine("POT-8", f"{rake} rake taken"))
    if hand.phase == Phase.OVER:
        for player in players:
            lines.append(StatementLine("POT-7", f"seat {player.seat}: {player.stack_before} -> {player.stack_after}"))
    return lines


def _show_lines(hand: Hand, hands: tuple[HandSettlement, ...]) -> list[StatementLine]:
    if not hands:
        return []
    first, street = first_to_show(hand)
    seat = hand.setup.seats[first]
    decided_by = f"last to lift the level on the {STREET_NAMES[street]}" if street >= 0 else "first left of the button"
    lines = [StatementLine("SHOW-1", f"seat {seat} is first in order: {decided_by}")]
    for one in hands:
        what = f"{cards_text(one.cards)}, {one.name}" if one.shown and one.name else "not shown"
        lines.append(StatementLine(one.rule, f"seat {one.seat} {_WHY_TEXTS[one.why]} ({what})"))
    return lines


def _pot_lines(hand: Hand, name: str, pot: PotSettlement, hands: tuple[HandSettlement, ...]) -> list[StatementLine]:
    contested = f"{name} of {pot.amount}, contested by {_seat_list(pot.eligible)}"
    if not pot.winners:
        return [StatementLine("POT-1", contested)]
    lines: list[StatementLine] = []
    after = f" after {pot.rake} rake" if pot.rake else ""
    if not pot.compared:
        return [StatementLine("POT-4", f"{name} of {pot.amount}{after}: seat {pot.winners[0]} alone is eligible")]
    held = {one.seat: one for one in hands}
    for seat, share in zip(pot.winners, pot.shares, strict=True):
        best = held[seat]
        lines.append(
            StatementLine(
                "POT-5",
                f"{contested}{after}: seat {seat} gets {share} with {best.name} ({cards_text(best.best_five)})",
            )
        )
    for seat, odd in zip(pot.winners, pot.odd_chips, strict=True):
        if odd:
            lines.append(
                StatementLine(
                    "POT-6", f"{name}: {odd} that does not divide goes to seat {seat}, nearest left of the button"
                )
            )
    return lines


def _seat_list(seats: tuple[int, ...]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join([str(seat) for seat in seats])
