"""The image is built by the Makefile's commands. No container engine is needed: this reads the Dockerfile as text."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
BUILDER, FINAL = re.split(r"^FROM .*$\n", DOCKERFILE, flags=re.MULTILINE)[1:]


def commands(stage: str) -> list[str]:
    """The shell commands of a stage's RUN steps, one by one."""
    steps = re.findall(r"^RUN (.*)$", stage, flags=re.MULTILINE)
    return [command.strip() for step in steps for command in step.split("&&")]


def make_targets() -> set[str]:
    rules = re.findall(r"^([\w -]+):(?!=)", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    return {target for rule in rules for target in rule.split()}


def test_the_builder_runs_make_and_what_installs_it() -> None:
    ours = [command for command in commands(BUILDER) if not re.match(r"apt-get |rm -rf /var/lib/apt/lists/", command)]
    assert ours == ["make wheel"]
    assert "wheel" in make_targets()


def test_the_final_stage_holds_the_wheel_alone() -> None:
    assert re.findall(r"^(?:COPY|ADD) .*$", FINAL, flags=re.MULTILINE) == [
        "COPY --from=builder /src/dist/*.whl /tmp/wheels/"
    ]


def test_the_image_runs_as_a_user_and_knows_its_health() -> None:
    user = re.findall(r"^USER (\S+)$", FINAL, flags=re.MULTILINE)
    assert user == ["referee"]
    assert 'HEALTHCHECK CMD ["referee", "healthcheck"]' in FINAL
    assert 'ENTRYPOINT ["referee"]' in FINAL
