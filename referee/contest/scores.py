"""Who won a match, for the schedules that go by it, and which hands count."""

from collections.abc import Collection, Iterable, Sequence

from referee.contest.results import HandResult
from referee.contest.schedule import Match


def counted(results: Iterable[HandResult], voided: Collection[str], disqualified: Collection[str]) -> list[HandResult]:
    """The hands that count: none of anybody disqualified, and no voided deal in any of its seatings.

    ``voided`` are names of hands, such as ``m3.t0.s1-12``: the other seatings of the same deal go with it, or the one
    who was lucky there would keep his luck.
    """
    out = set(disqualified)
    deals = {_deal_of(name) for name in voided}
    return [
        one for one in results if out.isdisjoint(one.names) and f"m{one.match}.t{one.table}-{one.hand}" not in deals
    ]


def _deal_of(hand_name: str) -> str:
    table, _, hand = hand_name.rpartition("-")
    return f"{table.rpartition('.')[0]}-{hand}"


def match_scores(
    results: Iterable[HandResult],
    matches: Sequence[Match],
    big_blind: int,
    voided: Collection[str],
    disqualified: Collection[str],
) -> dict[int, dict[str, float]]:
    """What each player of each match won a hand, in big blinds; who is disqualified has lost.

    Voided deals do not count; hands against somebody disqualified do, as he has lost whatever happened in them.
    """
    nets = {match.number: dict.fromkeys(match.players, 0) for match in matches}
    hands = {match.number: dict.fromkeys(match.players, 0) for match in matches}
    for one in counted(results, voided, ()):
        for name, net in zip(one.names, one.nets, strict=True):
            nets[one.match][name] += net
            hands[one.match][name] += 1
    return {
        number: {
            name: float("-inf") if name in disqualified else net / big_blind / max(hands[number][name], 1)
            for name, net in of_match.items()
        }
        for number, of_match in nets.items()
    }
