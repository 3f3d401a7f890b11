"""Settings come from flags, the environment and a file, in this order; nonsense is refused."""

import pytest

from referee.record.log.keys import SignatureKind, SigningKey
from referee.service.settings import settings_from


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "referee.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_flags_go_before_the_environment_and_that_before_the_file(file, monkeypatch):
    path = file('host = "10.0.0.1"\nport = 1\nlog_level = "error"\n')
    monkeypatch.setenv("REFEREE_HOST", "10.0.0.2")
    monkeypatch.setenv("REFEREE_PORT", "2")
    settings = settings_from({"host": "10.0.0.3", "port": None}, path)
    assert (settings.host, settings.port, settings.log_level) == ("10.0.0.3", 2, "error")
    assert settings.log_format == "console"


@pytest.mark.parametrize(
    "text",
    ["prot = 1\n", "port = 99999\n", 'port = "x"\n', 'log_level = "loud"\n', 'tls_key = "k"\n', "port = \n"],
)
def test_a_file_that_makes_no_sense_is_refused(file, text):
    with pytest.raises(ValueError, match=r"prot|port|log_level|TLS|Invalid|value"):
        settings_from({}, file(text))


WITNESS = SigningKey("witness.example/w1", bytes(32), SignatureKind.COSIGNATURE).verifier.text
LOG = SigningKey("referee.example/log", bytes(32)).verifier.text


def test_witnesses_and_the_logs_name_are_settings(file, monkeypatch):
    path = file(f'witness_keys = ["{WITNESS}"]\nlog_name = "referee.example/log"\ncheck_store = "needed"\n')
    settings = settings_from({}, path)
    assert (settings.witness_keys, settings.log_name) == ([WITNESS], "referee.example/log")
    assert settings.check_store == "needed"
    monkeypatch.setenv("REFEREE_WITNESS_KEYS", f'["{WITNESS}"]')
    assert settings_from({}, None).witness_keys == [WITNESS]


@pytest.mark.parametrize(
    "flags",
    [
        {"witness_keys": ["what?"]},
        {"witness_keys": [LOG]},
        {"witness_keys": [WITNESS, WITNESS]},
        {"witness_keys": [WITNESS] * 33},
        {"log_name": "two words"},
        {"log_name": "a+b"},
        {"check_store": "a little"},
    ],
)
def test_witnesses_names_and_checks_that_make_no_sense_are_refused(flags):
    with pytest.raises(ValueError, match=r"key|name|there twice|at most 32|check_store"):
        settings_from(flags, None)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no settings file"):
        settings_from({}, tmp_path / "nobody.toml")


def test_tokens_are_not_printed(file):
    settings = settings_from({"host_token": "s3cr3t"}, None)
    assert "s3cr3t" not in repr(settings)
    assert settings.host_token.get_secret_value() == "s3cr3t"
