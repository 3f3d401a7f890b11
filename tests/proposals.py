"""A wide net of proposals at any point of a hand, legal ones and all sorts of illegal ones."""

import random
from collections.abc import Iterator

from referee.rules.cards import UNKNOWN
from referee.rules.hand import open_seats
from referee.rules.rulings import ActionKind, Proposal
from referee.rules.state import Hand
from tests.support import options


def net(hand: Hand, rng: random.Random) -> Iterator[Proposal]:
    """Proposals of all kinds by all sorts of seats, with amounts round every boundary, and wrong in every part."""
    seats = {*hand.setup.seats, 0, 11, -1, rng.randint(1, 10)}
    for seat in seats:
        for kind in (*ActionKind, 0, 10, 99, -1):
            yield Proposal(seat, kind)
    for choice in [options(hand, seat) for seat in open_seats(hand)]:
        player = hand.index_of(choice.seat)
        everything = hand.bet[player] + hand.stack[player]
        big, unit = hand.setup.stakes.big_blind, choice.step
        marks = {
            *(0, big, hand.level, hand.level + hand.increment, hand.base + big, everything, choice.min_to),
            *(choice.max_to, (choice.min_to + choice.max_to) // 2, 2 * choice.max_to, hand.bet[player]),
        }
        amounts = {mark + near for mark in marks for near in (-unit, -1, 0, 1, unit)}
        amounts |= {-(10**18), 10**18, 1 << 63, rng.randint(0, 2 * everything)}
        for kind in (ActionKind.BET, ActionKind.RAISE):
            for to in amounts:
                yield Proposal(choice.seat, kind, to)
        held = choice.held or (hand.hole[player] + (0, 1))
        others = [card for hole in hand.hole for card in hole if card not in held] + [*hand.board, 52, -2, UNKNOWN, 17]
        for _ in range(6):
            count = rng.choice((0, 1, choice.discard, choice.discard, choice.discard + 1, len(held)))
            mixed = [rng.choice((*held, *held, *others)) for _ in range(count)]
            yield Proposal(choice.seat, ActionKind.DISCARD, 0, tuple(mixed))
            yield Proposal(choice.seat, ActionKind.DISCARD, 0, tuple(rng.sample(held, min(count, len(held)))))
        for kind in ActionKind:
            to = choice.min_to if kind in (ActionKind.BET, ActionKind.RAISE) else 0
            gone = held[: choice.discard] if kind == ActionKind.DISCARD else ()
            right = Proposal(choice.seat, kind, to, gone)
            for decision in (0, choice.decision_id, choice.decision_id + 1, choice.decision_id - 1, -1):
                yield right._replace(decision_id=decision)
            yield right._replace(hand_id="another hand")
            yield right._replace(hand_id=hand.setup.hand_id)
            if kind not in (ActionKind.BET, ActionKind.RAISE, ActionKind.SHOW):
                yield right._replace(to=choice.min_to or 1)
            if kind not in (ActionKind.DISCARD, ActionKind.SHOW):
                yield right._replace(cards=held[:1])
