"""Judges a client by playing with it: scripted tables on loopback, each of which says what is expected and why.

``scenarios`` are the scripts, ``told`` a table as a seat is told it, ``game`` what is expected of the client,
``server`` what it connects to, ``client`` its process, ``running`` plays them all. docs/conformance.md is for authors
of clients.
"""

from referee.conformance.client import Command, CommandError
from referee.conformance.junit import junit_xml
from referee.conformance.running import AT_ONCE, run_command, run_listening
from referee.conformance.scenarios import SCENARIOS, SCENARIOS_OF
from referee.conformance.verdicts import Outcome, Scenario, Verdict

__all__ = [
    "AT_ONCE",
    "SCENARIOS",
    "SCENARIOS_OF",
    "Command",
    "CommandError",
    "Outcome",
    "Scenario",
    "Verdict",
    "junit_xml",
    "run_command",
    "run_listening",
]
