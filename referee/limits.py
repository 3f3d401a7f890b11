"""Every stated bound of the server, by name; ``GetServerInfo`` shows them. Last words of names are units."""

from typing import Final

MESSAGE_BYTES: Final = 4 * 1024 * 1024
CONCURRENT_CALLS: Final = 1_000
HANDS_IN_A_STREAM_MESSAGE: Final = 256
STEPS_IN_A_HAND: Final = 1_000
NOTATION_BYTES: Final = 65_536
PAGE_ITEMS: Final = 200
DEFAULT_PAGE_ITEMS: Final = 50
DRAIN_SECONDS: Final = 10

LIMITS: Final = {
    "concurrent_calls": CONCURRENT_CALLS,
    "drain_seconds": DRAIN_SECONDS,
    "hands_in_a_stream_message": HANDS_IN_A_STREAM_MESSAGE,
    "message_bytes": MESSAGE_BYTES,
    "notation_bytes": NOTATION_BYTES,
    "page_items": PAGE_ITEMS,
    "steps_in_a_hand": STEPS_IN_A_HAND,
}
