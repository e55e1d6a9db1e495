"""The workbench's blueprint: access, refusals, and the filters that its pages share.

Views are collected per module (``Views``) and put into the blueprint in one place (``webui.labelling.register``). So
the set of pages does not depend on earlier imports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from flask import Blueprint, g

from vision.labelling.history.people import handed
from vision.labelling.io import browse
from vision.labelling.io.browse import Query
from vision.labelling.labels import SPLITS, TILES
from vision.labelling.quality.calibration import Line, to_look_again
from vision.labelling.store import DatasetStore
from vision.messages import OWN
from vision.models.registry import ModelShelf, Shelved
from webui.labelling import jobs, paths
from webui.labelling.jobs import Command
from webui.web.errors import Refused
from webui.web.forms import whole
from webui.web.json_body import JsonObject

View = TypeVar("View", bound=Callable[..., Any])
WHOSE = ("mine", "free")
"""Photos handed to this person, and photos not handed out."""
PASSED_LAXER = "again"
"""State of a photo that was passed under a laxer line of confidence."""
FILTERS = ("split", "scene", "state", "below", "tile", "order", "whose")


class Views:
    """The views of one module, by address."""

    def __init__(self) -> None:
        self._rules: list[tuple[str, str, Callable[..., Any]]] = []

    def get(self, rule: str) -> Callable[[View], View]:
        """A page."""
        return self._add("GET", rule)

    def post(self, rule: str) -> Callable[[View], View]:
        """Register a view for a form or a script's request."""
        return self._add("POST", rule)

    def _add(self, method: str, rule: str) -> Callable[[View], View]:
        def keep(view: View) -> View:
            self._rules.append((method, rule, view))
            return view

        return keep

    def add_to(self, blueprint: Blueprint) -> None:
        """Put them into a blueprint, each under its function's name."""
        for method, rule, view in self._rules:
            blueprint.add_url_rule(rule, view.__name__, view, methods=[method])


def make_blueprint() -> Blueprint:
    """The workbench without its views."""
    blueprint = Blueprint("label", "webui.labelling", url_prefix="/label")
    blueprint.before_request(_gate)
    blueprint.app_context_processor(lambda: {"label_open": paths.is_open, "takes_photos": paths.takes_table_photos})
    return blueprint


def _gate() -> None:
    """Let in the person at this computer, and phones if the setting allows them."""
    if not paths.is_open():
        raise Refused(403, "label.closed")


def asked(values: Mapping[str, str]) -> tuple[Query, dict[str, Any]]:
    """The filters of an address, and the ones that are set, for the next address."""
    filters: dict[str, Any] = {key: value for key in FILTERS if (value := (values.get(key) or "").strip())}
    if filters.get("split") not in (*SPLITS, "none"):
        filters.pop("split", None)
    tile = filters.get("tile", "")
    if tile not in TILES and not tile.startswith(OWN):
        filters.pop("tile", None)
    below = None
    percent = whole(filters.get("below"), 999_999)
    if percent is not None:
        below = min(100, percent) / 100
    else:
        filters.pop("below", None)
    split = filters.get("split")
    query = Query(
        "" if split == "none" else split,
        filters.get("scene"),
        filters.get("state", ""),
        below,
        filters.get("tile", ""),
        filters.get("order", "name"),
        filters.get("whose", ""),
    )
    return query, filters


def queue_of(store: DatasetStore) -> JsonObject:
    """The ranking that was made last: places and sentences by the photo's id."""
    return paths.read_json(store.folder / "queue.json")


def ordered(store: DatasetStore, query: Query, keep: str = "", line: Line | None = None, person: str = "") -> list[str]:
    """The ids of the photos that a list shows.

    Args:
        store: the set.
        query: filters and order.
        keep: a photo that stays in the list though it no longer fits.
        person: who asks, for the photos that are theirs.
        line: of confidence; photos that were passed under a laxer one lead the queue.
    """
    places = queue_of(store).get("places", {}) if query.order == "queue" else None
    ids = browse.ids(store, query, places, keep)
    if person and query.whose in WHOSE:
        mine = handed(store)
        ids = [id_ for id_ in ids if mine.get(id_, "") == (person if query.whose == "mine" else "") or id_ == keep]
    again = to_look_again(store, line) if line and (places is not None or query.state == PASSED_LAXER) else frozenset()
    if query.state == PASSED_LAXER:
        return [id_ for id_ in ids if id_ in again or id_ == keep]
    return sorted(ids, key=lambda id_: id_ not in again) if again else ids


def number_asked(values: Mapping[str, str], key: str, least: int, most: int, default: int) -> int:
    """A whole number of a form or an address, clipped to ``least`` and ``most``; ``default`` for anything else."""
    number = whole(values.get(key), 99_999_999)
    return default if number is None else min(most, max(least, number))


def shelf() -> ModelShelf:
    """The models of this data folder."""
    return ModelShelf(paths.data_folder() / "models", jobs.jobs_folder())


def models_option() -> list[str]:
    """``--models`` for the model in use; empty for the shipped one."""
    current = shelf().current()
    return ["--models", str(current)] if current else []


def second_models() -> list[Shelved]:
    """The usable models other than the one in use, to compare with."""
    return [model for model in shelf().listed(g.texts.lang) if not model.current and not model.error]


def begin_one(kind: str, name: str, commands: Callable[[Path], list[Command]]) -> None:
    """One at a time of each kind for each set; ``commands`` are given the job's folder."""
    if any(job.state == "running" for job in jobs.listed(kind, ("set", name))):
        return
    id_, folder = jobs.new_folder(kind)
    jobs.begin(id_, kind, commands(folder), {"set": name})
