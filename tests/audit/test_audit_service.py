"""AuditService over the wire, by a real server in its own process: disputes, bundles, operations that outlive it."""

import time

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from referee.cli.demo import bundled
from referee.limits import AUDIT_TEXT_BYTES, BUNDLE_BYTES, BUNDLE_KEYS, DISPUTE_CLAIMS, LIMITS, TABLES_IN_AN_AUDIT
from referee.v1 import audit_pb2, audit_pb2_grpc
from tests.audit.processes import is_running, workers_of
from tests.audit.test_bulk import HAND, UNREADABLE, WRONG_RAISE, WRONG_RESULT, many
from tests.audit.test_dispute import CLEAN
from tests.service.conftest import RunningServer

DISPUTED = bundled()["4-disputed"]
TEXT = many(*[HAND, WRONG_RESULT, UNREADABLE, WRONG_RAISE] * 400)
COUNTS = (1600, 800, 400)


class Audited:
    """A server with a store, and a stub that shows the auditor's token."""

    def __init__(self, folder):
        self.folder = folder
        self.start()

    def start(self):
        self.server = RunningServer("--data", str(self.folder))
        self.channel = grpc.insecure_channel(self.server.address)
        self.stub = audit_pb2_grpc.AuditServiceStub(self.channel)
        self.auditor = [("authorization", "Bearer " + (self.folder / "auditor.token").read_text())]

    def stop(self):
        self.channel.close()
        self.server.stop()

    def kill(self):
        self.channel.close()
        self.server._process.kill()
        self.server._process.communicate(timeout=30)

    def begin(self, request_id, **source):
        request = audit_pb2.StartAuditRequest(request_id=request_id, **source)
        return self.stub.StartAudit(request, metadata=self.auditor).operation

    def get(self, operation):
        request = audit_pb2.GetOperationRequest(operation_id=operation.operation_id)
        return self.stub.GetOperation(request, metadata=self.auditor).operation

    def cancel(self, operation):
        request = audit_pb2.CancelOperationRequest(operation_id=operation.operation_id)
        return self.stub.CancelOperation(request, metadata=self.auditor).operation

    def until(self, operation, condition, seconds=120):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = self.get(operation)
            if condition(found):
                return found
            time.sleep(0.02)
        raise AssertionError("it took too long")


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    one = Audited(tmp_path_factory.mktemp("audited"))
    yield one
    one.stop()


def is_over(operation):
    return operation.status != audit_pb2.OPERATION_STATUS_RUNNING


def counts(operation):
    return operation.hands, operation.disagree, operation.unreadable


def status_of(call, *arguments, **words):
    with pytest.raises(grpc.RpcError) as raised:
        call(*arguments, **words)
    status = status_pb2.Status.FromString(dict(raised.value.trailing_metadata())["grpc-status-details-bin"])
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return raised.value.code(), info.reason


# --- disputes ---------------------------------------------------------------------------------------------


def test_a_dispute_needs_no_token_and_answers_with_everything(audited):
    claims = [audit_pb2.ClaimedOutcome(player="Anna", net=12)]
    request = audit_pb2.JudgeDisputeRequest(text=DISPUTED, source="hand 4", claims=claims, with_report=True)
    answer = audited.stub.JudgeDispute(request)
    assert answer.verdict == audit_pb2.VERDICT_INVALID
    assert (answer.divergence.check, answer.divergence.entry, answer.divergence.rule) == ("rulings", 4, "OPEN-2")
    assert answer.divergence.rule_text
    assert answer.divergence.before.endswith("Cleo calls 23")
    told = [(one.player, one.collected, one.net, one.recorded_net) for one in answer.outcomes]
    assert told == [("Anna", 73, 13, 12), ("Boris", 0, -25, -25), ("Cleo", 72, 12, 13)]
    assert [one.HasField("claimed_net") for one in answer.outcomes] == [True, False, False]
    assert not answer.judgement.agrees
    assert answer.judgement.settlement.over
    assert "OPEN-2" in answer.rules
    assert answer.report_html.startswith("<!DOCTYPE html>")
    assert "hand 4" in answer.report_html


@pytest.mark.parametrize(
    ("text", "claims", "verdict"),
    [
        (CLEAN, {}, audit_pb2.VERDICT_VALID),
        (CLEAN, {"Ada": -2, "2": 2}, audit_pb2.VERDICT_VALID),
        (CLEAN, {"Ada": 2}, audit_pb2.VERDICT_INVALID),
        (CLEAN.replace(", 'p1 f'", ""), {}, audit_pb2.VERDICT_INCOMPLETE),
        ("poem", {}, audit_pb2.VERDICT_UNREADABLE),
        (many(HAND, HAND), {}, audit_pb2.VERDICT_UNREADABLE),
        (CLEAN.replace("'NT'", "'PO'"), {}, audit_pb2.VERDICT_UNREADABLE),
    ],
)
def test_the_verdicts(audited, text, claims, verdict):
    listed = [audit_pb2.ClaimedOutcome(player=player, net=net) for player, net in claims.items()]
    answer = audited.stub.JudgeDispute(audit_pb2.JudgeDisputeRequest(text=text, claims=listed))
    assert answer.verdict == verdict
    assert answer.summary
    assert answer.HasField("divergence") == (verdict == audit_pb2.VERDICT_INVALID)
    assert answer.report_html == ""


def test_a_dispute_that_is_none_is_an_error(audited):
    judge = audited.stub.JudgeDispute
    request = audit_pb2.JudgeDisputeRequest
    assert status_of(judge, request()) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_SHAPE")
    nobody = [audit_pb2.ClaimedOutcome(player="Nobody")]
    assert status_of(judge, request(text=CLEAN, claims=nobody)) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_CLAIM")
    other = request(text=CLEAN, rule_set_name="nobody/plays@1")
    assert status_of(judge, other) == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")
    assert status_of(judge, request(text=CLEAN, claims=nobody * 11))[1] == "BAD_SHAPE"


# --- bundles ----------------------------------------------------------------------------------------------


def test_bytes_that_are_no_bundle_are_unreadable_however_they_are_parted(audited):
    for parts in ([], [b""], [b"x"], [b"referee-", b"bundle/1\n"]):
        requests = (audit_pb2.VerifyBundleRequest(data=part) for part in parts)
        answer = audited.stub.VerifyBundle(requests)
        assert answer.verdict == audit_pb2.VERDICT_UNREADABLE
        assert answer.checks[0].outcome == audit_pb2.CHECK_OUTCOME_FAIL


def test_bundles_are_bounded_and_keys_are_keys(audited):
    part = audit_pb2.VerifyBundleRequest(data=b"x" * 2**21)
    too_much = (part for _ in range(BUNDLE_BYTES // 2**21 + 1))
    code = (grpc.StatusCode.RESOURCE_EXHAUSTED, "BUNDLE_TOO_LARGE")
    assert status_of(audited.stub.VerifyBundle, too_much) == code
    bad = iter([audit_pb2.VerifyBundleRequest(data=b"x", keys=["no key"])])
    assert status_of(audited.stub.VerifyBundle, bad) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_KEY")
    late = iter([audit_pb2.VerifyBundleRequest(data=b"x"), audit_pb2.VerifyBundleRequest(quorum=1)])
    assert status_of(audited.stub.VerifyBundle, late) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_SHAPE")


# --- operations -------------------------------------------------------------------------------------------


def test_an_operation_is_begun_watched_and_done(audited):
    begun = audited.begin("watched", text=TEXT)
    assert begun.status == audit_pb2.OPERATION_STATUS_RUNNING
    assert begun.hands_in_all == 1600
    assert begun.started_unix_ms > 1_700_000_000_000
    seen = [begun.hands]
    done = audited.until(begun, lambda one: seen.append(one.hands) or is_over(one))
    assert done.status == audit_pb2.OPERATION_STATUS_DONE
    assert seen == sorted(seen)
    assert counts(done) == COUNTS
    assert [(one.rule, one.hands) for one in done.by_rule] == [("POT-5", 400), ("SIZE-3", 400)]
    assert len(done.first) == 100
    first = done.first[1]
    assert (first.check, first.piece, first.entry, first.rule) == ("rulings", 4, 0, "SIZE-3")
    assert first.rule_text
    assert audited.begin("watched", text=TEXT) == done
    used = audit_pb2.StartAuditRequest(request_id="watched", text=HAND)
    answer = status_of(audited.stub.StartAudit, used, metadata=audited.auditor)
    assert answer == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_USED")


def test_the_server_answers_while_it_audits(audited):
    begun = audited.begin("busy", text=TEXT.replace("[", "[b"))
    waits = []
    while not is_over(audited.get(begun)):
        at = time.monotonic()
        audited.stub.JudgeDispute(audit_pb2.JudgeDisputeRequest(text=CLEAN))
        waits.append(time.monotonic() - at)
    assert waits
    assert sorted(waits)[len(waits) // 2] < 1.0


def test_operations_are_listed_by_pages_the_newest_first(audited):
    ids = [audited.begin(f"page {number}", text=HAND).operation_id for number in range(5)]
    found, token, pages = [], "", 0
    while True:
        request = audit_pb2.ListOperationsRequest(page_size=2, page_token=token)
        page = audited.stub.ListOperations(request, metadata=audited.auditor)
        found += [one.operation_id for one in page.operations]
        token, pages = page.next_page_token, pages + 1
        if not token:
            break
    assert found[:5] == ids[::-1]
    assert len(found) == len(set(found))
    assert pages == (len(found) + 1) // 2
    for token in ("x", "-1", "0", "9" * 60, "\u0661"):
        request = audit_pb2.ListOperationsRequest(page_token=token)
        answer = status_of(audited.stub.ListOperations, request, metadata=audited.auditor)
        assert answer == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN")


def test_an_operation_is_cancelled(audited):
    begun = audited.begin("cancelled", text=TEXT)
    cancelled = audited.cancel(begun)
    assert cancelled.status == audit_pb2.OPERATION_STATUS_CANCELLED
    time.sleep(0.5)
    assert audited.get(begun) == cancelled == audited.cancel(begun)


def test_operations_need_the_auditors_token(audited):
    calls = [
        (audited.stub.StartAudit, audit_pb2.StartAuditRequest(request_id="r", text=HAND)),
        (audited.stub.GetOperation, audit_pb2.GetOperationRequest(operation_id="audit-1")),
        (audited.stub.ListOperations, audit_pb2.ListOperationsRequest()),
        (audited.stub.CancelOperation, audit_pb2.CancelOperationRequest(operation_id="audit-1")),
    ]
    host = [("authorization", "Bearer " + (audited.folder / "host.token").read_text())]
    for call, request in calls:
        assert status_of(call, request) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")
        assert status_of(call, request, metadata=host) == (grpc.StatusCode.PERMISSION_DENIED, "TOKEN_WRONG")


@pytest.mark.parametrize(
    ("call", "request_"),
    [
        ("StartAudit", audit_pb2.StartAuditRequest(request_id="r")),
        ("StartAudit", audit_pb2.StartAuditRequest(text=HAND)),
        ("StartAudit", audit_pb2.StartAuditRequest(request_id="r" * 101, text=HAND)),
        ("StartAudit", audit_pb2.StartAuditRequest(request_id="r", text="x" * (AUDIT_TEXT_BYTES + 1))),
        ("GetOperation", audit_pb2.GetOperationRequest()),
        ("ListOperations", audit_pb2.ListOperationsRequest(page_size=-1)),
        ("CancelOperation", audit_pb2.CancelOperationRequest(operation_id="x" * 101)),
    ],
)
def test_shapes_are_refused(audited, call, request_):
    answer = status_of(getattr(audited.stub, call), request_, metadata=audited.auditor)
    assert answer == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_SHAPE")


@pytest.mark.parametrize("operation_id", ["audit-999999", "nonsense", "audit-"])
def test_an_operation_that_is_not_there_is_not_found(audited, operation_id):
    named = {"operation_id": operation_id}
    for call, request in (
        (audited.stub.GetOperation, audit_pb2.GetOperationRequest(**named)),
        (audited.stub.CancelOperation, audit_pb2.CancelOperationRequest(**named)),
    ):
        assert status_of(call, request, metadata=audited.auditor) == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_a_server_that_is_stopped_or_killed_goes_on_with_its_audits(tmp_path, how):
    one = Audited(tmp_path)
    try:
        begun = one.begin("r", text=TEXT)
        other = one.cancel(one.begin("s", text=TEXT))
        before = one.until(begun, lambda found: found.hands > 0)
        assert not is_over(before), "the text is long enough"
        getattr(one, how)()
        one.start()
        after = one.get(begun)
        assert after.hands >= before.hands, "what was done is not done again"
        done = one.until(begun, is_over)
        assert (done.status, counts(done)) == (audit_pb2.OPERATION_STATUS_DONE, COUNTS)
        assert one.get(other) == other
        assert one.begin("r", text=TEXT) == done
    finally:
        one.stop()


def test_workers_end_with_their_server(tmp_path):
    one = Audited(tmp_path)
    one.begin("r", text=TEXT)
    server = one.server._process.pid
    deadline = time.monotonic() + 30
    while not (workers := workers_of(server)) and time.monotonic() < deadline:
        time.sleep(0.02)
    one.kill()
    assert workers
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


def test_without_a_store_there_are_disputes_and_no_operations():
    server = RunningServer("--judge-only")
    try:
        with grpc.insecure_channel(server.address) as channel:
            stub = audit_pb2_grpc.AuditServiceStub(channel)
            answer = stub.JudgeDispute(audit_pb2.JudgeDisputeRequest(text=CLEAN))
            assert answer.verdict == audit_pb2.VERDICT_VALID
            request = audit_pb2.StartAuditRequest(request_id="r", text=HAND)
            assert status_of(stub.StartAudit, request) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_STORE")
    finally:
        server.stop()


def test_the_stated_limits_are_those_that_the_contract_declares():
    from buf.validate import validate_pb2

    def rules_of(message, field):
        return message.DESCRIPTOR.fields_by_name[field].GetOptions().Extensions[validate_pb2.field]

    dispute, bundle = audit_pb2.JudgeDisputeRequest, audit_pb2.VerifyBundleRequest
    assert rules_of(dispute, "text").string.max_bytes == LIMITS["notation_bytes"]
    assert rules_of(dispute, "claims").repeated.max_items == DISPUTE_CLAIMS
    assert rules_of(bundle, "keys").repeated.max_items == rules_of(bundle, "witness_keys").repeated.max_items
    assert rules_of(bundle, "keys").repeated.max_items == BUNDLE_KEYS
    assert rules_of(audit_pb2.StartAuditRequest, "text").string.max_bytes == AUDIT_TEXT_BYTES
    assert rules_of(audit_pb2.StartAuditRequest, "request_id").string.max_len == LIMITS["request_id_letters"]
    assert rules_of(audit_pb2.AuditedTables, "table_ids").repeated.max_items == TABLES_IN_AN_AUDIT
    assert rules_of(audit_pb2.ListOperationsRequest, "page_size").int32.lte == LIMITS["page_items"]
