"""The second opinion: the same hand judged once more by the reference judge, which shares no code with the engine.

The only module that talks to :mod:`referee_reference` (in a checkout ``spec/reference``, in the wheel beside
``referee``). It puts what the engine was asked into the reference's words, asks the reference, and puts both answers
side by side. Where they differ one of the two is wrong, and people must say which, by the rulebook.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from referee.record.hand_record import HandRecord, RecordedStep, Step
from referee.rules.betting import Fault
from referee.rules.cards import DECK_SIZE, UNKNOWN, card_text
from referee.rules.events import Event
from referee.rules.hand import legal_options, open_seats
from referee.rules.rulings import ActionKind, LegalOptions, Proposal, Ruling
from referee.rules.settlement import settlement
from referee.rules.setup import HandSetup
from referee.rules.state import Hand, Shown
from referee_reference import course, judge, pots, ranking, showdown, terms
from referee_reference.hand import BETTING, OVER, board, kept, level, live, put
from referee_reference.hand import Hand as ReferenceHand
from referee_reference.refused_setups import broken_rules


@dataclass(frozen=True)
class Difference:
    """The first point where the two judges part: what was asked, and the answer of each."""

    where: str
    engine: str
    reference: str

    def __str__(self) -> str:
        return f"{self.where}: the engine says {self.engine}; the reference judge says {self.reference}"


@dataclass(frozen=True)
class SecondOpinion:
    """How many points of a record both judges were asked about, and the first on which they differ, if any."""

    compared: int
    difference: Difference | None

    def agrees(self) -> bool:
        """Whether the two judges agree on everything that was compared."""
        return self.difference is None


class JudgesDifferError(Exception):
    """The two judges part; carries the difference."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(str(difference))
        self.difference = difference


# --- the engine's words in the reference's ---------------------------------------------------------------


def reference_card(card: int) -> str:
    """A card as text; what is no card stays none."""
    return card_text(card) if card == UNKNOWN or 0 <= card < DECK_SIZE else f"no card {card}"


def reference_cards(cards: Iterable[int]) -> tuple[str, ...]:
    """Cards as text."""
    return tuple([reference_card(card) for card in cards])


def reference_setup(setup: HandSetup) -> terms.Setup:
    """The same setup in the reference's words: options by name, cards as text, None for an unset rake."""
    rules, stakes = setup.rule_set, setup.stakes
    game = rules.game
    return terms.Setup(
        rule_set=terms.RuleSet(
            name=rules.name,
            version=rules.version,
            game=terms.Game(
                game.hole_cards, game.discards, _name(game.discard_point), becomes=_name(game.discard_visibility)
            ),
            limits=tuple([_name(limit) for limit in rules.limits]),
            showdown_order=_name(rules.showdown_order),
            all_in_exposure=_name(rules.all_in_exposure),
            open_fold=_name(rules.open_fold),
            cap_heads_up=_name(rules.cap_heads_up),
            max_raises=rules.max_raises,
            discard_timeout=_name(rules.discard_timeout),
            hide_discard_progress=rules.hide_discard_progress,
            late_minimum=_name(rules.late_minimum),
            button_rule=_name(rules.button_rule),
            deck_reveal=_name(rules.deck_reveal),
        ),
        limit=_name(setup.limit),
        stakes=terms.Stakes(
            small_blind=stakes.small_blind,
            big_blind=stakes.big_blind,
            small_bet=stakes.small_bet,
            big_bet=stakes.big_bet,
            ante_kind=_name(stakes.ante_kind),
            ante=stakes.ante,
            chip_unit=stakes.chip_unit,
            rake_basis_points=stakes.rake_basis_points,
            rake_cap=None if stakes.rake_cap == -1 else stakes.rake_cap,
            no_flop_no_drop=stakes.no_flop_no_drop,
        ),
        seats=setup.seats,
        stacks=setup.stacks,
        button_seat=setup.button_seat,
        small_blind_seat=setup.small_blind_seat,
        big_blind_seat=setup.big_blind_seat,
        deck=reference_cards(setup.deck),
        posts=tuple([terms.Post(post.seat, post.live, post.dead) for post in setup.posts]),
        show_when_beaten=setup.show_when_beaten,
        mucked_unseen=setup.mucked_unseen,
        recorded_rake=None if setup.recorded_rake == -1 else setup.recorded_rake,
        hand_id=setup.hand_id,
    )


def _name(option: object) -> str:
    return option.name if isinstance(option, IntEnum) else f"no option {option}"


def reference_proposal(proposal: Proposal) -> terms.Proposal:
    """The same proposal in the reference's words."""
    kind = proposal.kind.name if isinstance(proposal.kind, ActionKind) else f"no action {proposal.kind}"
    cards = reference_cards(proposal.cards)
    return terms.Proposal(proposal.seat, kind, proposal.to, cards, proposal.hand_id, proposal.decision_id)


def happening(event: Event) -> terms.Happening:
    """An event in the reference's words."""
    return terms.Happening(
        event.kind.name,
        event.rule,
        event.seat,
        event.amount,
        event.to,
        reference_cards(event.cards),
        event.pot,
        event.all_in,
        event.automatic,
    )


def reference_options(options: LegalOptions | None) -> terms.Options | None:
    """Legal options in the reference's words."""
    if options is None:
        return None
    return terms.Options(
        options.seat,
        options.decision_id,
        options.fold,
        options.check,
        options.call,
        options.wager.name,
        options.min_to,
        options.max_to,
        options.discard,
        reference_cards(options.held),
    )


# --- judging along --------------------------------------------------------------------------------------


class SecondJudge:
    """Follows one hand beside the engine and raises :class:`JudgesDifferError` at the first point of difference.

    For whoever has a hand under way, a record, or a row of events: tell it the same proposals, with what the engine
    ruled. ``compared`` counts the points.
    """

    def __init__(self, setup: HandSetup) -> None:
        self.setup = reference_setup(setup)
        self.compared = 0
        self.hand: ReferenceHand | None = None

    def setup_refused(self, rule: str | None) -> None:
        """Compares the engine's refusal of the setup; None: it was accepted."""
        broken = broken_rules(self.setup)
        self._same("the setup", rule in broken if broken else rule is None, rule, sorted(broken) or None)

    def opening(self, events: Sequence[Event]) -> None:
        """Compares what happened up to the first decision."""
        self.setup_refused(None)
        self.hand, told = course.begin(self.setup)
        self._told("the opening", events, told)

    def question(self, proposal: Proposal, fault: Fault | None) -> bool:
        """Compares only the answer, the engine's fault or None, and goes on to nothing; whether it is accepted."""
        refused = judge.refusal(self.following(), reference_proposal(proposal))
        right = "accepted" if refused is None else (refused.reason, refused.rule)
        given = "accepted" if fault is None else (fault[0].name, fault[1])
        self._equal(_in_words(proposal), given, right)
        return refused is None

    def ruling(self, proposal: Proposal, ruling: Ruling) -> None:
        """Compares the ruling on a proposal; if it was accepted, with everything that followed, and goes on."""
        hand, asked, where = self.following(), reference_proposal(proposal), _in_words(proposal)
        fault = None if ruling.reason is None else (ruling.reason, ruling.rule, ruling.message)
        accepted = self.question(proposal, fault)
        self._equal(where, ruling.accepted, accepted)
        if accepted:
            self.hand, told = course.act(hand, asked)
            self._told(where, ruling.events, told)
            self._equal(f"the rule of {where}", ruling.rule, told[0].rule)
        else:
            legal = judge.options(hand, asked.seat)
            self._equal(f"what is legal instead of {where}", reference_options(ruling.options), legal)

    def imposed(self, proposal: Proposal, events: Sequence[Event]) -> None:
        """Compares what follows when a refused action is taken as a fact; no events: it cannot have happened."""
        hand, asked = self.following(), reference_proposal(proposal)
        where = f"{_in_words(proposal)}, taken as a fact"
        possible = judge.can_have_happened(hand, asked)
        self._equal(where, "possible" if events else "impossible", "possible" if possible else "impossible")
        if possible:
            self.hand, told = course.act(hand, asked)
            self._told(where, events, told)

    def decisions(self, hand: Hand) -> None:
        """Compares who is asked, and what every seat may do."""
        mine = self.following()
        self._equal("who is asked", list(open_seats(hand)), judge.seats_asked(mine))
        for seat in self.setup.seats:
            self._equal(
                f"what seat {seat} may do", reference_options(legal_options(hand, seat)), judge.options(mine, seat)
            )

    def standing(self, hand: Hand) -> None:
        """Compares chips, cards, pots and showdown as they stand."""
        mine = self.following()
        seats = self.setup.seats
        at_showdown = len(live(mine)) > 1 and len(mine.streets) == 4 and mine.round_closed
        betting = mine.stage == BETTING
        found = pots.pots(mine)
        settled = len(live(mine)) == 1 or (at_showdown and all(showdown.is_decided(mine, pot) for pot in found))
        said = settlement(hand)
        shown_as = {"": Shown.NOT_YET, "SHOWN": Shown.SHOWN, "MUCKED": Shown.MUCKED}
        for what, engine, reference in (
            ("whether the hand is over", said.over, mine.stage == OVER),
            ("whether the showdown is decided", said.decided, settled),
            ("stacks", list(hand.stack), list(mine.chips)),
            ("what each put in", [player.contributed for player in said.players], list(mine.totals)),
            ("what each put in on the street", list(hand.bet), [put(mine, at) for at in range(len(seats))]),
            ("the level", hand.level if betting else 0, level(mine) if betting else 0),
            ("dead money", hand.dead, mine.dead),
            ("what was returned", list(hand.returned), list(mine.returned)),
            ("what was won", list(hand.paid), list(mine.won)),
            ("the rake", hand.rake, mine.rake),
            ("who is live", list(hand.live), [at in live(mine) for at in range(len(seats))]),
            ("what was shown", list(hand.shown), [shown_as[one] for one in mine.shown]),
            ("cards kept", [reference_cards(one) for one in hand.kept], [kept(mine, at) for at in range(len(seats))]),
            ("pots", [(pot.amount, pot.eligible) for pot in said.pots], _pots(mine, found)),
        ):
            self._equal(what, engine, reference)
        if settled:
            taken = pots.rakes(mine, found)
            self._equal("the rake of each pot", [pot.rake for pot in said.pots], taken)
            winners = [tuple([seats[one] for one in showdown.winners(mine, pot)]) for pot in found]
            self._equal("who wins each pot", [pot.winners for pot in said.pots], winners)
        if settled and at_showdown:
            order = [(seats[one.player], one.must_show, one.rule) for one in showdown.showings(mine)]
            self._equal("the showdown", [(one.seat, one.must_show, one.rule) for one in said.hands], order)
            for one in said.hands:
                self._best_five(reference_cards(one.best_five), seats.index(one.seat))

    def _best_five(self, five: tuple[str, ...], player: int) -> None:
        """SHOW-3: of equal choices any will do, but they are five of his and of the board, and worth his strength."""
        mine = self.following()
        worth = showdown.strength(mine, player)
        own = kept(mine, player) + board(mine) + mine.joined
        are_his = not five if worth is None else len(set(five)) == 5 and set(five) <= set(own)
        self._same("the cards that play", are_his, five, own)
        if worth is not None:
            self._equal("what the cards that play are worth", ranking.strength_of_five(five), worth)

    def following(self) -> ReferenceHand:
        """The reference's hand as it stands; raises ValueError before the opening."""
        if self.hand is None:
            raise ValueError("the opening comes first")
        return self.hand

    def _told(self, where: str, events: Sequence[Event], told: Sequence[terms.Happening]) -> None:
        mine = [happening(event) for event in events]
        for one, other in zip(mine, told, strict=False):
            self._equal(f"{where}, what followed", one, other)
        self._equal(f"{where}, how many events", len(mine), len(told))

    def _equal(self, where: str, engine: object, reference: object) -> None:
        self._same(where, engine == reference, engine, reference)

    def _same(self, where: str, same: bool, engine: object, reference: object) -> None:
        self.compared += 1
        if not same:
            raise JudgesDifferError(Difference(where, str(engine), str(reference)))


def _in_words(proposal: Proposal) -> str:
    asked = reference_proposal(proposal)
    return " ".join([asked.kind, *([str(asked.to)] if asked.to else []), *asked.cards, "by seat", str(asked.seat)])


def _pots(hand: ReferenceHand, found: list[pots.Pot]) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.amount, tuple([hand.setup.seats[player] for player in pot.eligible])) for pot in found]


# --- a whole record -------------------------------------------------------------------------------------

Walked = tuple[RecordedStep, Ruling | None, tuple[Event, ...]]
"""A recorded step with the engine's ruling on it (None where it asks for none) and the events that followed."""


def second_opinion(
    record: HandRecord, opening: Sequence[Event], steps: Iterable[Walked], hand: Hand | None, refused_by: str | None
) -> SecondOpinion:
    """Judges the record by the reference judge too, beside what the engine said of each step.

    ``hand`` is how the engine's hand stands after the record, or None when the setup was refused by the rule
    ``refused_by``. Nothing is raised: a difference is the answer.
    """
    second = SecondJudge(record.setup)
    try:
        if hand is None:
            second.setup_refused(refused_by)
            return SecondOpinion(second.compared, None)
        second.opening(opening)
        for step, ruling, events in steps:
            if ruling is None:
                continue
            proposal = _read(second.following(), step)
            second.ruling(proposal, ruling)
            if not ruling.accepted:
                second.imposed(proposal, events)
        second.decisions(hand)
        second.standing(hand)
    except JudgesDifferError as parted:
        return SecondOpinion(second.compared, parted.difference)
    return SecondOpinion(second.compared, None)


def _read(hand: ReferenceHand, step: RecordedStep) -> Proposal:
    """The proposal that a recorded action stands for, read by the reference's hand, not by the engine's."""
    player = hand.setup.seats.index(step.seat) if step.seat in hand.setup.seats else None
    owed = 0 if player is None else level(hand) - put(hand, player)
    everything = 0 if player is None else put(hand, player) + hand.chips[player]
    wager = ActionKind.BET if level(hand) == 0 else ActionKind.RAISE
    plain = Proposal(step.seat, ActionKind.CALL)
    match step.step:
        case Step.CHECK_OR_CALL:
            return plain if owed > 0 else plain._replace(kind=ActionKind.CHECK)
        case Step.BET_OR_RAISE:
            return plain._replace(kind=wager, to=step.to)
        case Step.ALL_IN:
            return plain._replace(kind=wager, to=everything) if everything > level(hand) else plain
        case Step.DISCARD:
            return plain._replace(kind=ActionKind.DISCARD, cards=step.cards)
        case _:
            return plain._replace(kind=ActionKind[step.step.name], to=step.to)
