"""`python -m referee` is the `referee` command."""


def main() -> None:
    """Runs the `referee` command."""
    # Imported here: worker processes read the installed script again when they begin, and need none of the commands.
    from referee.cli import main as run

    run()


if __name__ == "__main__":
    main()
