"""健康檢查的頁: rare, doubled, unlabelled and doubtful things in a set; each finding links to its photo and box.
The check runs as a background job, like the queue."""

from __future__ import annotations

import functools
import io
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from flask import abort, g, redirect, render_template, request, send_file, url_for
from flask.typing import ResponseReturnValue
from PIL import Image

from vision.labelling.history.dismissed import GUESS, KIND, dismissed, kinds_away, put_away, put_kind_away
from vision.labelling.history.operations import remove_from_set, rename_boxes
from vision.labelling.io import browse
from vision.labelling.messages import LabellingError, Message, catalog
from vision.labelling.quality.health import FINDING_KINDS
from vision.labelling.store import DatasetStore
from vision.photo.image import PhotoError
from webui import times
from webui.labelling import jobs, paths, thumbnails
from webui.labelling.jobs import Command
from webui.labelling.views.blueprint import Views, begin_one, models_option, number_asked
from webui.web.errors import NotDone
from webui.web.json_body import json_object
from webui.web.templates import tile_name, tile_picture

FindingRow = dict[str, Any]
"""A finding as its row shows it."""
views = Views()
MEMBERS = 24
"""The most pictures of a group that are shown."""
FEW, PAGE = 6, 48
"""Findings of a kind that the overview shows, and a page of one kind."""
MOST_FINDINGS = 2000
"""The most findings that are settled at once."""
NAMED_KINDS = ("wrong_name", "no_tile", "doubled", "too_many", "odd_size", "shifted", "tight")
"""Kinds whose findings are of a label: it can be given another name."""
RESULT = "result.json"


@views.get("/<name>/health")
def health(name: str) -> str:
    """The findings of the last check, and the progress of a running one."""
    store = paths.open_set(name)
    looks = jobs.listed("health", ("set", name))
    newest = looks[0] if looks else None
    last, result = _last_look(name)
    kind = request.args.get("kind", "")
    if kind and kind not in FINDING_KINDS:
        abort(404)
    page = number_asked(request.args, "page", 1, 10_000, 1)
    away = dismissed(store)
    groups = _groups(store, name, _open_findings(result, away), kind, page)
    kinds, words = sorted(kinds_away(store)), catalog(g.texts.lang)
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
        kinds_away=[
            (kind_, g.texts("label.guesses") if kind_ == GUESS else words[f"title_{kind_}"]) for kind_ in kinds
        ],
        named=kind in NAMED_KINDS,
        accepts=kind in ("wrong_name", "no_tile", "doubled"),
        tiles=[{"code": code, "name": tile_name(code), "picture": tile_picture(code)} for code in store.names.codes],
        when=times.shown(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(last.begun))) if last else "",
    )


def _last_look(name: str) -> tuple[jobs.Job | None, Mapping[str, Any]]:
    """The last check that came to its end, and what it found."""
    looks = jobs.listed("health", ("set", name))
    last = next((job for job in looks if job.state == "done" and (job.folder / RESULT).is_file()), None)
    return last, _read_result(last.folder / RESULT, last.begun) if last else {}


@functools.lru_cache(maxsize=4)
def _read_result(path: Path, _begun: float) -> Mapping[str, object]:
    """A result never changes once its job has ended, and going from finding to finding asks for it each time."""
    return paths.read_json(path)


def _open_findings(result: Mapping[str, Any], away: frozenset[str]) -> list[Mapping[str, Any]]:
    return [
        finding
        for finding in result.get("findings", ())
        if _key(finding) not in away and KIND + finding["kind"] not in away
    ]


def _key(finding: Mapping[str, Any]) -> str:
    return str(finding.get("key") or f"{finding['kind']} {finding['photo'][:24]} {finding['label']}")


def _text(finding: Mapping[str, object]) -> str:
    """The sentence for a finding. Old checks have pairs in the place of groups."""
    of_a_pair = {"count": 1, "splits": f"{finding.get('split')} / {finding.get('other_split')}"}
    return Message(f"finding_{finding['kind']}", of_a_pair | dict(finding)).text(g.texts.lang)


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
    findings = _open_findings(result, dismissed(store))
    at = next((n for n, finding in enumerate(findings) if _key(finding) == key and finding["photo"] == id_), None)
    if at is None:
        return None
    finding = findings[at]
    following = next((other for other in findings[at + 1 :] if other["kind"] == finding["kind"]), None)
    return {
        "key": key,
        "kind": finding["kind"],
        "text": _text(finding),
        "label": finding["label"],
        "box": finding.get("box"),
        "tile": finding.get("read", ""),
        "to_box": finding.get("to_box"),
        "dismiss": url_for("label.dismiss", name=name, key=key),
        "title": catalog(g.texts.lang)[f"title_{finding['kind']}"],
        "next": _address(name, following) if following else None,
    }


@views.post("/<name>/dismiss")
def dismiss(name: str) -> ResponseReturnValue:
    """Put a finding away for good, or note that what it proposed was done."""
    store = paths.open_set(name)
    sent = json_object() if request.content_length else {}
    key, how = request.args.get("key", ""), sent.get("how")
    if not key or len(key) > 300 or how not in ("dismissed", "accepted"):
        abort(400)
    put_away(store, key, how)
    return {"dismissed": key}


@views.post("/<name>/dismiss-kind")
def dismiss_kind(name: str) -> ResponseReturnValue:
    """Put away every finding of a kind, also in later checks (``back``: show them again). ``guess``: the places on the
    canvas that may be missed."""
    store = paths.open_set(name)
    sent = json_object() if request.is_json else request.form
    kind = sent.get("kind")
    if kind not in (*FINDING_KINDS, GUESS):
        abort(400)
    put_kind_away(store, str(kind), away=not sent.get("back"))
    if request.is_json:
        return {"dismissed": kind}
    return redirect(url_for("label.health", name=name), 303)


@views.post("/<name>/findings")
def settle(name: str) -> ResponseReturnValue:
    """Settle many findings at once (``chosen``, their keys), as one operation. Their labels get another name (``tile``;
    empty removes the boxes), or the model's (``how`` is ``accept``), or they are put away (``dismiss``)."""
    store = paths.open_set(name)
    sent = json_object()
    chosen, tile, how = sent.get("chosen"), sent.get("tile"), sent.get("how")
    if not isinstance(chosen, list) or len(chosen) > MOST_FINDINGS or not all(isinstance(key, str) for key in chosen):
        abort(400)
    if how not in ("accept", "dismiss") and not (isinstance(tile, str) and tile in ("", *store.names.codes)):
        abort(400)
    keys = set(chosen)
    _, result = _last_look(name)
    there = [finding for finding in _open_findings(result, dismissed(store)) if _key(finding) in keys]
    if how == "dismiss":
        for finding in there:
            put_away(store, _key(finding), "dismissed")
        return {"operation": 0, "count": len(there)}
    wanted: dict[str, dict[str, str]] = {}
    done = []
    known = {info.id for info in browse.infos(store, sorted({str(finding["photo"]) for finding in there}))}
    for finding in there:
        name_now = _proposed(finding) if how == "accept" else tile
        if finding["label"] and finding["photo"] in known and name_now is not None:
            wanted.setdefault(str(finding["photo"]), {})[str(finding["label"])] = str(name_now)
            done.append(_key(finding))
    number, count = rename_boxes(store, wanted, done)
    return {"operation": number, "count": count}


def _proposed(finding: Mapping[str, object]) -> str | None:
    """The name that a finding proposes for its label: "" to remove it, None if it proposes nothing."""
    if finding["kind"] == "wrong_name":
        return str(finding["read"])
    return "" if finding["kind"] in ("no_tile", "doubled") else None


@views.post("/<name>/health")
def look(name: str) -> ResponseReturnValue:
    """Check the whole set again, in a background job."""
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
    """The findings by kind, of photos that are still in the set; a few of each, or a page of one."""
    words = catalog(g.texts.lang)
    groups = []
    for group in (kind,) if kind else FINDING_KINDS:
        of_kind = [finding for finding in findings if finding["kind"] == group]
        if not of_kind:
            continue
        size = PAGE if kind else FEW
        part = of_kind[(page - 1) * size : page * size] if kind else of_kind[:size]
        there = {info.id for info in browse.infos(store, [finding["photo"] for finding in part])}
        rows = [_row(store, name, finding) for finding in part if finding["photo"] in there]
        rows = [row for row in rows if "members" not in row or len(row["members"]) > 1]
        groups.append(
            {
                "kind": group,
                "title": words[f"title_{group}"],
                "count": len(of_kind),
                "rows": rows,
                "pages": math.ceil(len(of_kind) / PAGE),
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
        "text": _text(finding),
        "name": finding["name"],
        "key": _key(finding),
        "to": _address(name, finding),
        "picture": url_for("label.cut", name=name, id_=photo, at=at)
        if at
        else url_for("label.small", name=name, id_=photo),
    }
    if "members" in finding:
        row["members"] = _members(store, name, finding)
    elif "other" in finding:
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


def _members(store: DatasetStore, name: str, finding: Mapping[str, Any]) -> list[FindingRow]:
    """The photos of a group of near duplicates that are still in the set."""
    return [
        {
            "id": info.id,
            "name": info.name,
            "split": info.split,
            "boxes": info.boxes,
            "to": url_for("label.photo", name=name, id_=info.id),
            "picture": url_for("label.small", name=name, id_=info.id),
        }
        for info in browse.infos(store, [str(id_) for id_ in finding["members"]][:MEMBERS])
    ]


@views.post("/<name>/keep-one")
def keep_one(name: str) -> ResponseReturnValue:
    """Of a group of nearly equal photos one stays (``photo``), the others go into the wastebasket as one operation."""
    store = paths.open_set(name)
    photo, key = request.form.get("photo", ""), request.form.get("key", "")
    _, result = _last_look(name)
    group = next((finding for finding in _open_findings(result, dismissed(store)) if _key(finding) == key), None)
    members = [str(id_) for id_ in group.get("members", ())] if group else []
    if group is None or photo not in members:
        raise NotDone("label.no_such_group", 422)
    info = store.get(photo).photo
    remove_from_set(store, [id_ for id_ in members if id_ != photo], info.name)
    return redirect(url_for("label.health", name=name, kind=group["kind"]), 303)


@views.get("/<name>/cut/<id_>.jpg")
def cut(name: str, id_: str) -> ResponseReturnValue:
    """The picture of one place in a photo: ``at`` is x1,y1,x2,y2 in its pixels."""
    store = paths.open_set(name)
    try:
        box = [float(value) for value in request.args.get("at", "").split(",")]
        if len(box) != 4 or not all(map(math.isfinite, box)):
            abort(404)
        return send_cut(store, id_, box)
    except (ValueError, LabellingError, PhotoError, OSError):
        abort(404)


def send_cut(store: DatasetStore, id_: str, box: list[float]) -> ResponseReturnValue:
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
