"""The example bot: the same strategy and the same command line as in every other language of `clients/`."""
