"""戰績的指令: what ``paitai records``, ``backup`` and ``restore`` do; each returns the exit status."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

from webui.i18n import Texts
from webui.people.readable import unreadable_in
from webui.records.merged import lines_of
from webui.records.witness import FITS, NO_CODE, check
from webui.store.chain import KINDS, Entry
from webui.store.errors import StoreError
from webui.store.place import VARIABLE, find_place
from webui.store.store import Query, Store
from webui.store.upkeep.backup import backup as write_backup
from webui.store.upkeep.backup import restore as read_backup
from webui.store.upkeep.backup import whose_backup
from webui.store.upkeep.files import owned
from webui.store.upkeep.merging.merge import merge
from webui.store.upkeep.opening import open_copy, open_store
from webui.store.upkeep.rescue import rescue
from webui.store.upkeep.verify import Finding, Report, verify


def _with_store(data: str | None, lang: str, action: Callable[[Store, Texts], int], *, reads_only: bool = False) -> int:
    """Run `action` on the store; what goes wrong with it is one sentence and exit status 2.

    `reads_only`: a copy that may not be written is as good.
    """
    store: Store | None = None
    try:
        store = open_copy(data) if reads_only else open_store(data)
        return action(store, Texts(lang))
    except StoreError as error:
        print(Texts(lang)(f"store.{error.key}", **error.values), file=sys.stderr)
        return 2
    finally:
        if store is not None:
            store.close()


def usable(data: str | None, lang: str) -> bool:
    """Whether the records can be opened; prints why not. Without an explicit place the page works without them."""
    named = data or os.environ.get(VARIABLE)
    return _with_store(data, lang, lambda store, texts: 0) == 0 or not named


def records_verify(data: str | None, lang: str, *, as_json: bool) -> int:
    """Check the chain, the photos and the answers: exit status 1 if something was changed.

    Args:
        data: data folder or database URL, None for the user's own.
        lang: language of the sentences.
        as_json: print one JSON object instead of sentences.
    """

    def action(store: Store, texts: Texts) -> int:
        report = verify(store, probe=unreadable_in)
        if as_json:
            print(json.dumps(_report_json(report), ensure_ascii=False))
        else:
            for finding in report.findings:
                what = texts(f"store.found_{finding.what}", where=finding.where)
                print(texts("store.finding", **_named(finding, texts), what=what), file=sys.stderr)
            first = next((finding for finding in report.findings if finding.breaks), None)
            if first is not None:
                print(texts("store.first", **_named(first, texts)))
            elif not report.entries:
                print(texts("store.empty"))
            else:
                print(
                    texts(
                        "store.whole",
                        entries=report.entries,
                        records=report.records,
                        photos=report.photos,
                        head=report.head,
                    )
                )
        return 0 if report.whole else 1

    return _with_store(data, lang, action, reads_only=True)


def _named(finding: Finding, texts: Texts) -> Mapping[str, object]:
    kind = texts(f"kept.{finding.kind}") if finding.kind in KINDS else finding.kind
    return {"seq": finding.seq, "kind": kind, "at": finding.at, "id": finding.id}


def _report_json(report: Report) -> Mapping[str, object]:
    return {
        "whole": report.whole,
        "entries": report.entries,
        "records": report.records,
        "photos": report.photos,
        "head": report.head,
        "findings": [
            {
                "seq": finding.seq,
                "id": finding.id,
                "kind": finding.kind,
                "at": finding.at,
                "what": finding.what,
                "breaks": finding.breaks,
                **({"where": finding.where} if finding.where else {}),
            }
            for finding in report.findings
        ],
    }


def records_list(data: str | None, lang: str, *, as_json: bool) -> int:
    """Every settled hand, newest first, one a line.

    Args:
        data: the data folder or database URL, None for the user's own.
        lang: of the sentences.
        as_json: JSON Lines instead of sentences.
    """

    def action(store: Store, texts: Texts) -> int:
        with store.reading() as view:
            first = view.search(Query())
            pages = [first, *(view.search(Query(), page) for page in range(2, first.pages + 1))]
        for entry in (entry for page in pages for entry in page.entries):
            print(json.dumps(entry.to_json(), ensure_ascii=False) if as_json else _line(entry, texts))
        return 0

    return _with_store(data, lang, action, reads_only=True)


def _line(entry: Entry, texts: Texts) -> str:
    from webui.records.view import row_of

    row = row_of(entry, texts, None, void=False)
    return f"{entry.at}  {entry.id}  {row.tai:>3} {texts('tally.unit')}  {row.winner}  {row.how}  {row.patterns}"


def records_export(data: str | None, lang: str, *, as_json: bool) -> int:
    """Every entry of the chain as JSON Lines, oldest first.

    data: the folder or address of the records. lang: of the sentences.
    """

    def action(store: Store, texts: Texts) -> int:
        with store.reading() as view:
            for entry in view.every():
                print(json.dumps(entry.to_json(), ensure_ascii=False))
        return 0

    return _with_store(data, lang, action, reads_only=True)


def records_witness(data: str | None, lang: str, code: str, *, as_json: bool) -> int:
    """Check a witness code against the records: exit status 1 if its entry is not there, 2 if it is not a code.

    Args:
        data: data folder or database URL, None for the user's own.
        lang: language of the sentences.
        code: the code of a picture, a text or a CSV.
        as_json: print one JSON object instead of a sentence.
    """

    def action(store: Store, texts: Texts) -> int:
        with store.reading() as view:
            result = check(view, code)
        at = result.entry.at if result.entry else ""
        if as_json:
            print(json.dumps({"state": result.state, "seq": result.seq, "at": at}))
        else:
            print(texts(f"witness.{result.state}", seq=result.seq, at=at))
        return {FITS: 0, NO_CODE: 2}.get(result.state, 1)

    return _with_store(data, lang, action, reads_only=True)


def records_rescue(data: str | None, lang: str, *, as_json: bool) -> int:
    """Replace a damaged database with its readable entries: exit status 1 if some are missing.

    Args:
        data: data folder or database URL, None for the user's own.
        lang: language of the sentences.
        as_json: print one JSON object instead of sentences.
    """
    texts = Texts(lang)
    place = find_place(data)
    try:
        rescued = rescue(place)
    except StoreError as error:
        print(texts(f"store.{error.key}", **error.values), file=sys.stderr)
        return 2
    if rescued is None:
        print(json.dumps({"damaged": False}) if as_json else texts("store.rescue_not_needed", place=place.shown()))
        return 0
    if as_json:
        missing = [asdict(entry) for entry in rescued.missing]
        told = {"damaged": True, "entries": rescued.entries, "missing": missing, "aside": str(rescued.aside)}
        print(json.dumps(told, ensure_ascii=False))
    else:
        for entry in rescued.missing:
            kind = texts(f"kept.{entry.kind}") if entry.kind in KINDS else ""
            key = "rescue_missing" if kind else "rescue_missing_unknown"
            print(texts(f"store.{key}", seq=entry.seq, kind=kind, at=entry.at, id=entry.id), file=sys.stderr)
        print(texts("store.rescued", entries=rescued.entries, aside=rescued.aside))
        if not rescued.missing:
            print(texts("store.rescue_none_missing"))
    return 1 if rescued.missing else 0


def tokens(data: str | None, lang: str, action: str, name: str | None) -> int:
    """Make, list or withdraw tokens of the label API. Exit status 2 with a sentence if that fails.

    Args:
        data: data folder or database URL, None for the user's own.
        lang: language of the sentences.
        action: ``add``, ``list`` or ``remove``.
        name: name of the token.
    """
    from webui import times
    from webui.labelling.tokens import Tokens
    from webui.web.errors import UserError

    texts, held = Texts(lang), Tokens(find_place(data).folder)
    try:
        if action == "list":
            for token in held.listed():
                used = (
                    texts("api.tokens.used", at=times.shown(token.used)) if token.used else texts("api.tokens.unused")
                )
                print(texts("api.tokens.listed", name=token.name, at=times.shown(token.made), used=used))
        elif action == "add":
            secret = held.add(name or "")
            print(texts("api.tokens.shown_once"), file=sys.stderr)
            print(secret)
        else:
            held.remove(name or "")
            print(texts("api.tokens.removed", name=name))
    except UserError as error:
        print(error.text(texts), file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename}: {error.strerror or error}", file=sys.stderr)
        return 2
    return 0


def backup(data: str | None, lang: str, target: Path, *, photos: bool = True) -> int:
    """All of the data folder to one zip, while the page runs; `photos`: with the photos."""

    def action(store: Store, texts: Texts) -> int:
        saved = write_backup(store, target, photos=photos)
        print(texts("store.made_backup", file=target, **saved._asdict()))
        if not photos:
            print(texts("store.without_photos"))
        return 0

    return _with_store(data, lang, action, reads_only=True)


def _has_records(store: Store) -> bool:
    with store.reading() as view:
        return view.head() is not None


def restore(data: str | None, lang: str, source: Path, *, both: bool = False) -> int:
    """Restore a backup into an empty place, or merge it with existing records.

    Args:
        data: the place, which must be empty unless `both`; None for the user's own.
        lang: language of the sentences.
        source: the backup's zip.
        both: merge with existing records.
    """

    def action(store: Store, texts: Texts) -> int:
        with owned(store.place.folder):
            if both and _has_records(store):
                print("\n".join(lines_of(merge(store, source, unreadable_in), texts)))
                return 0
            saved = read_backup(store, source)
        print(texts("store.made_restore", place=store.place.shown(), **saved._asdict()))
        print(texts(f"store.backup_{whose_backup(source)}"))
        with store.reading() as view:
            for error in unreadable_in(list(view.every()), store.book_file):
                print(texts(error.sentence, **error.values), file=sys.stderr)
        return 0

    return _with_store(data, lang, action)
