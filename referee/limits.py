"""Every stated bound of the server, by name; ``GetServerInfo`` shows them. Last words of names are units."""

from typing import Final

MESSAGE_BYTES: Final = 4 * 1024 * 1024
CONCURRENT_CALLS: Final = 1_000
HANDS_IN_A_STREAM_MESSAGE: Final = 256
JUDGED_IN_A_TURN_MS: Final = 2
STEPS_IN_A_HAND: Final = 1_000
NOTATION_BYTES: Final = 65_536
PAGE_ITEMS: Final = 200
DEFAULT_PAGE_ITEMS: Final = 50
DRAIN_SECONDS: Final = 10
TABLES: Final = 10_000
TABLES_ON_A_STREAM: Final = 1_024
ITEMS_IN_A_PLAY_REQUEST: Final = 1_024
TABLE_ID_LETTERS: Final = 64
REQUEST_ID_LETTERS: Final = 100
HAND_ID_LETTERS: Final = 200
SPECTATORS_OF_A_TABLE: Final = 100
APPENDS_IN_A_GROUP: Final = 1_024
COMMIT_BEGINS_WITHIN_MS: Final = 2
QUIET_ROUNDS_BEFORE_A_COMMIT: Final = 2
COMMANDS_IN_A_GROUP: Final = 64
COMMANDS_WAITING_AT_A_TABLE: Final = 4_096
ITEMS_QUEUED_FOR_A_READER: Final = 4_096
ITEMS_QUEUED_FOR_A_TABLE: Final = 128
BYTES_QUEUED_FOR_A_READER: Final = 64 * 1024 * 1024
BYTES_IN_A_STREAM_MESSAGE: Final = 1024 * 1024
ITEMS_A_SECOND_FROM_A_STREAM: Final = 100_000
PROPOSALS_FOR_A_DECISION: Final = 256
PROPOSAL_BYTES: Final = 4_096
BUNDLE_ENTRIES: Final = 400_000
BUNDLES_RECEIVED_AT_ONCE: Final = 16
BUNDLE_UPLOAD_SECONDS: Final = 60
EXPORTS_AT_ONCE: Final = 8
HANDS_IN_A_RESUMED_VIEW: Final = 200
HEARTBEAT_MS: Final = 10_000
TOLD_WITHIN_MS: Final = 5
UNWRITTEN_DECISION_MS: Final = 100
STORE_RETRY_MS: Final = 1_000
ATTACH_WITHIN_MS: Final = 10_000
SEALS_TOLD_AT_ONCE: Final = 1_000
SEALS_TOLD_WITHIN_MS: Final = 20
ENDED_TABLES_AT_HAND: Final = 256
CALLS_A_SECOND: Final = 10_000
ADDRESSES_WATCHED: Final = 4_096
COSIGNED_HEADS: Final = 64
CONTEST_RESULTS_KEPT: Final = 8
CONTEST_STREAMS: Final = 600
DAMAGES_NAMED: Final = 100
WITNESSES: Final = 32
AUDIT_TEXT_BYTES: Final = 3 * 1024 * 1024
AUDIT_WORKERS: Final = 2
BUNDLE_BYTES: Final = 64 * 1024 * 1024
BUNDLE_KEYS: Final = 100
BUNDLES_VERIFIED_AT_ONCE: Final = 4
DISPUTE_CLAIMS: Final = 10
OPERATIONS_KEPT: Final = 10_000
OPERATIONS_RUNNING: Final = 100
TABLES_IN_AN_AUDIT: Final = 1_000
TRACES_FLUSHED_WITHIN_SECONDS: Final = 5

LIMITS: Final = {
    "addresses_watched": ADDRESSES_WATCHED,
    "appends_in_a_group": APPENDS_IN_A_GROUP,
    "attach_within_ms": ATTACH_WITHIN_MS,
    "audit_text_bytes": AUDIT_TEXT_BYTES,
    "audit_workers": AUDIT_WORKERS,
    "bundle_bytes": BUNDLE_BYTES,
    "bundle_entries": BUNDLE_ENTRIES,
    "bundle_keys": BUNDLE_KEYS,
    "bundle_upload_seconds": BUNDLE_UPLOAD_SECONDS,
    "bundles_received_at_once": BUNDLES_RECEIVED_AT_ONCE,
    "bundles_verified_at_once": BUNDLES_VERIFIED_AT_ONCE,
    "bytes_in_a_stream_message": BYTES_IN_A_STREAM_MESSAGE,
    "bytes_queued_for_a_reader": BYTES_QUEUED_FOR_A_READER,
    "calls_a_second": CALLS_A_SECOND,
    "commands_in_a_group": COMMANDS_IN_A_GROUP,
    "commands_waiting_at_a_table": COMMANDS_WAITING_AT_A_TABLE,
    "commit_begins_within_ms": COMMIT_BEGINS_WITHIN_MS,
    "concurrent_calls": CONCURRENT_CALLS,
    "contest_results_kept": CONTEST_RESULTS_KEPT,
    "contest_streams": CONTEST_STREAMS,
    "cosigned_heads": COSIGNED_HEADS,
    "damages_named": DAMAGES_NAMED,
    "dispute_claims": DISPUTE_CLAIMS,
    "drain_seconds": DRAIN_SECONDS,
    "ended_tables_at_hand": ENDED_TABLES_AT_HAND,
    "exports_at_once": EXPORTS_AT_ONCE,
    "hand_id_letters": HAND_ID_LETTERS,
    "hands_in_a_resumed_view": HANDS_IN_A_RESUMED_VIEW,
    "hands_in_a_stream_message": HANDS_IN_A_STREAM_MESSAGE,
    "heartbeat_ms": HEARTBEAT_MS,
    "items_a_second_from_a_stream": ITEMS_A_SECOND_FROM_A_STREAM,
    "items_in_a_play_request": ITEMS_IN_A_PLAY_REQUEST,
    "items_queued_for_a_reader": ITEMS_QUEUED_FOR_A_READER,
    "items_queued_for_a_table": ITEMS_QUEUED_FOR_A_TABLE,
    "judged_in_a_turn_ms": JUDGED_IN_A_TURN_MS,
    "message_bytes": MESSAGE_BYTES,
    "notation_bytes": NOTATION_BYTES,
    "operations_kept": OPERATIONS_KEPT,
    "operations_running": OPERATIONS_RUNNING,
    "page_items": PAGE_ITEMS,
    "proposal_bytes": PROPOSAL_BYTES,
    "proposals_for_a_decision": PROPOSALS_FOR_A_DECISION,
    "quiet_rounds_before_a_commit": QUIET_ROUNDS_BEFORE_A_COMMIT,
    "request_id_letters": REQUEST_ID_LETTERS,
    "seals_told_at_once": SEALS_TOLD_AT_ONCE,
    "seals_told_within_ms": SEALS_TOLD_WITHIN_MS,
    "spectators_of_a_table": SPECTATORS_OF_A_TABLE,
    "steps_in_a_hand": STEPS_IN_A_HAND,
    "store_retry_ms": STORE_RETRY_MS,
    "table_id_letters": TABLE_ID_LETTERS,
    "tables": TABLES,
    "tables_in_an_audit": TABLES_IN_AN_AUDIT,
    "tables_on_a_stream": TABLES_ON_A_STREAM,
    "told_within_ms": TOLD_WITHIN_MS,
    "traces_flushed_within_seconds": TRACES_FLUSHED_WITHIN_SECONDS,
    "unwritten_decision_ms": UNWRITTEN_DECISION_MS,
    "witnesses": WITNESSES,
}
