"""標記工作台: the page on which photos become a data set and a data set a better model."""

from __future__ import annotations

from flask import Flask


def is_open() -> bool:
    """Whether who asks may come to the workbench."""
    from webui.labelling import paths

    return paths.is_open()


def register(app: Flask) -> None:
    """Put the workbench into an application; nothing is opened before it is asked for.

    Args:
        app: the application; its configuration's ``DATA`` names the folder that the data sets lie in.
    """
    from webui.labelling.views import editing, imports, memory, outputs, pages, people, reading, record_import, training
    from webui.labelling.views.blueprint import make_blueprint
    from webui.labelling.views.upkeep import groups, health, queue_views, samples, sheets, tidying

    blueprint = make_blueprint()
    for part in (
        pages,
        imports,
        people,
        editing,
        reading,
        memory,
        health,
        queue_views,
        record_import,
        tidying,
        outputs,
        sheets,
        groups,
        samples,
        training,
    ):
        part.views.add_to(blueprint)
    app.register_blueprint(blueprint)
