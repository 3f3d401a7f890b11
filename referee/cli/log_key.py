"""`referee log-key`: the key that signs the log of a server's records."""

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.output import AsJson, Exit, err, out, print_json
from referee.record.log.key_list import write_key_list
from referee.service.log_key import KEY_FILE, LogKey, LogKeyError, log_key_in, rotate
from referee.store.files import STORE_FILE
from referee.store.sqlite import SqliteStore, StoreError

app = typer.Typer(no_args_is_help=True, help="Show or replace the key that signs the log of records.")

Data = Annotated[Path, typer.Option(envvar="REFEREE_DATA", help="The server's folder.")]


@app.command("show")
def show(data: Data = Path("referee-data"), as_json: AsJson = False) -> None:
    """Print the public keys of the log and the sizes for which they are valid, as `--keys` files have them."""
    try:
        if not (data / KEY_FILE).exists():
            raise LogKeyError(f"there is no {data / KEY_FILE}; the server draws it at its first start")
        _tell(log_key_in(data), as_json)
    except LogKeyError as failed:
        err.print(f"no key: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None


@app.command("rotate")
def rotate_command(data: Data = Path("referee-data"), as_json: AsJson = False) -> None:
    """Replace the key, while the server is stopped; heads that the old one has signed stay valid."""
    try:
        if not (data / STORE_FILE).exists():
            raise LogKeyError(f"there is no store {data / STORE_FILE}")
        store = SqliteStore(data / STORE_FILE)  # keeps the server from starting meanwhile
        try:
            rotated = rotate(data, store.frontier.size)
        finally:
            store.close()
    except (LogKeyError, StoreError) as failed:
        err.print(f"nothing was changed: {failed}", markup=False)
        raise typer.Exit(Exit.UNREADABLE) from None
    _tell(rotated, as_json)


def _tell(key: LogKey, as_json: bool) -> None:
    if as_json:
        keys = [
            {"key": one.key.text, "from_size": one.from_size, "until_size": one.until_size} for one in key.ring.log_keys
        ]
        print_json({"log": key.ring.origin, "signs": key.key.verifier.text, "keys": keys})
    else:
        out.print(write_key_list(key.ring), markup=False, end="")
