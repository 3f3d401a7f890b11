"""The settlement statement as JSON, our own form.

Amounts are chips, cards are texts such as ``Ah`` (``??`` where unknown), enumerations are written by name::

    {"over": true, "decided": true, "board": ["Qh", ...], "rake": 50,
     "players": [{"seat": 3, "stack_before": 68820, "contributed": 10000, "dead": 0, "returned": 6200,
                  "won": 19950, "stack_after": 78770, "folded": false}, ...],
     "pots": [{"amount": 20000, "eligible": [3], "rake": 50, "winners": [3], "shares": [19950],
               "odd_chips": [0], "compared": false}, ...],
     "hands": [{"seat": 3, "cards": ["Ts", "Kc"], "best_five": [...], "name": "a pair of tens", "must_show": true,
                "shown": true, "why": "FIRST_IN_ORDER", "rule": "SHOW-3"}, ...],
     "statement": [{"rule": "POT-1", "text": "seat 3 put in 10000"}, ...]}

What each field means says :mod:`referee.rules.settlement`; ``statement`` holds its lines.
"""

from collections.abc import Mapping
from typing import Any

from referee.rules.cards import card_text, parse_card
from referee.rules.settlement import HandSettlement, PlayerSettlement, PotSettlement, Settlement, StatementLine
from referee.rules.showdown import ShowWhy


def settlement_to_dict(settlement: Settlement) -> dict[str, Any]:
    """The settlement as a dictionary that ``json.dumps`` takes as it is."""
    return {
        "over": settlement.over,
        "decided": settlement.decided,
        "board": _card_texts(settlement.board),
        "rake": settlement.rake,
        "players": [
            {
                "seat": player.seat,
                "stack_before": player.stack_before,
                "contributed": player.contributed,
                "dead": player.dead,
                "returned": player.returned,
                "won": player.won,
                "stack_after": player.stack_after,
                "folded": player.folded,
            }
            for player in settlement.players
        ],
        "pots": [
            {
                "amount": pot.amount,
                "eligible": list(pot.eligible),
                "rake": pot.rake,
                "winners": list(pot.winners),
                "shares": list(pot.shares),
                "odd_chips": list(pot.odd_chips),
                "compared": pot.compared,
            }
            for pot in settlement.pots
        ],
        "hands": [
            {
                "seat": hand.seat,
                "cards": _card_texts(hand.cards),
                "best_five": _card_texts(hand.best_five),
                "name": hand.name,
                "must_show": hand.must_show,
                "shown": hand.shown,
                "why": hand.why.name,
                "rule": hand.rule,
            }
            for hand in settlement.hands
        ],
        "statement": [{"rule": line.rule, "text": line.text} for line in settlement.lines],
    }


def settlement_from_dict(told: Mapping[str, Any]) -> Settlement:
    """The settlement that :func:`settlement_to_dict` wrote; raises ValueError, which names the place, otherwise."""
    whole = _Object(told, "settlement")
    return Settlement(
        whole.flag("over"),
        whole.flag("decided"),
        whole.cards("board"),
        tuple(_player(player) for player in whole.objects("players")),
        tuple(_pot(pot) for pot in whole.objects("pots")),
        tuple(_hand(hand) for hand in whole.objects("hands")),
        whole.number("rake"),
        tuple(StatementLine(line.text("rule"), line.text("text")) for line in whole.objects("statement")),
    )


def _player(player: "_Object") -> PlayerSettlement:
    return PlayerSettlement(
        player.number("seat"),
        player.number("stack_before"),
        player.number("contributed"),
        player.number("dead"),
        player.number("returned"),
        player.number("won"),
        player.number("stack_after"),
        player.flag("folded"),
    )


def _pot(pot: "_Object") -> PotSettlement:
    return PotSettlement(
        pot.number("amount"),
        pot.numbers("eligible"),
        pot.number("rake"),
        pot.numbers("winners"),
        pot.numbers("shares"),
        pot.numbers("odd_chips"),
        pot.flag("compared"),
    )


def _hand(hand: "_Object") -> HandSettlement:
    why = hand.text("why")
    if why not in ShowWhy.__members__:
        raise ValueError(f"{hand.place}.why: expected one of {', '.join(ShowWhy.__members__)}")
    return HandSettlement(
        hand.number("seat"),
        hand.cards("cards"),
        hand.cards("best_five"),
        hand.text("name"),
        hand.flag("must_show"),
        hand.flag("shown"),
        ShowWhy[why],
        hand.text("rule"),
    )


def _card_texts(cards: tuple[int, ...]) -> list[str]:
    return [card_text(card) for card in cards]


class _Object:
    """One JSON object and its place, for errors."""

    def __init__(self, value: object, place: str) -> None:
        self.place = place
        if not isinstance(value, Mapping):
            raise ValueError(f"{place}: expected an object")
        self._value = value

    def _field(self, name: str, kind: type, what: str) -> Any:
        value = self._value.get(name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ValueError(f"{self.place}.{name}: expected {what}")
        return value

    def flag(self, name: str) -> bool:
        return bool(self._field(name, bool, "true or false"))

    def number(self, name: str) -> int:
        return int(self._field(name, int, "a whole number"))

    def text(self, name: str) -> str:
        return str(self._field(name, str, "a string"))

    def numbers(self, name: str) -> tuple[int, ...]:
        values = self._field(name, list, "an array of whole numbers")
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            raise ValueError(f"{self.place}.{name}: expected an array of whole numbers")
        return tuple(values)

    def cards(self, name: str) -> tuple[int, ...]:
        values = self._field(name, list, "an array of cards")
        try:
            return tuple(parse_card(value) for value in values)
        except (ValueError, TypeError) as error:
            raise ValueError(f"{self.place}.{name}: expected cards: {error}") from None

    def objects(self, name: str) -> list["_Object"]:
        values = self._field(name, list, "an array of objects")
        return [_Object(value, f"{self.place}.{name}[{at}]") for at, value in enumerate(values)]
