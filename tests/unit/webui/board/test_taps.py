"""Whatever a person can reach by taps is shown: random sequences of every move, on boards of many kinds, over HTTP."""

from __future__ import annotations

import json
import os
import re
from html import unescape
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.hands.hand import EVENTS, SEATS, WINS
from scoring.languages import WHOLE
from scoring.tiles import BACK, CODES, FLOWER_CODES

BOARDS: dict[str, dict[str, str]] = {
    "whole": {"concealed": "234m567p34s11z", "winning": "5s", "meld:1": "555m", "meld:2": "777z", "flowers": "1f6f"},
    "kongs": {
        "concealed": "123m11p",
        "meld:1": "1111z",
        "meld:2": "back9s9sback",
        "meld:3": "5555p",
        "meld:4": "789s",
        "flowers": "1f2f3f4f5f6f7f",
    },
    "no winning tile": {"concealed": "111222333m456p77766z", "flowers": "8f"},
    "too many": {"concealed": "123456789m123456789p123456789s1234567z", "flowers": "12345678f"},
    "flowers only": {"flowers": "12345678f"},
    "backs": {"concealed": "backbackback1m", "meld:1": "backbackbackback"},
    "one tile": {"concealed": "1m"},
    "nothing": {},
}
EXAMPLES = int(os.environ.get("PAITAI_TAPS", "3"))
"""Sequences for each board; a long run sets more."""
RULES = ("luohan", "ntu", "mahjong_time", "common")
GROUPS = ("concealed", "winning", "flowers", "other", "meld:1", "meld:5", "meld:9", "meld:new")


def buttons(html: str) -> list[str]:
    """The moves that the page's own buttons carry."""
    tags = re.findall(r'<button[^>]*name="do"[^>]*>', html)
    moves = [
        unescape(match[1]) for tag in tags if " disabled" not in tag and (match := re.search(r'value="([^"]*)"', tag))
    ]
    return [button for button in moves if button not in ("again", "more", "second")]  # these send a photo


def script_moves(count: int) -> list[str]:
    """The moves that scripts send: dragging, circling, typed names."""
    moves = [f"move:{at}:{group}" for at in range(min(count, 6)) for group in GROUPS]
    moves += [f"set:{at}:{code}" for at in range(min(count, 4)) for code in ("1m", "1f", "8f", "7z", BACK)]
    moves += [f"win:{at}" for at in range(min(count, 20))]
    moves += [f"put:{code}" for code in ("5m", "3f", BACK)]
    moves += [f"kind:{number}:{kind}" for number in (1, 9) for kind in ("chow", "pung", "kong", "concealed_kong")]
    if count > 2:
        moves += ["move:0:winning+move:1:meld:new+set:2:8f", "drop:0+drop:0", "only:0:0,0,500,0,500,300,0,300"]
    return moves


RAW = re.compile(
    r"(?<![A-Za-z0-9])[1-9][mpszf]+(?![A-Za-z0-9])|還差 0|(?<!\d)0 (?:tiles? )?(?:missing|short)|[a-z]+_[a-z]+"
)
"""What no person should have to read: codes of tiles, names of the program's own, and that nothing is missing."""


def words(html: str) -> str:
    """Everything that a person reads or hears on a page, without keys (5p) and addresses of pictures."""
    shown = re.sub(
        r'<(script|style|option)\b.*?</\1>|<span class="keys">.*?</span>|<p class="hint keys.*?</p>',
        " ",
        html,
        flags=re.S,
    )
    spoken = re.findall(r'\b(?:title|aria-label|alt|placeholder)="([^"]*)"', shown)
    return unescape(" ".join([re.sub(r"<[^>]+>", " ", shown), *spoken]))


CONTEXTS = st.fixed_dictionaries(
    {},
    optional={
        "rules": st.sampled_from(RULES),
        "win": st.sampled_from(WINS),
        "seat": st.sampled_from(SEATS),
        "round": st.sampled_from(SEATS),
        "dealer": st.sampled_from(SEATS),
        "discarder": st.sampled_from(("", *SEATS)),
        "streak": st.sampled_from(("", "0", "3", "99", "999999999")),
        "base": st.sampled_from(("", "0", "999999999")),
        "per_tai": st.sampled_from(("", "0", "1", "999999999")),
        "events": st.lists(st.sampled_from(EVENTS), max_size=4, unique=True),
        "robbed_flower": st.sampled_from(("", *sorted(FLOWER_CODES))),
        "into": st.sampled_from(GROUPS),
        "if_win": st.sampled_from(WINS),
        "if_event": st.lists(st.sampled_from(EVENTS), max_size=2),
        "if_flower": st.sampled_from(sorted(FLOWER_CODES)),
        "if_winning_tile": st.sampled_from(CODES),
        "if_seat": st.sampled_from(SEATS),
        "if_streak": st.sampled_from(("1", "7")),
        "lang": st.sampled_from(WHOLE),
    },
)
STEPS = st.lists(st.tuples(st.integers(0, 10_000), CONTEXTS), min_size=1, max_size=12)


@pytest.mark.parametrize("start", BOARDS)
@given(steps=STEPS)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_state_that_taps_reach_is_shown(page: Any, reader: Any, start: str, steps: list[Any]) -> None:
    reader.groups = dict(BOARDS[start])
    page.upload()
    assert page.status == 200
    done = []
    for number, changed in steps:
        count = len(json.loads(page.fields()["state"])["tiles"])
        moves = [*buttons(page.html), *script_moves(count), "undo", "redo", "what_if", ""]
        move = moves[number % len(moves)]
        done.append((move, changed))
        page.press(move, **changed)
        assert page.status == 200, done
        text = words(page.html)
        raw = RAW.search(text)
        assert raw is None, (text[max(0, raw.start() - 60) : raw.end() + 60], done)


def test_a_flower_in_a_meld_is_shown(page: Any) -> None:
    """The check for missing tiles treated the flower as a tile."""
    page.upload()
    place = page.place("5p")
    page.press(f"move:{place}:meld:5")
    assert page.press(f"set:{place}:8f").status == 200
    assert "cannot" in page.html


@pytest.mark.parametrize("to", ["concealed", "winning"])
def test_a_flower_in_the_hand_is_said_to_be_one(page: Any, to: str) -> None:
    """Two taps put it there: the page names the impossibility, and the next tap corrects it."""
    page.upload()
    place = page.place("1f", "flowers")
    page.press(f"move:{place}:{to}")
    assert page.status == 200
    assert "cannot" in page.html
    page.press("undo")
    assert page.tai is not None
