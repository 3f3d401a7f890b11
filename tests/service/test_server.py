"""The server around the services: info, health, reflection, logs, TLS, and an orderly end, with real processes."""

import io
import json
import random
import signal
import subprocess
import sys
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from referee import __version__
from referee.core import core
from referee.limits import LIMITS
from referee.rules.cards import CARD_TEXTS
from referee.rules.ruleset import RULE_SETS
from referee.service.logs import DROPPED, configure
from referee.v1 import judge_pb2, judge_pb2_grpc, server_pb2, server_pb2_grpc, table_pb2

REFEREE = [sys.executable, "-m", "referee"]


def test_server_info_states_version_limits_and_rule_sets(channel):
    info = server_pb2_grpc.ServerServiceStub(channel).GetServerInfo(server_pb2.GetServerInfoRequest())
    assert info.version == __version__
    assert info.core == core()
    assert {one.name: one.value for one in info.limits} == LIMITS
    assert list(info.rule_sets) == [rule_set.full_name for rule_set in RULE_SETS]


@pytest.mark.parametrize("service", ["", "referee.v1.JudgeService", "referee.v1.ServerService"])
def test_health_says_serving(channel, service):
    answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service))
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_health_can_be_watched(channel):
    watching = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
    assert next(watching).status == health_pb2.HealthCheckResponse.SERVING
    watching.cancel()


def test_reflection_lists_the_services_and_their_files(channel):
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    requests = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="referee.v1.JudgeService"),
    ]
    listed, found = stub.ServerReflectionInfo(iter(requests))
    names = {service.name for service in listed.list_services_response.service}
    assert {"referee.v1.JudgeService", "referee.v1.ServerService", "grpc.health.v1.Health"} <= names
    assert found.file_descriptor_response.file_descriptor_proto


def test_a_unix_socket_is_listened_on_as_well_and_again_after_a_kill(tmp_path):
    """Whoever has no network may come by the file; a socket that a killed server left is no hindrance."""
    path = tmp_path / "socket"
    words = [*REFEREE, "serve", "--judge-only", "--port", "0", "--socket", str(path), "--json", "--log-level", "error"]
    for sign in (signal.SIGKILL, signal.SIGTERM):
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        port = json.loads(process.stdout.readline())["listening"]
        for target in (f"unix:{path}", f"127.0.0.1:{port}"):
            with grpc.insecure_channel(target) as channel:
                info = server_pb2_grpc.ServerServiceStub(channel).GetServerInfo(server_pb2.GetServerInfoRequest())
            assert info.version == __version__
        process.send_signal(sign)
        process.communicate(timeout=30)
        assert path.is_socket() == (sign == signal.SIGKILL), "an orderly end leaves none behind"


def logged(as_json, **values):
    import structlog

    written = io.StringIO()
    with redirect_stdout(written):
        configure(as_json)
        structlog.get_logger().info("something_happened", **values)
    return written.getvalue()


@pytest.mark.parametrize("as_json", [True, False])
def test_no_card_seed_or_token_is_ever_logged(as_json):
    rng = random.Random(3)
    for _ in range(100):
        one, two = rng.sample(CARD_TEXTS, 2)
        for text in (one, f"{one}{two}", f"{one} {two}", f"seat 3 shows {one} {two}, wins", f"[{one}|{two}]"):
            line = logged(as_json, message=text, nested={"list": [text, {"deep": text}]}, error=ValueError(text))
            assert DROPPED in line
            body = line.replace("something_happened", "")
            assert f"{one}{two}" not in body
            assert f" {one}" not in body
    line = logged(as_json, hole_cards=[1, 2], deck=(3,), seed="s3cr3t", seat_token="s3cr3t", board="x", seat=4)
    assert "s3cr3t" not in line
    assert "4" in line
    if as_json:
        assert json.loads(line)["deck"] == DROPPED


def test_a_traceback_is_logged_without_the_cards_in_it():
    import structlog

    written = io.StringIO()
    with redirect_stdout(written):
        configure(True)
        try:
            raise RuntimeError("seat 2 held AhKd")
        except RuntimeError:
            structlog.get_logger().exception("internal_error")
    assert "RuntimeError" in written.getvalue()
    assert "AhKd" not in written.getvalue()


@pytest.fixture
def serving(tmp_path):
    """Starts `referee serve` processes and gives their port; ends what a test leaves running."""
    started = []

    def start(*options):
        process = subprocess.Popen(
            [*REFEREE, "serve", "--port", "0", "--json", "--data", str(tmp_path / "data"), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        for line in process.stdout:
            told = json.loads(line)
            if "listening" in told:
                return process, told["listening"]
        raise AssertionError(process.stderr.read())

    yield start
    for process in started:
        process.kill()
        process.communicate(timeout=10)


def healthcheck(*options):
    return subprocess.run([*REFEREE, "healthcheck", *options], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_served_process_answers_is_healthy_and_drains_on_a_signal(serving, sign):
    process, port = serving()
    assert healthcheck("--target", f"127.0.0.1:{port}").returncode == 0
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        rule = judge_pb2_grpc.JudgeServiceStub(channel).GetRule(judge_pb2.GetRuleRequest(id="POT-6"), timeout=10)
        assert "45/45/44" in rule.rule.text
    process.send_signal(sign)
    rest, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in rest.splitlines()] == ["draining", "ended"]
    assert healthcheck("--target", f"127.0.0.1:{port}", "--timeout", "1").returncode == 1


def test_a_port_in_use_is_said_so(serving):
    _, port = serving()
    again = [*REFEREE, "serve", "--judge-only", "--port", str(port)]
    second = subprocess.run(again, capture_output=True, text=True, timeout=60)
    assert second.returncode == 2
    assert str(port) in second.stderr


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A self-signed certificate for 127.0.0.1 and its key."""
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "referee-test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder


def test_tls_serves_who_trusts_it_and_nobody_in_the_clear(serving, certificate):
    _, port = serving("--tls-key", str(certificate / "key.pem"), "--tls-cert", str(certificate / "cert.pem"))
    target = f"127.0.0.1:{port}"
    assert healthcheck("--target", target, "--tls-ca", str(certificate / "cert.pem")).returncode == 0
    assert healthcheck("--target", target, "--timeout", "2").returncode == 1


def test_half_a_tls_configuration_is_refused(certificate):
    half = subprocess.run(
        [*REFEREE, "serve", "--port", "0", "--tls-key", str(certificate / "key.pem")],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert half.returncode == 2
    assert "--tls-cert" in half.stderr


def test_the_stated_limits_are_those_that_the_contract_declares():
    """Bounds on lists and texts are kept by the contract's own options; what GetServerInfo states must be the same."""
    from buf.validate import validate_pb2

    def rules_of(message, field):
        return message.DESCRIPTOR.fields_by_name[field].GetOptions().Extensions[validate_pb2.field]

    assert rules_of(judge_pb2.JudgeHandsRequest, "items").repeated.max_items == LIMITS["hands_in_a_stream_message"]
    assert rules_of(judge_pb2.HandSoFar, "actions").repeated.max_items == LIMITS["steps_in_a_hand"]
    assert rules_of(judge_pb2.HandRecord, "steps").repeated.max_items == LIMITS["steps_in_a_hand"]
    assert rules_of(judge_pb2.NotatedHand, "text").string.max_bytes == LIMITS["notation_bytes"]
    for request in (judge_pb2.ListRulesRequest, judge_pb2.ListRuleSetsRequest, table_pb2.ListTablesRequest):
        assert rules_of(request, "page_size").int32.lte == LIMITS["page_items"]
