"""The discard round (DISC): when it is due, what a discard must name, and what a late one becomes."""

from referee_reference.cards import is_card
from referee_reference.hand import Hand, held, is_all_in, open_decision, round_number
from referee_reference.pots import is_last_eligible
from referee_reference.terms import UNKNOWN, Options, Refusal


def discards_are_due(hand: Hand) -> bool:
    """DISC-1, GAME-3: whether the round opens now, between the rounds of betting. Spec: DiscardsDue."""
    game = hand.setup.rule_set.game
    if game.discards == 0 or hand.discards_over:
        return False
    return {
        "BEFORE_FLOP": round_number(hand) == 1,
        "BEFORE_FLOP_BETTING": round_number(hand) == 2 and not hand.round_closed,
        "AFTER_FLOP_BETTING": round_number(hand) == 2 and hand.round_closed,
    }[game.point]


def discard_options(hand: Hand, player: int) -> Options:
    """The one thing that a player may do who owes a discard (DISC-6). Spec: Options."""
    return Options(
        seat=hand.setup.seats[player],
        decision_id=open_decision(hand, player),
        discard=hand.setup.rule_set.game.discards,
        held=held(hand, player),
    )


def discard_refusal(hand: Hand, player: int, cards: tuple[str, ...]) -> Refusal | None:
    """DISC-2: exactly as many different cards as the game says, all held by the player.

    A card that nobody else is known to have may be one of the player's unknown ones (GAME-5).

    Spec: DiscardOf.
    """
    owed = hand.setup.rule_set.game.discards
    if not all(is_card(card) or card == UNKNOWN for card in cards):
        return Refusal("MALFORMED_ACTION", "GAME-5", "that is not a card")
    if len(cards) != owed:
        return Refusal("CARD_COUNT_WRONG", "DISC-2", f"{owed} are discarded, not {len(cards)}")
    known = [card for card in cards if card != UNKNOWN]
    if len(set(known)) != len(known):
        return Refusal("CARD_REPEATED", "DISC-2", "a card is named twice")
    own = held(hand, player)
    named_unseen = [card for card in cards if card == UNKNOWN or card not in own]
    if len(named_unseen) > own.count(UNKNOWN):
        return Refusal("CARD_NOT_HELD", "DISC-2", "not all of these cards are held")
    gone = [card for others in hand.discarded for card in others]
    if any(card != UNKNOWN and (card in hand.setup.deck or card in gone) for card in named_unseen):
        return Refusal("CARD_NOT_HELD", "DISC-2", "that card is elsewhere")
    return None


def late_discard_folds(hand: Hand, player: int) -> bool:
    """DISC-8: whether a discard not made in time folds the hand, or discards the cards dealt last. Spec: LateFolds."""
    if hand.setup.rule_set.discard_timeout == "AUTO":
        return False
    return not is_all_in(hand, player) and not is_last_eligible(hand, player)


def cards_dealt_last(hand: Hand, player: int) -> tuple[str, ...]:
    """DISC-8: in Irish the third and fourth."""
    return held(hand, player)[-hand.setup.rule_set.game.discards :]
