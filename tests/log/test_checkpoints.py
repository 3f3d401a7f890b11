"""Checkpoints: their text, the keys that are believed, witnesses, and heads that do not fit one another."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.merkle.hashing import EMPTY_ROOT, leaf_hash
from referee.merkle.tree import Tree
from referee.record.log.checkpoints import Checkpoint, parse_checkpoint
from referee.record.log.errors import (
    KeyFormatError,
    KeyValidityError,
    LogError,
    NoteFormatError,
    QuorumError,
    SignatureError,
    SplitViewError,
    UntrustedError,
)
from referee.record.log.keyring import KeyRing, TrustedKey, verify_checkpoint
from referee.record.log.keys import SignatureKind, SigningKey
from referee.record.log.notes import Note, parse_note, write_note
from referee.record.log.signing import sign
from referee.record.log.witnessing import check_growth
from tests.support import REPOSITORY

ORIGIN = "referee.example/log"
OLD = SigningKey(ORIGIN, bytes([1]) * 32)
NEW = SigningKey(ORIGIN, bytes([2]) * 32)
FIRST, SECOND = [SigningKey(f"witness.example/{n}", bytes([n]) * 32, SignatureKind.COSIGNATURE) for n in (3, 4)]
STRANGER = SigningKey("stranger.example", bytes([5]) * 32)
TREE = Tree(leaf_hash(b"%d" % at) for at in range(40))
RING = KeyRing(
    ORIGIN,
    (
        TrustedKey(OLD.verifier, until_unix_s=1000, until_size=20),
        TrustedKey(NEW.verifier, from_unix_s=900, from_size=20),
    ),
    (TrustedKey(FIRST.verifier), TrustedKey(SECOND.verifier, from_unix_s=500, until_unix_s=2000)),
)


def head(size, origin=ORIGIN):
    return Checkpoint(origin, size, TREE.root(size))


def signed(checkpoint, *keys, time=950):
    return write_note(Note(checkpoint.text, tuple(sign(checkpoint.text, key, time) for key in keys)))


def test_a_checkpoint_is_written_as_the_form_says():
    assert Checkpoint("example.com/log", 0, EMPTY_ROOT).text == (
        "example.com/log\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
    )
    assert Checkpoint("a", 7, bytes(32), ("more",)).text == f"a\n7\n{'A' * 43}=\nmore\n"


@given(
    st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"]), min_size=1, max_size=20),
    st.integers(1, 2**63 - 1),
    st.binary(min_size=32, max_size=32),
    st.lists(st.text("abc é+", min_size=1, max_size=5), max_size=3).map(tuple),
)
def test_any_checkpoint_is_read_back(origin, size, root, extensions):
    checkpoint = Checkpoint(origin, size, root, extensions)
    assert parse_checkpoint(checkpoint.text) == checkpoint
    data = signed(checkpoint, STRANGER)
    assert parse_checkpoint(parse_note(data).text) == checkpoint


ROOT = "A" * 43 + "="


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "0 lines; expected"),
        ("a\n1\n", 3, "2 lines; expected a log's name, a size and a root"),
        (f"a\n1\n{ROOT}", 3, "the last line has no end"),
        (f"\n1\n{ROOT}\n", 1, "is no name of a log"),
        (f"a\n01\n{ROOT}\n", 2, "'01' is not a size"),
        (f"a\n-1\n{ROOT}\n", 2, "'-1' is not a size"),
        (f"a\n１\n{ROOT}\n", 2, "is not a size"),
        (f"a\n\n{ROOT}\n", 2, "'' is not a size"),
        (f"a\n{1 << 63}\n{ROOT}\n", 2, "expected 0 to"),
        (f"a\n{10**19}\n{ROOT}\n", 2, "is not a size"),
        ("a\n1\nAAAA\n", 3, "a root of 3 bytes; expected 32"),
        (f"a\n1\n{ROOT[:-2]}B=\n", 3, "not the usual base64"),
        (f"a\n1\n {ROOT}\n", 3, "is not base64"),
        (f"a\n0\n{ROOT}\n", 3, "a log without records has another root"),
        (f"a\n1\n{ROOT}\n\n", 4, "is no further line"),
        (f"a\n1\n{ROOT}\nx\n\n", 5, "is no further line"),
    ],
)
def test_a_malformed_checkpoint_is_refused_with_its_line(text, line, message):
    with pytest.raises(NoteFormatError) as caught:
        parse_checkpoint(text)
    assert caught.value.line == line
    assert message in str(caught.value)


def test_the_docs_show_a_checkpoint_that_verifies():
    page = (REPOSITORY / "docs/signed-log.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```text\n(referee.*?)```", page, re.DOTALL)
    witness = SigningKey("witness.example/w1", bytes([2]) * 32, SignatureKind.COSIGNATURE)
    ring = KeyRing(ORIGIN, (TrustedKey(OLD.verifier),), (TrustedKey(witness.verifier),))
    verified = verify_checkpoint(shown.encode(), ring, 0, quorum=1)
    assert verified.checkpoint == head(40)
    assert verified.by_witnesses[0].time_unix_s == 1_795_996_800


def test_a_checkpoint_is_believed_when_the_log_signed():
    verified = verify_checkpoint(signed(head(5), OLD), RING, 100)
    assert verified.checkpoint == head(5)
    assert [(one.key, one.time_unix_s, one.valid) for one in verified.by_log] == [(OLD.verifier, None, True)]
    assert (verified.by_witnesses, verified.unknown, verified.witnesses) == ((), (), ())


def test_signatures_of_strangers_say_nothing_and_do_no_harm():
    data = signed(head(5), STRANGER, OLD, FIRST)
    verified = verify_checkpoint(data, RING, 100, quorum=1)
    assert verified.unknown == ("stranger.example",)
    assert verified.witnesses == ("witness.example/3",)
    for keys in ((STRANGER,), (FIRST,), (STRANGER, FIRST, SECOND)):
        with pytest.raises(UntrustedError, match=r"not signed by any known key of log referee\.example/log"):
            verify_checkpoint(signed(head(5), *keys), RING, 100)


def test_a_note_with_one_wrong_signature_of_a_known_key_is_refused_whole():
    note = parse_note(signed(head(5), OLD))
    forged = sign(head(6).text, FIRST)
    with pytest.raises(SignatureError, match=r"witness\.example/3"):
        verify_checkpoint(write_note(note.with_signature(forged)), RING, 100)


def test_keys_are_valid_in_their_time_and_sizes():
    def judged(size, at, *keys, time=950):
        try:
            return [one.valid for one in verify_checkpoint(signed(head(size), *keys, time=time), RING, at).by_log]
        except KeyValidityError:
            return None

    assert judged(19, 999, OLD) == [True]
    assert judged(19, 1000, OLD) is None
    assert judged(20, 999, OLD) is None
    assert judged(20, 900, NEW) == [True]
    assert judged(20, 899, NEW) is None
    assert judged(19, 900, NEW) is None
    # While both are in use, both sign, and one valid signature is enough.
    assert judged(20, 950, OLD, NEW) == [False, True]
    assert judged(19, 950, OLD, NEW) == [True, False]
    with pytest.raises(KeyValidityError, match=f"size 20: signed by key {OLD.verifier.key_id.hex()} of"):
        verify_checkpoint(signed(head(20), OLD), RING, 950)


def test_a_cosignature_is_judged_at_the_time_that_it_tells():
    for time, counted in ((499, False), (500, True), (1999, True), (2000, False)):
        verified = verify_checkpoint(signed(head(5), OLD, SECOND, time=time), RING, 100)
        (one,) = verified.by_witnesses
        assert (one.time_unix_s, one.valid) == (time, counted)
        assert bool(verified.witnesses) == counted


def test_a_log_may_sign_with_its_time():
    timed = SigningKey(ORIGIN, bytes([9]) * 32, SignatureKind.COSIGNATURE)
    ring = KeyRing(ORIGIN, (TrustedKey(timed.verifier, until_unix_s=1000),))
    assert verify_checkpoint(signed(head(5), timed, time=999), ring, 5000).by_log[0].time_unix_s == 999
    with pytest.raises(KeyValidityError):
        verify_checkpoint(signed(head(5), timed, time=1000), ring, 5)


def test_a_quorum_counts_each_witness_once():
    note = parse_note(signed(head(5), OLD, FIRST))
    twice = write_note(note.with_signature(sign(note.text, FIRST, 960)))
    assert verify_checkpoint(twice, RING, 100, quorum=1).witnesses == ("witness.example/3",)
    with pytest.raises(QuorumError, match="1 known witnesses have cosigned; expected 2"):
        verify_checkpoint(twice, RING, 100, quorum=2)
    assert len(verify_checkpoint(signed(head(5), OLD, FIRST, SECOND), RING, 100, quorum=2).witnesses) == 2


def test_a_checkpoint_of_another_log_is_refused():
    other = head(5, "other.example")
    with pytest.raises(UntrustedError, match=r"a checkpoint of log 'other\.example', not 'referee\.example/log'"):
        verify_checkpoint(signed(other, OLD), RING, 100)


def test_every_changed_byte_of_a_signed_checkpoint_is_noticed():
    """What is believed stays as it was, unless a signature turns into one by somebody unknown, which is then told."""
    data = signed(head(5), OLD, FIRST)
    true = verify_checkpoint(data, RING, 100)
    for at in range(len(data)):
        for bit in range(8):
            spoilt = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
            try:
                found = verify_checkpoint(spoilt, RING, 100)
            except LogError:
                continue
            assert found.checkpoint == true.checkpoint
            assert found.by_log == true.by_log
            assert (len(found.unknown), found.witnesses) == (1, ())


def test_key_rings_that_contradict_themselves_are_refused():
    trusted = TrustedKey(OLD.verifier)
    with pytest.raises(KeyFormatError, match="is there twice"):
        KeyRing(ORIGIN, (trusted, TrustedKey(OLD.verifier, until_size=5)))
    with pytest.raises(KeyFormatError, match="is there twice"):
        KeyRing(ORIGIN, (trusted,), (trusted,))
    with pytest.raises(KeyFormatError, match="does not bear the name of log other"):
        KeyRing("other", (trusted,))
    for window in ({"from_unix_s": 5, "until_unix_s": 5}, {"from_size": 6, "until_size": 5}, {"from_size": -1}):
        with pytest.raises(KeyFormatError, match="valid for no"):
            TrustedKey(OLD.verifier, **window)


def test_a_head_goes_on_from_the_one_before():
    for old in range(TREE.size + 1):
        for new in range(old, TREE.size + 1):
            check_growth(head(old), head(new), TREE.consistency_proof(old, new))


def test_heads_that_do_not_fit_are_a_split_view():
    forked = Tree(leaf_hash(b"%d" % (at + at // 20)) for at in range(40))
    fork = Checkpoint(ORIGIN, 30, forked.root(30))
    with pytest.raises(SplitViewError, match="does not go on from that of 25"):
        check_growth(head(25), fork, forked.consistency_proof(25, 30))
    with pytest.raises(SplitViewError, match="two heads of 30 records"):
        check_growth(head(30), fork, ())
    with pytest.raises(SplitViewError, match="a head of 30 records; 31 are known"):
        check_growth(head(31), head(30), ())
    with pytest.raises(SplitViewError, match="a head of log 'other'"):
        check_growth(head(3), head(30, "other"), TREE.consistency_proof(3, 30))
    # Up to where they part both are the same log.
    check_growth(head(20), fork, forked.consistency_proof(20, 30))
