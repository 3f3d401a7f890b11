"""The README and the docs say what is so: their code runs, and prints what stands below it."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.rulebook import rules
from referee.rules.rulings import REASON_RULES, Reason

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = sorted((ROOT / "docs").glob("*.md"))
PYTHON_AND_OUTPUT = re.findall(r"```python\n((?:(?!```).)*)```\n\n```text\n(.*?)```", README, re.DOTALL)
BOT = "".join(re.findall(r"```python\n((?:(?!```).)*(?:take_seat|play)\((?:(?!```).)*)```", README, re.DOTALL))
SHELL = [
    line.split("#")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
]
AT_ONCE = [line for line in SHELL if line.startswith(("referee rules", "referee judge", "referee explain"))]


def test_there_is_something_to_check():
    assert len(PYTHON_AND_OUTPUT) == 2
    assert len(AT_ONCE) >= 4
    assert {"make demo", "make test"} <= set(SHELL)


@pytest.mark.parametrize(("code", "output"), PYTHON_AND_OUTPUT)
def test_the_readmes_python_prints_what_it_says(code, output):
    from tests.service.conftest import RunningServer

    server = RunningServer()
    try:
        code = code.replace("127.0.0.1:50051", server.address)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=ROOT)
    finally:
        server.stop()
    assert (done.stdout, done.stderr) == (output, "")


def test_the_readmes_bot_plays_against_a_practice_bot(tmp_path, monkeypatch):
    """The code as printed, with a practice bot in the other seat."""
    from referee.bots import make_bot
    from referee.client import play, take_seat
    from tests.service.conftest import RunningServer

    monkeypatch.chdir(tmp_path)
    server = RunningServer("--data", str(tmp_path / "referee-data"))
    try:
        sit, go = BOT.replace("127.0.0.1:50051", server.address).split("play(server", 1)
        names = {}
        exec(sit, names)
        other = take_seat(server.address, names["table"], name="practice")
        rival = threading.Thread(target=lambda: play(server.address, make_bot("sound-irish"), [other]))
        rival.start()
        exec("played = play(server" + go, names)
        rival.join(timeout=30)
    finally:
        server.stop()
    assert [one.hands for one in names["played"]] == [10]


@pytest.mark.parametrize("line", AT_ONCE)
def test_the_readmes_commands_work(line, monkeypatch):
    monkeypatch.chdir(ROOT)
    words = [
        path for word in line.split()[1:] for path in (sorted(map(str, Path().glob(word))) if "*" in word else [word])
    ]
    assert CliRunner().invoke(app, words).exit_code in (0, 1)


def test_the_readmes_dispute_is_what_the_command_prints(monkeypatch):
    monkeypatch.chdir(ROOT)
    (shown,) = re.findall(r"```text\n\$ referee (.*?)\n(.*?)```", README, re.DOTALL)
    done = CliRunner().invoke(app, shown[0].split())
    assert done.output == shown[1]


@pytest.mark.parametrize("path", [ROOT / "README.md", *DOCS], ids=lambda path: path.name)
def test_links_lead_somewhere_and_rule_ids_exist(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert target.startswith("http") or (path.parent / target).exists(), target
    families = {rule_id.split("-")[0] for rule_id in rules()}
    for family, number in re.findall(r"\b([A-Z]+)-(\d+)\b", text):
        if family in families:
            assert f"{family}-{number}" in rules()


def test_the_docs_list_every_reason_in_order():
    listed = re.findall(
        r"^\| (\d+) \| `(\w+)` \| `([A-Z]+-\d+)` \|$", (ROOT / "docs/errors.md").read_text(), re.MULTILINE
    )
    assert listed == [(str(reason.value), reason.name, REASON_RULES[reason]) for reason in Reason]
