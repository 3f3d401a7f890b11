"""`referee new-bot`: what it writes is whole, points at the SDK beside it, and plays."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee import starters
from referee.bots import make_bot
from referee.cli import app
from referee.client import create_table, play, take_seat
from referee.rules.ruleset import Stakes
from referee.starters import BUILT, STARTERS, StarterError, write_starter
from tests.client.test_live import served
from tests.clients.bots import missing
from tests.support import LONG, REPOSITORY


def tracked(folder):
    """The sources in a folder of the checkout, as git lists them."""
    listed = subprocess.run(["git", "ls-files", folder], capture_output=True, text=True, cwd=REPOSITORY, check=False)
    if listed.returncode:
        pytest.skip("git does not say here which files are sources")
    return {name.removeprefix(f"{folder}/") for name in listed.stdout.split()}


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("language", STARTERS)
def test_a_starter_is_all_of_the_sources_and_nothing_that_was_built(language, tmp_path):
    starter = write_starter(language, tmp_path / "mine")
    expected = tracked(f"clients/{language}/starter")
    for source in starter.sources:
        sdk = {name for name in tracked(source) if not name.startswith("starter/")}
        expected |= {f"referee/{source}/{name}" for name in sdk}
    assert files(tmp_path / "mine") == expected
    for name, there, inside in starter.places:
        text = (tmp_path / "mine" / name).read_text()
        assert there not in text
        assert inside in text


def test_no_source_is_called_as_what_is_built():
    for name in tracked("clients"):
        assert not BUILT & set(name.split("/")), name


def test_every_client_has_a_starter():
    assert {path.name for path in (REPOSITORY / "clients").iterdir() if (path / "Makefile").is_file()} == set(STARTERS)


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = CliRunner().invoke(app, ["new-bot", "python", str(tmp_path)])
    assert done.exit_code == 2
    assert "not an empty folder" in done.output
    assert files(tmp_path) == {"mine.txt"}


def test_an_unknown_language_and_missing_sources_are_said_to_be_so(tmp_path, monkeypatch):
    assert CliRunner().invoke(app, ["new-bot", "cobol", str(tmp_path / "mine")]).exit_code == 2
    monkeypatch.setattr(starters, "_PACKAGE", tmp_path / "nowhere" / "referee")
    with pytest.raises(StarterError, match="neither a checkout nor a wheel"):
        write_starter("python", tmp_path / "mine")


def test_the_command_says_how_to_go_on(tmp_path):
    done = CliRunner().invoke(app, ["new-bot", "go", str(tmp_path / "mine")])
    assert done.stdout.splitlines() == [f"cd {tmp_path / 'mine'}", "go build -o bot .", "./bot --table TABLE"]


@pytest.mark.parametrize("language", STARTERS)
def test_a_new_bot_plays_by_the_commands_that_are_printed(language, tmp_path, monkeypatch):
    if language != "python" and os.environ.get("REFEREE_CLIENTS_APART"):
        pytest.skip(f"{language}: make clients plays it, after building the client")
    if missing(language):
        pytest.skip(missing(language))
    if language == "java" and not LONG:
        pytest.skip("java: compiles the contract once more, for a minute; make test-long does")
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    monkeypatch.setenv("CARGO_TARGET_DIR", str(REPOSITORY / "clients/rust/target"))  # what it depends on is built there
    mine = tmp_path / "mine"
    *building, playing = write_starter(language, mine).commands
    for command in building:
        subprocess.run(shlex.split(command), cwd=mine, check=True, timeout=500)
    words = shlex.split(playing.replace("target/debug", f"{REPOSITORY}/clients/rust/target/debug"))
    with served(tmp_path / "data") as (address, token):
        table = create_table(
            address, stakes=Stakes(5, 10), seats=2, starting_stack=500, reset_stacks=True, hands=5, token=token
        )
        words[words.index("TABLE")] = table
        bot = subprocess.Popen([*words, "--target", address], cwd=mine)
        (played,) = play(address, make_bot("always-call"), [take_seat(address, table, name="practice")])
        assert bot.wait(30) == 0
    assert (played.hands, played.reason) == (5, "TABLE_ENDED")
