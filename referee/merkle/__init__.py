"""Append-only Merkle trees, hashed as RFC 6962 and RFC 9162 (2.1) define them: SHA-256, leaves and nodes kept apart.

``hashing`` has the hashes, ``frontier`` appends with a logarithmic state, ``proofs`` makes proofs from stored nodes,
``verification`` checks them, ``tree`` keeps a whole tree in memory. All of it is pure; where nodes are kept is the
caller's affair.
"""
