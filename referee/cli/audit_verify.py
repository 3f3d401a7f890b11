"""`referee audit verify`: verifies a bundle offline."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from referee.audit.report import CHECKS, Outcome, Report, Verdict
from referee.audit.trust import Trust, trust_in
from referee.audit.verify import verify_bundle
from referee.cli.audit_files import BundleFile, bytes_of
from referee.cli.output import AsJson, out, print_json
from referee.record.log.errors import KeyFormatError
from referee.record.log.key_list import parse_key_list

EXITS: Final = {Verdict.VALID: 0, Verdict.INVALID: 1, Verdict.UNREADABLE: 2, Verdict.INCOMPLETE: 3}
"""Exit codes by verdict; the numbers are those of every command."""

_MARKS: Final = {Outcome.PASS: "pass", Outcome.FAIL: "FAIL", Outcome.NOT_CHECKABLE: "not checkable"}

Keys = Annotated[
    list[str] | None, typer.Option("--key", help="A key of the log that you believe, as name+id+key; may be repeated.")
]
KeysFile = Annotated[
    Path | None, typer.Option(help="A list of keys with the bounds of their validity, such as a server's log.keys.")
]
WitnessKeys = Annotated[
    list[str] | None, typer.Option("--witness", help="A key of a witness that you believe; may be repeated.")
]
Quorum = Annotated[int, typer.Option(min=0, help="How many of the witnesses must have cosigned.")]


def command(
    bundle: BundleFile,
    key: Keys = None,
    keys: KeysFile = None,
    witness: WitnessKeys = None,
    quorum: Quorum = 0,
    as_json: AsJson = False,
) -> None:
    """Verify a bundle offline: what was logged, how the cards came about, and every ruling.

    Exit code 0: valid; 1: invalid; 2: unreadable; 3: incomplete, such as without a key that is believed.
    """
    report = verify_bundle(bytes_of(bundle), chosen_trust(key, witness, keys), quorum)
    if as_json:
        print_json({"file": str(bundle)} | report_dict(report))
    else:
        print_report(report)
    if report.verdict != Verdict.VALID:
        raise typer.Exit(EXITS[report.verdict])


def chosen_trust(keys: list[str] | None, witness_keys: list[str] | None, file: Path | None = None) -> Trust:
    """Trust in the keys of the options, and of a key list."""
    try:
        trust = trust_in(keys or (), witness_keys or ())
        if file is None:
            return trust
        ring = parse_key_list(file.read_text(encoding="utf-8"))
        return Trust(trust.log_keys + ring.log_keys, trust.witnesses + ring.witnesses)
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{file}: {error}", param_hint="--keys") from None
    except KeyFormatError as error:
        raise typer.BadParameter(str(error), param_hint="--key, --witness") from None


def report_dict(report: Report) -> dict[str, Any]:
    """A report as JSON tells it."""
    divergence = report.divergence
    return {
        "verdict": report.verdict.name.lower(),
        "hands": report.hands,
        "rulings": report.rulings,
        "missing": list(report.missing),
        "checks": [
            {
                "name": check.name,
                "outcome": check.outcome.name.lower(),
                "compared": check.compared,
                "message": check.message,
            }
            for check in report.checks
        ],
        "divergence": None if divergence is None else asdict(divergence) | {"rule_text": divergence.rule_text},
    }


def print_report(report: Report) -> None:
    """Prints a report for people."""
    for check in report.checks:
        out.print(f"{_MARKS[check.outcome]:13} {check.name:13} {CHECKS[check.name]}: {check.message}", markup=False)
    divergence = report.divergence
    if divergence is not None:
        where = f"table {divergence.table_id}, piece {divergence.piece}" if divergence.table_id else "the bundle"
        if divergence.entry >= 0:
            where += f", entry {divergence.entry}"
        out.print(f"\nfirst divergence: {where}: {divergence.message}", markup=False)
        for name, told in (
            ("before", divergence.before),
            ("recorded", divergence.recorded),
            ("right", divergence.right),
            (divergence.rule, divergence.rule_text),
        ):
            if told:
                out.print(f"  {name:9} {told}", markup=False)
    out.print(f"\n{report.hands} hands, {report.rulings} rulings: {report.verdict.name}", markup=False)
    for what in report.missing:
        out.print(f"  missing: {what}", markup=False)
