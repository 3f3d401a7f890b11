"""`referee audit`: verifies bundles offline, settles disputes about any record, and audits whole folders."""

import typer

from referee.cli import audit_export, audit_redact, audit_replay, audit_verify, bulk, dispute

app = typer.Typer(no_args_is_help=True, help="Verify records offline, settle disputes, and look into hands.")
app.command("verify")(audit_verify.command)
app.command("replay")(audit_replay.command)
app.command("redact")(audit_redact.command)
app.command("export")(audit_export.command)
app.command("dispute")(dispute.command)
app.command("bulk")(bulk.command)
