"""A table between and during hands: seats, positions, clocks, and what of it all each viewer sees."""
