"""標記工作台: the page on which photos become a data set and a data set a better model."""

from __future__ import annotations

from flask import Flask


def register(app: Flask) -> None:
    """Put the workbench into an application; nothing is opened before it is asked for."""
    import webui.labelling.views.editing
    import webui.labelling.views.health
    import webui.labelling.views.loop
    import webui.labelling.views.training  # noqa: F401  they add their views to the blueprint
    from webui.labelling.views.pages import blueprint

    app.register_blueprint(blueprint)
