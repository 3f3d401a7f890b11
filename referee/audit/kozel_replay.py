"""A round of Kozel told step by step."""

from collections.abc import Sequence
from typing import Any

from referee.audit.kozel_wording import proposal_words, round_lines
from referee.audit.reading import Item
from referee.audit.told import ToldHand
from referee.kozel.events import Event
from referee.kozel.setup import FIRST_ROUND, RoundSetup
from referee.kozel.state import Round, apply
from referee.record import kozel_wire as wire
from referee.record.kozel_telling import event_text
from referee.record.telling import seat_name
from referee.table.kozel_config import KozelConfig
from referee.v1 import record_pb2


class ToldKozel(ToldHand):
    """A round as its record tells it; raises SetupRefusedError for one that cannot begin like this."""

    def __init__(self, config: KozelConfig, items: Sequence[Item]) -> None:
        began, content = items[0], items[0].content
        super().__init__(began)
        seats = tuple(content.dealt_in if began.whole else [one.seat for one in content.players])
        accounts = tuple([wire.account_of(one) for one in content.kozel.accounts])
        leader, carry = content.kozel.leader_seat, content.kozel.carry
        self._state = Round(RoundSetup(config.rule_set, seats, (), accounts, leader, carry, content.hand_id))

    def beginning(self) -> tuple[str, str]:
        """The rule and the words of how the round begins."""
        setup = self._state.setup
        first = setup.leader_seat == FIRST_ROUND
        leads = "the first round of a game" if first else f"{seat_name(setup.leader_seat, self.names)} leads"
        return "KOZ-3", f"{setup.hand_id} begins: {leads}"

    def lines(self) -> tuple[str, ...]:
        """How the table stands."""
        return tuple(round_lines(self._state, self.names))

    def happen(self, event: Any) -> tuple[str, str]:
        """Applies an event, and returns its rule and its words."""
        assert isinstance(event, Event), "an event of Kozel"
        apply(self._state, event)
        return event.rule, event_text(event, self.names)

    def refusal(self, stored: record_pb2.StoredRuling) -> tuple[str, str] | None:
        """The rule and the words of a refused proposal; None for an accepted one."""
        if stored.kozel_ruling.accepted:
            return None
        return stored.kozel_ruling.rule, proposal_words(stored, self.names)
