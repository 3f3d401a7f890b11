"""Which core is running: the compiled one, or the same modules from their plain sources."""

from referee.rules import hand


def core() -> str:
    """``compiled`` or ``plain``."""
    return "plain" if hand.__file__.endswith(".py") else "compiled"
