"""The PostgreSQL database of the tests: each finds it empty, and its tables are made once for all of them."""

from __future__ import annotations

from typing import Any

import psycopg
from sqlalchemy import Connection

NAME = "records"
EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
FORM = """
SELECT md5(string_agg(what, ' ' ORDER BY what)) FROM (
    SELECT concat_ws(',', relname, relkind, attname, atttypid, attnum, attnotnull) AS what
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(',', tgrelid::regclass, tgname, tgenabled, tgtype) FROM pg_trigger
    UNION ALL SELECT concat_ws(',', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
) AS parts
"""
"""Everything that migrations make, and that a test may change."""
ASIDE = "BEGIN; TRUNCATE {tables}; ALTER SCHEMA public RENAME TO aside; CREATE SCHEMA public; COMMIT"
ASIDE_ONLY = """
SELECT 1 FROM pg_namespace WHERE nspname = 'aside'
AND NOT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = 'public'::regnamespace)
"""
BACK = ("DROP SCHEMA public", "ALTER SCHEMA aside RENAME TO public")


class Database:
    """One database for all tests: a new one for each would take longer than most tests.

    Tables that no test has changed lie aside in another schema, emptied, until a store asks for new ones.
    """

    def __init__(self, server: str) -> None:
        """``server``: the folder of its socket."""
        with psycopg.connect(f"host={server} user=postgres dbname=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {NAME}")
        self._connection = psycopg.connect(f"host={server} user=postgres dbname={NAME}", autocommit=True)
        self._connection.execute("SET session_replication_role = replica")  # no trigger refuses to empty a table

    def empty(self) -> None:
        """Nothing is in it, and nobody uses it."""
        run = self._connection.execute
        run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [NAME],
        )
        tables = made.tables
        if made.form is None or self._first("SELECT 1 FROM pg_namespace WHERE nspname = 'aside'"):
            run(EMPTY)
        elif self._first(FORM) == made.form and self._first("SELECT version_num FROM alembic_version") == made.revision:
            run(ASIDE.format(tables=tables))
        else:
            run(EMPTY)

    def _first(self, question: str) -> Any:
        row = self._connection.execute(question).fetchone()
        return row and row[0]

    def close(self) -> None:
        self._connection.close()


class Made:
    """What the tables look like that were made in this process, for `Database` and `tests.made_once.Tables`."""

    tables = "entries, marks, texts"
    form: str | None = None
    revision = ""

    def note(self, connection: Connection, revision: str) -> None:
        """The tables are there as the migrations have made them."""
        self.form, self.revision = connection.exec_driver_sql(FORM).scalar_one(), revision

    def fetch(self, connection: Connection) -> bool:
        """Bring back the tables that lie aside; False if there are none."""
        if connection.exec_driver_sql(ASIDE_ONLY).first() is None:
            return False
        for statement in BACK:
            connection.exec_driver_sql(statement)
        return True


made = Made()
