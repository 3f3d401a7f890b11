"""Keeps events: written once, in groups, and on disk before anybody is told."""
