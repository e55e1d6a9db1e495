"""表: `entries` are the records. `marks` are search keys made from them. `texts` are texts that many entries share."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Integer, MetaData, String, Table, Text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(column_0_label)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

entries = Table(
    "entries",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("id", String(32), nullable=False, unique=True),
    Column("kind", String(16), nullable=False, index=True),
    Column("at", String(20), nullable=False, index=True),
    Column("about", String(32), ForeignKey("entries.id"), nullable=True, index=True),
    Column("content", Text, nullable=False),
    # one entry after each: two writers can never fork the chain
    Column("previous", String(64), nullable=False, unique=True),
    Column("hash", String(64), nullable=False, unique=True),
)

marks = Table(
    "marks",
    metadata,
    Column("seq", Integer, ForeignKey("entries.seq"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("value", String(80), primary_key=True),
    Index("ix_marks_kind_value", "kind", "value", "seq"),
)

texts = Table(
    "texts",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("text", Text, nullable=False),
)
