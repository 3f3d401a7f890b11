"""A slow, obvious reference judge: the rulebook written down once more, sharing nothing with the engine it checks.

Pure functions of a hand that never changes: each step gives a new one. Standard library only, integers only, cards as
text such as ``Ah`` (``??`` where unknown). Whatever the rules measure by, such as the minimum raise, is not kept along
the way but looked up again, every time it is asked for, in the list of what was done on the street. A player is known
by his place clockwise from the left of the button, counted from 0; a seat by its number at the table.

Read in this order: terms, refused_setups, cards, ranking, hand, pots, betting, discards, showdown, judge, course.
"""
