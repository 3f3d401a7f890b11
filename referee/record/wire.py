"""Between the contract's messages and the referee's own values; nothing is judged here.

Shape (known enum values, card texts, list sizes) was checked by protovalidate before; what has a shape but makes no
sense is left to the rules.
"""

from fractions import Fraction
from typing import Final

from referee.record.hand_record import HandRecord, RecordedResult, RecordedStep, Step
from referee.rules import ruleset
from referee.rules.cards import card_text, parse_card
from referee.rules.events import Event, EventKind
from referee.rules.ruleset import Game, Limit, RuleSet, RuleSetError, Stakes, find_rule_set
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Ruling
from referee.rules.settlement import PotSettlement, Settlement
from referee.rules.setup import HandSetup, Post, board_of, deck_from, hole_of
from referee.v1 import hand_pb2, judge_pb2, table_pb2

_CARD_TEXTS: Final = {card: card_text(card) for card in range(-1, 52)}
_CARDS: Final = {text: card for card, text in _CARD_TEXTS.items()}


def cards_of(texts: "list[str] | tuple[str, ...]") -> tuple[int, ...]:
    """Cards from their texts; raises ValueError for a text that is no card."""
    return tuple([_CARDS[text] if text in _CARDS else parse_card(text) for text in texts])


def card_texts(cards: tuple[int, ...]) -> list[str]:
    """Texts of cards."""
    return [_CARD_TEXTS[card] for card in cards]


# --- from messages --------------------------------------------------------------------------------------


def rule_set_of(message: hand_pb2.RuleSet) -> RuleSet:
    """A rule set from its message; options that are not named have their rule's default."""
    game = message.game
    return RuleSet(
        message.name,
        message.version,
        Game(
            game.hole_cards,
            game.discards,
            ruleset.DiscardPoint(game.discard_point),
            ruleset.DiscardVisibility(game.discard_visibility or 1),
        ),
        tuple([Limit(structure) for structure in message.structures]),
        ruleset.ShowdownOrder(message.showdown_order or 1),
        ruleset.AllInExposure(message.all_in_exposure or 1),
        ruleset.ButtonRule(message.button_rule or 1),
        ruleset.OpenFold(message.open_fold or 1),
        ruleset.CapHeadsUp(message.cap_heads_up or 1),
        message.max_raises if message.HasField("max_raises") else 3,
        ruleset.DiscardTimeout(message.discard_timeout or 1),
        message.hide_discard_progress,
        ruleset.DeckReveal(message.deck_reveal or 1),
        ruleset.LateMinimum(message.late_minimum or 1),
    )


def stakes_of(message: hand_pb2.Stakes) -> Stakes:
    """Stakes from their message."""
    return Stakes(
        message.small_blind,
        message.big_blind,
        message.small_bet,
        message.big_bet,
        ruleset.AnteKind(message.ante_kind),
        message.ante,
        message.chip_unit or 1,
        message.rake_basis_points,
        message.rake_cap if message.HasField("rake_cap") else -1,
        message.no_flop_no_drop,
    )


def setup_of(message: hand_pb2.HandSetup) -> HandSetup:
    """A hand's setup; raises RuleSetError for a rule set name that is not published."""
    if message.WhichOneof("rules") == "rule_set":
        rule_set = rule_set_of(message.rule_set)
    else:
        rule_set = published_rule_set(message.rule_set_name)
    players = message.players
    for player in players:
        if len(player.hole_cards) > rule_set.game.hole_cards:
            raise RuleSetError("GAME-3", f"seat {player.seat} has more than {rule_set.game.hole_cards} hole cards")
    return HandSetup(
        rule_set,
        Limit(message.structure),
        stakes_of(message.stakes),
        tuple([player.seat for player in players]),
        tuple([player.stack for player in players]),
        message.button_seat,
        message.small_blind_seat,
        message.big_blind_seat,
        deck_from(
            rule_set.game.hole_cards,
            tuple([cards_of(list(player.hole_cards)) for player in players]),
            cards_of(list(message.board)),
        ),
        tuple(
            [
                Post(player.seat, player.live_post, player.dead_post)
                for player in players
                if player.live_post or player.dead_post
            ]
        ),
        tuple([player.seat for player in players if player.show_when_beaten]),
        tuple([player.seat for player in players if player.mucked_unseen]),
        message.recorded_rake if message.HasField("recorded_rake") else -1,
        message.hand_id,
    )


def published_rule_set(name: str) -> RuleSet:
    """A published rule set; raises RuleSetError for an unknown name."""
    try:
        return find_rule_set(name)
    except KeyError:
        known = ", ".join([rule_set.full_name for rule_set in ruleset.RULE_SETS])
        raise RuleSetError("GAME-3", f"no rule set is published as {name!r}; there are {known}") from None


_ACTION_KINDS: Final = {
    "fold": ActionKind.FOLD,
    "check": ActionKind.CHECK,
    "call": ActionKind.CALL,
    "bet": ActionKind.BET,
    "raise": ActionKind.RAISE,
    "discard": ActionKind.DISCARD,
    "timeout": ActionKind.TIMEOUT,
    "show": ActionKind.SHOW,
    "forfeit": ActionKind.FORFEIT,
}


def proposal_of(message: hand_pb2.Proposal, seat: int = 0, action: str | None = None) -> Proposal:
    """A proposal from its message; ``seat`` is whose it is known to be, 0 where the message itself says so.

    ``action`` is the name of its action's field where that was read already.
    """
    name = action or message.action.WhichOneof("action")
    assert name is not None, "the shape was checked"
    to = 0
    cards: tuple[int, ...] = ()
    if name == "bet":
        to = message.action.bet.raise_to
    elif name == "raise":
        to = getattr(message.action, "raise").raise_to
    elif name == "discard":
        cards = cards_of(list(message.action.discard.cards))
    return Proposal(seat or message.seat, _ACTION_KINDS[name], to, cards, message.hand_id, message.decision_id)


_STEPS: Final = {
    judge_pb2.STEP_KIND_FOLD: Step.FOLD,
    judge_pb2.STEP_KIND_CHECK: Step.CHECK,
    judge_pb2.STEP_KIND_CALL: Step.CALL,
    judge_pb2.STEP_KIND_CHECK_OR_CALL: Step.CHECK_OR_CALL,
    judge_pb2.STEP_KIND_BET: Step.BET,
    judge_pb2.STEP_KIND_RAISE: Step.RAISE,
    judge_pb2.STEP_KIND_BET_OR_RAISE: Step.BET_OR_RAISE,
    judge_pb2.STEP_KIND_ALL_IN: Step.ALL_IN,
    judge_pb2.STEP_KIND_TIMEOUT: Step.TIMEOUT,
    judge_pb2.STEP_KIND_DISCARD: Step.DISCARD,
    judge_pb2.STEP_KIND_BOARD: Step.BOARD,
    judge_pb2.STEP_KIND_SHOW: Step.SHOW,
    judge_pb2.STEP_KIND_MUCK: Step.MUCK,
    judge_pb2.STEP_KIND_RETURNED: Step.RETURNED,
    judge_pb2.STEP_KIND_FORFEIT: Step.FORFEIT,
}
_STEP_KINDS: Final = {step: kind for kind, step in _STEPS.items()}


def record_of(message: judge_pb2.HandRecord) -> HandRecord:
    """A recorded hand; raises RuleSetError as :func:`setup_of` does."""
    steps = tuple(
        [
            RecordedStep(
                _STEPS[step.kind],
                step.seat,
                step.raise_to,
                step.amount if step.HasField("amount") else -1,
                cards_of(list(step.cards)),
            )
            for step in message.steps
        ]
    )
    recorded = message.result
    result = RecordedResult(
        _fractions(recorded.finishing_stacks) if recorded.HasField("finishing_stacks") else None,
        _fractions(recorded.collected) if recorded.HasField("collected") else None,
        recorded.total_pot if recorded.HasField("total_pot") else None,
        recorded.rake if recorded.HasField("rake") else None,
    )
    names = tuple([player.name for player in message.setup.players])
    return HandRecord(setup_of(message.setup), steps, result, names, "record", rule_set_named=True)


def _fractions(message: judge_pb2.Amounts) -> tuple[Fraction, ...]:
    return tuple([Fraction(chips) for chips in message.chips])


# --- to messages ----------------------------------------------------------------------------------------


def rule_set_message(rule_set: RuleSet) -> hand_pb2.RuleSet:
    """A rule set's message, its hash included."""
    game = rule_set.game
    return hand_pb2.RuleSet(
        name=rule_set.name,
        version=rule_set.version,
        game=hand_pb2.Game(
            hole_cards=game.hole_cards,
            discards=game.discards,
            discard_point=game.discard_point,  # type: ignore[arg-type]
            discard_visibility=game.discard_visibility,  # type: ignore[arg-type]
        ),
        structures=list(rule_set.limits),  # type: ignore[arg-type]
        showdown_order=rule_set.showdown_order,  # type: ignore[arg-type]
        all_in_exposure=rule_set.all_in_exposure,  # type: ignore[arg-type]
        button_rule=rule_set.button_rule,  # type: ignore[arg-type]
        open_fold=rule_set.open_fold,  # type: ignore[arg-type]
        cap_heads_up=rule_set.cap_heads_up,  # type: ignore[arg-type]
        max_raises=rule_set.max_raises,
        discard_timeout=rule_set.discard_timeout,  # type: ignore[arg-type]
        hide_discard_progress=rule_set.hide_discard_progress,
        deck_reveal=rule_set.deck_reveal,  # type: ignore[arg-type]
        late_minimum=rule_set.late_minimum,  # type: ignore[arg-type]
        sha256=rule_set.sha256(),
    )


def write_rules(message: "hand_pb2.HandSetup | table_pb2.TableConfig", rule_set: RuleSet) -> None:
    """Writes which rules are played: a published rule set goes by its name, another one whole."""
    if rule_set in ruleset.RULE_SETS:
        message.rule_set_name = rule_set.full_name
    else:
        message.rule_set.CopyFrom(rule_set_message(rule_set))


def stakes_message(stakes: Stakes) -> hand_pb2.Stakes:
    """The message of stakes."""
    return hand_pb2.Stakes(
        small_blind=stakes.small_blind,
        big_blind=stakes.big_blind,
        small_bet=stakes.small_bet,
        big_bet=stakes.big_bet,
        ante_kind=stakes.ante_kind,  # type: ignore[arg-type]
        ante=stakes.ante,
        chip_unit=stakes.chip_unit,
        rake_basis_points=stakes.rake_basis_points,
        rake_cap=None if stakes.rake_cap < 0 else stakes.rake_cap,
        no_flop_no_drop=stakes.no_flop_no_drop,
    )


def setup_message(setup: HandSetup, names: tuple[str, ...] = ()) -> hand_pb2.HandSetup:
    """The message of a setup; a published rule set goes by its name."""
    posts = {post.seat: post for post in setup.posts}
    players = []
    for index, seat in enumerate(setup.seats):
        post = posts.get(seat, Post(seat, 0, 0))
        players.append(
            hand_pb2.PlayerSetup(
                seat=seat,
                stack=setup.stacks[index],
                hole_cards=card_texts(hole_of(setup, index) if setup.deck else ()),
                live_post=post.live,
                dead_post=post.dead,
                show_when_beaten=seat in setup.show_when_beaten,
                mucked_unseen=seat in setup.mucked_unseen,
                name=names[index] if names else "",
            )
        )
    message = hand_pb2.HandSetup(
        hand_id=setup.hand_id,
        structure=setup.limit,  # type: ignore[arg-type]
        stakes=stakes_message(setup.stakes),
        players=players,
        button_seat=setup.button_seat,
        small_blind_seat=setup.small_blind_seat,
        big_blind_seat=setup.big_blind_seat,
        board=card_texts(board_of(setup) if setup.deck else ()),
        recorded_rake=None if setup.recorded_rake < 0 else setup.recorded_rake,
    )
    write_rules(message, setup.rule_set)
    return message


def record_message(record: HandRecord) -> judge_pb2.HandRecord:
    """The message of a recorded hand; results in fractions of a chip have no place in it and are left out."""
    steps = []
    for step in record.steps:
        message = judge_pb2.RecordedStep(
            kind=_STEP_KINDS[step.step], seat=step.seat, raise_to=step.to, cards=card_texts(step.cards)
        )
        if step.amount >= 0:
            message.amount = step.amount
        steps.append(message)
    result = record.result
    return judge_pb2.HandRecord(
        setup=setup_message(record.setup, record.players),
        steps=steps,
        result=judge_pb2.RecordedResult(
            finishing_stacks=_amounts(result.finishing_stacks),
            collected=_amounts(result.collected),
            total_pot=result.total_pot,
            rake=result.rake,
        ),
    )


def _amounts(amounts: tuple[int | Fraction, ...] | None) -> judge_pb2.Amounts | None:
    if amounts is None or any(amount.denominator != 1 for amount in amounts):
        return None
    return judge_pb2.Amounts(chips=[int(amount) for amount in amounts])


def proposal_message(proposal: Proposal) -> hand_pb2.Proposal:
    """The message of a proposal."""
    action = hand_pb2.Action()
    match proposal.kind:
        case ActionKind.BET:
            action.bet.raise_to = proposal.to
        case ActionKind.RAISE:
            getattr(action, "raise").raise_to = proposal.to
        case ActionKind.DISCARD:
            action.discard.cards.extend(card_texts(proposal.cards))
            action.discard.SetInParent()
        case kind:
            getattr(action, kind.name.lower()).SetInParent()
    return hand_pb2.Proposal(
        hand_id=proposal.hand_id, decision_id=proposal.decision_id, seat=proposal.seat, action=action
    )


def event_message(event: Event) -> hand_pb2.Event:
    """The message of an event."""
    return hand_pb2.Event(
        kind=event.kind,  # type: ignore[arg-type]
        rule=event.rule,
        seat=event.seat,
        amount=event.amount,
        street_total=event.to,
        cards=card_texts(event.cards),
        pot=event.pot,
        all_in=event.all_in,
        automatic=event.automatic,
    )


def event_of(message: hand_pb2.Event) -> Event:
    """An event from its message."""
    return Event(
        EventKind(message.kind),
        message.rule,
        message.seat,
        message.amount,
        message.street_total,
        cards_of(list(message.cards)),
        message.pot,
        message.all_in,
        message.automatic,
    )


def options_message(options: LegalOptions) -> hand_pb2.LegalOptions:
    """The message of legal options."""
    wager = hand_pb2.WAGER_KIND_UNSPECIFIED
    if options.max_to:
        wager = hand_pb2.WAGER_KIND_BET if options.wager == ActionKind.BET else hand_pb2.WAGER_KIND_RAISE
    return hand_pb2.LegalOptions(
        seat=options.seat,
        decision_id=options.decision_id,
        can_fold=options.fold,
        can_check=options.check,
        amount_to_call=options.call,
        wager=wager,
        min_raise_to=options.min_to,
        max_raise_to=options.max_to,
        raise_step=options.step if options.max_to else 0,
        cards_to_discard=options.discard,
        held_cards=card_texts(options.held),
    )


def ruling_message(ruling: Ruling) -> hand_pb2.Ruling:
    """The message of a ruling."""
    return hand_pb2.Ruling(
        accepted=ruling.accepted,
        rule=ruling.rule,
        events=[event_message(event) for event in ruling.events],
        reason=ruling.reason or 0,  # type: ignore[arg-type]
        message=ruling.message,
        legal=None if ruling.options is None else options_message(ruling.options),
        warning=ruling.warning,
    )


def pot_message(pot: PotSettlement) -> hand_pb2.PotSettlement:
    """The message of a pot."""
    return hand_pb2.PotSettlement(
        amount=pot.amount,
        eligible_seats=pot.eligible,
        rake=pot.rake,
        winner_seats=pot.winners,
        shares=pot.shares,
        odd_chips=pot.odd_chips,
        compared=pot.compared,
    )


def settlement_message(settled: Settlement) -> hand_pb2.Settlement:
    """The message of a settlement statement."""
    return hand_pb2.Settlement(
        over=settled.over,
        decided=settled.decided,
        board=card_texts(settled.board),
        players=[
            hand_pb2.PlayerSettlement(
                seat=player.seat,
                stack_before=player.stack_before,
                contributed=player.contributed,
                dead=player.dead,
                returned=player.returned,
                won=player.won,
                stack_after=player.stack_after,
                folded=player.folded,
            )
            for player in settled.players
        ],
        pots=[pot_message(pot) for pot in settled.pots],
        hands=[
            hand_pb2.HandSettlement(
                seat=hand.seat,
                cards=card_texts(hand.cards),
                best_five=card_texts(hand.best_five),
                name=hand.name,
                must_show=hand.must_show,
                shown=hand.shown,
                show_reason=hand.why,  # type: ignore[arg-type]
                rule=hand.rule,
            )
            for hand in settled.hands
        ],
        rake=settled.rake,
        lines=[hand_pb2.StatementLine(rule=line.rule, text=line.text) for line in settled.lines],
    )
