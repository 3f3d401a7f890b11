"""The rules' texts, by id: the rulebook is shipped with the referee, so that every id it cites can be looked up."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HEADING = re.compile(r"^## (?:(?P<family>[A-Z]+): )?(?P<title>.+)$")
_RULE = re.compile(r"^- \*\*(?P<id>[A-Z]+-\d+)\*\* (?P<text>.*)$")


@dataclass(frozen=True)
class Rule:
    """One rule of the rulebook: its id, such as ``SIZE-4``, the section it stands in, and its text in Markdown."""

    id: str
    section: str
    text: str


def rulebook_text() -> str:
    """The whole rulebook in Markdown."""
    return (files(__package__) / "rulebook.md").read_text(encoding="utf-8")


@cache
def rules() -> dict[str, Rule]:
    """Every rule by id, in the order of the rulebook."""
    found: dict[str, Rule] = {}
    section, current = "", ""
    lines: list[str] = []

    def finish() -> None:
        if current:
            found[current] = Rule(current, section, " ".join(lines))

    for line in rulebook_text().splitlines():
        heading, rule = _HEADING.match(line), _RULE.match(line)
        if heading or rule or not line.strip():
            finish()
            current, lines = "", []
        if heading:
            section = heading["title"]
        elif rule:
            current, lines = rule["id"], [rule["text"]]
        elif current:
            lines.append(line.strip())
    finish()
    return found


def find_rule(rule_id: str) -> Rule:
    """Finds a rule by its id; raises KeyError for an id that the rulebook does not have."""
    return rules()[rule_id]
