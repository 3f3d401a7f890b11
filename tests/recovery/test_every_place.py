"""Every length to which a small store can be cut off, and every bit of it flipped; each 37th byte without REFEREE_LONG.

With its mark beside it nothing is lost without an error. Without the mark, or with an older one, the end of the
write-ahead log can be lost, because SQLite takes it for what a crash left behind: then the store is as it was after an
earlier commit, never a mixture, and never behind the mark that there is.
"""

import random

import pytest

from tests.recovery.crashing import Process
from tests.recovery.places import (
    INDEX,
    MARK,
    WAL,
    Damage,
    changed_rows,
    lay,
    moved_rows,
    outcome,
    outcomes,
    small_store,
)
from tests.store.stores import NAME
from tests.support import LONG, scale

STEP = 1 if LONG else 37


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return small_store(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    return small_store(tmp_path_factory.mktemp("closed"), closed=True)


def lengths(small, name):
    """Every length that a file can be cut off to, from nothing."""
    return [Damage(name, length=length) for length in range(0, len(small.files[name]), STEP)]


def bits(small, name, of_each_byte=range(8)):
    """Every bit of a file; one of each byte where the bytes are not all looked at."""
    size = len(small.files[name])
    if LONG:
        return [Damage(name, bit=8 * at + bit) for at in range(size) for bit in of_each_byte]
    return [Damage(name, bit=8 * at + at % 8) for at in range(0, size, STEP)]


def told(what, found):
    """Prints how many damages came out how, for whoever runs with -s or -rP, and fails on a broken promise."""
    print(f"{what}: {sum(found.counts.values())} damages, commits lost: {dict(found.counts)}")
    assert not found.broken, found.broken[:5]
    return found.counts


def test_a_closed_store_is_refused_cut_off_to_any_length_and_with_any_bit_flipped_that_is_used(closed):
    counts = told(f"closed {NAME} cut off", outcomes(closed, lengths(closed, NAME), closed.marks[-1]))
    assert set(counts) == {"refused"}
    counts = told(f"closed {NAME} flipped", outcomes(closed, bits(closed, NAME), closed.marks[-1]))
    assert set(counts) == {"refused", 0}, "pages of a small store are half empty"


def test_an_entry_of_an_index_that_only_sqlites_own_check_can_read_is_found(closed):
    """The length of its header is another one: it is found where it should be, and cannot be read."""
    file = closed.files[NAME]
    # Of place 1 and hand 1 (each a 9 of the header, without a byte), number 7, row 8.
    entry = bytes([7, 5, 9, 9, 1, 1, 7, 8])
    assert file.count(entry) == 1, "the entry of a row"
    flips = [Damage(NAME, bit=8 * (file.index(entry) + 1) + bit) for bit in range(8)]
    counts = told("an entry's header flipped", outcomes(closed, flips, closed.marks[-1]))
    assert set(counts) == {"refused"}


@pytest.mark.parametrize("name", [NAME, WAL, MARK, INDEX])
def test_cut_off_to_any_length_it_is_whole_or_refused(small, name):
    counts = told(f"{name} cut off", outcomes(small, lengths(small, name), small.marks[-1]))
    assert set(counts) <= {"refused", 0}
    assert counts["refused"] or name == INDEX


@pytest.mark.parametrize("name", [NAME, WAL, MARK])
def test_with_any_bit_flipped_it_is_whole_or_refused(small, name):
    counts = told(f"{name} flipped", outcomes(small, bits(small, name), small.marks[-1]))
    assert set(counts) <= {"refused", 0}
    assert counts["refused"]


def test_the_index_of_the_log_is_made_anew_whatever_bit_of_it_is_flipped(small):
    counts = told(f"{INDEX} flipped", outcomes(small, bits(small, INDEX, of_each_byte=(0,)), small.marks[-1]))
    assert set(counts) == {0}


@pytest.mark.parametrize("behind", [1, 3, 12])
def test_without_its_newest_mark_it_is_at_a_commit_and_never_behind_the_mark(small, behind):
    """``behind`` is how many commits the mark lies back; all of them: there is none."""
    commits = len(small.after)
    mark = small.marks[commits - 1 - behind] if behind < commits else None
    for what, damages in (("cut off", lengths(small, WAL)), ("flipped", bits(small, WAL))):
        counts = told(f"{WAL} {what}, mark {behind} behind", outcomes(small, damages, mark, most_lost=behind))
        assert any(how != "refused" and how > 0 for how in counts), "the end of the log is missed by its mark alone"
        assert mark is None or counts["refused"]


@pytest.mark.parametrize("behind", [1, 3])
@pytest.mark.parametrize("state", ["closed", "killed"])
def test_the_file_itself_beside_an_older_mark_is_whole_or_refused(request, state, behind):
    """Its pages are found damaged by themselves: the mark is needed for the write-ahead log alone."""
    small = request.getfixturevalue("closed" if state == "closed" else "small")
    mark = small.marks[-1 - behind]
    for what, damages in (("cut off", lengths(small, NAME)), ("flipped", bits(small, NAME))):
        counts = told(f"{state} {NAME} {what}, mark {behind} behind", outcomes(small, damages, mark, most_lost=behind))
        assert set(counts) <= {"refused", 0}
        assert counts["refused"]


@pytest.mark.parametrize("behind", [1, 3, 12])
def test_the_index_of_the_log_hides_no_commit_from_an_older_mark(small, behind):
    """If SQLite believed a damaged index, commits that the mark does not know could be lost at the log's end."""
    commits = len(small.after)
    mark = small.marks[commits - 1 - behind] if behind < commits else None
    for what, damages in (("cut off", lengths(small, INDEX)), ("flipped", bits(small, INDEX, of_each_byte=(0,)))):
        some = damages[:: scale(4, 1)]
        counts = told(f"{INDEX} {what}, mark {behind} behind", outcomes(small, some, mark))
        assert set(counts) == {0}


@pytest.mark.parametrize("behind", [0, 1, 3])
def test_whatever_bit_of_whatever_row_is_changed_it_is_refused(closed, behind):
    """Rows changed by SQL: pages, counts and indexes fit, so that the chains alone must find it, whatever the mark."""
    changed = changed_rows(closed, STEP)
    counts = told(f"rows changed, mark {behind} behind", outcomes(closed, changed, closed.marks[-1 - behind]))
    assert set(counts) == {"refused"}


@pytest.mark.parametrize("behind", [0, 1, 3])
def test_a_row_that_is_dropped_or_stands_in_anothers_place_is_missed(closed, behind):
    moved = moved_rows(closed)
    counts = told(f"rows moved, mark {behind} behind", outcomes(closed, moved, closed.marks[-1 - behind]))
    assert set(counts) == {"refused"}


def test_a_server_says_of_it_what_is_said_in_this_process(small, tmp_path):
    rng = random.Random(9)
    names = [NAME, WAL, MARK, WAL] * scale(1, 15)
    damages = [Damage(name, bit=rng.randrange(8 * len(small.files[name]))) for name in names]
    damages += [Damage(name, length=rng.randrange(len(small.files[name]))) for name in names]
    refused = 0
    for damage in damages:
        expected = outcome(tmp_path / "copy", small, damage, small.marks[-1])
        lay(tmp_path / "copy", small, damage, small.marks[-1])
        server = Process(tmp_path / "copy")
        if expected == "refused":
            with pytest.raises(AssertionError, match="did not start"):
                server.start()
            server.wait()
            assert server.process.returncode != 0, damage
            refused += 1
        else:
            server.start()
            server.kill()
    assert 0 < refused < len(damages)
