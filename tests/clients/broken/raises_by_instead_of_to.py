"""A client with one fault: its raises name the increment, not the street total."""

import sys

from clients.python.example import program, strategy
from referee.rules.rulings import ActionKind


def raises_by(decision):
    proposal = strategy.conformance(decision)
    is_raise = proposal.kind is ActionKind.RAISE
    return proposal._replace(to=proposal.to - decision.level) if is_raise else proposal


program.BOTS["conformance"] = raises_by
sys.exit(program.main())
