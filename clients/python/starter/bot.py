"""My bot. Change `decide`; docs/bot-author.md says what there is to know of a decision."""

import argparse

from referee.client import play, take_seat


def decide(decision):
    if decision.must_discard:  # keep the highest cards
        return decision.discard(sorted(decision.legal.held)[: decision.must_discard])
    ranks = [card // 4 for card in decision.hole]  # 0 is the deuce, 12 the ace
    paired = len(set(ranks)) < len(ranks) or bool(set(ranks) & {card // 4 for card in decision.board})
    if paired and not decision.level:
        return decision.bet_pot(50)
    if paired or decision.to_call <= decision.big_blind:
        return decision.check_or_call()
    return decision.check_or_fold()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", default="127.0.0.1:50051")
    parser.add_argument("--table", required=True)
    parser.add_argument("--name", default="mine")
    asked = parser.parse_args()
    seat = take_seat(asked.target, asked.table, name=asked.name)
    (played,) = play(asked.target, decide, [seat])
    print(f"{played.hands} hands, net {played.net:+d}, {played.refusals} refusals; {played.reason}")
