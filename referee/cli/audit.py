"""`referee audit`: verifies bundles offline, steps through their hands, redacts and exports them."""

import typer

from referee.cli import audit_export, audit_redact, audit_replay, audit_verify

app = typer.Typer(no_args_is_help=True, help="Verify records offline, and look into them.")
app.command("verify")(audit_verify.command)
app.command("replay")(audit_replay.command)
app.command("redact")(audit_redact.command)
app.command("export")(audit_export.command)
