"""One round under both judges: the engine and the reference, which must say the same of everything."""

from referee.kozel.events import Event
from referee.kozel.round import legal_options, open_round, propose
from referee.kozel.ruleset import RuleSet
from referee.kozel.rulings import ActionKind, Proposal, Ruling
from referee.kozel.setup import FIRST_ROUND, Account, RoundSetup
from referee.kozel.state import Round, encode
from referee.kozel.tiles import TILE_TEXTS, tile_text
from referee_reference import kozel as reference


def terms_of(rule_set: RuleSet) -> reference.Terms:
    """The same options for the reference."""
    return reference.Terms(
        rule_set.fish.name,
        rule_set.fish_scoring.name,
        rule_set.highest,
        rule_set.hand_tiles,
        rule_set.redeal_doubles,
        rule_set.redeal_bearing,
        rule_set.lone_blank,
        rule_set.remembered_to,
        rule_set.ends_at,
    )


def points_of(account: Account) -> reference.Points:
    """The same account for the reference."""
    return reference.Points(account.is_open, account.score if account.is_open else account.remembered)


def texts(tiles: tuple[int, ...]) -> tuple[str, ...]:
    """Tiles as the reference has them."""
    return tuple(tile_text(tile) for tile in tiles)


class BothJudges:
    """The engine's round and the reference's, side by side. Every method fails where they part."""

    def __init__(self, setup: RoundSetup) -> None:
        self.state: Round
        self.state, events = open_round(setup)
        leader = None if setup.leader_seat == FIRST_ROUND else setup.seats.index(setup.leader_seat)
        self.other, happened = reference.opening(
            terms_of(setup.rule_set),
            len(setup.seats),
            tuple(texts(deck) for deck in setup.decks),
            tuple(points_of(account) for account in setup.accounts),
            leader,
            setup.carry,
        )
        self._same(events, happened)

    def propose(self, proposal: Proposal) -> Ruling:
        """Rules by both; a refusal changes nothing. The proposal names no ids, which the reference does not know."""
        state, seats = self.state, self.state.setup.seats
        player = seats.index(proposal.seat) if proposal.seat in seats else -1
        what = proposal.kind.name.lower()
        tile = TILE_TEXTS[proposal.tile] if 0 <= proposal.tile < len(TILE_TEXTS) else ""
        end = proposal.end.name.lower() if proposal.end else ""
        if proposal.kind is ActionKind.LAY and not tile:
            tile = "no tile"
        before = encode(state)
        expected = reference.refusal(self.other, player, what, tile, end)
        ruling = propose(state, proposal)
        if ruling.accepted:
            assert expected is None, f"{proposal}: the reference refuses it: {expected}"
            self.other, happened = reference.done(self.other, player, what, tile, end)
            assert ruling.rule == happened[0].rule
            self._same(ruling.events, happened)
        else:
            assert ruling.reason is not None
            assert (ruling.reason.name, ruling.rule) == expected, f"{proposal}: {ruling.message}"
            assert ruling.options == legal_options(state, proposal.seat)
            assert encode(state) == before, "a refusal changed the round"
        return ruling

    def _same(self, events: tuple[Event, ...], happened: list[reference.Happening]) -> None:
        seats = self.state.setup.seats
        told = [
            reference.Happening(
                event.kind.name,
                event.rule,
                seats.index(event.seat) if event.seat else -1,
                texts(event.tiles),
                event.end.name.lower() if event.end else "",
                event.points,
                event.total,
            )
            for event in events
        ]
        assert told == happened
        self.compare()

    def compare(self) -> None:
        """How the round stands and what everybody may do, by both."""
        state, other = self.state, self.other
        for player, seat in enumerate(state.setup.seats):
            assert sorted(texts(state.hands[player])) == sorted(reference.hand(other, player))
            legal = legal_options(state, seat)
            offered = [] if legal is None else [(tile_text(m.tile), m.end.name.lower()) for m in legal.moves]
            expected = [(tile, end or "none") for tile, end in reference.options(other, player)]
            assert offered == expected
            assert (legal is not None) == bool(expected), "who is asked has something to do"
        assert list(texts(state.boneyard)) == reference.boneyard(other)
        assert sorted(texts(state.chain)) == sorted(reference.laid(other))
        assert (reference.ends(other) or (-1, -1)) == (state.left, state.right)
        assert (state.ending.name if state.has_ended() else "") == reference.ending(other)
