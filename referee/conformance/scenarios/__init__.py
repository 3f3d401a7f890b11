"""Every scenario, in the order in which they are told."""

from typing import Final

from referee.conformance.scenarios import batches, connections, deals, discards, ends, future, hands, refusals, wagers
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
