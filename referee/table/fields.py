"""Where a game's own messages stand in those that carry them: the tags of their fields, a number and a wire type."""

from typing import Final, NamedTuple


class GameFields(NamedTuple):
    """What a game is called in the contract, and the fields that are its own.

    ``seen_event`` is that of a SeenEvent, ``stored_event`` of a StoredEvent, ``proposal`` and ``ruling`` of a
    StoredRuling, ``answered`` of an Answered, ``options`` of a Decision.
    """

    name: str
    seen_event: bytes
    stored_event: bytes
    proposal: bytes
    ruling: bytes
    answered: bytes
    options: bytes


POKER: Final = GameFields("poker", b"\x42", b"\x2a", b"\x1a", b"\x5a", b"\x12", b"\x1a")
KOZEL: Final = GameFields("kozel", b"\x92\x01", b"\x8a\x01", b"\x6a", b"\x72", b"\x1a", b"\x32")
