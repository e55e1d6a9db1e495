"""一手的紀錄頁: the page of a record, in the page's language, from the record's content alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.hands.notation import scan_tiles
from scoring.languages import whole
from scoring.messages import cite_words
from scoring.tiles import BACK, CODES, name
from webui import times
from webui.board.panels.answer.payments import Row, rows, sentences
from webui.board.state import NEED_DISCARDER, Context
from webui.i18n import Texts
from webui.records.table_paid import Amended, TablePaid
from webui.records.witness import code_of
from webui.store import books
from webui.store.chain import Entry


@dataclass(frozen=True, slots=True)
class Dispute:
    """爭議: each player's claim, each book's answer, and the agreement (None: still open)."""

    entry: Entry
    claims: tuple[Entry, ...]
    agreement: Entry | None
    books: Sequence[Mapping[str, Any]]
    differences: Sequence[Mapping[str, Any]]
    problems: Sequence[str]


@dataclass(frozen=True)
class Record:
    """One record in one language. `void`: the table's entry that took it back.

    `pay`, `pay_sentences`: the real payments, from the running table if it was one of its hands. `pay_why`: why they
    differ from the tally alone.
    `amended`: the table's later correction.
    `ordinary`: the tally's own payments, empty if they are the same.
    """

    entry: Entry
    void: Entry | None
    answer: Mapping[str, Any]
    context: Context
    pay: list[Row]
    pay_sentences: list[str]
    groups: list[tuple[str, list[str]]]
    division: list[list[str]]
    corrections: list[str]
    lines: list[Mapping[str, Any]]
    left_out: Sequence[Mapping[str, Any]]
    disputes: list[Dispute]
    book_title: str
    names: Mapping[str, str] = field(default_factory=dict)
    pay_why: Sequence[str] = ()
    ordinary: Sequence[str] = ()
    amended: Amended | None = None

    @property
    def content(self) -> Mapping[str, Any]:
        """All that was kept."""
        return self.entry.content


@dataclass(frozen=True, slots=True)
class ListRow:
    """One line of the list. `dispute`: None, or whether it is settled."""

    id: str
    at: str
    tai: int
    winner: str
    how: str
    patterns: str
    book: str
    photo: bool
    void: bool
    dispute: bool | None


def context_from(content: Mapping[str, Any]) -> Context:
    """The context that a record keeps."""
    context = content["context"]
    return Context(**{**context, "events": tuple(context["events"])})


def tile_text(code: str, texts: Texts) -> str:
    """A tile's name."""
    return texts("tile.back") if code == BACK else name(code, texts.lang)


def who(content: Mapping[str, Any], seat: str, texts: Texts) -> str:
    """A player by name, else by seat."""
    return str(content["players"].get(seat) or texts("pay.player", seat=texts(f"seat.{seat}")))


def how_won(content: Mapping[str, Any], texts: Texts) -> str:
    """Self-drawn, or from whom."""
    context = content["context"]
    if context["win"] in NEED_DISCARDER and context["discarder"]:
        return texts(f"record.from_{context['win']}", player=who(content, context["discarder"], texts))
    return texts(f"win.{context['win']}")


def book_title(content: Mapping[str, Any], texts: Texts) -> str:
    """The title of the kept book."""
    book = content["book"]
    return books.title(book, texts.lang)


def row_of(entry: Entry, texts: Texts, dispute: bool | None, *, void: bool) -> ListRow:
    """One record for the list.

    Args:
        entry: the record.
        texts: of the page's language.
        void: whether it was taken back.
        dispute: whether its dispute is settled, None without one.
    """
    content = entry.content
    answer = content["answer"][whole(texts.lang)]
    patterns = texts("record.separator").join(pattern["name"] for pattern in answer["patterns"])
    return ListRow(
        entry.id,
        entry.at,
        answer["tai"],
        who(content, content["context"]["seat"], texts),
        how_won(content, texts),
        patterns,
        book_title(content, texts),
        any(photo["sha256"] for photo in content["photos"]),
        void,
        dispute,
    )


def record_of(
    entry: Entry,
    void: Entry | None,
    disputes: Sequence[Entry],
    replies: Sequence[Entry],
    texts: Texts,
    *,
    paid: TablePaid | None = None,
) -> Record:
    """One record for its page; `paid`: the running table's payments for it."""
    content = entry.content
    answer = content["answer"][whole(texts.lang)]
    tallied = sentences(answer["transfers"], content["players"], texts)
    really = sentences(paid.transfers, content["players"], texts) if paid else tallied
    differs = sorted(really) != sorted(tallied)
    context = context_from(content)
    reasons = {pattern["id"]: pattern for pattern in answer["explain"]["patterns"]}
    division = answer["division"] or {}
    sets = [*division.get("sets", ()), *([division["pair"]] if division.get("pair") else ())]
    return Record(
        entry=entry,
        void=void,
        answer=answer,
        context=context,
        pay=_rows(paid, answer, context),
        pay_sentences=really,
        groups=groups_of(content, texts),
        division=[[CODES[tile] for tile in scan_tiles(tiles)] for tiles in sets],
        corrections=[correction_text(correction, texts) for correction in content["corrections"]],
        lines=[{**pattern, **_reason(reasons.get(pattern["id"], {}))} for pattern in answer["patterns"]],
        left_out=answer["explain"]["left_out"],
        disputes=[_dispute(dispute, replies, texts) for dispute in disputes],
        book_title=book_title(content, texts),
        names=content["players"],
        pay_why=_why(paid, texts) if paid and (differs or paid.why) else (),
        ordinary=tallied if differs else (),
        amended=paid.amended if paid else None,
    )


def _rows(paid: TablePaid | None, answer: Mapping[str, Any], context: Context) -> list[Row]:
    """What each player got and paid; with the present roles if the hand was corrected."""
    payments = rows(paid.transfers if paid else answer["transfers"], context)
    if paid is None or paid.amended is None:
        return payments
    return [replace(row, roles=paid.amended.roles.get(row.seat, ())) for row in payments]


def _why(paid: TablePaid, texts: Texts) -> list[str]:
    """Why the table paid otherwise; hands of earlier versions do not say, but their transfers do."""
    told = list(paid.why)
    if not told:
        reasons = {str(transfer.get("reason", "win")) for transfer in paid.transfers}
        told = ["in_place"] if any(transfer.get("for") for transfer in paid.transfers) else []
        told += [key for reason, key in (("watching", "watching"), ("outer_bet", "side_bets")) if reason in reasons]
    return [
        texts(f"paid.{reason}") for reason in (*told, *(("amended",) if paid.amended and "amended" not in told else ()))
    ]


def _reason(reason: Mapping[str, object]) -> Mapping[str, Any]:
    return {"quote": reason.get("quote") or "", "note": reason.get("note") or ""}


def groups_of(content: Mapping[str, Any], texts: Texts) -> list[tuple[str, list[str]]]:
    """The tiles as they lay: title and codes of each group that has any."""
    order = {code: place for place, code in enumerate((*CODES, BACK))}
    tiles = content["tiles"]
    melds = sorted({tile["group"] for tile in tiles if tile["group"].startswith("meld:")})
    titled = []
    for group in ("concealed", "winning", *melds, "flowers"):
        codes = sorted((tile["tile"] for tile in tiles if tile["group"] == group), key=order.__getitem__)
        if codes:
            title = texts(f"kind.{_kind(content, group)}") if group in melds else texts(f"group.{group}")
            titled.append((title, codes))
    return titled


def _kind(content: Mapping[str, Any], group: str) -> str:
    """The kind of a meld, as it was asked of the rules."""
    return str(content["request"]["melds"][int(group[5:]) - 1]["kind"])


def correction_text(correction: Mapping[str, Any], texts: Texts) -> str:
    """One correction as a sentence."""

    def group(value: str) -> str:
        return texts("hand.meld", number=value[5:]) if value.startswith("meld:") else texts(f"group.{value}")

    match correction["what"]:
        case "changed":
            was, now = tile_text(correction["was"], texts), tile_text(correction["is"], texts)
            return texts("record.changed", was=was, now=now)
        case "moved":
            tile = tile_text(correction["is"], texts)
            return texts("record.moved", tile=tile, start=group(correction["from"]), end=group(correction["to"]))
        case "added":
            return texts("record.added", tile=tile_text(correction["is"], texts), end=group(correction["to"]))
        case _:
            return texts("record.dropped", tile=tile_text(correction["was"], texts), start=group(correction["from"]))


def _dispute(entry: Entry, replies: Sequence[Entry], texts: Texts) -> Dispute:
    mine = [reply for reply in replies if reply.about == entry.id]
    compared = entry.content["books"][whole(texts.lang)]
    return Dispute(
        entry,
        (entry, *(reply for reply in mine if reply.kind == "claim")),
        next((reply for reply in mine if reply.kind == "agreement"), None),
        compared["books"],
        compared["differences"],
        compared.get("problems", ()),
    )


def card_of(record: Record, link: str, texts: Texts) -> str:
    """The content of the picture for the chat group, as JSON. The browser draws it with its own fonts.

    Args:
        record: the settled hand.
        link: its address.
        texts: texts of the page's language.
    """
    content, now = record.content, record.amended if record.amended and record.amended.moved else None
    points = {row.seat: row.points for row in record.pay}
    winner = who(content, record.context.seat, texts)
    photo = texts("record.card_amended", player=winner, tai=record.answer["tai"]) if now else ""
    return json.dumps(
        {
            "brand": texts("title"),
            "when": times.shown(record.entry.at),
            "winner": (now.winner or now.how) if now else winner,
            "how": (now.how if now.winner else "") if now else how_won(content, texts),
            "tai": ("" if now.tai is None else now.tai) if now else record.answer["tai"],
            "unit": "" if now and now.tai is None else texts("tally.unit"),
            "groups": [codes for _, codes in record.groups],
            "winning": next((at for at, (title, _) in enumerate(record.groups) if title == texts("group.winning")), -1),
            "winning_name": texts("group.winning"),
            "lines": [[_times(line), line["tai"], cite_words(line["cite"], texts.lang)] for line in record.lines],
            "none": texts("tally.none"),
            "players": [[who(content, seat, texts), points[seat]] for seat in points],
            "pays": [*record.pay_sentences, *record.pay_why],
            "book": texts("record.book", title=record.book_title, version=books.version_of(content["book"])),
            "link": link,
            "hash": record.entry.hash[:16],
            "witness": texts("witness.line", code=code_of(record.entry)),
            "void": texts("record.void") if record.void else photo,
        },
        ensure_ascii=False,
    )


def _times(line: Mapping[str, Any]) -> str:
    return f"{line['name']} ×{line['count']}" if line["count"] > 1 else str(line["name"])
