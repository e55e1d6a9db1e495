"""牌譜的文字: a game log as people read it in a terminal, one line an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.languages import comma, filled
from scoring.tiles import name as face_name
from vision.game_log.log import KEYS, ORDER, Event, GameLog
from vision.messages import catalog, tile_name

_SIDES = ("near", "right", "far", "left")


def describe(log: GameLog, lang: str = "zh") -> list[str]:
    """A line for the header and one for each event."""
    words = catalog(lang)
    values = {"number": len(log.events), "open": log.open_events}
    lines = [filled(words["log_title"], values)]
    return lines + [f"{at:3}. {describe_event(event, log, lang)}" for at, event in enumerate(log.events, start=1)]


def describe_event(event: Event, log: GameLog, lang: str = "zh") -> str:
    """One event as a sentence; a question mark for each value that is not known."""
    words = catalog(lang)
    if not event.known:
        return filled(words["log_event_of_later"], {"type": event.type})
    values = {
        "who": place_name(log, event.place, lang),
        "giver": place_name(log, event.giver, lang),
        "tile": tile_text(event.tile, lang),
        "tiles": _names(event.tiles, lang),
        "came": _names(event.came, lang),
        "gone": _names(event.gone, lang),
    }
    key = f"log_event_{event.type}"
    if event.type == "win":
        key += f"_{event.by or 'open'}"
    sentence = filled(words[key], values)
    return sentence + _notes(event, words, lang)


def _notes(event: Event, words: Mapping[str, str], lang: str) -> str:
    """What else is not known, in brackets."""
    notes = [words["log_open_order"]] if ORDER in event.open else []
    for key, pairs in event.maybe.items():
        if key == "tile" and key in KEYS[event.type]:
            names = [f"{tile_name(str(code), lang)} {share:.0%}" for code, share in pairs if _is_tile(code)]
            notes += [filled(words["log_maybe_tile"], {"tiles": comma(lang).join(names)})] if names else []
    return filled(words["log_notes"], {"notes": comma(lang).join(notes)}) if notes else ""


def _is_tile(code: str | int) -> bool:
    try:
        face_name(code, "zh")
    except (ValueError, IndexError):
        return False
    return isinstance(code, str)


def place_name(log: GameLog, place: int | None, lang: str) -> str:
    """The name of the player at a ``place`` (None: someone), else the seat wind, the camera's side or the number."""
    words = catalog(lang)
    if place is None:
        return words["log_someone"]
    player = log.players[place]
    if player.name:
        return player.name
    if player.wind:
        return words[f"log_wind_{player.wind}"]
    if log.source.kind == "frames":
        return words[f"table_side_{_SIDES[place]}"]
    return filled(words["log_player"], {"number": place + 1})


def tile_text(code: str | None, lang: str) -> str:
    """The tile's name; a question mark if it is not known."""
    return "?" if code is None else tile_name(code, lang)


def _names(codes: Sequence[str] | None, lang: str) -> str:
    if codes is None:
        return "?"
    return comma(lang).join(tile_name(code, lang) for code in codes) or catalog(lang)["none"]
