"""The log's key in the server's folder: drawn once, kept, and replaced so that what it has signed stays valid."""

import json
import stat

import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.merkle.tree import Tree
from referee.record.log.errors import KeyValidityError
from referee.record.log.key_list import parse_key_list
from referee.record.log.keyring import verify_checkpoint
from referee.record.log.signer import Signer
from referee.service.log_key import LogKeyError, log_key_in, rotate
from referee.store.sqlite import SqliteStore
from tests.store.stores import NAME, fresh

TREE = Tree([bytes([n]) * 32 for n in range(40)])


def frontier(size):
    return Tree([TREE.node(0, at) for at in range(size)]).frontier


def drawing():
    """Seeds that tests know."""
    seeds = iter(range(1, 100))
    return lambda count: bytes([next(seeds)]) * count


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_first_start_draws_a_key_and_later_ones_keep_it(tmp_path):
    first = log_key_in(tmp_path / "data")
    assert first.ring.origin.startswith("referee.local/")
    assert len(first.ring.origin) == len("referee.local/") + 8
    again = log_key_in(tmp_path / "data")
    assert (again.key.verifier, again.ring) == (first.key.verifier, first.ring)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "data").iterdir()}
    assert modes == {"log.key": 0o600, "log.keys": 0o644, "log.pub": 0o644}
    assert (tmp_path / "data" / "log.pub").read_text() == first.key.verifier.text + "\n"
    assert parse_key_list((tmp_path / "data" / "log.keys").read_text()) == first.ring
    assert "PRIVATE" not in (tmp_path / "data" / "log.keys").read_text()


def test_a_log_has_the_name_that_it_is_given_and_keeps_it(tmp_path):
    assert log_key_in(tmp_path, "referee.example/log").ring.origin == "referee.example/log"
    assert log_key_in(tmp_path).ring.origin == "referee.example/log"
    with pytest.raises(LogKeyError, match="keeps its name"):
        log_key_in(tmp_path, "referee.example/another")
    done = run("serve", "--data", tmp_path, "--port", "0", "--log-name", "referee.example/another")
    assert done.exit_code == 2
    assert "keeps its name" in done.stderr


def test_public_files_that_are_gone_or_wrong_are_made_again(tmp_path):
    key = log_key_in(tmp_path)
    (tmp_path / "log.pub").unlink()
    (tmp_path / "log.keys").write_text("what?")
    log_key_in(tmp_path)
    assert (tmp_path / "log.pub").read_text() == key.key.verifier.text + "\n"
    assert parse_key_list((tmp_path / "log.keys").read_text()) == key.ring


@pytest.mark.parametrize("damage", [lambda t: "", lambda t: t[:40], lambda t: t.splitlines()[0], lambda t: "x" + t])
def test_a_key_that_is_damaged_is_not_replaced_by_a_new_one(tmp_path, damage):
    log_key_in(tmp_path)
    path = tmp_path / "log.key"
    text = damage(path.read_text())
    path.write_text(text)
    with pytest.raises(LogKeyError):
        log_key_in(tmp_path)
    assert path.read_text() == text


def test_after_a_rotation_old_heads_stay_valid_and_the_old_key_signs_no_new_ones(tmp_path):
    draw = drawing()
    old = log_key_in(tmp_path, "referee.example/log", draw)
    before = {size: Signer(old.key).checkpoint(frontier(size)) for size in (3, 20, 21)}
    new = rotate(tmp_path, 20, draw)
    assert new.ring == parse_key_list((tmp_path / "log.keys").read_text())
    assert log_key_in(tmp_path).key.verifier == new.key.verifier != old.key.verifier
    for size in (3, 20):
        assert verify_checkpoint(before[size], new.ring, 0).checkpoint.size == size
    with pytest.raises(KeyValidityError):
        verify_checkpoint(before[21], new.ring, 0)
    for size in (20, 21, 30):
        verify_checkpoint(Signer(new.key).checkpoint(frontier(size)), new.ring, 0)
    with pytest.raises(KeyValidityError):
        verify_checkpoint(Signer(new.key).checkpoint(frontier(19)), new.ring, 0)
    third = rotate(tmp_path, 30, draw)
    assert [(one.from_size, one.until_size) for one in third.ring.log_keys] == [(0, 21), (20, 31), (30, None)]
    assert len(rotate(tmp_path, 30, draw).ring.log_keys) == 4
    with pytest.raises(LogKeyError, match="signs from 30 on"):
        rotate(tmp_path, 29, draw)


def test_a_rotation_that_is_cut_off_leaves_the_old_key_or_the_new(tmp_path, monkeypatch):
    """The secret is replaced before the public files: whichever step is the last, a start finds one key."""
    from referee.service import log_key

    old = log_key_in(tmp_path)
    replace_file, left = log_key.replace_file, []

    def failing(path, data, mode):
        if not left:
            raise OSError("no room")
        left.pop()
        replace_file(path, data, mode)

    monkeypatch.setattr(log_key, "replace_file", failing)
    for steps in range(3):
        left[:] = [None] * steps
        with pytest.raises(LogKeyError, match="no room"):
            rotate(tmp_path, steps)
        left[:] = [None] * 9
        found = log_key_in(tmp_path)
        assert len(found.ring.log_keys) == (1 if steps == 0 else 1 + steps)
        assert parse_key_list((tmp_path / "log.keys").read_text()) == found.ring
        assert (found.key.verifier == old.key.verifier) == (steps == 0)


def test_the_commands_show_and_rotate(tmp_path):
    data, _ = fresh(tmp_path)
    assert run("log-key", "show", "--data", data).exit_code == 2
    key = log_key_in(data)
    shown = run("log-key", "show", "--data", data)
    assert parse_key_list(shown.output) == key.ring
    rotated = json.loads(run("log-key", "rotate", "--data", data, "--json").output)
    assert [(one["from_size"], one["until_size"]) for one in rotated["keys"]] == [(0, 13), (12, None)]
    assert rotated["signs"] == log_key_in(data).key.verifier.text
    assert "PRIVATE" not in shown.output + str(rotated)


def test_a_key_is_not_rotated_under_a_running_server_or_without_a_store(tmp_path):
    data, _ = fresh(tmp_path)
    key = log_key_in(data)
    store = SqliteStore(data / NAME)
    done = run("log-key", "rotate", "--data", data)
    assert done.exit_code == 2
    assert "in use" in done.stderr
    store.close()
    assert log_key_in(data).ring == key.ring
    assert run("log-key", "rotate", "--data", tmp_path / "nobody").exit_code == 2
