"""Signs the heads of the server's own log, each once."""

from referee.merkle.frontier import Frontier
from referee.record.log.checkpoints import Checkpoint
from referee.record.log.keys import SigningKey
from referee.record.log.notes import Note, write_note
from referee.record.log.signing import sign


class Signer:
    """Signs heads of the log that bears the key's name. The newest one is kept, so that each size is signed once."""

    def __init__(self, key: SigningKey) -> None:
        self._key = key
        self._newest = Frontier()
        self._note = b""

    @property
    def origin(self) -> str:
        """The log's name."""
        return self._key.verifier.name

    @property
    def key(self) -> str:
        """The verifier key that signs, as text."""
        return self._key.verifier.text

    def checkpoint(self, frontier: Frontier) -> bytes:
        """The signed note of the log's head, of which everything must be on disk.

        An older head than the newest may be asked for. Raises ValueError for another head of the newest's size: one
        log has no two, and a signature cannot be taken back.
        """
        if self._note and frontier.size == self._newest.size:
            if frontier != self._newest:
                raise ValueError(f"a head of {frontier.size} records was signed already, with another root")
            return self._note
        text = Checkpoint(self.origin, frontier.size, frontier.root()).text
        note = write_note(Note(text, (sign(text, self._key),)))
        if frontier.size >= self._newest.size:
            self._newest, self._note = frontier, note
        return note
