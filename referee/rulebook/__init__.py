"""The rules' texts, by id."""
