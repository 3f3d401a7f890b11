"""Settings that every test shares."""

import pytest
from hypothesis import HealthCheck, settings

from tests.support import LONG

# No deadline: a busy machine is not a fault. Bounded runs repeat themselves exactly; long ones look further.
_common = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("bounded", derandomize=True, **_common)
settings.register_profile("long", max_examples=1000, **_common)
settings.load_profile("long" if LONG else "bounded")


def pytest_configure(config: pytest.Config) -> None:
    # Deprecations inside the test oracles are theirs.
    config.addinivalue_line("filterwarnings", "ignore:.*deprecated:DeprecationWarning:eval7")


def pytest_report_header() -> str:
    return "counts: " + ("full (REFEREE_LONG)" if LONG else "bounded; REFEREE_LONG=1 runs the full ones")


@pytest.fixture(scope="session")
def shared_cases() -> object:
    """The folder of the shared cases, or a skip that says where it was looked for."""
    from tests.support import shared_folder

    folder = shared_folder() / "cases"
    if not (folder / "cases.jsonl").is_file():
        pytest.skip(f"no cases.jsonl in {folder} (set REFEREE_SHARED)")
    return folder
