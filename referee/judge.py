"""Judges actions and whole hands without keeping state."""
