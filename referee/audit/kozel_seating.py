"""A table of Kozel between rounds: accounts, the carry, and who leads next."""

from collections.abc import Sequence

from referee.audit.seating import AuditedSeat, Difference, RecordedBeginning, Seating, seat_of, stored_seat
from referee.dealing.fair import FairDecks
from referee.kozel.setup import EMPTY_ACCOUNT, FIRST_ROUND, Account
from referee.kozel.state import Round
from referee.record import kozel_wire as wire
from referee.record.kozel_telling import account_words
from referee.table.kozel_config import KozelConfig
from referee.table.seating import Standing
from referee.v1 import kozel_pb2, record_pb2, table_pb2


class KozelSeating(Seating):
    """The seats of a table of Kozel, and what the round before leaves; ``players`` are empty before the first one."""

    def __init__(self, table_id: str, config: KozelConfig) -> None:
        super().__init__(table_id, config)
        self.rules = config
        self._forget_rounds()

    def _forget_rounds(self) -> None:
        self.players: tuple[int, ...] = ()
        self.accounts: tuple[Account, ...] = ()
        self.leader_seat = FIRST_ROUND
        self.carry = 0
        self._is_over = False

    def forget(self) -> None:
        """Forgets everything, where pieces of the record are left out."""
        super().forget()
        self._forget_rounds()

    def late_seat_fault(self, seat: int) -> str:
        """Why a seat cannot be taken any more: a game is played between those who began it."""
        return f"seat {seat} is taken in a game that has begun" if self.hand_number else ""

    def sitting_out_fault(self) -> str:
        """Why nobody sits out: every round needs all players."""
        return "nobody sits out of a game of Kozel"

    def may_top_up(self, to: int) -> bool:
        """Whether stacks are filled up: there are none."""
        return False

    def must_end(self) -> bool:
        """Whether the table must end, because fewer than two players are there to begin a game."""
        return not self.hand_number and len(self._beginners()) < 2

    def game_is_over(self) -> bool:
        """Whether somebody has lost, or was out of time (KOZ-15, KOZ-17)."""
        return self._is_over

    def _beginners(self) -> tuple[int, ...]:
        return tuple([seat for seat, one in sorted(self.seats.items()) if not one.leaving])

    def next_beginning(self, recorded: RecordedBeginning, decks: FairDecks | None) -> record_pb2.StoredHandBegan | None:
        """How the next round must begin; None when none can, because fewer than two are there to play.

        Who leaves before the first round does not play; who leaves later does, until his time is over (KOZ-17).
        """
        players = self.players or self._beginners()
        if len(players) < 2 or not set(players) <= set(self.seats):
            return None
        number = self.hand_number + 1
        return record_pb2.StoredHandBegan(
            hand=number,
            hand_id=f"{self.table_id}-{number}",
            seats=[stored_seat(Standing(seat), self.seats[seat], 0) for seat in players],
            dealt_in=players,
            closing=self.closing,
            kozel=table_pb2.KozelRoundBegan(
                accounts=[wire.account_message(one) for one in self.accounts or (EMPTY_ACCOUNT,) * len(players)],
                leader_seat=self.leader_seat,
                carry=self.carry,
            ),
        )

    def differences(self, recorded: RecordedBeginning, right: record_pb2.StoredHandBegan) -> list[Difference]:
        """Where the recorded beginning of a round is not the right one, as far as it is told."""
        found: list[Difference] = []

        def compare(check: str, rule: str, what: str, one: object, other: object) -> None:
            if one != other:
                found.append(Difference(check, rule, what, str(one), str(other)))

        if isinstance(recorded, record_pb2.StoredHandBegan):
            told = {one.seat: one for one in recorded.seats}
            compare("seats", "KOZ-1", "seats that are taken", list(told), list(right.dealt_in))
            for one in right.seats:
                if one.seat in told:
                    found.extend(_seat_differences(told[one.seat], one))
            dealt_in = list(recorded.dealt_in)
            compare("hands", "", "closing", recorded.closing, right.closing)
            compare("hands", "BET-9", "number", recorded.hand, right.hand)
            of_poker = (recorded.small_blind_position, len(recorded.posts))
            found.extend(self.grace_differences(recorded, right))
        else:
            dealt_in = [player.seat for player in recorded.players]
            names = {one.seat: one.name for one in right.seats}
            for player in recorded.players:
                compare("seats", "", f"name of seat {player.seat}", player.name, names.get(player.seat, player.name))
            odd = [player for player in recorded.players if player.stack or player.live_post or player.dead_post]
            of_poker = (recorded.small_blind_seat, len(odd))
        compare("positions", "KOZ-1", "players dealt in", dealt_in, list(right.dealt_in))
        compare("positions", "KOZ-3", "who leads", recorded.kozel.leader_seat, right.kozel.leader_seat)
        accounts = _accounts_text(recorded.kozel.accounts), _accounts_text(right.kozel.accounts)
        compare("seats", "KOZ-10", "accounts", *accounts)
        compare("seats", "KOZ-14", "the carry", recorded.kozel.carry, right.kozel.carry)
        compare("hands", "BET-9", "hand id", recorded.hand_id, right.hand_id)
        nothing = (0, 0, 0, 0, b"")
        compare(
            "hands",
            "KOZ-1",
            "button, blinds, posts and the root of a deck, which Kozel does not have",
            (recorded.button_seat, recorded.big_blind_seat, *of_poker, recorded.deck_root),
            nothing,
        )
        return found

    def begin(self, recorded: RecordedBeginning, hand: int, right: record_pb2.StoredHandBegan | None) -> None:
        """Takes a round's beginning as recorded, right or wrong."""
        self.hand_number = hand
        began = recorded.kozel
        if isinstance(recorded, record_pb2.StoredHandBegan):
            self.seats = {stored.seat: seat_of(stored) for stored in recorded.seats}
            self.closing = recorded.closing
            self.players = tuple(recorded.dealt_in)
        else:
            self.players = tuple([player.seat for player in recorded.players])
            told = {player.seat: player.name for player in recorded.players}
            self.seats = {seat: self.seats.get(seat) or AuditedSeat(told[seat], 0, None, faults=None) for seat in told}
            for seat, name in told.items():
                self.seats[seat].name = name
        self.is_complete = True
        self.accounts = tuple([wire.account_of(one) for one in began.accounts])
        self.leader_seat, self.carry, self._is_over = began.leader_seat, began.carry, False

    def end(self, state: Round) -> None:
        """Takes what a round that has ended leaves."""
        self.accounts, self.carry = tuple(state.accounts), state.carry
        self._is_over = state.game_has_ended()
        if state.winner >= 0:
            self.leader_seat = state.setup.seats[state.winner]

    def end_unknown(self) -> None:
        """Notes that a round has ended of which it is not known what it leaves."""
        self.is_complete = False


def _seat_differences(told: record_pb2.StoredSeat, right: record_pb2.StoredSeat) -> list[Difference]:
    """Where a seat is kept otherwise than it stood; of its budget for lost connections elsewhere."""
    seat = f"of seat {right.seat}"
    return [
        Difference(check, rule, f"{what} {seat}", str(one), str(other))
        for check, rule, what, one, other in (
            ("seats", "KOZ-1", "stack", told.stack, right.stack),
            ("clocks", "TIME-1", "bank", told.bank_ms, right.bank_ms),
            ("seats", "KOZ-1", "waiting", told.waiting, right.waiting),
            ("rulings", "TIME-4", "faults", told.standing.faults, right.standing.faults),
            ("seats", "KOZ-1", "standing", _standing(told), _standing(right)),
            ("seats", "", "preset", told.show_when_beaten, right.show_when_beaten),
            ("seats", "", "name", told.name, right.name),
            ("seats", "", "token's hash", told.token_sha256.hex(), right.token_sha256.hex()),
            ("seats", "", "public key", told.public_key.hex(), right.public_key.hex()),
            ("seats", "", "wish for a seed", told.commits_seed, right.commits_seed),
            ("seats", "", "leaving", told.leaving, right.leaving),
        )
        if one != other
    ]


def _standing(stored: record_pb2.StoredSeat) -> tuple[bool, ...]:
    one = stored.standing
    return one.sitting_out, one.owes_small_blind, one.owes_big_blind, one.posts


def _accounts_text(accounts: Sequence[kozel_pb2.KozelAccount]) -> str:
    return ", ".join([account_words(wire.account_of(one)) for one in accounts]) or "none"
