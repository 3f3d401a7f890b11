"""Generated from proto/referee/v1 by `make proto`. Do not edit the other files of this folder."""
