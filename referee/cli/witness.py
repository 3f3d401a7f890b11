"""`referee witness`: watches a server's log, and cosigns its heads as long as each goes on from the last."""

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import grpc
import typer

from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.client.witness import ForkError, Witnessed, WitnessError, WitnessState, ring_of, witness_once
from referee.record.log.errors import LogError
from referee.record.log.key_list import parse_key_list
from referee.record.log.keyring import KeyRing
from referee.record.log.keys import KEY_BYTES, SignatureKind, SigningKey, parse_signing_key
from referee.store.durable import write_new

app = typer.Typer(add_completion=False)


@app.callback(invoke_without_command=True)
def command(
    context: typer.Context,
    target: Annotated[
        str, typer.Option(envvar="REFEREE_TARGET", help="The server's address, HOST:PORT.")
    ] = "127.0.0.1:50051",
    key: Annotated[Path | None, typer.Option(help="File of the witness's key, as `new-key` writes it.")] = None,
    state: Annotated[Path, typer.Option(help="Folder of what the witness has seen.")] = Path("referee-witness"),
    log_key: Annotated[
        list[str] | None, typer.Option(help="A verifier key of the log; without one the first seen is trusted.")
    ] = None,
    keys: Annotated[Path | None, typer.Option(help="File of the log's keys, such as DATA/log.keys.")] = None,
    once: Annotated[bool, typer.Option("--once", help="Look once and stop.")] = False,
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two looks.")] = 60.0,
    tls_ca: Annotated[
        Path | None, typer.Option(envvar="REFEREE_TLS_CA", help="PEM file of the authority to trust; turns TLS on.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Watch a server's log and cosign its heads; exit with 1 at one that does not go on from what was seen."""
    if context.invoked_subcommand is not None:
        return
    try:
        if key is None:
            raise WitnessError("--key is needed; `referee witness new-key NAME` makes one")
        signing = parse_signing_key(key.read_text(encoding="utf-8").strip())
        if signing.verifier.kind != SignatureKind.COSIGNATURE:
            raise WitnessError(f"{key} is not a witness's key")
        pinned = _pinned(log_key or [], keys)
        credentials = None if tls_ca is None else grpc.ssl_channel_credentials(tls_ca.read_bytes())
        kept = WitnessState(state)
    except (OSError, LogError, WitnessError) as failed:
        err.print(f"cannot witness: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    channel = grpc.insecure_channel(target) if credentials is None else grpc.secure_channel(target, credentials)
    try:
        with channel:
            _watch(
                lambda: witness_once(channel, signing, kept, pinned, int(time.time())), None if once else every, as_json
            )
    finally:
        kept.close()


@app.command("new-key")
def new_key(
    name: Annotated[str, typer.Argument(help="The witness's name, such as witness.example/w1.")],
    file: Annotated[Path, typer.Option(help="A new file for the secret key.")] = Path("witness.key"),
    as_json: AsJson = False,
) -> None:
    """Draw a witness's key, keep it in a file that only you can read, and print the key that verifiers need."""
    try:
        key = SigningKey(name, secrets.token_bytes(KEY_BYTES), SignatureKind.COSIGNATURE)
        write_new(file, key.secret_text + "\n", 0o600)
    except (OSError, LogError) as failed:
        err.print(f"no key: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    if as_json:
        print_json({"file": str(file), "key": key.verifier.text})
    else:
        out.print(key.verifier.text, markup=False)


def _pinned(texts: list[str], file: Path | None) -> KeyRing | None:
    if texts and file is not None:
        raise WitnessError("give --log-key or --keys, not both")
    if file is not None:
        return parse_key_list(file.read_text(encoding="utf-8"))
    return ring_of(texts) if texts else None


def _watch(look: Callable[[], Witnessed], every_s: float | None, as_json: bool) -> None:
    """Looks once, or again and again until a head is refused; what cannot be asked now is asked later."""
    while True:
        try:
            _tell(look(), as_json)
        except ForkError as fork:
            _refused("fork", str(fork), as_json)
            raise typer.Exit(Exit.DISAGREES) from None
        except (LogError, WitnessError, OSError) as failed:
            _refused("refused", str(failed), as_json)
            raise typer.Exit(Exit.UNREADABLE) from None
        except grpc.RpcError as failed:
            _refused("unreachable", f"{failed.code().name}: {failed.details()}", as_json)
            if every_s is None:
                raise typer.Exit(Exit.UNREADABLE) from None
        if every_s is None:
            return
        time.sleep(every_s)


def _refused(what: str, said: str, as_json: bool) -> None:
    if as_json:
        print_json({"outcome": what, "said": said})
    err.print(f"{what}: {said}", markup=False)


def _tell(seen: Witnessed, as_json: bool) -> None:
    head = seen.checkpoint
    if seen.trusted_now:
        err.print(
            f"WARNING: no key of the log was given; trusting the first one seen: {seen.trusted_now}\n"
            "Compare it with what the operator publishes, and give it with --log-key.",
            markup=False,
        )
    if as_json:
        print_json(
            {
                "outcome": "cosigned",
                "log": head.origin,
                "size": head.size,
                "root": head.root.hex(),
                "taken": seen.is_taken,
                "said": seen.said,
            }
        )
        return
    taken = "" if seen.is_taken else f"; the server does not keep it: {seen.said}"
    out.print(f"cosigned {head.origin}: {head.size} records, root {head.root.hex()}{taken}", markup=False)
