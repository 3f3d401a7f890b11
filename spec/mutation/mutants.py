"""Deliberate rule faults of the engine: one text of a file under ``referee/rules`` for another, found exactly once.

A mutant's name starts with the rule that it breaks. Texts are short, so that the engine may be edited around them; one
that is no longer found, or found twice, fails loudly and is written anew.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One fault: ``before`` in ``referee/rules/FILE.py`` becomes ``after``."""

    name: str
    file: str
    before: str
    after: str

    @property
    def rule(self) -> str:
        """The id of the rule that it breaks."""
        return self.name.partition(" ")[0]


MUTANTS = (
    # --- GAME
    Mutant("GAME-1 Irish discards one card", "ruleset", "IRISH: Final = Game(4, 2,", "IRISH: Final = Game(4, 1,"),
    Mutant("GAME-2 any structure is played", "ruleset", "if limit not in rule_set.limits:", "if False:"),
    Mutant("GAME-3 no discards before the flop", "discards", "return hand.street == 0", "return False"),
    Mutant("GAME-3 joined discards do not count", "state", "hand.joined += event.cards", "pass"),
    Mutant(
        "GAME-3 discards may be all cards",
        "ruleset",
        "game.discards < game.hole_cards",
        "game.discards <= game.hole_cards",
    ),
    Mutant("GAME-4 the board needs no cards", "ruleset", "(DECK_SIZE - BOARD_CARDS) //", "DECK_SIZE //"),
    Mutant("GAME-5 a card may come twice", "setup", "if is_repeated:", "if False:"),
    # --- DEAL
    Mutant(
        "DEAL-1 hole cards in blocks",
        "setup",
        "setup.deck[index : players * hole_cards : players]",
        "setup.deck[index * hole_cards : (index + 1) * hole_cards]",
    ),
    Mutant("DEAL-1 seats in any order", "setup", "if place <= before:", "if place == before:"),
    Mutant(
        "DEAL-2 a card is burned",
        "setup",
        "setup.deck[start : start + BOARD_CARDS]",
        "setup.deck[start + 1 : start + 1 + BOARD_CARDS]",
    ),
    Mutant(
        "DEAL-3 a fold moves the turn card",
        "hand",
        "dealt = len(hand.board)",
        "dealt = max(0, len(hand.board) - hand.live.count(False))",
    ),
    # --- BLIND
    Mutant("BLIND-1 blinds anywhere", "setup", "elif (small, big) != (seats[0], seats[1]):", "elif small == big:"),
    Mutant(
        "BLIND-1 another small bet in fixed-limit",
        "ruleset",
        "limit == Limit.FIXED_LIMIT and stakes.small_bet",
        "False and stakes.small_bet",
    ),
    Mutant(
        "BLIND-2 the button acts last before the flop too",
        "state",
        "self.last = setup.seats.index(setup.big_blind_seat)",
        "self.last = setup.seats.index(setup.big_blind_seat) if players > 2 else players - 1",
    ),
    Mutant(
        "BLIND-3 a short big blind lowers the level",
        "state",
        "self.level = stakes.big_blind",
        "self.level = min(stakes.big_blind, setup.stacks[setup.seats.index(setup.big_blind_seat)])",
    ),
    Mutant(
        "BLIND-3 a short big blind lowers the minimum raise",
        "state",
        "self.increment = stakes.big_blind",
        "self.increment = min(stakes.big_blind, setup.stacks[setup.seats.index(setup.big_blind_seat)])",
    ),
    Mutant(
        "BLIND-4 the big blind has no option",
        "state",
        "self.acted = [NOT_ACTED] * players",
        "self.acted = [self.setup.stakes.big_blind if s == setup.big_blind_seat else NOT_ACTED for s in setup.seats]",
    ),
    Mutant(
        "BLIND-5 an ante counts towards the bet",
        "hand",
        'seats, ANTE_POSTED, "BLIND-5"',
        'seats, BLIND_POSTED, "BLIND-5"',
    ),
    Mutant(
        "BLIND-5 a big-blind ante is the big blind's own",
        "hand",
        'seats, DEAD_POSTED, "BLIND-5"',
        'seats, ANTE_POSTED, "BLIND-5"',
    ),
    Mutant(
        "BLIND-6 dead money is the poster's own",
        "state",
        "hand.dead += event.amount",
        "hand.total[player] += event.amount",
    ),
    Mutant(
        "BLIND-6 a dead small blind is live", "hand", 'seats, DEAD_POSTED, "BLIND-6"', 'seats, BLIND_POSTED, "BLIND-6"'
    ),
    # --- BET
    Mutant("BET-1 the button acts first after the flop", "state", "hand.last = NO_PLAYER", "hand.last = players - 2"),
    Mutant(
        "BET-1 the small blind acts first before the flop",
        "state",
        "self.last = setup.seats.index(setup.big_blind_seat)",
        "self.last = NO_PLAYER",
    ),
    Mutant(
        "BET-2 checking while owing",
        "betting",
        "if kind is CHECK and to_call > 0:",
        "if kind is CHECK and to_call > hand.stack[player]:",
    ),
    Mutant("BET-2 calling nothing", "betting", "if kind is CALL and to_call <= 0:", "if False:"),
    Mutant("BET-2 a bet over a bet", "betting", "if kind is BET and hand.level:", "if False:"),
    Mutant("BET-2 a raise of nothing", "betting", "if kind is RAISE and not hand.level:", "if False:"),
    Mutant(
        "BET-3 folding for nothing on the river",
        "betting",
        "if hand.setup.rule_set.open_fold == OpenFold.REFUSE:",
        "if hand.setup.rule_set.open_fold == OpenFold.REFUSE and hand.street < 3:",
    ),
    Mutant(
        "BET-3 the last one eligible may fold",
        "betting",
        "OpenFold.ALLOW and not is_sole_contender(player, hand.total, hand.live)",
        "OpenFold.ALLOW",
    ),
    Mutant(
        "BET-4 a round closes before everybody acted",
        "state",
        "(acted[player] < 0 or bet[player] < level)",
        "bet[player] < level",
    ),
    Mutant("BET-5 rounds without a possible wager are played", "state", "if hand.chips_count == 1:", "if False:"),
    Mutant(
        "BET-6 asked although no more is in", "state", "bet[opponent] > bet[player]", "bet[opponent] >= bet[player]"
    ),
    Mutant(
        "BET-7 cards are dealt to the last one left",
        "hand",
        "def _between_rounds(hand: Hand) -> list[Event]:\n    if hand.live_count == 1:",
        "def _between_rounds(hand: Hand) -> list[Event]:\n    if False:",
    ),
    Mutant("BET-8 wagers between chip units", "betting", "if to % unit:", "if False:"),
    Mutant(
        "BET-8 an amount beside a call", "hand", "if proposal.to and kind is not BET", "if False and kind is not BET"
    ),
    Mutant(
        "BET-9 a stale decision answered",
        "hand",
        "if proposal.decision_id and proposal.decision_id != hand.answered[player] + 1:",
        "if False:",
    ),
    Mutant(
        "BET-9 an action for another hand",
        "hand",
        "if proposal.hand_id and proposal.hand_id != hand.setup.hand_id:",
        "if False:",
    ),
    Mutant("BET-9 an all-in seat's turn", "hand", "if hand.stack[player] == 0:", "if False:"),
    # --- SIZE
    Mutant("SIZE-1 the minimum raise never grows", "state", "hand.increment = to - hand.level", "pass"),
    Mutant(
        "SIZE-1 the minimum raise stays from street to street",
        "state",
        "stakes.late_bet() if late else stakes.big_blind",
        "stakes.late_bet() if late else hand.increment",
    ),
    Mutant(
        "SIZE-2 less than the minimum with all chips is refused",
        "betting",
        "return (min(hand.level + hand.increment, most), most)",
        "return (hand.level + hand.increment, most) if hand.level + hand.increment <= most else NO_WAGER",
    ),
    Mutant(
        "SIZE-2 an opponent's stack lowers the minimum",
        "betting",
        "return (min(hand.level + hand.increment, most), most)",
        "return (max(hand.level + 1, min(hand.level + hand.increment, most, max(hand.stack))), most)",
    ),
    Mutant(
        "SIZE-3 a raise doubles the level",
        "betting",
        "return (min(hand.level + hand.increment, most), most)",
        "return (min(2 * hand.level or hand.increment, most), most)",
    ),
    Mutant(
        "SIZE-4 the pot without the call",
        "betting",
        "return hand.level + pot + owed(hand, player)",
        "return hand.level + pot",
    ),
    Mutant("SIZE-4 short blinds shrink the pot", "betting", "(hand.blind_shortfall if hand.street == 0 else 0)", "0"),
    Mutant(
        "SIZE-4 dead money is not in the pot", "state", "return sum(self.total) + self.dead", "return sum(self.total)"
    ),
    Mutant(
        "SIZE-5 the small bet on the turn",
        "state",
        "hand.setup.stakes.big_blind if hand.street < 2",
        "hand.setup.stakes.big_blind if hand.street < 3",
    ),
    Mutant(
        "SIZE-6 one raise more",
        "betting",
        "hand.wagers < 1 + rule_set.max_raises",
        "hand.wagers < 2 + rule_set.max_raises",
    ),
    Mutant("SIZE-6 the big blind is no bet", "state", "self.wagers = 1", "self.wagers = 0"),
    Mutant(
        "SIZE-7 two left is as good as two began", "betting", "hand.live_at_street_start > 2", "hand.live_count > 2"
    ),
    Mutant("SIZE-7 never a cap between two", "betting", "rule_set.cap_heads_up == CapHeadsUp.CAPPED or", "False or"),
    Mutant(
        "SIZE-8 half a bet does not count",
        "state",
        "if 2 * (to - hand.base) >= street_bet(hand):",
        "if 2 * (to - hand.base) > street_bet(hand):",
    ),
    Mutant(
        "SIZE-8 measured from the level",
        "betting",
        "min(hand.base + street_bet(hand), all_chips)",
        "min(hand.level + street_bet(hand), all_chips)",
    ),
    Mutant(
        "SIZE-8 all-ins do not add up",
        "state",
        "if 2 * (to - hand.base) >= street_bet(hand):",
        "if 2 * (to - hand.level) >= street_bet(hand):",
    ),
    Mutant("SIZE-9 the late minimum on the river only", "state", "late = hand.street >= 2", "late = hand.street >= 3"),
    Mutant(
        "SIZE-9 in pot-limit any late minimum", "ruleset", "and stakes.late_bet() > 2 * stakes.big_blind", "and False"
    ),
    # --- OPEN
    Mutant("OPEN-1 who has not acted is measured too", "betting", "if acted == NOT_ACTED:", "if False:"),
    Mutant("OPEN-2 any raise opens again", "betting", "return risen >= hand.increment", "return risen > 0"),
    Mutant(
        "OPEN-2 more than an increment is needed",
        "betting",
        "return risen >= hand.increment",
        "return risen > hand.increment",
    ),
    Mutant(
        "OPEN-2 a whole bet is needed",
        "betting",
        "return 2 * risen >= street_bet(hand)",
        "return risen >= street_bet(hand)",
    ),
    Mutant(
        "OPEN-2 a call does not count as acting",
        "state",
        "_pay(hand, player, event.amount)\n        hand.acted[player] = hand.level",
        "_pay(hand, player, event.amount)\n        hand.acted[player] = 0",
    ),
    Mutant(
        "OPEN-3 a short all-in shrinks the increment",
        "state",
        "elif to - hand.level >= hand.increment:",
        "elif to > hand.level:",
    ),
    Mutant(
        "OPEN-4 raising against all-in players", "betting", "hand.chips_count < 2 or not is_reopened", "not is_reopened"
    ),
    # --- DISC
    Mutant(
        "DISC-1 the last discard is not waited for",
        "hand",
        "return [] if waiting else closing_events(hand)",
        "return [] if len(waiting) > 1 else closing_events(hand)",
    ),
    Mutant("DISC-2 too few will do", "discards", "if len(cards) != count:", "if len(cards) > count:"),
    Mutant("DISC-2 a card may be named twice", "discards", "if named & bit:", "if False:"),
    Mutant(
        "DISC-2 one card need not be held",
        "discards",
        "if hidden > held.count(UNKNOWN) or",
        "if hidden > held.count(UNKNOWN) + 1 or",
    ),
    Mutant("DISC-2 a discard may be changed", "hand", "if hand.discarded[player]:", "if False:"),
    Mutant(
        "DISC-3 another's discard makes a decision stale",
        "state",
        "hand.kept[player] = without(hand.hole[player], event.cards)",
        "hand.kept[player] = without(hand.hole[player], event.cards)\n        hand.answered[0] += 1",
    ),
    Mutant("DISC-3 hidden late folds are never told", "state", "hand.late_folds.append(player)", "pass"),
    Mutant(
        "DISC-4 all-in players do not discard",
        "state",
        "self.live[player] and not self.discarded[player]",
        "self.live[player] and self.stack[player] > 0 and not self.discarded[player]",
    ),
    Mutant(
        "DISC-5 shown discards stay down",
        "discards",
        "discard_visibility != DiscardVisibility.HIDDEN",
        "discard_visibility == DiscardVisibility.JOINS_BOARD",
    ),
    Mutant(
        "DISC-6 folding instead",
        "hand",
        "if proposal.kind is FOLD:",
        "if proposal.kind is FOLD:\n        return None\n    if proposal.kind is FOLD:",
    ),
    Mutant(
        "DISC-7 hands are turned up before the discard",
        "hand",
        "AllInExposure.TABLE_ALL or not hand.discards_done",
        "AllInExposure.TABLE_ALL",
    ),
    Mutant(
        "DISC-8 the first cards go",
        "discards",
        "hand.hole[player][-hand.setup.rule_set.game.discards :]",
        "hand.hole[player][: hand.setup.rule_set.game.discards]",
    ),
    Mutant("DISC-8 a late all-in player folds", "discards", "and not hand.all_in(player)", ""),
    Mutant(
        "DISC-8 a late last contender folds", "discards", "and not is_sole_contender(player, hand.total, hand.live)", ""
    ),
    Mutant(
        "DISC-8 late together, anticlockwise",
        "hand",
        "sorted(seats, key=hand.index_of)",
        "sorted(seats, key=hand.index_of, reverse=True)",
    ),
    # --- POT
    Mutant("POT-1 every live player contests every pot", "pots", "if live[at] and total >= level:", "if live[at]:"),
    Mutant(
        "POT-1 dead money joins the highest pot",
        "pots",
        "dead_money if level == lowest else 0",
        "dead_money if level == highest else 0",
    ),
    Mutant("POT-2 nothing is returned", "pots", "if second == largest or not live[player]:", "if True:"),
    Mutant(
        "POT-2 folded bets do not call",
        "pots",
        "for at, bet in enumerate(street_bets):",
        "for at, bet in enumerate([one if live[i] else 0 for i, one in enumerate(street_bets)]):",
    ),
    Mutant(
        "POT-2 compared over the whole hand", "hand", "uncalled(hand.bet, hand.live)", "uncalled(hand.total, hand.live)"
    ),
    Mutant(
        "POT-3 folded chips above all join the main pot",
        "pots",
        "if level == highest and total > level:\n                amount += total - level",
        "if level == lowest and total > highest:\n                amount += total - highest",
    ),
    Mutant("POT-4 a pot of one needs a known hand", "showdown", "if len(pot.eligible) == 1:", "if False:"),
    Mutant("POT-5 the worst hand wins", "pots", "if mine > best:", "if mine < best:"),
    Mutant("POT-5 the first of equal hands wins", "pots", "elif mine == best:", "elif not winners:"),
    Mutant(
        "POT-6 odd chips from the button",
        "pots",
        "(1 if place < odd else 0)",
        "(1 if place >= len(winners) - odd else 0)",
    ),
    Mutant("POT-6 all odd chips to one", "pots", "(1 if place < odd else 0)", "(odd if place == 0 else 0)"),
    Mutant(
        "POT-6 chips below the unit",
        "pots",
        "units = amount // unit",
        "unit = 1\n    units = amount // unit",
    ),
    Mutant("POT-7 the rake is forgotten", "state", "hand.rake += event.amount", "pass"),
    Mutant(
        "POT-8 rake rounded up",
        "pots",
        "[pot.amount * stakes.rake_basis_points // 10_000 //",
        "[-(-pot.amount * stakes.rake_basis_points // 10_000) //",
    ),
    Mutant(
        "POT-8 the cap for each pot",
        "pots",
        "else _filled(full, stakes.rake_cap)",
        "else [min(one, stakes.rake_cap) for one in full]",
    ),
    Mutant("POT-8 a drop without a flop", "pots", "(stakes.no_flop_no_drop and not flop_dealt)", "False"),
    # --- SHOW
    Mutant("SHOW-1 the walk back stops at the flop", "showdown", "for street in (2, 1, 0):", "for street in (2, 1):"),
    Mutant(
        "SHOW-1 the final round is walked back from",
        "showdown",
        "showdown_order == ShowdownOrder.WALK_BACK:",
        "showdown_order != 0:",
    ),
    Mutant(
        "SHOW-1 the first to lift shows first",
        "state",
        "hand.lifts[hand.street] = player",
        "hand.lifts[hand.street] = max(player, hand.lifts[hand.street])",
    ),
    Mutant(
        "SHOW-2 an equal hand may muck", "showdown", "if mine >= best_shown[at] and", "if mine > best_shown[at] and"
    ),
    Mutant(
        "SHOW-2 the preset to show is ignored",
        "showdown",
        "hand.setup.seats[player] in hand.setup.show_when_beaten",
        "False",
    ),
    Mutant(
        "SHOW-3 a side pot's winner may muck",
        "showdown",
        "if mine >= best_shown[at] and",
        "if at == 0 and mine >= best_shown[at] and",
    ),
    Mutant(
        "SHOW-4 hands are turned up at the end only",
        "hand",
        "betting_is_over = hand.chips_count <= 1 or",
        "betting_is_over =",
    ),
    Mutant(
        "SHOW-4 hands are turned up with nobody all-in",
        "hand",
        "or already_up or hand.chips_count == hand.live_count",
        "or already_up",
    ),
    Mutant("SHOW-4 not every hand is shown", "showdown", "elif exposure is AllInExposure.SHOW_ALL:", "elif False:"),
    Mutant(
        "SHOW-5 a bet that was returned is no lift",
        "state",
        "hand.returned[player] += event.amount",
        "hand.returned[player] += event.amount\n        hand.lifts[hand.street] = NO_PLAYER",
    ),
    Mutant("SHOW-6 the main pot first", "hand", "range(len(awards) - 1, -1, -1)", "range(len(awards))"),
    Mutant(
        "SHOW-7 the last one must show",
        "hand",
        "return [*_award_events(hand, pots_of(hand), [0] * len(hand.live)),",
        "last = hand.live.index(True)\n"
        '    up = Event(HAND_SHOWN, "SHOW-7", hand.setup.seats[last], cards=hand.kept[last])\n'
        "    return [up, *_award_events(hand, pots_of(hand), [0] * len(hand.live)),",
    ),
    Mutant("SHOW-2 showing before the end", "hand", "if hand.phase is not OVER:", "if False:"),
    Mutant(
        "SHOW-8 folded hands may be shown",
        "hand",
        "if not hand.live[player]:\n        return Reason.NOTHING_TO_SHOW",
        "if False:\n        return Reason.NOTHING_TO_SHOW",
    ),
    # --- RANK
    Mutant(
        "RANK-1 the river does not play",
        "showdown",
        "shared = card_set(board)",
        "shared = card_set(board[:4] + board[5:])",
    ),
    Mutant(
        "RANK-2 a flush beats a full house", "ranking", "FLUSH = 5\n    FULL_HOUSE = 6", "FLUSH = 6\n    FULL_HOUSE = 5"
    ),
    Mutant("RANK-3 no straight with a low ace", "ranking", "= ranks << 1 | ranks >> 12", "= ranks << 1"),
    Mutant(
        "RANK-3 straights wrap around",
        "ranking",
        "if not lowest:\n        return 0",
        "if not lowest:\n        return 0x3210C if ranks & 0x1807 == 0x1807 else 0",
    ),
    Mutant(
        "RANK-4 a pair's last kicker is ignored",
        "ranking",
        "_digits(present & ~_only(pair), 3)",
        "_digits(present & ~_only(pair), 2) << 4",
    ),
    Mutant(
        "RANK-4 two pair's kicker is the lowest",
        "ranking",
        "_digits(kickers, 1)",
        "_digits(kickers & -kickers, 1)",
    ),
    Mutant(
        "RANK-4 the lowest cards of a flush play",
        "ranking",
        "return _FLUSH | _digits(ranks, 5)",
        "while _SIZE[ranks] > 5:\n        ranks &= ~_only(_highest(ranks))\n    return _FLUSH | _digits(ranks, 5)",
    ),
    # --- TIME
    Mutant(
        "TIME-2 out of time always folds",
        "hand",
        "late = FOLDED if owed(hand, player) > 0 else CHECKED",
        "late = FOLDED",
    ),
    Mutant(
        "TIME-2 an all-in player can be late",
        "hand",
        "if hand.stack[player] == 0:",
        "if hand.stack[player] == 0 and proposal.kind is not TIMEOUT:",
    ),
)
"""The faults, in the order of the rulebook."""
