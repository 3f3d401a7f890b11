"""Statistics of contests: estimates with intervals, tables derived from them, and evidence of collusion.

The unit is the deal block: all seatings of the same decks together. Hands inside a block are never taken for
independent of one another.
"""
