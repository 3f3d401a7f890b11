"""The file that an audit reads: a line with the format's name, a line with a digest, and a Bundle message."""

from hashlib import sha256
from typing import Final

from google.protobuf.message import DecodeError

from referee.v1 import record_pb2

FORMAT: Final = "referee-bundle/1"
_FIRST_LINE: Final = f"{FORMAT}\n".encode("ascii")
_DIGEST_LINE_BYTES: Final = 65


class BundleFormatError(ValueError):
    """Bytes that are no bundle of this format; the message says where that shows."""


def bundle_bytes(bundle: record_pb2.Bundle) -> bytes:
    """A bundle as the bytes of a file."""
    body = bundle.SerializeToString(deterministic=True)
    return _FIRST_LINE + sha256(body).hexdigest().encode("ascii") + b"\n" + body


def read_bundle(data: bytes) -> record_pb2.Bundle:
    """Reads a bundle; raises BundleFormatError.

    A bundle has one spelling: whatever would be written differently, such as an unknown field, is refused, so that
    nothing in a file is passed over. The digest finds damage on the way, not forgery.
    """
    if not data.startswith(_FIRST_LINE):
        raise BundleFormatError(f"the first line is not {FORMAT}")
    body = data[len(_FIRST_LINE) + _DIGEST_LINE_BYTES :]
    line = data[len(_FIRST_LINE) : len(_FIRST_LINE) + _DIGEST_LINE_BYTES]
    if line != sha256(body).hexdigest().encode("ascii") + b"\n":
        raise BundleFormatError("the digest in the second line is not that of what follows")
    try:
        bundle = record_pb2.Bundle.FromString(body)
    except DecodeError as error:
        raise BundleFormatError("what follows the second line is no Bundle message") from error
    bundle.DiscardUnknownFields()
    if bundle.SerializeToString(deterministic=True) != body:
        raise BundleFormatError("the Bundle message is not spelled as it is written")
    return bundle
