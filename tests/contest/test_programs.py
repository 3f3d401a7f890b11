"""Programs of entrants: what lies in their folder is theirs alone."""

import asyncio
import sys

from referee.contest.programs import Program


def test_a_module_in_the_bots_folder_takes_the_place_of_nothing_of_ours(tmp_path):
    for name in ("resource", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('mine instead of the limits')")
    (tmp_path / "referee").mkdir()
    (tmp_path / "referee" / "__init__.py").write_text("raise SystemExit('an old copy')")
    (tmp_path / "bot.py").write_text("import os, sys; print('bot in', os.getcwd())")
    log = tmp_path / "log"

    async def go():
        program = await Program.start([sys.executable, "bot.py"], {}, log, tmp_path, memory_mb=512)
        code = await program.wait()
        await program.stop()
        return code

    assert asyncio.run(go()) == 0, log.read_text()
