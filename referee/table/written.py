"""What happened at a table together with the bytes that store, seal and views are made of, written once."""

from typing import final

from referee.table.config import TableConfig
from referee.table.happenings import Happening, content_bytes, hand_that_began, stored_event_bytes
from referee.table.views import may_hide, parts


@final
class Written:
    """Something that happened, written.

    ``event`` are the bytes of its StoredEvent, ``content`` those without the field that says of what kind it is.
    ``shown`` is what everybody may be told, empty for nothing, and ``closed`` what only some may see (docs/records.md).
    ``is_same_for_all`` says that every viewer is told the same, ``began`` how a hand begins if that is what happened.
    """

    def __init__(self, happening: Happening, config: TableConfig) -> None:
        self.happening = happening
        self.content = content_bytes(happening)
        self.event = stored_event_bytes(happening, self.content)
        self.shown, self.closed = parts(happening, self.content, self.event, config)
        self.is_same_for_all = not may_hide(happening)
        self.began = hand_that_began(happening)
