"""Keys as text: secret ones, and lists of trusted ones with their bounds; and the signer of a log's own heads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.merkle.frontier import Frontier, append
from referee.merkle.hashing import leaf_hash
from referee.record.log import signer as signer_module
from referee.record.log.errors import KeyFormatError
from referee.record.log.key_list import parse_key_list, write_key_list
from referee.record.log.keyring import KeyRing, TrustedKey, verify_checkpoint
from referee.record.log.keys import SignatureKind, SigningKey, parse_signing_key, parse_verifier_key
from referee.record.log.signer import Signer

ORIGIN = "referee.example/log"
KEYS = [SigningKey(ORIGIN, bytes([n]) * 32) for n in range(1, 4)]
WITNESS = SigningKey("witness.example/w1", bytes([9]) * 32, SignatureKind.COSIGNATURE)


@pytest.mark.parametrize("key", [*KEYS, WITNESS])
def test_a_secret_key_comes_back_from_its_text(key):
    again = parse_signing_key(key.secret_text)
    assert again.verifier == key.verifier
    assert again.sign_bytes(b"x") == key.sign_bytes(b"x")
    assert key.secret_text not in repr(key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        KEYS[0].verifier.text,
        KEYS[0].secret_text.replace(ORIGIN, "another.example"),
        KEYS[0].secret_text[:-1],
        KEYS[0].secret_text + "AA==",
        KEYS[0].secret_text.replace("PRIVATE+KEY+", "PRIVATE+KEY+x+"),
        "PRIVATE+KEY+a+00000000+",
        "PRIVATE+KEY+a+00000000+Cw==",
    ],
)
def test_what_is_no_secret_key_is_refused_without_showing_it(text):
    with pytest.raises(KeyFormatError) as refused:
        parse_signing_key(text)
    assert text.rpartition("+")[2][:20] not in str(refused.value) or len(text) < 40


bounds = st.tuples(
    st.integers(0, 10), st.none() | st.integers(11, 99), st.integers(0, 10), st.none() | st.integers(11, 1 << 62)
)


@given(st.lists(bounds, min_size=1, max_size=3), st.lists(bounds, max_size=1))
def test_a_list_of_keys_comes_back_from_its_text(log_keys, witnesses):
    ring = KeyRing(
        ORIGIN,
        tuple([TrustedKey(key.verifier, *some) for key, some in zip(KEYS, log_keys, strict=False)]),
        tuple([TrustedKey(WITNESS.verifier, *some) for some in witnesses]),
    )
    assert parse_key_list(write_key_list(ring)) == ring


def test_a_verifier_key_alone_is_a_list():
    assert parse_key_list(KEYS[0].verifier.text) == KeyRing(ORIGIN, (TrustedKey(KEYS[0].verifier),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no key of a log"),
        ("# nothing\n\n", "no key of a log"),
        (WITNESS.verifier.text, "no key of a log"),
        ("what?", "line 1: "),
        (f"\n{KEYS[0].verifier.text} until_size", "line 2: 'until_size' has no value"),
        (f"{KEYS[0].verifier.text} until 3", "line 1: 'until' is not one of"),
        (f"{KEYS[0].verifier.text} until_size 3 until_size 4", "at most once"),
        (f"{KEYS[0].verifier.text} until_size -3", "is not a number"),
        (f"{KEYS[0].verifier.text} until_size \u0663", "is not a number"),
        (f"{KEYS[0].verifier.text} from_size 3 until_size 3", "valid for no sizes"),
        (f"{KEYS[0].verifier.text}\n{KEYS[0].verifier.text}", "twice"),
        (f"{KEYS[0].verifier.text}\n{SigningKey('x', bytes(32)).verifier.text}", "does not bear the name"),
        (f"{KEYS[0].verifier.text}\n" * 1025, "more than 1024"),
    ],
)
def test_what_is_no_list_of_keys_is_refused(text, said):
    with pytest.raises(KeyFormatError, match=said):
        parse_key_list(text)


def grown(leaves):
    frontier = Frontier()
    for leaf in leaves:
        frontier, _ = append(frontier, leaf_hash(leaf))
    return frontier


def test_each_size_is_signed_once_and_older_ones_still_can_be(monkeypatch):
    signed = []
    monkeypatch.setattr(
        signer_module, "sign", lambda text, key, sign=signer_module.sign: signed.append(text) or sign(text, key)
    )
    signer = Signer(KEYS[0])
    ring = KeyRing(ORIGIN, (TrustedKey(parse_verifier_key(signer.key)),))
    frontiers = [grown([b"%d" % n for n in range(size)]) for size in range(5)]
    for frontier in frontiers:
        notes = [signer.checkpoint(frontier) for _ in range(3)]
        assert len(set(notes)) == 1
        checkpoint = verify_checkpoint(notes[0], ring, 0).checkpoint
        assert (checkpoint.size, checkpoint.root) == (frontier.size, frontier.root())
    assert len(signed) == 5
    signer.checkpoint(frontiers[2])
    signer.checkpoint(frontiers[4])
    assert len(signed) == 6


def test_no_two_heads_of_one_size_are_signed():
    signer = Signer(KEYS[0])
    signer.checkpoint(grown([b"a", b"b"]))
    with pytest.raises(ValueError, match="another root"):
        signer.checkpoint(grown([b"a", b"c"]))
