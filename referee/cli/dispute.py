"""`referee audit dispute`: what was right in a disputed hand, by which rule, and where its record goes wrong."""

import re
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from referee.audit.answer import Answer, Claim, ClaimError, PlayerOutcome
from referee.audit.dispute import DisputeVerdict
from referee.audit.disputes import dispute_record, report_html, report_text
from referee.audit.kozel_dispute import RoundVerdict
from referee.audit.report import Divergence, Verdict
from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.cli.reading import Game, RuleSetName, chosen_rule_set
from referee.judge import Finding
from referee.kozel.state import Round
from referee.record.hand_record import NotationError
from referee.record.notation import GameRecord, read_file
from referee.record.notation.kozel import account_text
from referee.record.notation.settlement_json import settlement_to_dict

EXITS: Final = {
    Verdict.VALID: Exit.AGREES,
    Verdict.INVALID: Exit.DISAGREES,
    Verdict.UNREADABLE: Exit.UNREADABLE,
    Verdict.INCOMPLETE: Exit.INCOMPLETE,
}

_CLAIM: Final = re.compile(r"(.+)=([+-]?\d{1,18})", re.ASCII | re.DOTALL)


def command(
    file: Annotated[Path, typer.Argument(help="A record in any notation that is read.")],
    hand: Annotated[int, typer.Option(min=1, help="Which hand of the file.")] = 1,
    claim: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=NET: what this player (or seat) is said to have won or lost, in chips of the record, or points."
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write the printable report here: a page (.html) or plain text (.txt).")
    ] = None,
    rule_set: RuleSetName = None,
    game: Game = None,
    as_json: AsJson = False,
) -> None:
    """Judge one disputed hand and the outcome that somebody claims.

    Exit code 0: record and claims are right; 1: something is wrong; 2: unreadable; 3: cards or actions are missing.
    """
    claims = [_claim(text) for text in claim or ()]
    if report is not None and report.suffix not in (".html", ".txt"):
        raise typer.BadParameter("a report is .html, which any browser prints as PDF, or .txt", param_hint="--report")
    read = _read(file, hand, rule_set, game)
    if isinstance(read, NotationError):
        _print_unreadable(read, as_json)
        raise typer.Exit(Exit.UNREADABLE)
    try:
        answer = dispute_record(read, claims, hand)
    except ClaimError as error:
        raise typer.BadParameter(str(error), param_hint="--claim") from None
    if report is not None:
        _write(report, answer)
    if as_json:
        print_json(answer_to_dict(answer))
    else:
        out.print(answer_text(answer), markup=False)
    raise typer.Exit(EXITS[answer.verdict])


def _claim(text: str) -> Claim:
    found = _CLAIM.fullmatch(text)
    if found is None:
        raise typer.BadParameter(f"expected NAME=NET such as Anna=-200, not {text!r}", param_hint="--claim")
    return Claim(found[1], int(found[2]))


def _read(file: Path, hand: int, rule_set: str | None, game: Path | None) -> GameRecord | NotationError:
    rules = chosen_rule_set(rule_set)
    try:
        read = next(islice(read_file(file, rules, game), hand - 1, None), None)
    except OSError as unreadable:
        return NotationError(str(file), 0, f"a readable file: {unreadable.strerror}")
    return NotationError(str(file), 0, f"a hand number {hand}; the file has fewer") if read is None else read


def _write(report: Path, answer: Answer) -> None:
    written = report_html(answer) if report.suffix == ".html" else report_text(answer)
    try:
        report.write_text(written, encoding="utf-8")
    except OSError as failed:
        raise typer.BadParameter(f"cannot write {report}: {failed.strerror}", param_hint="--report") from None


def _print_unreadable(error: NotationError, as_json: bool) -> None:
    if as_json:
        where = {"source": error.source, "line": error.line, "expected": error.expected}
        print_json({"verdict": Verdict.UNREADABLE.name.lower()} | where)
    else:
        err.print(f"unreadable: {error}", markup=False)


def answer_text(answer: Answer) -> str:
    """The answer for a terminal: the verdict, the first wrong event, and the right outcome."""
    lines = [f"{answer.verdict.name.lower()}: {answer.summary}"]
    if answer.divergence is not None:
        lines += divergence_lines(answer.divergence)
    if answer.outcomes:
        lines.append("right outcome:")
        lines += [f"  {_outcome_text(one)}" for one in answer.outcomes]
    lines.append(f"rules: {', '.join(answer.rules)}")
    return "\n".join(lines)


def divergence_lines(divergence: Divergence) -> list[str]:
    """A divergence for a terminal."""
    lines = [f"  before   {line}" for line in divergence.before.splitlines()]
    lines += [f"  recorded {divergence.recorded}"] if divergence.recorded else []
    lines += [f"  right    {divergence.right}"] if divergence.right else []
    return [*lines, f"  {divergence.rule:8} {divergence.rule_text}"]


def _outcome_text(one: PlayerOutcome) -> str:
    said = f"{one.player} (seat {one.seat}): {one.net:+}, {one.got}"
    if one.recorded_net not in (None, one.net):
        said += f"; recorded {float(one.recorded_net or 0):+g}"
    if one.claimed_net not in (None, one.net):
        said += f"; claimed {one.claimed_net:+}"
    return said


def answer_to_dict(answer: Answer) -> dict[str, Any]:
    """The answer as a dictionary that ``json.dumps`` takes; parts of chips are numbers with a point."""
    assert isinstance(answer, (DisputeVerdict, RoundVerdict)), "there is no third game"
    judgement = answer.judgement
    rules = judgement.record.setup.rule_set
    told = {
        "verdict": answer.verdict.name.lower(),
        "summary": answer.summary,
        "rule_set": rules.full_name,
        "rule_set_sha256": rules.sha256(),
        "divergence": None
        if answer.divergence is None
        else divergence_to_dict(answer.divergence) | {"line": answer.line},
        "outcomes": [
            {
                "seat": one.seat,
                "player": one.player,
                "collected": one.collected,
                "net": one.net,
                "recorded_net": _number(one),
                "claimed_net": one.claimed_net,
            }
            for one in answer.outcomes
        ],
        "rules": list(answer.rules),
        "findings": [_finding_to_dict(finding) for finding in judgement.findings],
    }
    if isinstance(answer, RoundVerdict):
        state = answer.judgement.state
        return told | {"after": None if state is None or not state.has_ended() else _after_to_dict(state)}
    settled = answer.judgement.settlement
    return told | {"settlement": None if settled is None else settlement_to_dict(settled)}


def _finding_to_dict(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "rule": finding.rule,
        "message": finding.message,
        "recorded": finding.recorded,
        "right": finding.right,
        "step": finding.step,
        "line": finding.line,
    }


def _after_to_dict(state: Round) -> dict[str, Any]:
    """What a round left, with accounts as Kozel's notation writes them; nobody is rated before the game's end."""
    over = state.game_has_ended()
    return {
        "accounts": [account_text(account) for account in state.accounts],
        "carry": state.carry,
        "lost": [state.setup.seats[player] for player in state.lost],
        "ratings": list(state.ratings) if over else [],
    }


def divergence_to_dict(divergence: Divergence) -> dict[str, Any]:
    """A divergence as a dictionary that ``json.dumps`` takes; ``rule_text`` is the rule in full."""
    return asdict(divergence) | {"rule_text": divergence.rule_text}


def _number(one: PlayerOutcome) -> int | float | None:
    net = one.recorded_net
    if net is None:
        return None
    return int(net) if net.denominator == 1 else float(net)
