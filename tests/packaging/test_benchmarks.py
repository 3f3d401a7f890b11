"""The benchmarks fail a build only by a ratio of CPU times that is far from usual, never by a time or a pace."""

import json

import pytest

from tools.benchmarks import __main__ as benchmarks
from tools.benchmarks import engine, profile
from tools.benchmarks.figures import plain, ratio_of

FAST, SLOW = [10.0, 11.0, 12.0], [1.0, 1.0, 1.0]


@pytest.fixture
def measure(tmp_path, monkeypatch):
    """Runs the command on given figures and given usual ones: its exit code, and what it wrote."""

    def run(figures, usual, *words):
        monkeypatch.setattr(benchmarks, "SECTIONS", {"engine": lambda small: (figures, {"small": small})})
        monkeypatch.setattr(benchmarks, "IN_CI", ("engine",))
        kept, written = tmp_path / "usual.json", tmp_path / "bench.json"
        kept.write_text(json.dumps(usual))
        code = benchmarks.main(["--json", str(written), "--usual", str(kept), *words])
        return code, json.loads(written.read_text()), json.loads(kept.read_text())

    return run


@pytest.mark.parametrize(
    ("usual", "at_most", "code"), [(11, False, 0), (24, False, 0), (25, False, 1), (5, True, 0), (4.9, True, 1)]
)
def test_half_of_what_is_usual_fails_where_the_best_of_three_rounds_is_that_far_off_in_cpu_time(
    measure, usual, at_most, code
):
    figure = ratio_of("ours over theirs", FAST, SLOW, "hands", at_most=at_most, by_cpu=True)
    assert measure([figure], {"ours over theirs": usual}, "--small")[0] == code
    assert measure([figure], {"ours over theirs": usual})[0] == 0, "only CI fails by it"


def test_neither_paces_nor_times_nor_what_is_not_known_fail(measure, capsys):
    figures = [ratio_of("pace", SLOW, FAST, "hands"), plain("time", SLOW, "s"), ratio_of("new", SLOW, FAST, "hands")]
    code, written, _ = measure(figures, {"pace": 100, "time": 100}, "--small")
    assert code == 0
    assert [figure["name"] for figure in written["figures"]] == ["pace", "time", "new"]
    assert "not met" not in capsys.readouterr().out, "nothing was wanted of them"


def test_what_is_usual_is_kept_of_ratios_of_cpu_times(measure):
    figures = [ratio_of("ours", FAST, SLOW, "hands", by_cpu=True), ratio_of("pace", FAST, SLOW, "hands")]
    assert measure(figures, {"other": 2}, "--keep")[2] == {"other": 2, "ours": 11.0}


def test_the_engine_is_measured_beside_pokerkit_by_cpu_time():
    figures, _ = engine.figures(2, 0.01)
    ratios = {figure.name for figure in figures if figure.by_cpu}
    assert {"hold'em over pokerkit", "Irish over own hold'em"} <= ratios
    assert all([figure.ratio > 0 for figure in figures])


def test_usual_is_known_of_what_is_measured_in_ci():
    usual = json.loads((benchmarks.Path(benchmarks.__file__).with_name("usual.json")).read_text())
    for name in ("hold'em over pokerkit", "Irish over own hold'em", "bulk audit over pokerkit, six-handed showdowns"):
        assert usual[name] > 0
    assert len([name for name in usual if name.startswith("server's CPU, ")]) == 4


PERF_SCRIPT = """
\t    7f1 sqlite3_step+0x2e (/usr/lib/libsqlite3.so.0.8.6)
\t    7f2 CPyDef_sqlite___SqliteStore____insert.part.0+0x12 (/x/9eec__mypyc.cpython-311-x86_64-linux-gnu.so)
\t    7f3 CPyDef_owner___TableOwner____put (/x/9eec__mypyc.cpython-311-x86_64-linux-gnu.so)

\t    7f1 _PyEval_EvalFrameDefault+0x1 (/usr/bin/python3.11)
\t    7f2 grpc_call_start_batch+0x1 (/x/grpc/_cython/cygrpc.cpython-311-x86_64-linux-gnu.so)

\t    7f1 __schedule+0x1 ([kernel.kallsyms])
"""


def test_a_sample_counts_for_the_nearest_library_and_the_nearest_function_of_ours():
    first, second, third = profile.stacks(PERF_SCRIPT.splitlines())
    assert profile.library_of(first) == "SQLite"
    assert profile.function_of(first) == "sqlite___SqliteStore____insert"
    assert profile.library_of(second) == "gRPC"
    assert (profile.library_of(third), profile.function_of(third)) == (profile.REST, "")
    told = profile.report([first, first, second, third]).splitlines()
    assert told[0] == "4 samples"
    assert "  50.0%  SQLite" in told
    assert "  50.0%  sqlite___SqliteStore____insert" in told
    assert "  50.0%  (none)" in told
