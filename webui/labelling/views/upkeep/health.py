"""健康檢查的頁: what is thin, doubled, unlabelled or doubtful in a set, each finding one click from its photo and box.
The looking is done beside the page, as the queue is."""

from __future__ import annotations

import functools
import io
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flask import abort, g, redirect, render_template, request, send_file, url_for
from PIL import Image

from vision.labelling.history.dismissed import dismissed, put_away
from vision.labelling.io import browse
from vision.labelling.messages import LabellingError, Message, catalog
from vision.labelling.quality.health import KINDS
from vision.labelling.store import DatasetStore
from vision.photo.image import PhotoError
from webui import times
from webui.labelling import jobs, paths, thumbnails
from webui.labelling.jobs import Command
from webui.labelling.views.blueprint import Views, begin_one, models_option, number_asked
from webui.web.json_body import json_object

FindingRow = dict[str, Any]
"""A finding as its row shows it."""
views = Views()
FEW, PAGE = 6, 48
"""Findings of a kind that the overview shows, and a page of one kind."""
RESULT = "result.json"


@views.get("/<name>/health")
def health(name: str) -> Any:
    """What the last look found; and how far the present one is."""
    store = paths.open_set(name)
    looks = jobs.listed("health", ("set", name))
    newest = looks[0] if looks else None
    last, result = _last_look(name)
    kind = request.args.get("kind", "")
    if kind and kind not in KINDS:
        abort(404)
    page = number_asked(request.args, "page", 1, 10_000, 1)
    away = dismissed(store)
    groups = _groups(store, name, _open_findings(result, away), kind, page)
    usual = sorted(count for count in result.get("classes", {}).values() if count)
    share = newest.counted if newest and newest.state == "running" else None
    return render_template(
        "label/health.html",
        name=name,
        title=store.about().get("title", name),
        job=newest,
        result=result,
        groups=groups,
        kind=kind,
        page=page,
        pages=max((group["pages"] for group in groups), default=1),
        few=usual[len(usual) // 2] / 4 if usual else 0,
        most=max(usual, default=1),
        share=share,
        away=len(away),
        when=times.shown(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(last.begun))) if last else "",
    )


def _last_look(name: str) -> tuple[jobs.Job | None, Mapping[str, Any]]:
    """The last check that came to its end, and what it found."""
    looks = jobs.listed("health", ("set", name))
    last = next((job for job in looks if job.state == "done" and (job.folder / RESULT).is_file()), None)
    return last, _read_result(last.folder / RESULT, last.begun) if last else {}


@functools.lru_cache(maxsize=4)
def _read_result(path: Path, _begun: float) -> Mapping[str, Any]:
    """A result never changes once its job has ended, and going from finding to finding asks for it each time."""
    return paths.read_json(path)


def _open_findings(result: Mapping[str, Any], away: frozenset[str]) -> list[Mapping[str, Any]]:
    return [finding for finding in result.get("findings", ()) if _key(finding) not in away]


def _key(finding: Mapping[str, Any]) -> str:
    return str(finding.get("key") or f"{finding['kind']} {finding['photo'][:24]} {finding['label']}")


def finding_of(store: DatasetStore, name: str, key: str, id_: str) -> FindingRow | None:
    """The finding that led to a photo: its sentence, what it proposes, and the address of the next of its kind.

    Args:
        store: the set.
        name: of the set.
        key: of the finding.
        id_: of the photo.
    """
    if not key:
        return None
    _, result = _last_look(name)
    found = _open_findings(result, dismissed(store))
    at = next((n for n, one in enumerate(found) if _key(one) == key and one["photo"] == id_), None)
    if at is None:
        return None
    one = found[at]
    following = next((other for other in found[at + 1 :] if other["kind"] == one["kind"]), None)
    return {
        "key": key,
        "kind": one["kind"],
        "text": Message(f"finding_{one['kind']}", one).text(g.texts.lang),
        "label": one["label"],
        "box": one.get("box"),
        "tile": one.get("read", ""),
        "to_box": one.get("to_box"),
        "dismiss": url_for("label.dismiss", name=name, key=key),
        "next": _address(name, following) if following else None,
    }


@views.post("/<name>/dismiss")
def dismiss(name: str) -> Any:
    """Put a finding away for good, or note that what it proposed was done."""
    store = paths.open_set(name)
    sent = json_object() if request.content_length else {}
    key, how = request.args.get("key", ""), sent.get("how")
    if not key or len(key) > 300 or how not in ("dismissed", "accepted"):
        abort(400)
    put_away(store, key, how)
    return {"dismissed": key}


@views.post("/<name>/health")
def look(name: str) -> Any:
    """Look at the whole set anew, beside the page."""
    store = paths.open_set(name)

    def commands(folder: Path) -> list[Command]:
        return [
            {
                "run": [
                    "dataset",
                    "health",
                    str(store.folder),
                    "--report",
                    str(folder / RESULT),
                    "--lang",
                    g.texts.lang,
                    *models_option(),
                ]
            }
        ]

    begin_one("health", name, commands)
    return redirect(url_for("label.health", name=name), 303)


def _groups(
    store: DatasetStore, name: str, findings: Sequence[Mapping[str, Any]], kind: str, page: int
) -> list[FindingRow]:
    """The findings by kind, those of photos that are still in the set; a few of each, or a page of one."""
    words = catalog(g.texts.lang)
    groups = []
    for one in (kind,) if kind else KINDS:
        found = [finding for finding in findings if finding["kind"] == one]
        if not found:
            continue
        size = PAGE if kind else FEW
        part = found[(page - 1) * size : page * size] if kind else found[:size]
        there = {info.id for info in browse.infos(store, [finding["photo"] for finding in part])}
        rows = [_row(store, name, finding) for finding in part if finding["photo"] in there]
        groups.append(
            {
                "kind": one,
                "title": words[f"title_{one}"],
                "count": len(found),
                "rows": rows,
                "pages": math.ceil(len(found) / PAGE),
            }
        )
    return groups


def _address(name: str, finding: Mapping[str, Any]) -> str:
    """The photo of a finding, at its box, with the finding's reason on the page."""
    box = finding.get("box")
    at = ",".join(f"{value:g}" for value in box) if box else ""
    return url_for(
        "label.photo", name=name, id_=finding["photo"], finding=_key(finding), _anchor=f"at={at}" if at else None
    )


def _row(store: DatasetStore, name: str, finding: Mapping[str, Any]) -> FindingRow:
    """One finding as the page shows it: its sentence, the pictures, and the addresses of the photo at its box."""
    box = finding.get("box")
    at = ",".join(f"{value:g}" for value in box) if box else ""
    photo = finding["photo"]
    row = {
        "text": Message(f"finding_{finding['kind']}", finding).text(g.texts.lang),
        "name": finding["name"],
        "to": _address(name, finding),
        "picture": url_for("label.cut", name=name, id_=photo, at=at)
        if at
        else url_for("label.small", name=name, id_=photo),
    }
    if "other" in finding:
        try:
            other = store.get(str(finding["other"])).photo
            row |= {
                "other": other.name,
                "other_to": url_for("label.photo", name=name, id_=other.id),
                "other_picture": url_for("label.small", name=name, id_=other.id),
            }
        except LabellingError:
            pass  # it has left the set since
    return row


@views.get("/<name>/cut/<id_>.jpg")
def cut(name: str, id_: str) -> Any:
    """The picture of one place in a photo: ``at`` is x1,y1,x2,y2 in its pixels."""
    store = paths.open_set(name)
    try:
        box = [float(value) for value in request.args.get("at", "").split(",")]
        if len(box) != 4 or not all(map(math.isfinite, box)):
            abort(404)
        return send_cut(store, id_, box)
    except (ValueError, LabellingError, PhotoError, OSError):
        abort(404)


def send_cut(store: DatasetStore, id_: str, box: list[float]) -> Any:
    """The place of a box with a little room. Raises LabellingError, PhotoError, OSError, ValueError (an empty box)."""
    info = store.get(id_).photo
    with Image.open(thumbnails.picture(store, info, thumbnails.LARGE)) as opened:
        scale = opened.width / info.size[0]
        x1, y1, x2, y2 = (value * scale for value in box)
        room = 0.2 * max(x2 - x1, y2 - y1)
        left, top = max(0, int(x1 - room)), max(0, int(y1 - room))
        right, bottom = min(opened.width, int(x2 + room) + 1), min(opened.height, int(y2 + room) + 1)
        if right <= left or bottom <= top:
            raise ValueError("outside the photo")
        part = opened.crop((left, top, right, bottom))
    part.thumbnail((160, 160))
    out = io.BytesIO()
    part.save(out, "JPEG", quality=85)
    out.seek(0)
    answer = send_file(out, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "private, max-age=86400"  # the photo's id is its content
    return answer
