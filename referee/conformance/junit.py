"""Verdicts as JUnit XML, which build servers read."""

from collections.abc import Sequence
from xml.etree import ElementTree

from referee.conformance.verdicts import Outcome, Verdict

SUITE = "referee conformance"


def junit_xml(verdicts: Sequence[Verdict]) -> bytes:
    """One test suite with a test case for each scenario, what was exchanged included where it failed."""
    suite = ElementTree.Element(
        "testsuite",
        name=SUITE,
        tests=str(len(verdicts)),
        failures=str(_count(verdicts, Outcome.FAILED)),
        errors="0",
        skipped=str(_count(verdicts, Outcome.NOT_EXERCISED)),
        time=f"{sum([verdict.seconds for verdict in verdicts]):.3f}",
    )
    for verdict in verdicts:
        case = ElementTree.SubElement(
            suite, "testcase", classname=SUITE, name=verdict.scenario.name, time=f"{verdict.seconds:.3f}"
        )
        message = f"expected {verdict.expected}; seen: {verdict.seen}; see {verdict.scenario.source}"
        if verdict.outcome is Outcome.FAILED:
            ElementTree.SubElement(case, "failure", message=_clean(message))
            ElementTree.SubElement(case, "system-out").text = _clean("\n".join(verdict.exchanged))
        elif verdict.outcome is Outcome.NOT_EXERCISED:
            ElementTree.SubElement(case, "skipped", message=_clean(message))
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    written: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _count(verdicts: Sequence[Verdict], outcome: Outcome) -> int:
    return sum([verdict.outcome is outcome for verdict in verdicts])


def _clean(text: str) -> str:
    """Without the control characters that XML does not have."""
    return "".join([letter if letter >= " " or letter in "\n\t" else "?" for letter in text])
