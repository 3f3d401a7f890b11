"""Records of hands: what was written down about a hand, and the notations it is written in."""
