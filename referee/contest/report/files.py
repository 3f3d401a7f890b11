"""Writes a contest's results into its folder."""

import json

from referee.contest.report.page import page
from referee.contest.report.summary import Played, Summary, summary
from referee.contest.report.tables import crosstable_csv, hands_csv, standings_csv
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
    )


def write_results(store: ContestStore) -> Summary:
    """Writes ``results/`` beside the contest's store: JSON, CSV, PHH, the page. The same hands give the same JSON."""
    made = summary(played_so_far(store))
    folder = store.folder / FOLDER
    hands_folder = folder / "hands"
    hands_folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json_text(made), encoding="utf-8")
    (folder / "standings.csv").write_text(standings_csv(made.values), encoding="utf-8")
    (folder / "crosstable.csv").write_text(crosstable_csv(made.values), encoding="utf-8")
    (folder / "hands.csv").write_text(hands_csv(made.counted), encoding="utf-8")
    wanted = {one["hand"] for one in made.values["largest_pots"]}
    wanted |= {one["first_hand"] for one in made.values["faults"]}
    told: dict[str, str] = {}
    by_match: dict[int, list[str]] = {}
    for match, name, text in store.phh():
        texts = by_match.setdefault(match, [])
        texts.append(f"[{len(texts) + 1}]\n{text}")
        if name in wanted:
            told[name] = text
    for match, texts in by_match.items():
        (hands_folder / f"m{match}.phhs").write_text("\n".join(texts), encoding="utf-8")
    text = page(made, store.happenings(), told, lambda name: f"hands/{name.partition('.')[0]}.phhs")
    (folder / "index.html").write_text(text, encoding="utf-8")
    return made


def json_text(made: Summary) -> str:
    """The results as JSON, keys sorted, one value a line."""
    return json.dumps(made.values, sort_keys=True, indent=1, ensure_ascii=False) + "\n"
