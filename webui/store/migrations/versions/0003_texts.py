"""The texts of rule books, each once; entries that are there keep theirs, for they are never changed."""

import importlib

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "texts",
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_texts"),
    )
    importlib.import_module("webui.store.migrations.versions.0001_entries").protect("texts")
