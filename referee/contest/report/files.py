"""Writes a contest's results into its folder."""

import json
from pathlib import Path
from typing import Any

from referee.contest.report.page import page, tournament_page
from referee.contest.report.summary import Played, summary
from referee.contest.report.tables import crosstable_csv, hands_csv, places_csv, standings_csv
from referee.contest.report.tournament import tournament_values
from referee.contest.report.words import OF_KOZEL, words_of
from referee.contest.store import FINISHED, ContestStore

FOLDER = "results"


def played_so_far(store: ContestStore) -> Played:
    """What has been played in a contest by now.

    Until it is over only tables count that were played in all seatings: others are out of balance, and would tell who
    plays the same deals now how they went elsewhere.
    """
    is_over, whole = store.status == FINISHED, store.played_in_all_seatings()
    hands = [one for one in store.results() if is_over or (one.match, one.table) in whole]
    return Played(
        store.settings,
        store.entrants(),
        store.seed,
        [match for match, _ in store.matches()],
        hands,
        is_over,
        store.voided(),
        store.disqualified(),
        store.withdrawals(),
        store.stage_times(),
    )


def result_values(played: Played) -> dict[str, Any]:
    """The results as plain values, whatever the format."""
    return tournament_values(played) if played.settings.is_tournament else summary(played).values


def write_results(store: ContestStore) -> dict[str, Any]:
    """Writes ``results/`` beside the contest's store: JSON, CSV, PHH, the page; returns the values.

    The same hands give the same JSON.
    """
    played = played_so_far(store)
    made = None if played.settings.is_tournament else summary(played)
    values = tournament_values(played) if made is None else made.values
    folder = store.folder / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json_text(values), encoding="utf-8")
    if made is None:
        (folder / "places.csv").write_text(places_csv(values), encoding="utf-8")
    else:
        (folder / "standings.csv").write_text(standings_csv(values), encoding="utf-8")
        (folder / "crosstable.csv").write_text(crosstable_csv(values), encoding="utf-8")
    (folder / "hands.csv").write_text(hands_csv(played.hands if made is None else made.counted), encoding="utf-8")
    told = _write_hands(store, folder / "hands", values)

    def hand_file(name: str) -> str:
        return f"hands/{name.partition('.')[0]}.{words_of(values).suffix}"

    happened = store.happenings()
    text = tournament_page(values, happened, told, hand_file) if made is None else page(made, happened, told, hand_file)
    (folder / "index.html").write_text(text, encoding="utf-8")
    return values


def _write_hands(store: ContestStore, folder: Path, values: dict[str, Any]) -> dict[str, str]:
    """Writes every hand's PHH, or every game of Kozel; returns those that the page shows, by name."""
    words = words_of(values)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {one["hand"] for one in values["largest_pots"]}
    wanted |= {one["first_hand"] for one in values["faults"]}
    told: dict[str, str] = {}
    by_match: dict[int, list[str]] = {}
    for match, name, text in store.phh():
        texts = by_match.setdefault(match, [])
        texts.append(text if words is OF_KOZEL else f"[{len(texts) + 1}]\n{text}")
        if name in wanted:
            told[name] = text
    for match, texts in by_match.items():
        (folder / f"m{match}.{words.suffix}").write_text("\n".join(texts), encoding="utf-8")
    return told


def json_text(values: dict[str, Any]) -> str:
    """The results as JSON, keys sorted, one value a line."""
    return json.dumps(values, sort_keys=True, indent=1, ensure_ascii=False) + "\n"
