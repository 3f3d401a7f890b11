"""The setups that no hand can be played from, and the rules that say so (GAME, BLIND, SIZE-9, DEAL, POT-8)."""

from referee_reference.cards import cards_needed, is_card
from referee_reference.terms import NOBODY, PUBLISHED, UNKNOWN, RuleSet, Setup, Stakes, big_bet


def broken_rules(setup: Setup) -> set[str]:
    """The ids of every rule that this setup breaks; a hand can be played from it when there are none."""
    broken = broken_by_rule_set(setup.rule_set) | broken_by_stakes(setup.stakes, setup.rule_set, setup.limit)
    return broken | broken_by_seats(setup) | broken_by_amounts(setup) | broken_by_posts(setup) | broken_by_deck(setup)


def broken_by_rule_set(rule_set: RuleSet) -> set[str]:
    """GAME-2, GAME-3, GAME-4, SIZE-6, SIZE-9: rule sets that nobody can play."""
    game, broken = rule_set.game, set()
    for published in PUBLISHED:
        if (published.name, published.version) == (rule_set.name, rule_set.version) and published != rule_set:
            broken.add("GAME-3")  # a published name means what was published
    if rule_set.name == "" or "@" in rule_set.name or rule_set.version < 1:
        broken.add("GAME-3")  # there are no unnamed house rules
    if game.hole_cards < 1 or not 0 <= game.discards < game.hole_cards:
        broken.add("GAME-3")
    if (game.point == "NEVER") != (game.discards == 0):
        broken.add("GAME-3")
    if 2 * game.hole_cards + 5 > 52:
        broken.add("GAME-4")
    if len(rule_set.limits) == 0 or len(set(rule_set.limits)) != len(rule_set.limits):
        broken.add("GAME-2")
    if rule_set.max_raises < 0:
        broken.add("SIZE-6")
    if rule_set.late_minimum == "BIG_BET" and "FIXED_LIMIT" in rule_set.limits:
        broken.add("SIZE-9")
    return broken


def broken_by_stakes(stakes: Stakes, rule_set: RuleSet, limit: str) -> set[str]:
    """BLIND-1, BLIND-5, GAME-2, SIZE-9, POT-8: amounts that do not fit one another."""
    broken = set()
    amounts = (stakes.small_blind, stakes.big_blind, stakes.small_bet, stakes.big_bet, stakes.ante)
    if stakes.chip_unit < 1 or any(amount < 0 for amount in amounts):
        broken.add("BLIND-1")
    if stakes.chip_unit >= 1 and any(amount % stakes.chip_unit != 0 for amount in amounts):
        broken.add("BLIND-1")
    if not 0 <= stakes.small_blind <= stakes.big_blind or stakes.big_blind == 0:
        broken.add("BLIND-1")
    if limit not in rule_set.limits:
        broken.add("GAME-2")
    if limit == "FIXED_LIMIT" and stakes.small_bet not in (0, stakes.big_blind):
        broken.add("BLIND-1")
    if big_bet(stakes) < stakes.big_blind:
        broken.add("SIZE-9")
    if rule_set.late_minimum == "BIG_BET" and limit == "POT_LIMIT" and big_bet(stakes) > 2 * stakes.big_blind:
        broken.add("SIZE-9")
    if (stakes.ante_kind == "NONE") != (stakes.ante == 0):
        broken.add("BLIND-5")
    if not 0 <= stakes.rake_basis_points <= 10_000:
        broken.add("POT-8")
    if stakes.rake_cap is not None and (stakes.rake_cap < 0 or stakes.rake_cap % max(1, stakes.chip_unit) != 0):
        broken.add("POT-8")
    return broken


def broken_by_seats(setup: Setup) -> set[str]:
    """GAME-4, DEAL-1, BLIND-1, BLIND-2: who sits where, clockwise, and who posts the blinds."""
    broken, seats = set(), setup.seats
    if not 2 <= len(seats) <= 10 or len(seats) * setup.rule_set.game.hole_cards + 5 > 52:
        broken.add("GAME-4")
    if len(set(seats)) != len(seats) or any(not 1 <= seat <= 10 for seat in seats):
        broken.add("GAME-4")
    if not 1 <= setup.button_seat <= 10:
        broken.add("BLIND-1")
    left_of_button_round_to_it = [(setup.button_seat + step - 1) % 10 + 1 for step in range(1, 11)]
    if list(seats) != [seat for seat in left_of_button_round_to_it if seat in seats]:
        broken.add("DEAL-1")
    blinds = (setup.small_blind_seat, setup.big_blind_seat)
    if len(seats) == 2:
        if blinds != (seats[1], seats[0]) or setup.button_seat != seats[1]:
            broken.add("BLIND-2")
    elif blinds != seats[:2] and blinds != (NOBODY, *seats[:1]):
        broken.add("BLIND-1")
    if any(seat not in seats for seat in setup.show_when_beaten + setup.mucked_unseen):
        broken.add("SHOW-2")
    return broken


def broken_by_amounts(setup: Setup) -> set[str]:
    """POT-7, BET-8, POT-8: stacks and a recorded rake that there can be."""
    broken, unit = set(), max(1, setup.stakes.chip_unit)
    if len(setup.stacks) != len(setup.seats) or any(stack <= 0 for stack in setup.stacks):
        broken.add("POT-7")
    if any(stack % unit != 0 for stack in setup.stacks):
        broken.add("BET-8")
    rake = setup.recorded_rake
    if rake is not None and (not 0 <= rake <= sum(setup.stacks) or rake % unit != 0):
        broken.add("POT-8")
    return broken


def broken_by_posts(setup: Setup) -> set[str]:
    """SEAT-3: a post is a live big blind, a dead small blind, or both, once a seat, and by no blind."""
    posting = [post.seat for post in setup.posts]
    for post in setup.posts:
        if posting.count(post.seat) > 1 or post.seat not in setup.seats:
            return {"SEAT-3"}
        if post.seat in (setup.small_blind_seat, setup.big_blind_seat):
            return {"SEAT-3"}
        if post.live not in (0, setup.stakes.big_blind) or post.dead not in (0, setup.stakes.small_blind):
            return {"SEAT-3"}
    return set()


def broken_by_deck(setup: Setup) -> set[str]:
    """GAME-5, DEAL-3: enough cards for the whole hand, and no card twice."""
    if setup.deck == ():
        return set()
    broken = set()
    if len(setup.deck) < cards_needed(setup):
        broken.add("DEAL-3")
    known = [card for card in setup.deck if card != UNKNOWN]
    if not all(is_card(card) for card in known) or len(set(known)) != len(known):
        broken.add("GAME-5")
    return broken
