"""What a witness asks of a new head: that it goes on from the one that it knows."""

from collections.abc import Sequence

from referee.merkle.verification import ProofError, verify_consistency
from referee.record.log.checkpoints import Checkpoint
from referee.record.log.errors import SplitViewError


def check_growth(known: Checkpoint, new: Checkpoint, proof: Sequence[bytes]) -> None:
    """Checks that the new head's log begins with the known one's records; the proof is that of consistency.

    Raises SplitViewError for a head of another log, for a smaller one (which may be an older one that was sent late),
    for another root of the same size, and for a proof that does not show it.
    """
    if new.origin != known.origin:
        raise SplitViewError(f"a head of log {new.origin!r}, not {known.origin!r}")
    if new.size < known.size:
        raise SplitViewError(f"a head of {new.size} records; {known.size} are known")
    if new.size == known.size and new.root != known.root:
        raise SplitViewError(f"two heads of {new.size} records: roots {known.root.hex()} and {new.root.hex()}")
    try:
        verify_consistency(known.size, known.root, new.size, new.root, proof)
    except ProofError as error:
        raise SplitViewError(
            f"the head of {new.size} records does not go on from that of {known.size}: {error}"
        ) from error
