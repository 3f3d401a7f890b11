"""Every scenario of each game, in the order in which they are told."""

from typing import Final

from referee.conformance.scenarios import (
    batches,
    connections,
    deals,
    discards,
    ends,
    future,
    hands,
    kozel,
    refusals,
    wagers,
)
from referee.conformance.verdicts import Scenario

SCENARIOS: Final[tuple[Scenario, ...]] = (
    *hands.SCENARIOS,
    *wagers.SCENARIOS,
    *discards.SCENARIOS,
    *refusals.SCENARIOS,
    *connections.SCENARIOS,
    *ends.SCENARIOS,
    *future.SCENARIOS,
    *batches.SCENARIOS,
    *deals.SCENARIOS,
)
"""Those of poker, which every client plays."""

SCENARIOS_OF: Final = {"poker": SCENARIOS, "kozel": kozel.SCENARIOS}
"""The scenarios of each game."""
