"""A table of search keys, filled from the existing entries."""

import importlib
import json

import sqlalchemy as sa
from alembic import op

from webui.store.chain import marks_of

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table and fill it."""
    marks = op.create_table(
        "marks",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("value", sa.String(80), nullable=False),
        sa.PrimaryKeyConstraint("seq", "kind", "value", name="pk_marks"),
        sa.ForeignKeyConstraint(["seq"], ["entries.seq"], name="fk_marks_seq"),
    )
    op.create_index("ix_marks_kind_value", "marks", ["kind", "value", "seq"])
    rows = op.get_bind().execute(sa.text("SELECT seq, kind, content FROM entries ORDER BY seq")).all()
    new_marks = [
        {"seq": seq, "kind": mark, "value": value}
        for seq, kind, content in rows
        for mark, value in marks_of(kind, json.loads(content))
    ]
    if new_marks:
        op.bulk_insert(marks, new_marks)
    importlib.import_module("webui.store.migrations.versions.0001_entries").protect("marks")
