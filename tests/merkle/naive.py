"""The definitions of RFC 6962 (2.1), written as they stand there: slow, recursive, over lists of leaf data."""

from hashlib import sha256


def split(count):
    k = 1
    while k * 2 < count:
        k *= 2
    return k


def mth(data):
    """MTH, the Merkle tree hash of a list."""
    if not data:
        return sha256().digest()
    if len(data) == 1:
        return sha256(b"\x00" + data[0]).digest()
    k = split(len(data))
    return sha256(b"\x01" + mth(data[:k]) + mth(data[k:])).digest()


def path(m, data):
    """PATH, the audit path of entry m."""
    if len(data) == 1:
        return []
    k = split(len(data))
    if m < k:
        return [*path(m, data[:k]), mth(data[k:])]
    return [*path(m - k, data[k:]), mth(data[:k])]


def subproof(m, data, known):
    """SUBPROOF: ``known`` says whether the verifier has the hash of these entries."""
    if m == len(data):
        return [] if known else [mth(data)]
    k = split(len(data))
    if m <= k:
        return [*subproof(m, data[:k], known), mth(data[k:])]
    return [*subproof(m - k, data[k:], False), mth(data[:k])]


def proof(m, data):
    """PROOF, that the first m entries are the older tree."""
    return subproof(m, data, True)
