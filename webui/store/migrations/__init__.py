"""How a database of an older version is brought to the form of this one (Alembic)."""
