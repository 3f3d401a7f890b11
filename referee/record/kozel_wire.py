"""Between the contract's messages of Kozel and the referee's own values; nothing is judged here.

Shape was checked by protovalidate before; what has a shape but makes no sense is left to the rules.
"""

from collections.abc import Sequence
from typing import Final

from referee.kozel import ruleset
from referee.kozel.events import End, Event, EventKind
from referee.kozel.ruleset import Fish, FishScoring, RuleSet, SetupRefusedError, find_rule_set
from referee.kozel.rulings import ActionKind, LegalOptions, Proposal, Ruling
from referee.kozel.setup import EMPTY_ACCOUNT, Account, RoundSetup
from referee.kozel.tiles import UNKNOWN, parse_tile, tile_text
from referee.kozel.views import SeenRound
from referee.v1 import kozel_pb2

_KINDS: Final = {
    "lay": ActionKind.LAY,
    "draw": ActionKind.DRAW,
    "knock": ActionKind.KNOCK,
    "timeout": ActionKind.TIMEOUT,
}


def tiles_of(texts: Sequence[str]) -> tuple[int, ...]:
    """Tiles from their texts; a tile that does not exist, such as ``5-6``, refuses the setup."""
    try:
        return tuple([parse_tile(text) for text in texts])
    except ValueError as error:
        raise SetupRefusedError("KOZ-1", str(error)) from None


def tile_texts(tiles: tuple[int, ...]) -> list[str]:
    """Texts of tiles."""
    return [tile_text(tile) for tile in tiles]


# --- from messages --------------------------------------------------------------------------------------


def rule_set_of(message: kozel_pb2.KozelRuleSet) -> RuleSet:
    """A rule set from its message; options that are not named have their rule's default."""
    return RuleSet(message.name, message.version, Fish(message.fish or 1), FishScoring(message.fish_scoring or 1))


def published_rule_set(name: str) -> RuleSet:
    """A published rule set; raises SetupRefusedError for an unknown name."""
    try:
        return find_rule_set(name)
    except KeyError:
        known = ", ".join([rule_set.full_name for rule_set in ruleset.RULE_SETS])
        raise SetupRefusedError("KOZ-1", f"no rule set is published as {name!r}; there are {known}") from None


def account_of(message: kozel_pb2.KozelAccount) -> Account:
    """An account from its message."""
    return Account(message.score, message.remembered, message.open)


def setup_of(message: kozel_pb2.KozelRoundSetup) -> RoundSetup:
    """A round's setup; raises SetupRefusedError for an unknown rule set or tile."""
    if message.WhichOneof("rules") == "rule_set":
        rule_set = rule_set_of(message.rule_set)
    else:
        rule_set = published_rule_set(message.rule_set_name)
    return RoundSetup(
        rule_set,
        tuple(message.seats),
        tuple([tiles_of(deck.tiles) for deck in message.decks]),
        tuple([account_of(one) for one in message.accounts]) or (EMPTY_ACCOUNT,) * len(message.seats),
        message.leader_seat,
        message.carry,
        message.hand_id,
    )


def proposal_of(message: kozel_pb2.KozelProposal, seat: int = 0) -> Proposal:
    """A proposal from its message; a tile that does not exist becomes one that no rule set has.

    ``seat`` is whose it is known to be, 0 where the message itself says so.
    """
    name = message.WhichOneof("action")
    assert name is not None, "the shape was checked"
    tile, end = UNKNOWN, End.NONE
    if name == "lay":
        end = End(message.lay.end)
        try:
            tile = parse_tile(message.lay.tile)
        except ValueError:
            tile = UNKNOWN
    return Proposal(seat or message.seat, _KINDS[name], tile, end, message.hand_id, message.decision_id)


def event_of(message: kozel_pb2.KozelEvent) -> Event:
    """An event from its message; raises ValueError for a kind, tile or end that does not exist."""
    return Event(
        EventKind(message.kind),
        message.rule,
        message.seat,
        tuple([parse_tile(text) for text in message.tiles]),
        End(message.end),
        message.points,
        message.total,
    )


# --- to messages ----------------------------------------------------------------------------------------


def rule_set_message(rule_set: RuleSet) -> kozel_pb2.KozelRuleSet:
    """The message of a rule set."""
    return kozel_pb2.KozelRuleSet(
        name=rule_set.name,
        version=rule_set.version,
        fish=int(rule_set.fish),  # type: ignore[arg-type]
        fish_scoring=int(rule_set.fish_scoring),  # type: ignore[arg-type]
        sha256=rule_set.sha256(),
    )


def account_message(account: Account) -> kozel_pb2.KozelAccount:
    """The message of an account."""
    return kozel_pb2.KozelAccount(open=account.is_open, score=account.score, remembered=account.remembered)


def setup_message(setup: RoundSetup) -> kozel_pb2.KozelRoundSetup:
    """The message of a setup, whose rule set must be a published one."""
    return kozel_pb2.KozelRoundSetup(
        rule_set_name=setup.rule_set.full_name,
        seats=setup.seats,
        decks=[kozel_pb2.KozelDeck(tiles=tile_texts(deck)) for deck in setup.decks],
        accounts=[account_message(account) for account in setup.accounts],
        leader_seat=setup.leader_seat,
        carry=setup.carry,
        hand_id=setup.hand_id,
    )


def proposal_message(proposal: Proposal) -> kozel_pb2.KozelProposal:
    """The message of a proposal."""
    message = kozel_pb2.KozelProposal(seat=proposal.seat, hand_id=proposal.hand_id, decision_id=proposal.decision_id)
    if proposal.kind is ActionKind.LAY:
        message.lay.tile = tile_text(proposal.tile)
        message.lay.end = int(proposal.end)  # type: ignore[assignment]
    else:
        getattr(message, proposal.kind.name.lower()).SetInParent()
    return message


def event_message(event: Event) -> kozel_pb2.KozelEvent:
    """The message of an event."""
    return kozel_pb2.KozelEvent(
        kind=int(event.kind),  # type: ignore[arg-type]
        rule=event.rule,
        seat=event.seat,
        tiles=tile_texts(event.tiles),
        end=int(event.end),  # type: ignore[arg-type]
        points=event.points,
        total=event.total,
    )


def event_bytes(event: Event) -> bytes:
    """The bytes of an event's message."""
    return event_message(event).SerializeToString()


def options_message(options: LegalOptions) -> kozel_pb2.KozelOptions:
    """The message of legal options."""
    return kozel_pb2.KozelOptions(
        seat=options.seat,
        decision_id=options.decision_id,
        moves=[
            kozel_pb2.KozelMove(tile=tile_text(move.tile), end=int(move.end))  # type: ignore[arg-type]
            for move in options.moves
        ],
        held=tile_texts(options.held),
    )


def ruling_message(ruling: Ruling) -> kozel_pb2.KozelRuling:
    """The message of a ruling."""
    return kozel_pb2.KozelRuling(
        accepted=ruling.accepted,
        rule=ruling.rule,
        events=[event_message(event) for event in ruling.events],
        reason=int(ruling.reason or 0),  # type: ignore[arg-type]
        message=ruling.message,
        options=None if ruling.options is None else options_message(ruling.options),
    )


def seen_message(seen: SeenRound, over: bool) -> kozel_pb2.KozelSeen:
    """The message of a round as a viewer sees it."""
    return kozel_pb2.KozelSeen(
        seats=seen.seats,
        own_tiles=tile_texts(seen.own_tiles),
        chain=tile_texts(seen.chain),
        left=seen.left,
        right=seen.right,
        tile_counts=seen.tile_counts,
        boneyard_count=seen.boneyard_count,
        accounts=[account_message(account) for account in seen.accounts],
        carry=seen.carry,
        seat_to_act=seen.open_seats[0] if seen.open_seats else 0,
        options=None if seen.options is None else options_message(seen.options),
        over=over,
    )
