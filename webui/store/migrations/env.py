"""Alembic's own entry: runs on the connection that `webui.store.engine.upgrade` hands over."""

from alembic import context

from webui.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
