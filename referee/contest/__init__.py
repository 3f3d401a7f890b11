"""Contests: from entrants and one file of settings to results that carry their uncertainty.

Data flows one way, through pure modules: settings, schedule, results, statistics, report. Only the runner and what it
uses (processes, store, calls) reads or writes anything.
"""
