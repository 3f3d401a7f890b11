"""Signed notes and keys: how they are written, and everything that they may not be."""

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from referee.record.log.errors import KeyFormatError, NoteFormatError, SignatureError
from referee.record.log.keys import SignatureKind, SigningKey, VerifierKey, decode_base64, parse_verifier_key
from referee.record.log.notes import MAX_NOTE_BYTES, MAX_SIGNATURES, Note, NoteSignature, parse_note, write_note
from referee.record.log.signing import sign, verify

TEXT = "first line\n\nthird line\n"
# The secret and public key and the signature of the empty message: the first test of RFC 8032, 7.1.
RFC_SECRET = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
RFC_PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
LOG = SigningKey("referee.example/log", bytes([1]) * 32)
WITNESS = SigningKey("witness.example/w1", bytes([2]) * 32, SignatureKind.COSIGNATURE)


def signed(*signatures):
    return write_note(Note(TEXT, signatures))


def test_a_key_is_named_and_written_as_the_form_says():
    key = SigningKey("example.com/log", RFC_SECRET).verifier
    assert key.public == RFC_PUBLIC
    key_id = hashlib.sha256(b"example.com/log\n\x01" + RFC_PUBLIC).digest()[:4]
    assert key.key_id == key_id
    assert key.text == f"example.com/log+{key_id.hex()}+{base64.b64encode(bytes([1]) + RFC_PUBLIC).decode()}"
    cosigner = SigningKey("example.com/log", RFC_SECRET, SignatureKind.COSIGNATURE).verifier
    assert cosigner.key_id == hashlib.sha256(b"example.com/log\n\x04" + RFC_PUBLIC).digest()[:4]
    for some in (key, cosigner):
        assert parse_verifier_key(some.text) == some


def test_a_secret_key_is_not_shown():
    shown = repr(LOG) + str(LOG) + str(vars(LOG))
    assert (bytes([1]) * 32).hex() not in shown
    assert "referee.example/log+" in repr(LOG)


def test_a_note_is_written_as_the_form_says():
    signature = sign(TEXT, LOG)
    encoded = base64.b64encode(LOG.verifier.key_id + signature.signature).decode()
    assert signed(signature) == f"{TEXT}\n— referee.example/log {encoded}\n".encode()
    Ed25519PublicKey.from_public_bytes(LOG.verifier.public).verify(signature.signature, TEXT.encode())


def test_a_cosignature_signs_the_time_too():
    signature = sign(TEXT, WITNESS, 1_795_000_000)
    assert signature.signature[:8] == (1_795_000_000).to_bytes(8, "big")
    Ed25519PublicKey.from_public_bytes(WITNESS.verifier.public).verify(
        signature.signature[8:], f"cosignature/v1\ntime 1795000000\n{TEXT}".encode()
    )
    assert verify(TEXT, signature, WITNESS.verifier) == 1_795_000_000
    other = NoteSignature(
        signature.name, signature.key_id, (1_795_000_001).to_bytes(8, "big") + signature.signature[8:]
    )
    with pytest.raises(SignatureError, match="does not fit the text"):
        verify(TEXT, other, WITNESS.verifier)
    for time in (-1, 1 << 63):
        with pytest.raises(ValueError, match="time"):
            sign(TEXT, WITNESS, time)


def test_several_signatures_are_read_back():
    note = Note(TEXT, (sign(TEXT, LOG),)).with_signature(sign(TEXT, WITNESS, 7))
    read = parse_note(write_note(note))
    assert read == note
    assert verify(read.text, read.signatures[0], LOG.verifier) is None
    assert verify(read.text, read.signatures[1], WITNESS.verifier) == 7


@given(
    st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"]) | st.just("\n"), max_size=60),
    st.lists(st.tuples(st.text("abc./é", min_size=1, max_size=9), st.binary(min_size=1, max_size=90)), min_size=1),
)
def test_any_note_is_read_back(text, signers):
    note = Note(f"{text}\n", tuple(NoteSignature(name, bytes(4), some) for name, some in signers[:MAX_SIGNATURES]))
    assert parse_note(write_note(note)) == note


LINE = sign(TEXT, LOG).line
SPOILT = [
    (b"", 1, "the last line has no end"),
    (TEXT.encode(), 3, "begins with an em dash"),
    (b"text\n", 2, "no empty line between text and signatures"),
    (b"text\n\n", 3, "no signature after the last empty line"),
    (f"text\n\n{LINE}".encode(), 3, "the last line has no end"),
    (f"text\n\n{LINE}\n\n".encode(), 5, "no signature after the last empty line"),
    (f"text\n\n{LINE}\nmore\n".encode(), 4, "a signature begins with an em dash and a space"),
    (f"text\n\n-{LINE[1:]}\n".encode(), 3, "a signature begins with an em dash and a space"),
    (f"text\n\n{LINE}\r\n".encode(), 3, "control character '\\r'"),
    (f"te\txt\n\n{LINE}\n".encode(), 1, "control character '\\t'"),
    (f"text\n\n{LINE}\n".encode().replace(b"text", b"a\nb\xff"), 2, "not UTF-8"),
    ("text\n\n— name\n".encode(), 3, "expected a key's name, a space, and a signature"),
    ("text\n\n—  AAAAAAA=\n".encode(), 3, "a key's name of 0 letters"),
    ("text\n\n— a+b AAAAAAA=\n".encode(), 3, "'a+b' is not a key's name"),
    ("text\n\n— a\u2003b AAAAAAA=\n".encode(), 3, "is not a key's name"),
    (f"text\n\n— {'n' * 256} AAAAAAA=\n".encode(), 3, "a key's name of 256 letters"),
    ("text\n\n— name A*AA\n".encode(), 3, "'A*AA' is not base64"),
    ("text\n\n— name AAAAAAA\n".encode(), 3, "'AAAAAAA' is not base64"),
    ("text\n\n— name AAAAAAB=\n".encode(), 3, "not the usual base64 of its bytes"),
    ("text\n\n— name AAAAAAA= \n".encode(), 3, "is not base64"),
    ("text\n\n— name AAAAAA==\n".encode(), 3, "4 bytes are too few for a key's id and a signature"),
    (b"text\n\n" + f"{LINE}\n".encode() * (MAX_SIGNATURES + 1), 3 + MAX_SIGNATURES, "more than 64 signatures"),
    (b"a" * (MAX_NOTE_BYTES + 1), 1, "expected at most 262144"),
]


@pytest.mark.parametrize(("data", "line", "message"), SPOILT, ids=[message[:40] for _, _, message in SPOILT])
def test_a_malformed_note_is_refused_with_its_line(data, line, message):
    with pytest.raises(NoteFormatError) as caught:
        parse_note(data)
    assert caught.value.line == line
    assert message in str(caught.value)


def test_what_would_be_read_otherwise_is_not_written():
    signature = sign(TEXT, LOG)
    spaced = NoteSignature("a b", b"1234", b"5")
    for note in (Note("no end", (signature,)), Note(TEXT, ()), Note(TEXT, (spaced,)), Note("\ud800\n", (signature,))):
        with pytest.raises(NoteFormatError):
            write_note(note)
    with pytest.raises(ValueError, match="ends with a newline"):
        sign("no end", LOG)


def both_verify(data):
    note = parse_note(data)
    verify(note.text, note.signatures[0], LOG.verifier)
    verify(note.text, note.signatures[1], WITNESS.verifier)


def test_every_changed_byte_of_a_note_is_noticed():
    data = signed(sign(TEXT, LOG), sign(TEXT, WITNESS, 5))
    for at in range(len(data)):
        for change in (1, 0x20, 0x80):
            spoilt = data[:at] + bytes([data[at] ^ change]) + data[at + 1 :]
            with pytest.raises((NoteFormatError, SignatureError)):
                both_verify(spoilt)


def test_a_signature_is_verified_by_its_own_key_only():
    signature = sign(TEXT, LOG)
    another = SigningKey(LOG.verifier.name, bytes([3]) * 32).verifier
    with pytest.raises(SignatureError, match=r"not by referee\.example/log"):
        verify(TEXT, signature, another)
    # Somebody who gives his signature the other key's id.
    with pytest.raises(SignatureError, match="does not fit the text"):
        verify(TEXT, NoteSignature(another.name, another.key_id, signature.signature), another)
    for raw in (b"", signature.signature[:-1], signature.signature + b"\0"):
        with pytest.raises(SignatureError, match="expected 64"):
            verify(TEXT, NoteSignature(signature.name, signature.key_id, raw), LOG.verifier)
    cosignature = sign(TEXT, WITNESS)
    for raw, message in ((cosignature.signature[:-1], "expected 72"), (b"\x80" + bytes(71), "out of range")):
        with pytest.raises(SignatureError, match=message):
            verify(TEXT, NoteSignature(cosignature.name, cosignature.key_id, raw), WITNESS.verifier)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected name+id+key"),
        ("name+00000000", "expected name+id+key"),
        ("name+00000000+!", "is not base64"),
        ("name+00000000+", "signature type -1"),
        ("name+00000000+Ag==", "signature type 2 is not among [1, 4]"),
        ("name+00000000+AQ==", "0 bytes; expected 32"),
        (f"name+00000000+{base64.b64encode(bytes([1]) + RFC_PUBLIC).decode()}", "its id is"),
        (f"na me+00000000+{base64.b64encode(bytes([1]) + RFC_PUBLIC).decode()}", "is not a key's name"),
    ],
)
def test_a_malformed_key_is_refused(text, message):
    with pytest.raises(KeyFormatError) as caught:
        parse_verifier_key(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_keys_have_32_bytes(length):
    with pytest.raises(KeyFormatError, match=f"{length} bytes"):
        SigningKey("name", bytes(length))
    with pytest.raises(KeyFormatError, match=f"{length} bytes"):
        VerifierKey("name", SignatureKind.NOTE, bytes(length))


@given(st.text("AQgw+/=\n ", max_size=12))
def test_base64_has_one_spelling(text):
    try:
        some = decode_base64(text)
    except ValueError:
        return
    assert base64.b64encode(some).decode() == text
