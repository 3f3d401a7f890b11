"""A second reading of the rulebook, slow and obvious, that shares no code with the engine's judgement.

It knows a hand only as its setup and the list of what was done, goes through the whole list again for every question,
counts chips one layer at a time, and ranks by asking eval7. Comments cite the sentence of the rulebook they follow.
"""

from dataclasses import dataclass, field
from itertools import combinations

import eval7

from referee.rules.ruleset import (
    AllInExposure,
    AnteKind,
    CapHeadsUp,
    DiscardPoint,
    DiscardTimeout,
    DiscardVisibility,
    LateMinimum,
    Limit,
    OpenFold,
    ShowdownOrder,
)
from referee.rules.setup import HandSetup

BETTING, DISCARDING, OVER = "betting", "discarding", "over"


@dataclass
class Answer:
    """What a player to act may do: ``low`` and ``high`` are street totals, 0 when he may not bet or raise."""

    player: int
    fold: bool
    check: bool
    call: int
    low: int
    high: int
    bets: bool


@dataclass
class Street:
    """One betting round: who was live when it began, what each has in, and what was done, with the level after."""

    live: list[int]
    put: list[int]
    done: list[tuple[int, str, int, int]] = field(default_factory=list)
    """(player, deed, level before, level after)"""


class Reference:
    """One hand, told by what was done so far: ``(player, deed, amount or cards)``, deeds in words."""

    def __init__(self, setup: HandSetup, deeds: list[tuple[int, str, object]]) -> None:
        self.setup = setup
        self.rule_set = setup.rule_set
        self.stakes = setup.stakes
        self.players = range(len(setup.seats))
        self.chips = list(setup.stacks)
        self.total = [0 for _ in self.players]
        self.dead = 0
        self.folded: set[int] = set()
        self.returned = [0 for _ in self.players]
        self.discarded: dict[int, tuple[int, ...]] = {}
        self.streets: list[Street] = []
        self.state = ""
        self.blinds_posted = 0
        self._post()
        self._begin_street()
        self._settle_down()
        for player, deed, detail in deeds:
            self._do(player, deed, detail)
            self._settle_down()

    # --- going through the hand -------------------------------------------------------------------------

    def _pay(self, player: int, amount: int) -> int:
        paid = min(amount, self.chips[player])
        self.chips[player] -= paid
        return paid

    def _post(self) -> None:
        setup, stakes = self.setup, self.stakes
        self.first_put = [0 for _ in self.players]
        if stakes.ante_kind == AnteKind.EACH:  # BLIND-5: every player, paid before the blinds
            for player in self.players:
                self.total[player] += self._pay(player, stakes.ante)
        for seat, blind in ((setup.small_blind_seat, stakes.small_blind), (setup.big_blind_seat, stakes.big_blind)):
            if seat in setup.seats:
                paid = self._pay(setup.seats.index(seat), blind)  # BLIND-3: posts all he has
                self.first_put[setup.seats.index(seat)] += paid
                self.blinds_posted += paid
        for post in setup.posts:  # SEAT-3: the live part paid first
            player = setup.seats.index(post.seat)
            self.first_put[player] += self._pay(player, post.live)
            self.dead += self._pay(player, post.dead)
        if stakes.ante_kind == AnteKind.BIG_BLIND:  # BLIND-5: the blind is paid before the ante
            self.dead += self._pay(setup.seats.index(setup.big_blind_seat), stakes.ante)
        for player in self.players:
            self.total[player] += self.first_put[player]

    def _begin_street(self) -> None:
        put = [0 for _ in self.players] if self.streets else list(self.first_put)
        self.streets.append(Street(self.live(), put))
        self.closed = False
        discards = self.rule_set.game.discards
        before_betting = self.rule_set.game.discard_point == DiscardPoint.BEFORE_FLOP_BETTING
        if discards and before_betting and len(self.streets) == 2:
            self.state = DISCARDING
        else:
            self.state = BETTING

    def _do(self, player: int, deed: str, detail: object) -> None:
        street = self.streets[-1]
        before = self.level()
        if deed == "discard":
            self.discarded[player] = detail  # type: ignore[assignment]
            return
        if deed == "fold":
            self.folded.add(player)
        elif deed == "call":
            paid = self._pay(player, before - street.put[player])
            street.put[player] += paid
            self.total[player] += paid
        elif deed == "wager":
            paid = self._pay(player, detail - street.put[player])  # type: ignore[operator]
            street.put[player] += paid
            self.total[player] += paid
        if self.state == BETTING:
            street.done.append((player, deed, before, self.level()))

    def _settle_down(self) -> None:
        """Goes on until somebody is asked or the hand is over."""
        while self.state != OVER:
            if self.state == DISCARDING:
                if len(self.live()) == 1:
                    self.state = OVER
                elif all(player in self.discarded for player in self.live()):  # DISC-1
                    if self.closed:
                        self._next()
                    else:
                        self.state = BETTING
                else:
                    return
            elif self.next_player() is not None:
                return
            else:
                self._close()

    def _close(self) -> None:
        put = self.streets[-1].put
        # POT-2: what the largest live contributor put in on that round above the second largest, folded or not.
        largest = max(self.live(), key=lambda player: put[player])
        second = max(put[player] for player in self.players if player != largest)
        if put[largest] > second:
            excess = put[largest] - second
            put[largest] = second
            self.chips[largest] += excess
            self.total[largest] -= excess
            self.returned[largest] += excess
        self.closed = True
        if len(self.live()) == 1:  # BET-7
            self.state = OVER
            return
        point, number = self.rule_set.game.discard_point, len(self.streets)
        due = (point == DiscardPoint.BEFORE_FLOP and number == 1) or (
            point == DiscardPoint.AFTER_FLOP_BETTING and number == 2
        )
        if self.rule_set.game.discards and due:
            self.state = DISCARDING
        else:
            self._next()

    def _next(self) -> None:
        if len(self.streets) == 4:
            self.state = OVER
        else:
            self._begin_street()

    # --- who is where -----------------------------------------------------------------------------------

    def live(self) -> list[int]:
        return [player for player in self.players if player not in self.folded]

    def level(self) -> int:
        most = max(self.streets[-1].put)
        return max(most, self.stakes.big_blind) if len(self.streets) == 1 else most  # SIZE-3: never below it

    def others_all_in(self, player: int) -> bool:
        return all(self.chips[other] == 0 for other in self.live() if other != player)

    def owes(self, player: int) -> bool:
        put = self.streets[-1].put
        if self.others_all_in(player):  # BET-6: only if one of them has more on this street than he has
            return any(put[other] > put[player] for other in self.live() if other != player)
        return put[player] < self.level()

    def has_acted(self, player: int) -> bool:
        return any(who == player for who, _, _, _ in self.streets[-1].done)

    def next_player(self) -> int | None:
        if len(self.live()) == 1:
            return None
        street = self.streets[-1]
        if street.done:
            start = street.done[-1][0] + 1
        elif len(self.streets) == 1:
            start = self.setup.seats.index(self.setup.big_blind_seat) + 1  # BET-1
        else:
            start = 0
        for step in self.players:
            player = (start + step) % len(self.players)
            if player in self.folded or self.chips[player] == 0:
                continue
            if self.others_all_in(player):  # BET-6: asked only when he owes, option or not, acted or not
                if self.owes(player):
                    return player
            elif self.owes(player) or not self.has_acted(player):  # BET-4
                return player
        return None

    # --- what he may do ---------------------------------------------------------------------------------

    def one_bet(self) -> int:
        big = self.stakes.big_bet or 2 * self.stakes.big_blind
        return self.stakes.big_blind if len(self.streets) <= 2 else big  # SIZE-5

    def least(self) -> int:
        """SIZE-1, SIZE-9: what the minimum bet and the first raise increment are on this street."""
        big = self.stakes.big_bet or 2 * self.stakes.big_blind
        late = self.rule_set.late_minimum == LateMinimum.BIG_BET and len(self.streets) >= 3
        return big if late else self.stakes.big_blind

    def increment(self) -> int:
        found = self.least()
        for _, deed, before, after in self.streets[-1].done:
            if deed == "wager" and after - before >= found:  # the largest *full* bet or raise
                found = after - before
        return found

    def base_and_count(self) -> tuple[int, int]:
        """SIZE-8 and SIZE-6: the level of the last wager that counted, and how many counted."""
        base, count = (self.stakes.big_blind, 1) if len(self.streets) == 1 else (0, 0)
        for _, deed, _, after in self.streets[-1].done:
            if deed == "wager" and (after - base) * 2 >= self.one_bet():
                base, count = after, count + 1
        return base, count

    def may_raise(self, player: int) -> bool:
        if self.others_all_in(player):  # OPEN-4
            return False
        levels = [after for who, _, _, after in self.streets[-1].done if who == player]
        if levels:  # OPEN-2
            risen = self.level() - levels[-1]
            if self.setup.limit == Limit.FIXED_LIMIT:
                if risen * 2 < self.one_bet():
                    return False
            elif risen < self.increment():
                return False
        if self.setup.limit == Limit.FIXED_LIMIT:  # SIZE-6, SIZE-7
            _, count = self.base_and_count()
            heads_up = len(self.streets[-1].live) == 2 and self.rule_set.cap_heads_up == CapHeadsUp.UNCAPPED
            if count >= 1 + self.rule_set.max_raises and not heads_up:
                return False
        return True

    def last_eligible(self, player: int) -> bool:
        """Whether some pot, as chips stand, has nobody but this player to contest it (BET-3, DISC-8)."""
        return any(eligible == [player] for _, eligible in self.layers())

    def answer(self) -> Answer:
        player = self.next_player()
        assert self.state == BETTING
        assert player is not None
        put, level = self.streets[-1].put[player], self.level()
        to_match = level - put
        everything = put + self.chips[player]
        low = high = 0
        if everything > level and self.may_raise(player):
            if self.setup.limit == Limit.FIXED_LIMIT:
                base, _ = self.base_and_count()
                low = high = min(base + self.one_bet(), everything)
            else:
                low, high = level + self.increment(), everything
                if self.setup.limit == Limit.POT_LIMIT:  # SIZE-4
                    pot = sum(self.total) + self.dead
                    if len(self.streets) == 1:
                        pot += self.stakes.small_blind + self.stakes.big_blind - self.blinds_posted
                    high = min(high, level + pot + to_match)
                low = min(low, high)
        may_open_fold = self.rule_set.open_fold == OpenFold.ALLOW and not self.last_eligible(player)
        return Answer(
            player,
            to_match > 0 or may_open_fold,
            to_match == 0,
            min(to_match, self.chips[player]),
            low,
            high,
            level == 0,
        )

    def late_discard_folds(self, player: int) -> bool:
        """DISC-8: whether a discard not made in time folds the hand."""
        if self.rule_set.discard_timeout == DiscardTimeout.AUTO or self.chips[player] == 0:
            return False
        return not self.last_eligible(player)

    # --- who gets what ----------------------------------------------------------------------------------

    def layers(self) -> list[tuple[int, list[int]]]:
        """POT-1 to POT-3, one chip of everybody's total at a time; neighbours with the same players are one pot."""
        live = self.live()
        everybody = [player for player in live if self.total[player] >= min(self.total[one] for one in live)]
        pots: list[tuple[int, list[int]]] = []
        if min(self.total[player] for player in live) == 0 and self.dead:
            pots.append((self.dead, everybody))  # "even if that pot's level is 0"
        unit = self.stakes.chip_unit
        for height in range(unit, max(self.total) + 1, unit):
            amount = unit * sum(1 for player in self.players if self.total[player] >= height)
            eligible = [player for player in live if self.total[player] >= height]
            if not eligible or (pots and pots[-1][1] == eligible):
                pots[-1] = (pots[-1][0] + amount, pots[-1][1])  # nobody live so high: POT-3
            else:
                pots.append((amount, eligible))
        if self.dead and min(self.total[player] for player in live) > 0:
            pots[0] = (pots[0][0] + self.dead, pots[0][1])
        return pots

    def rakes(self, pots: list[tuple[int, list[int]]]) -> list[int]:
        """POT-8."""
        stakes = self.stakes
        left = self.setup.recorded_rake if self.setup.recorded_rake >= 0 else stakes.rake_cap
        rakes = []
        for amount, _ in pots:
            if self.setup.recorded_rake >= 0:
                wanted = amount
            elif stakes.no_flop_no_drop and len(self.streets) == 1:
                wanted = 0
            else:
                wanted = amount * stakes.rake_basis_points // 10_000
                wanted -= wanted % stakes.chip_unit
            taken = wanted if left < 0 else min(wanted, left)
            left = left if left < 0 else left - taken
            rakes.append(taken)
        return rakes

    def hole(self, player: int) -> tuple[int, ...]:
        """DEAL-1: one at a time, clockwise from the left of the button."""
        count = len(self.setup.seats)
        return tuple(self.setup.deck[turn * count + player] for turn in range(self.rule_set.game.hole_cards))

    def kept(self, player: int) -> list[int]:
        return [card for card in self.hole(player) if card not in self.discarded.get(player, ())]

    def board(self) -> list[int]:
        start = len(self.setup.seats) * self.rule_set.game.hole_cards
        board = list(self.setup.deck[start : start + 5])
        if self.rule_set.game.discard_visibility == DiscardVisibility.JOINS_BOARD:
            for player in self.live_at_discards():
                board += self.discarded.get(player, ())
        return board

    def live_at_discards(self) -> list[int]:
        return [player for player in self.players if player in self.discarded]

    def strength(self, player: int) -> int:
        """RANK-1: the best five, any number of hole cards; eval7 takes seven at most."""
        pool = [eval7.Card("23456789TJQKA"[card // 4] + "cdhs"[card % 4]) for card in self.kept(player) + self.board()]
        if len(pool) <= 7:
            return eval7.evaluate(pool)
        return max(eval7.evaluate(list(some)) for some in combinations(pool, 7))

    def final_stacks(self) -> list[int]:
        assert self.state == OVER
        stacks = list(self.chips)
        pots = self.layers()
        strengths = {player: self.strength(player) for player in self.live()} if len(self.live()) > 1 else {}
        for (amount, eligible), rake in zip(pots, self.rakes(pots), strict=True):
            best = max(strengths[player] for player in eligible) if len(eligible) > 1 else None
            winners = [player for player in eligible if best is None or strengths[player] == best]
            left = (amount - rake) // self.stakes.chip_unit
            while left:  # POT-6: one chip unit at a time round the winners gives equal shares and the odd ones
                for player in winners[: min(left, len(winners))]:
                    stacks[player] += self.stakes.chip_unit
                left -= min(left, len(winners))
        return stacks

    def showdown(self) -> list[tuple[int, bool]]:
        """SHOW-1 to SHOW-4: live players in order, and whether each hand is shown."""
        live = self.live()
        first = None
        # "round four only, played or not"
        rounds = [3] if self.rule_set.showdown_order == ShowdownOrder.FINAL_ROUND else [3, 2, 1, 0]
        for number in rounds:
            lifters = [who for who, deed, _, _ in self.streets[number].done if deed == "wager"]
            if lifters and lifters[-1] in live:
                first = lifters[-1]
                break
        if first is None:
            first = live[0]
        order = [player for player in live if player >= first] + [player for player in live if player < first]
        exposure = self.rule_set.all_in_exposure
        tabled = exposure == AllInExposure.TABLE_ALL and any(self.chips[player] == 0 for player in live)
        pots = self.layers()
        strengths = {player: self.strength(player) for player in live}
        shown: list[int] = []
        result = []
        for player in order:
            must = tabled or exposure == AllInExposure.SHOW_ALL
            for _, eligible in pots:
                if player in eligible:
                    beaten = any(strengths[other] > strengths[player] for other in shown if other in eligible)
                    must = must or not beaten
            shows = must or self.setup.seats[player] in self.setup.show_when_beaten
            if shows:
                shown.append(player)
            result.append((player, shows))
        return result
