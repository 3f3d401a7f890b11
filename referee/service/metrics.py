"""What the server counts, for Prometheus: read when it is asked for, so that counting costs play nothing."""

from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from referee import __version__
from referee.core import core
from referee.counting import Spread
from referee.service.table_service import TableService
from referee.table.hub import Hub

PREFIX: Final = "referee"


class TablesCollector(Collector):
    """The figures of a server's tables, streams, store and log. No card, name, token or table's id is among them."""

    def __init__(self, hub: Hub, tables: TableService) -> None:
        self._hub = hub
        self._tables = tables

    def collect(self) -> Iterator[Metric]:
        """Every figure as it stands."""
        yield from self._play()
        yield from self._store()
        yield from self._streams()

    def _play(self) -> Iterator[Metric]:
        counts = self._hub.counts
        owners = list(self._hub.owners.values())
        running = GaugeMetricFamily(f"{PREFIX}_running", "What runs.", labels=("version", "core"))
        running.add_metric((__version__, core()), 1)
        yield running
        yield GaugeMetricFamily(f"{PREFIX}_tables", "Tables that have not ended.", len(owners))
        yield CounterMetricFamily(f"{PREFIX}_hands", "Hands begun.", counts.hands)
        yield CounterMetricFamily(f"{PREFIX}_decisions", "Decisions opened.", counts.decisions)
        yield CounterMetricFamily(f"{PREFIX}_accepted", "Proposals accepted.", counts.accepted)
        yield CounterMetricFamily(f"{PREFIX}_automatic", "Decisions answered by the referee itself.", counts.automatic)
        refused = CounterMetricFamily(f"{PREFIX}_refused", "Proposals refused, by reason.", labels=("reason",))
        for reason, count in sorted(counts.refused.copy().items()):
            refused.add_metric((reason,), count)
        yield refused
        yield CounterMetricFamily(f"{PREFIX}_unruled", "Proposals that could not be ruled on.", counts.unruled)
        yield _histogram("answer_seconds", "From a proposal's receipt to its ruling on disk.", counts.answer_ms, 1_000)
        waiting = [owner.waiting for owner in owners]
        yield GaugeMetricFamily(f"{PREFIX}_commands_waiting", "Commands that wait at tables.", sum(waiting))
        yield GaugeMetricFamily(
            f"{PREFIX}_commands_waiting_at_most",
            "Commands at the table with most.",
            max(waiting, default=0),
        )

    def _store(self) -> Iterator[Metric]:
        counts = self._hub.store.counts
        yield _histogram("commit_group_appends", "Appends that shared a commit.", counts.group_sizes)
        yield _histogram("commit_seconds", "Time of a commit.", counts.commit_ms, 1_000)
        yield CounterMetricFamily(f"{PREFIX}_commits_failed", "Commits that failed.", counts.failed)
        yield GaugeMetricFamily(f"{PREFIX}_log_size", "Sealed pieces in the log.", self._hub.store.frontier.size)

    def _streams(self) -> Iterator[Metric]:
        queued = [reader.queued for reader in list(self._tables.readers)]
        yield GaugeMetricFamily(f"{PREFIX}_streams", "Streams that are open.", len(queued))
        yield GaugeMetricFamily(f"{PREFIX}_items_queued", "Items queued for readers.", sum(queued))
        yield GaugeMetricFamily(
            f"{PREFIX}_items_queued_at_most", "Items for the reader with most.", max(queued, default=0)
        )


def _histogram(name: str, told: str, spread: Spread, units: float = 1) -> Metric:
    """A spread as a histogram; ``units`` of its values are one of the histogram's."""
    counts = list(accumulate(spread.counts))
    bounds = [*[f"{bound / units:g}" for bound in spread.bounds], "+Inf"]
    return HistogramMetricFamily(f"{PREFIX}_{name}", told, list(zip(bounds, counts, strict=True)), spread.total / units)


def serve_metrics(host: str, port: int, collector: Collector) -> Callable[[], None]:
    """Answers ``GET /metrics`` from a thread of its own; returns what ends it. Raises OSError for a taken address."""
    registry = CollectorRegistry()
    registry.register(collector)
    server, thread = start_http_server(port, host, registry)

    def end() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return end
