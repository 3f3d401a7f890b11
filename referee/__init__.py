"""A referee for Irish poker and its relatives."""

from importlib.metadata import version

__version__: str = version("irish-poker-referee")
