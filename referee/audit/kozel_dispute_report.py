"""What the printable report on a dispute about a round of Kozel says, for the people concerned."""

from collections.abc import Iterator

from referee.audit.answer import WHOLE
from referee.audit.answer_rows import (
    FINDING_HEADS,
    dispute_rows,
    finding_rows,
    outcome_rows,
    rule_rows,
    told_rows,
    wrong_row,
    wrong_rows,
)
from referee.audit.kozel_dispute import RoundVerdict, events_before, names_of
from referee.audit.report_page import Row, Section
from referee.kozel.setup import FIRST_ROUND, dealt_to
from referee.kozel.tiles import tiles_text
from referee.record.kozel_record import RecordedRound
from referee.record.kozel_telling import account_words, tell
from referee.record.notation.kozel import deed_text


def round_sections(answer: RoundVerdict) -> tuple[Section, ...]:
    """The report's parts, those that have nothing to say left out."""
    record, findings = answer.judgement.record, answer.judgement.findings
    sections = (
        Section("The dispute", tuple(dispute_rows(answer, record.source, "kozel"))),
        Section("Game and rules", tuple(_game_rows(record))),
        Section("Players", tuple(_player_rows(record)), ("seat", "player", "account before", "tiles dealt")),
        Section("The first wrong event", tuple(wrong_rows(answer))),
        Section("The round", tuple(_round_rows(answer)), ("part", "rule", "what happened")),
        Section("What was found", tuple(finding_rows(findings)), FINDING_HEADS),
        Section(
            "The right outcome",
            tuple(outcome_rows(answer)),
            ("seat", "player", "scored", "right net", "recorded net", "claimed net"),
            2,
        ),
        Section("Accounts after the round", tuple(_account_rows(answer)), ("seat", "player", "account")),
        Section("The rules", tuple(rule_rows(answer)), ("rule", "text")),
    )
    return tuple([section for section in sections if section.rows])


def _game_rows(record: RecordedRound) -> Iterator[Row]:
    setup = record.setup
    yield Row(("rules", f"{setup.rule_set.full_name}, as the record names them"))
    yield Row(("sha256 of rules", setup.rule_set.sha256()))
    if setup.hand_id:
        yield Row(("round", setup.hand_id))
    first = setup.leader_seat == FIRST_ROUND
    yield Row(("leads", "by the rule for a game's first round" if first else f"player {setup.leader_seat}"))
    if setup.carry:
        yield Row(("carried", f"{setup.carry} points"))
    if len(setup.decks) > 1:
        yield Row(("dealt again", f"{len(setup.decks) - 1} times"))


def _player_rows(record: RecordedRound) -> Iterator[Row]:
    setup, names = record.setup, names_of(record)
    hand_tiles, players = setup.rule_set.hand_tiles, len(setup.seats)
    for player, (seat, account) in enumerate(zip(setup.seats, setup.accounts, strict=False)):
        dealt = tiles_text(dealt_to(setup.decks[-1], player, players, hand_tiles)) if setup.decks else "not known"
        yield Row((str(seat), names[seat], account_words(account), dealt))


def _round_rows(answer: RoundVerdict) -> Iterator[Row]:
    """The round as the judge followed it, with what is wrong at the move where it stands."""
    judgement = answer.judgement
    deeds = judgement.record.deeds
    told = list(tell(judgement.events, names_of(judgement.record)))
    part, at = "", 0
    for finding in judgement.findings:
        if finding.step == WHOLE:
            continue
        until = len(events_before(judgement, finding.step))
        part = yield from told_rows(told[at:until], part)
        at = until
        yield wrong_row(finding, deed_text(deeds[finding.step]) if finding.step < len(deeds) else "nothing more")
    yield from told_rows(told[at:], part)


def _account_rows(answer: RoundVerdict) -> Iterator[Row]:
    state = answer.judgement.state
    if state is None or not answer.outcomes:
        return
    for one, account in zip(answer.outcomes, state.accounts, strict=True):
        yield Row((str(one.seat), one.player, account_words(account)))
    if state.carry:
        yield Row(("", "carried", f"{state.carry} points"))
    for player, rating in enumerate(state.ratings if state.game_has_ended() else ()):
        lost = ", has lost the game" if player in state.lost else ""
        yield Row((str(state.setup.seats[player]), "rating", f"{rating}{lost}"))
