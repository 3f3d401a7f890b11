"""The game and nothing else: no input or output, no clock, no randomness, integers only.

The state of a hand is a fold over events (:mod:`referee.rules.state`); :mod:`referee.rules.hand` rules on proposals.
"""
