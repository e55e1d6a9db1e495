"""資料放哪裡: a folder with an SQLite database, or the URL of a PostgreSQL database and a folder for its photos."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

VARIABLE = "PAITAI_DATA"
DATABASE = "paitai.sqlite"


@dataclass(frozen=True, slots=True)
class Place:
    """The location of the records: `url` of the database, and the folder of photos and house rules."""

    url: str
    folder: Path

    @property
    def is_file(self) -> bool:
        """Whether the database is a SQLite file in the folder."""
        return self.url.startswith("sqlite")

    def shown(self) -> str:
        """The place as people may read it: never with a password."""
        if self.is_file:
            return str(self.folder / DATABASE)
        from sqlalchemy import make_url

        return make_url(self.url).render_as_string(hide_password=True)


def user_folder() -> Path:
    """The user's data folder as the system has it, such as ``~/.local/share/paitai``."""
    from platformdirs import user_data_path

    return user_data_path("paitai", appauthor=False)


def find_place(data: str | None = None) -> Place:
    """The place of ``--data``, else of PAITAI_DATA, else the user's data folder.

    `data` is a folder or the URL of a PostgreSQL database. Photos of such a database are in the folder of PAITAI_DATA,
    else in the user's data folder.
    """
    named = os.environ.get(VARIABLE) or ""
    data = data or named
    if "://" in data:
        return Place(data, Path(named).expanduser().absolute() if named and "://" not in named else user_folder())
    where = Path(data).expanduser().absolute() if data else user_folder()
    return Place(f"sqlite:///{where / DATABASE}", where)
