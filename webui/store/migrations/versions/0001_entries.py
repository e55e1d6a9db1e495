"""The chain of entries, which the database itself refuses to change."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def protect(table: str) -> None:
    """Refuse UPDATE and DELETE (PostgreSQL: TRUNCATE too) of a table, whoever asks."""
    if op.get_bind().dialect.name == "sqlite":
        for action in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table}: records are never changed'); END"
            )
        return
    op.execute(
        "CREATE OR REPLACE FUNCTION records_never_change() RETURNS trigger AS $$ BEGIN "
        "RAISE EXCEPTION '%: records are never changed', TG_TABLE_NAME; END $$ LANGUAGE plpgsql"
    )
    op.execute(
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION records_never_change()"
    )
    op.execute(
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION records_never_change()"
    )


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "entries",
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("at", sa.String(20), nullable=False),
        sa.Column("about", sa.String(32), nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("previous", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_entries"),
        sa.ForeignKeyConstraint(["about"], ["entries.id"], name="fk_entries_about"),
        sa.UniqueConstraint("id", name="uq_entries_id"),
        sa.UniqueConstraint("previous", name="uq_entries_previous"),
        sa.UniqueConstraint("hash", name="uq_entries_hash"),
    )
    for column in ("kind", "at", "about"):
        op.create_index(f"ix_entries_{column}", "entries", [column])
    protect("entries")
