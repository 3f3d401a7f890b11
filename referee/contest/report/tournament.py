"""The results of a tournament as plain values: places, prizes, levels, and where the chips are."""

from typing import Any

from referee.contest.freeze_out import FreezeOutError, played_tournament
from referee.contest.report.summary import Played, common
from referee.contest.tournament.standings import Place, payouts, usual_shares


def tournament_values(played: Played) -> dict[str, Any]:
    """Reckons everything. Raises FreezeOutError when chips have appeared or vanished (POT-7)."""
    settings = played.settings
    names = [name for name in played.names if name not in played.disqualified]
    found = played_tournament(
        settings,
        played.seed,
        played.names,
        played.matches,
        played.hands,
        played.withdrawals,
        played.stage_times,
    )
    tournament, own = found.tournament, settings.levels_and_payouts
    begun, in_play = settings.game.stack * len(played.names), sum(tournament.stacks.values())
    if begun != in_play + found.taken_out:
        raise FreezeOutError(f"{begun} chips began, {in_play} are in play, {found.taken_out} taken out (POT-7)")
    places = tournament.places(played.disqualified)
    prizes = (
        payouts(places, own.prize_pool, own.shares or usual_shares(len(names))) if played.is_over and places else {}
    )
    out = {one.entrant: one for one in tournament.eliminations}

    def row(place: Place) -> dict[str, Any]:
        gone = out.get(place.entrant)
        return {
            "first": place.first,
            "last": place.last,
            "name": place.entrant,
            "prize": prizes.get(place.entrant),
            "chips": tournament.stacks.get(place.entrant, 0),
            "out_in_hand": None if gone is None else gone.hand,
            "began_it_with": None if gone is None else gone.stack,
        }

    structure = tournament.config.structure
    begun_at = {number: played.stage_times[number].elapsed_ms for number in sorted(played.stage_times)}
    last_ms = begun_at.get(found.stages, 0)
    return {
        **common(played, played.hands),
        "places": [row(place) for place in places],
        "prize_pool": own.prize_pool,
        "rounds": tournament.rounds,
        "chips": {"begun": begun, "in_play": in_play, "taken_out": found.taken_out},
        "level": structure.number_at(max(tournament.rounds - 1, 0), last_ms) + 1,
        "level_unit": structure.unit.value,
        "stages_began_ms": list(begun_at.values()),
        "levels": [
            {
                "number": number,
                "small_blind": level.small_blind,
                "big_blind": level.big_blind,
                "ante": level.ante,
                "ante_kind": level.ante_kind.name.lower().replace("_", "-"),
                "length": level.length,
            }
            for number, level in enumerate(structure.levels, 1)
        ],
        "matches": [
            {"number": match.number, "round": match.round, "players": list(match.players)} for match in played.matches
        ],
    }
