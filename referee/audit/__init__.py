"""Verifying bundles offline, leaving out of them what a view may not see, and stepping through their hands.

``verify`` puts the checks together, of which each subject has a module; ``redaction`` and ``bundling`` make bundles.
Everything here is pure: bytes go in, a report comes out.
"""
