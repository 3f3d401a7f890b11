from buf.validate import validate_pb2 as _validate_pb2
from referee.v1 import hand_pb2 as _hand_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StepKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STEP_KIND_UNSPECIFIED: _ClassVar[StepKind]
    STEP_KIND_FOLD: _ClassVar[StepKind]
    STEP_KIND_CHECK: _ClassVar[StepKind]
    STEP_KIND_CALL: _ClassVar[StepKind]
    STEP_KIND_CHECK_OR_CALL: _ClassVar[StepKind]
    STEP_KIND_BET: _ClassVar[StepKind]
    STEP_KIND_RAISE: _ClassVar[StepKind]
    STEP_KIND_BET_OR_RAISE: _ClassVar[StepKind]
    STEP_KIND_ALL_IN: _ClassVar[StepKind]
    STEP_KIND_TIMEOUT: _ClassVar[StepKind]
    STEP_KIND_DISCARD: _ClassVar[StepKind]
    STEP_KIND_BOARD: _ClassVar[StepKind]
    STEP_KIND_SHOW: _ClassVar[StepKind]
    STEP_KIND_MUCK: _ClassVar[StepKind]
    STEP_KIND_RETURNED: _ClassVar[StepKind]
    STEP_KIND_FORFEIT: _ClassVar[StepKind]

class FindingKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FINDING_KIND_UNSPECIFIED: _ClassVar[FindingKind]
    FINDING_KIND_DISAGREES: _ClassVar[FindingKind]
    FINDING_KIND_NOT_CHECKABLE: _ClassVar[FindingKind]

class HandClass(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HAND_CLASS_UNSPECIFIED: _ClassVar[HandClass]
    HAND_CLASS_HIGH_CARD: _ClassVar[HandClass]
    HAND_CLASS_PAIR: _ClassVar[HandClass]
    HAND_CLASS_TWO_PAIR: _ClassVar[HandClass]
    HAND_CLASS_THREE_OF_A_KIND: _ClassVar[HandClass]
    HAND_CLASS_STRAIGHT: _ClassVar[HandClass]
    HAND_CLASS_FLUSH: _ClassVar[HandClass]
    HAND_CLASS_FULL_HOUSE: _ClassVar[HandClass]
    HAND_CLASS_FOUR_OF_A_KIND: _ClassVar[HandClass]
    HAND_CLASS_STRAIGHT_FLUSH: _ClassVar[HandClass]
STEP_KIND_UNSPECIFIED: StepKind
STEP_KIND_FOLD: StepKind
STEP_KIND_CHECK: StepKind
STEP_KIND_CALL: StepKind
STEP_KIND_CHECK_OR_CALL: StepKind
STEP_KIND_BET: StepKind
STEP_KIND_RAISE: StepKind
STEP_KIND_BET_OR_RAISE: StepKind
STEP_KIND_ALL_IN: StepKind
STEP_KIND_TIMEOUT: StepKind
STEP_KIND_DISCARD: StepKind
STEP_KIND_BOARD: StepKind
STEP_KIND_SHOW: StepKind
STEP_KIND_MUCK: StepKind
STEP_KIND_RETURNED: StepKind
STEP_KIND_FORFEIT: StepKind
FINDING_KIND_UNSPECIFIED: FindingKind
FINDING_KIND_DISAGREES: FindingKind
FINDING_KIND_NOT_CHECKABLE: FindingKind
HAND_CLASS_UNSPECIFIED: HandClass
HAND_CLASS_HIGH_CARD: HandClass
HAND_CLASS_PAIR: HandClass
HAND_CLASS_TWO_PAIR: HandClass
HAND_CLASS_THREE_OF_A_KIND: HandClass
HAND_CLASS_STRAIGHT: HandClass
HAND_CLASS_FLUSH: HandClass
HAND_CLASS_FULL_HOUSE: HandClass
HAND_CLASS_FOUR_OF_A_KIND: HandClass
HAND_CLASS_STRAIGHT_FLUSH: HandClass

class HandSoFar(_message.Message):
    __slots__ = ("setup", "actions")
    SETUP_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    setup: _hand_pb2.HandSetup
    actions: _containers.RepeatedCompositeFieldContainer[_hand_pb2.Proposal]
    def __init__(self, setup: _Optional[_Union[_hand_pb2.HandSetup, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[_hand_pb2.Proposal, _Mapping]]] = ...) -> None: ...

class SetupRefusal(_message.Message):
    __slots__ = ("rule", "message")
    RULE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    rule: str
    message: str
    def __init__(self, rule: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class HistoryRefusal(_message.Message):
    __slots__ = ("index", "ruling")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    index: int
    ruling: _hand_pb2.Ruling
    def __init__(self, index: _Optional[int] = ..., ruling: _Optional[_Union[_hand_pb2.Ruling, _Mapping]] = ...) -> None: ...

class JudgeActionRequest(_message.Message):
    __slots__ = ("hand", "proposal")
    HAND_FIELD_NUMBER: _ClassVar[int]
    PROPOSAL_FIELD_NUMBER: _ClassVar[int]
    hand: HandSoFar
    proposal: _hand_pb2.Proposal
    def __init__(self, hand: _Optional[_Union[HandSoFar, _Mapping]] = ..., proposal: _Optional[_Union[_hand_pb2.Proposal, _Mapping]] = ...) -> None: ...

class JudgeActionResponse(_message.Message):
    __slots__ = ("ruling", "setup_refused", "history_refused", "open_decisions", "settlement")
    RULING_FIELD_NUMBER: _ClassVar[int]
    SETUP_REFUSED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_REFUSED_FIELD_NUMBER: _ClassVar[int]
    OPEN_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    SETTLEMENT_FIELD_NUMBER: _ClassVar[int]
    ruling: _hand_pb2.Ruling
    setup_refused: SetupRefusal
    history_refused: HistoryRefusal
    open_decisions: _containers.RepeatedCompositeFieldContainer[_hand_pb2.LegalOptions]
    settlement: _hand_pb2.Settlement
    def __init__(self, ruling: _Optional[_Union[_hand_pb2.Ruling, _Mapping]] = ..., setup_refused: _Optional[_Union[SetupRefusal, _Mapping]] = ..., history_refused: _Optional[_Union[HistoryRefusal, _Mapping]] = ..., open_decisions: _Optional[_Iterable[_Union[_hand_pb2.LegalOptions, _Mapping]]] = ..., settlement: _Optional[_Union[_hand_pb2.Settlement, _Mapping]] = ...) -> None: ...

class GetLegalOptionsRequest(_message.Message):
    __slots__ = ("hand",)
    HAND_FIELD_NUMBER: _ClassVar[int]
    hand: HandSoFar
    def __init__(self, hand: _Optional[_Union[HandSoFar, _Mapping]] = ...) -> None: ...

class LegalState(_message.Message):
    __slots__ = ("open_decisions", "events", "over", "undecided", "settlement")
    OPEN_DECISIONS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    UNDECIDED_FIELD_NUMBER: _ClassVar[int]
    SETTLEMENT_FIELD_NUMBER: _ClassVar[int]
    open_decisions: _containers.RepeatedCompositeFieldContainer[_hand_pb2.LegalOptions]
    events: _containers.RepeatedCompositeFieldContainer[_hand_pb2.Event]
    over: bool
    undecided: bool
    settlement: _hand_pb2.Settlement
    def __init__(self, open_decisions: _Optional[_Iterable[_Union[_hand_pb2.LegalOptions, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[_hand_pb2.Event, _Mapping]]] = ..., over: _Optional[bool] = ..., undecided: _Optional[bool] = ..., settlement: _Optional[_Union[_hand_pb2.Settlement, _Mapping]] = ...) -> None: ...

class GetLegalOptionsResponse(_message.Message):
    __slots__ = ("state", "setup_refused", "history_refused")
    STATE_FIELD_NUMBER: _ClassVar[int]
    SETUP_REFUSED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_REFUSED_FIELD_NUMBER: _ClassVar[int]
    state: LegalState
    setup_refused: SetupRefusal
    history_refused: HistoryRefusal
    def __init__(self, state: _Optional[_Union[LegalState, _Mapping]] = ..., setup_refused: _Optional[_Union[SetupRefusal, _Mapping]] = ..., history_refused: _Optional[_Union[HistoryRefusal, _Mapping]] = ...) -> None: ...

class RecordedStep(_message.Message):
    __slots__ = ("kind", "seat", "raise_to", "amount", "cards")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    RAISE_TO_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    kind: StepKind
    seat: int
    raise_to: int
    amount: int
    cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[_Union[StepKind, str]] = ..., seat: _Optional[int] = ..., raise_to: _Optional[int] = ..., amount: _Optional[int] = ..., cards: _Optional[_Iterable[str]] = ...) -> None: ...

class Amounts(_message.Message):
    __slots__ = ("chips",)
    CHIPS_FIELD_NUMBER: _ClassVar[int]
    chips: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, chips: _Optional[_Iterable[int]] = ...) -> None: ...

class RecordedResult(_message.Message):
    __slots__ = ("finishing_stacks", "collected", "total_pot", "rake")
    FINISHING_STACKS_FIELD_NUMBER: _ClassVar[int]
    COLLECTED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_POT_FIELD_NUMBER: _ClassVar[int]
    RAKE_FIELD_NUMBER: _ClassVar[int]
    finishing_stacks: Amounts
    collected: Amounts
    total_pot: int
    rake: int
    def __init__(self, finishing_stacks: _Optional[_Union[Amounts, _Mapping]] = ..., collected: _Optional[_Union[Amounts, _Mapping]] = ..., total_pot: _Optional[int] = ..., rake: _Optional[int] = ...) -> None: ...

class HandRecord(_message.Message):
    __slots__ = ("setup", "steps", "result")
    SETUP_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    setup: _hand_pb2.HandSetup
    steps: _containers.RepeatedCompositeFieldContainer[RecordedStep]
    result: RecordedResult
    def __init__(self, setup: _Optional[_Union[_hand_pb2.HandSetup, _Mapping]] = ..., steps: _Optional[_Iterable[_Union[RecordedStep, _Mapping]]] = ..., result: _Optional[_Union[RecordedResult, _Mapping]] = ...) -> None: ...

class NotatedHand(_message.Message):
    __slots__ = ("text", "rule_set_name")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_NAME_FIELD_NUMBER: _ClassVar[int]
    text: str
    rule_set_name: str
    def __init__(self, text: _Optional[str] = ..., rule_set_name: _Optional[str] = ...) -> None: ...

class Finding(_message.Message):
    __slots__ = ("kind", "rule", "message", "recorded", "right", "step", "line")
    KIND_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RECORDED_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    kind: FindingKind
    rule: str
    message: str
    recorded: str
    right: str
    step: int
    line: int
    def __init__(self, kind: _Optional[_Union[FindingKind, str]] = ..., rule: _Optional[str] = ..., message: _Optional[str] = ..., recorded: _Optional[str] = ..., right: _Optional[str] = ..., step: _Optional[int] = ..., line: _Optional[int] = ...) -> None: ...

class JudgedStep(_message.Message):
    __slots__ = ("step", "ruling")
    STEP_FIELD_NUMBER: _ClassVar[int]
    RULING_FIELD_NUMBER: _ClassVar[int]
    step: int
    ruling: _hand_pb2.Ruling
    def __init__(self, step: _Optional[int] = ..., ruling: _Optional[_Union[_hand_pb2.Ruling, _Mapping]] = ...) -> None: ...

class Judgement(_message.Message):
    __slots__ = ("agrees", "findings", "rulings", "settlement", "rule_set_name", "rule_set_sha256", "opening_events")
    AGREES_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    RULINGS_FIELD_NUMBER: _ClassVar[int]
    SETTLEMENT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_SHA256_FIELD_NUMBER: _ClassVar[int]
    OPENING_EVENTS_FIELD_NUMBER: _ClassVar[int]
    agrees: bool
    findings: _containers.RepeatedCompositeFieldContainer[Finding]
    rulings: _containers.RepeatedCompositeFieldContainer[JudgedStep]
    settlement: _hand_pb2.Settlement
    rule_set_name: str
    rule_set_sha256: str
    opening_events: _containers.RepeatedCompositeFieldContainer[_hand_pb2.Event]
    def __init__(self, agrees: _Optional[bool] = ..., findings: _Optional[_Iterable[_Union[Finding, _Mapping]]] = ..., rulings: _Optional[_Iterable[_Union[JudgedStep, _Mapping]]] = ..., settlement: _Optional[_Union[_hand_pb2.Settlement, _Mapping]] = ..., rule_set_name: _Optional[str] = ..., rule_set_sha256: _Optional[str] = ..., opening_events: _Optional[_Iterable[_Union[_hand_pb2.Event, _Mapping]]] = ...) -> None: ...

class JudgeHandRequest(_message.Message):
    __slots__ = ("record", "notated")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    NOTATED_FIELD_NUMBER: _ClassVar[int]
    record: HandRecord
    notated: NotatedHand
    def __init__(self, record: _Optional[_Union[HandRecord, _Mapping]] = ..., notated: _Optional[_Union[NotatedHand, _Mapping]] = ...) -> None: ...

class UnreadableHand(_message.Message):
    __slots__ = ("line", "expected")
    LINE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    line: int
    expected: str
    def __init__(self, line: _Optional[int] = ..., expected: _Optional[str] = ...) -> None: ...

class JudgeHandResponse(_message.Message):
    __slots__ = ("judgement", "unreadable")
    JUDGEMENT_FIELD_NUMBER: _ClassVar[int]
    UNREADABLE_FIELD_NUMBER: _ClassVar[int]
    judgement: Judgement
    unreadable: UnreadableHand
    def __init__(self, judgement: _Optional[_Union[Judgement, _Mapping]] = ..., unreadable: _Optional[_Union[UnreadableHand, _Mapping]] = ...) -> None: ...

class JudgeHandsRequest(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[JudgeHandsItem]
    def __init__(self, items: _Optional[_Iterable[_Union[JudgeHandsItem, _Mapping]]] = ...) -> None: ...

class JudgeHandsItem(_message.Message):
    __slots__ = ("item_id", "hand", "with_rulings", "omit_settlement_if_agrees")
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    WITH_RULINGS_FIELD_NUMBER: _ClassVar[int]
    OMIT_SETTLEMENT_IF_AGREES_FIELD_NUMBER: _ClassVar[int]
    item_id: str
    hand: JudgeHandRequest
    with_rulings: bool
    omit_settlement_if_agrees: bool
    def __init__(self, item_id: _Optional[str] = ..., hand: _Optional[_Union[JudgeHandRequest, _Mapping]] = ..., with_rulings: _Optional[bool] = ..., omit_settlement_if_agrees: _Optional[bool] = ...) -> None: ...

class JudgeHandsResponse(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[JudgeHandsAnswer]
    def __init__(self, answers: _Optional[_Iterable[_Union[JudgeHandsAnswer, _Mapping]]] = ...) -> None: ...

class JudgeHandsAnswer(_message.Message):
    __slots__ = ("item_id", "answer")
    ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    item_id: str
    answer: JudgeHandResponse
    def __init__(self, item_id: _Optional[str] = ..., answer: _Optional[_Union[JudgeHandResponse, _Mapping]] = ...) -> None: ...

class Contribution(_message.Message):
    __slots__ = ("seat", "contributed", "folded", "hole_cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CONTRIBUTED_FIELD_NUMBER: _ClassVar[int]
    FOLDED_FIELD_NUMBER: _ClassVar[int]
    HOLE_CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    contributed: int
    folded: bool
    hole_cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, seat: _Optional[int] = ..., contributed: _Optional[int] = ..., folded: _Optional[bool] = ..., hole_cards: _Optional[_Iterable[str]] = ...) -> None: ...

class SettlePotsRequest(_message.Message):
    __slots__ = ("players", "dead_money", "board", "stakes", "flop_dealt")
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    DEAD_MONEY_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    STAKES_FIELD_NUMBER: _ClassVar[int]
    FLOP_DEALT_FIELD_NUMBER: _ClassVar[int]
    players: _containers.RepeatedCompositeFieldContainer[Contribution]
    dead_money: int
    board: _containers.RepeatedScalarFieldContainer[str]
    stakes: _hand_pb2.Stakes
    flop_dealt: bool
    def __init__(self, players: _Optional[_Iterable[_Union[Contribution, _Mapping]]] = ..., dead_money: _Optional[int] = ..., board: _Optional[_Iterable[str]] = ..., stakes: _Optional[_Union[_hand_pb2.Stakes, _Mapping]] = ..., flop_dealt: _Optional[bool] = ...) -> None: ...

class SettlePotsResponse(_message.Message):
    __slots__ = ("settled", "refused")
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    settled: SettledPots
    refused: SetupRefusal
    def __init__(self, settled: _Optional[_Union[SettledPots, _Mapping]] = ..., refused: _Optional[_Union[SetupRefusal, _Mapping]] = ...) -> None: ...

class SettledPots(_message.Message):
    __slots__ = ("pots",)
    POTS_FIELD_NUMBER: _ClassVar[int]
    pots: _containers.RepeatedCompositeFieldContainer[_hand_pb2.PotSettlement]
    def __init__(self, pots: _Optional[_Iterable[_Union[_hand_pb2.PotSettlement, _Mapping]]] = ...) -> None: ...

class RankHandsRequest(_message.Message):
    __slots__ = ("hands", "board")
    HANDS_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    hands: _containers.RepeatedCompositeFieldContainer[RankedCards]
    board: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, hands: _Optional[_Iterable[_Union[RankedCards, _Mapping]]] = ..., board: _Optional[_Iterable[str]] = ...) -> None: ...

class RankedCards(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, cards: _Optional[_Iterable[str]] = ...) -> None: ...

class HandRank(_message.Message):
    __slots__ = ("hand_class", "best_five", "name", "strength", "place")
    HAND_CLASS_FIELD_NUMBER: _ClassVar[int]
    BEST_FIVE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STRENGTH_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    hand_class: HandClass
    best_five: _containers.RepeatedScalarFieldContainer[str]
    name: str
    strength: int
    place: int
    def __init__(self, hand_class: _Optional[_Union[HandClass, str]] = ..., best_five: _Optional[_Iterable[str]] = ..., name: _Optional[str] = ..., strength: _Optional[int] = ..., place: _Optional[int] = ...) -> None: ...

class RankHandsResponse(_message.Message):
    __slots__ = ("ranked", "refused")
    RANKED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    ranked: RankedHands
    refused: SetupRefusal
    def __init__(self, ranked: _Optional[_Union[RankedHands, _Mapping]] = ..., refused: _Optional[_Union[SetupRefusal, _Mapping]] = ...) -> None: ...

class RankedHands(_message.Message):
    __slots__ = ("hands",)
    HANDS_FIELD_NUMBER: _ClassVar[int]
    hands: _containers.RepeatedCompositeFieldContainer[HandRank]
    def __init__(self, hands: _Optional[_Iterable[_Union[HandRank, _Mapping]]] = ...) -> None: ...

class ListRuleSetsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRuleSetsResponse(_message.Message):
    __slots__ = ("rule_sets", "next_page_token")
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    rule_sets: _containers.RepeatedCompositeFieldContainer[_hand_pb2.RuleSet]
    next_page_token: str
    def __init__(self, rule_sets: _Optional[_Iterable[_Union[_hand_pb2.RuleSet, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRuleSetRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetRuleSetResponse(_message.Message):
    __slots__ = ("rule_set", "canonical")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    CANONICAL_FIELD_NUMBER: _ClassVar[int]
    rule_set: _hand_pb2.RuleSet
    canonical: bytes
    def __init__(self, rule_set: _Optional[_Union[_hand_pb2.RuleSet, _Mapping]] = ..., canonical: _Optional[bytes] = ...) -> None: ...

class Rule(_message.Message):
    __slots__ = ("id", "section", "text")
    ID_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    id: str
    section: str
    text: str
    def __init__(self, id: _Optional[str] = ..., section: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class ListRulesRequest(_message.Message):
    __slots__ = ("prefix", "page_size", "page_token")
    PREFIX_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    prefix: str
    page_size: int
    page_token: str
    def __init__(self, prefix: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRulesResponse(_message.Message):
    __slots__ = ("rules", "next_page_token")
    RULES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    rules: _containers.RepeatedCompositeFieldContainer[Rule]
    next_page_token: str
    def __init__(self, rules: _Optional[_Iterable[_Union[Rule, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRuleRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetRuleResponse(_message.Message):
    __slots__ = ("rule",)
    RULE_FIELD_NUMBER: _ClassVar[int]
    rule: Rule
    def __init__(self, rule: _Optional[_Union[Rule, _Mapping]] = ...) -> None: ...
