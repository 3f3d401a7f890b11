"""The page for bot authors says what is so: its code runs, and prints what stands below it."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from referee.bots import make_bot
from referee.client import Decision, play, take_seat
from tests.client.test_live import served

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/bot-author.md").read_text(encoding="utf-8")
BLOCK = r"```python\n((?:(?!```).)*)```"
WITH_OUTPUT = re.findall(BLOCK + r"\n\n```text\n(.*?)```", PAGE, re.DOTALL)
(LIVE,) = [code for code in re.findall(BLOCK, PAGE, re.DOTALL) if "take_seat" in code]


def test_every_block_is_checked():
    assert PAGE.count("```python") == len(WITH_OUTPUT) + 1 == 3


@pytest.mark.parametrize(("code", "output"), WITH_OUTPUT)
def test_code_without_a_server_prints_what_it_says(code, output):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert (done.stdout, done.stderr) == (output, "")


def test_the_live_code_plays_against_the_bot_that_it_says_to_start(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    with served(tmp_path / "referee-data") as (address, _):
        code = LIVE.replace("127.0.0.1:50051", address)
        beside = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        command, name, _, table = beside.stdout.readline().split()[1:]
        assert (command, name) == ("bot", "sound-irish")
        other = threading.Thread(
            target=play, args=(address, make_bot(name), [take_seat(address, table, name="practice")])
        )
        other.start()
        rest, _ = beside.communicate(timeout=60)
        other.join(20)
    assert rest == "20 0 TABLE_ENDED\n"


def test_everything_that_the_page_names_of_a_decision_is_there():
    table = PAGE.split("## Decide")[1].split("## Discard")[0]
    names = {name.partition("(")[0] for name in re.findall(r"`(\w+(?:\([^`]*\))?)`", table)} - {"None"}
    assert len(names) > 30
    for name in names:
        assert hasattr(Decision, name), name
