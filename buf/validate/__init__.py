"""Generated from third_party/protovalidate by `make proto`. Do not edit the other files of this folder."""
