"""Signed notes: a text, an empty line, and lines of signatures (C2SP signed-note)."""

import re
from dataclasses import dataclass
from typing import Final

from referee.record.log.errors import NoteFormatError
from referee.record.log.keys import KEY_ID_BYTES, decode_base64, encode_base64, name_fault

MAX_NOTE_BYTES: Final = 256 * 1024
MAX_SIGNATURES: Final = 64

_START: Final = "— "
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f]")


@dataclass(frozen=True)
class NoteSignature:
    """One line of a note: who says that he signed, the id of his key, the signature's bytes. Nothing is verified."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """The line as it stands in the note, without its end."""
        return f"{_START}{self.name} {encode_base64(self.key_id + self.signature)}"


@dataclass(frozen=True)
class Note:
    """A text, which ends with a newline, and its signatures. Nothing in it may be believed before they are verified."""

    text: str
    signatures: tuple[NoteSignature, ...]

    def with_signature(self, signature: NoteSignature) -> "Note":
        """The note with one more signature, last."""
        return Note(self.text, (*self.signatures, signature))


def write_note(note: Note) -> bytes:
    """The note's bytes. Raises NoteFormatError for what :func:`parse_note` would not read back as the same note."""
    written = note.text + "\n" + "".join([f"{one.line}\n" for one in note.signatures])
    try:
        data = written.encode()
    except UnicodeEncodeError as error:
        raise NoteFormatError(written.count("\n", 0, error.start) + 1, "not to be written as UTF-8") from error
    if parse_note(data) != note:
        raise NoteFormatError(1, "the note would be read as another one")
    return data


def parse_note(data: bytes) -> Note:
    """Reads a note; raises NoteFormatError with the line. One note has one spelling: any other is refused."""
    text = _decoded(data)
    if not text.endswith("\n"):
        raise NoteFormatError(text.count("\n") + 1, "the last line has no end")
    split = text.rfind("\n\n")
    if split < 0:
        raise NoteFormatError(text.count("\n") + 1, "no empty line between text and signatures")
    first = text.count("\n", 0, split + 2) + 1
    lines = text[split + 2 :].split("\n")[:-1]
    if not lines:
        raise NoteFormatError(first, "no signature after the last empty line")
    if len(lines) > MAX_SIGNATURES:
        raise NoteFormatError(first + MAX_SIGNATURES, f"more than {MAX_SIGNATURES} signatures")
    return Note(text[: split + 1], tuple([_signature(number, line) for number, line in enumerate(lines, first)]))


def _decoded(data: bytes) -> str:
    if len(data) > MAX_NOTE_BYTES:
        raise NoteFormatError(1, f"a note of {len(data)} bytes; expected at most {MAX_NOTE_BYTES}")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoteFormatError(data.count(b"\n", 0, error.start) + 1, "not UTF-8") from error
    control = _CONTROL.search(text)
    if control:
        raise NoteFormatError(text.count("\n", 0, control.start()) + 1, f"control character {control[0]!r}")
    return text


def _signature(number: int, line: str) -> NoteSignature:
    if not line.startswith(_START):
        raise NoteFormatError(number, "a signature begins with an em dash and a space")
    name, space, encoded = line[len(_START) :].partition(" ")
    if not space:
        raise NoteFormatError(number, "expected a key's name, a space, and a signature")
    fault = name_fault(name)
    if fault:
        raise NoteFormatError(number, fault)
    try:
        raw = decode_base64(encoded)
    except ValueError as error:
        raise NoteFormatError(number, str(error)) from error
    if len(raw) <= KEY_ID_BYTES:
        raise NoteFormatError(number, f"{len(raw)} bytes are too few for a key's id and a signature")
    return NoteSignature(name, raw[:KEY_ID_BYTES], raw[KEY_ID_BYTES:])
