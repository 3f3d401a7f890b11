"""Freeze-out tournaments (TOUR): levels, seats at several tables, who finishes where, and what is paid.

Pure, but for :mod:`~referee.contest.tournament.playing`, which asks bots: a tournament is a value that each round of
hands turns into the next, so that it can be stopped and gone on with at any hand.
"""
