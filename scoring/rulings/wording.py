"""裁決的話: a ruling as a sentence in both languages, with the seats' names or the players'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scoring import tiles as _tiles
from scoring.languages import WHOLE, comma, in_language
from scoring.messages import catalog, word
from scoring.rulings.values import Case, Ruling

if TYPE_CHECKING:
    from scoring.answers import PlayersStep

Names = Mapping[str, str]
_QUIET = frozenset(("allowed", "barred", "no_fault", "order", "goes_on", "void", "no_win", "must_draw"))
"""Outcomes whose sentence already tells that the hand goes on."""


@lru_cache(maxsize=4)
def _texts(lang: str) -> Mapping[str, Any]:
    return catalog(f"rulings.{lang}")


@lru_cache(maxsize=4)
def _seat_names(lang: str) -> Names:
    return {seat: word("seats", seat, lang) for seat in "ESWN"}


def text(section: str, key: str, lang: str) -> str:
    """One text of the catalogs of rulings: section ``steps``, ``readings``, ``incidents``, ``duties`` and so on."""
    sentence: str = _texts(lang)[section][key]
    return sentence


def mark_name(mark: str, lang: str) -> str:
    """A mark as people read it, such as 過水（三索）."""
    name, colon, code = mark.partition(":")
    template: str = _texts(lang)["marks"][name + colon]
    return template.format(tile=_tiles.name(code, lang)) if colon else template


def asked_name(incident: str, fact: str, lang: str) -> str:
    """A fact that is asked for, in words."""
    own: Mapping[str, str] = _texts(lang)["asked_of"].get(incident, {})
    question: str = own.get(fact) or _texts(lang)["asked"].get(fact, fact)
    return question


@lru_cache(maxsize=64)
def _step(step: str) -> tuple[str, str]:
    return text("steps", step, "zh"), text("steps", step, "en")


def steps_json(steps: Iterable[str]) -> list[PlayersStep]:
    """The next steps of the players, in order, in both languages."""
    return [{"id": step, "zh": zh, "en": en} for step, (zh, en) in ((step_id, _step(step_id)) for step_id in steps)]


def say(case: Case, ruling: Ruling, asked: str = "", names: Names | None = None) -> dict[str, str]:
    """The ruling in a sentence, in both languages."""
    return {lang: sentence(case, ruling, lang, asked=asked, names=names) for lang in WHOLE}


def sentence(case: Case, ruling: Ruling, lang: str, *, names: Names | None = None, asked: str = "") -> str:
    """The ruling, who pays whom, and what becomes of hand and deal; `names`: the players' names by seat."""
    texts = _texts(lang)
    names = names or _seat_names(lang)
    own_texts = texts["say_of"].get(case.incident, {})
    liable = [one for one in ruling.liable if one.unable is None]
    template = own_texts.get(f"{ruling.outcome}_liable") if liable else None
    template = template or own_texts.get(ruling.outcome) or texts["say"][ruling.outcome]
    parts = [template.format_map(_Values(case, ruling, lang, names, asked))]
    if ruling.transfers:
        parts += _payments(ruling, texts["pays"], names)
    sentence = texts["beside"]
    parts += [sentence["let_pass"].format(who=names[seat]) for seat in ruling.let_pass]
    parts += [sentence["warned"].format(who=names[seat]) for seat in ruling.warned]
    parts += [sentence["also_dead"].format(who=names[seat]) for seat in ruling.also_dead]
    parts += [sentence["too_few"].format(who=names[seat]) for seat in ruling.too_few]
    if case.fact("true_win") and not ruling.too_few:
        parts.append(sentence["true_win"].format(who=names[case.fact("true_win").winner]))
    book = in_language({"zh": case.book.title, "en": case.book.title_en}, lang)
    for one in ruling.liable:
        words = sentence[f"not_liable_{one.unable}" if one.unable else "liable"]
        parts.append(words.format(who=names[one.seat], winner=names[one.winner], book=book))
    parts += [texts["owes"].format(who=names[duty.who], duty=texts["duties"][duty.wins]) for duty in ruling.duties]
    after = _hand(ruling, texts["hand"])
    if ruling.limited:
        parts.append(sentence["streak_limit"].format(book=book, most=case.book.limits.streak_limit))
    if after:
        parts.append(after)
    return in_language({"zh": "", "en": " "}, lang).join(parts)


class _Values(dict[str, str]):
    """The values of the placeholders of a sentence. Each is computed only if the sentence has it."""

    def __init__(self, case: Case, ruling: Ruling, lang: str, names: Names, asked: str) -> None:
        super().__init__()
        self.case, self.ruling, self.lang, self.names, self.asked = case, ruling, lang, names, asked

    def __missing__(self, key: str) -> str:
        case, lang = self.case, self.lang
        match key:
            case "who":
                return self.names[case.who]
            case "incident":
                return text("incidents", case.incident, lang)
            case "book":
                return in_language({"zh": case.book.title, "en": case.book.title_en}, lang)
            case "asked":
                return asked_name(case.incident, self.asked, lang)
            case "gets":
                return _join((self.names[seat] for seat in self.ruling.gets or ()), lang)
            case "tile" | "discard":
                return _tiles.name(case.fact(key), lang)
            case "tiles":
                return _join((_tiles.name(tile, lang) for tile in case.fact("tiles")), lang)
            case "act":
                return text("calls", case.fact("act"), lang)
            case "barred":
                return _join(_newly_barred(case, self.ruling, lang), lang)
            case "order":
                return _rounds(self.ruling, lang, self.names)
            case _:
                return self.names[case.fact(key)]


def _join(names: Iterable[str], lang: str) -> str:
    return comma(lang).join(names)


def _newly_barred(case: Case, ruling: Ruling, lang: str) -> Iterable[str]:
    kind = case.fact("how")
    for mark in (ruling.marks or {}).get(case.who, ()):
        name, _, code = mark.partition(":")
        if name == kind:
            yield _tiles.name(code, lang)


def _rounds(ruling: Ruling, lang: str, names: Names) -> str:
    pays = _texts(lang)["pays"]
    rounds = [
        pays["round"].format(
            number=number,
            list=_join((pays["round_each"].format(seat=names[seat], count=count) for seat, count in in_round), lang),
        )
        for number, in_round in enumerate(ruling.rounds or (), start=1)
    ]
    return str(pays["round_join"]).join(rounds)


def _payments(ruling: Ruling, texts: Mapping[str, str], names: Names) -> list[str]:
    by_payer: dict[str, list[str]] = {}
    for transfer in ruling.transfers:
        beside = (
            transfer.reason == "false_win" and ruling.outcome != "false_win"
        )  # a false win's payments in addition to another outcome's
        template = texts["for_other" if transfer.for_seat else "each_false_win" if beside else "each"]
        owner = names.get(transfer.for_seat or "", "")
        line = template.format(payee=names[transfer.payee], points=transfer.points, owner=owner)
        by_payer.setdefault(transfer.payer, []).append(line)
    return [
        texts["one"].format(payer=names[payer], list=texts["join"].join(lines)) for payer, lines in by_payer.items()
    ]


def _hand(ruling: Ruling, texts: Mapping[str, str]) -> str:
    match ruling.hand:
        case "ends" | "void" if ruling.deal is not None:
            return texts[ruling.hand].format(deal=texts[f"{ruling.deal}_{ruling.streak}"])
        case "void":
            return "" if ruling.outcome == "game_over" else texts["void_only"]
        case "goes_on" if ruling.outcome not in _QUIET and ruling.gets is None:
            return texts["goes_on"]
        case _:
            return ""
