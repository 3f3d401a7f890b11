"""Where a contest lies, and whether its file is still the one that it began with."""

import secrets
from contextlib import closing
from pathlib import Path

from referee.contest.settings import ContestFileError, ContestSettings, changed
from referee.contest.store import FILE_NAME, ContestStore, ContestStoreError
from referee.dealing.seeds import SEED_BYTES


def contest_folder(file: Path, folder: Path | None) -> Path:
    """The contest's folder: as given, else the file's path without its suffix."""
    return folder if folder is not None else file.with_suffix("")


def contests_in(folder: Path) -> dict[str, Path]:
    """The folders of all contests that lie in a folder, or of the one that it is itself, by the contests' names."""
    found = {}
    for one in (folder, *sorted(folder.iterdir())) if folder.is_dir() else ():
        if (one / FILE_NAME).is_file():
            with closing(ContestStore(one)) as store:
                found[store.settings.name] = one
    return found


def open_contest(file: Path, settings: ContestSettings, folder: Path, seed: bytes = b"") -> ContestStore:
    """Opens the contest of a folder, or begins it there with a seed, which is drawn if not given.

    Raises ContestFileError, which names every key that is different, when the contest has begun with other settings;
    ContestStoreError when it has another seed, or the folder holds something else.
    """
    if not (folder / FILE_NAME).is_file():
        return ContestStore.create(folder, settings, seed or secrets.token_bytes(SEED_BYTES))
    store = ContestStore(folder)
    began_with = store.settings
    if began_with.sha256() != settings.sha256():
        raise ContestFileError(str(file), changed(began_with, settings, file.read_text(encoding="utf-8")))
    if seed and store.seed != seed:
        raise ContestStoreError(f"the contest in {folder} has another seed; it was drawn when the contest was begun")
    return store
