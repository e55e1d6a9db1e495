"""What axe-core finds serious or critical on a page, in one colour scheme or in both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import CDPSession, Page

SIZES = {"phone": (390, 844), "laptop": (1280, 800)}
LOOKS = [
    pytest.param(size, lang, scheme, id=f"{size}-{lang}-{scheme}")
    for size in ("phone", "laptop")
    for lang in ("zh-TW", "en-GB")
    for scheme in ("light", "dark")
]
IN_TURN = {"zh-TW": (("phone", "light"), ("laptop", "dark")), "en-GB": (("phone", "dark"), ("laptop", "light"))}
"""Half of them by language, in which every two of size, language and scheme still meet: for what takes long."""
PAIRS = [
    pytest.param(size, lang, scheme, id=f"{size}-{lang}-{scheme}")
    for lang, looks in IN_TURN.items()
    for size, scheme in looks
]

# Rules whose findings are never more than moderate are left out: axe-core gives every finding its rule's impact.
#
# Contrast takes two thirds of the time of a long page: for every text, axe-core searches the page for what lies under
# it. A text that is alike another one is not searched again if that one passed: they and all around them have the same
# elements, classes, colours, letters and kinds of place, in this run. What failed or is unclear counts for itself
# alone.
_ALIKE = """() => {
  const STYLE = ["color", "background-color", "background-image", "opacity", "font-size", "font-weight", "text-shadow",
    "filter", "mix-blend-mode", "clip-path", "position", "z-index", "float", "transform", "margin", "overflow"];
  const check = axe._audit.checks["color-contrast"];
  const whole = check.whole ??= check.evaluate;
  const kinds = new Map(), kindOf = new Map(), passed = new Set();
  const number = (key) => kinds.get(key) ?? (kinds.set(key, kinds.size), kinds.size - 1);
  const kind = (element) => {
    if (!element) return -1;
    if (!kindOf.has(element)) {
      const style = getComputedStyle(element);
      kindOf.set(element, number(JSON.stringify([kind(element.parentElement), element.tagName,
        element.getAttribute("class"), ...STYLE.map((name) => style.getPropertyValue(name))])));
    }
    return kindOf.get(element);
  };
  check.evaluate = function (node, ...others) {
    if (passed.has(kind(node))) return true;
    const result = whole.call(this, node, ...others);
    if (result === true) passed.add(kind(node));
    return result;
  };
}"""
_RUN = f"""async (colours) => {{
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  const rules = axe._audit.rules.filter((rule) => ["serious", "critical"].includes(rule.impact) && rule.enabled
    && !rule.tags.includes("experimental") && (!colours || rule.tags.includes("cat.color")));
  if (!rules.some((rule) => rule.id === "color-contrast")) throw new Error("axe-core does not look at contrast");
  if (rules.some((rule) => rule.preload)) throw new Error("these rules read style sheets and films: fetch them");
  ({_ALIKE})();
  const {{ violations }} = await axe.run(
    {{ runOnly: rules.map((rule) => rule.id), resultTypes: ["violations"], preload: false }});
  return violations.map(({{ id, impact, nodes }}) => (
    {{ id, impact, nodes: nodes.map(({{ html, failureSummary }}) => ({{ html, failureSummary }})) }}));
}}"""

_SESSIONS: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()


def bring_axe(page: Page) -> None:
    """Let every page to come have axe-core from its beginning: to send half a megabyte to each page takes longer."""
    page.add_init_script(Axe().axe_script)


def in_turn(page: Page, lang: str) -> Iterator[str]:
    """Show a page, opened as a phone's, in the looks of its language: the size of each. It is not loaded again.

    The laptop has no mouse then: not for a page with a hand, which shows the keys of the keyboard to whoever has one.
    """
    for size, scheme in IN_TURN[lang]:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        if page.context.browser and page.context.browser.browser_type.name == "chromium":
            if page not in _SESSIONS:
                _SESSIONS[page] = page.context.new_cdp_session(page)  # what it says holds as long as it is open
            _SESSIONS[page].send("Emulation.setTouchEmulationEnabled", {"enabled": size == "phone"})  # a finger
        yield size


def serious(page: Page) -> list[str]:
    """What axe-core finds serious or critical, with the place."""
    return _found(page, colours=False)


def serious_in_both_schemes(page: Page) -> list[str]:
    """The same in light and in dark: only the rules about colours run twice, nothing else knows the scheme."""
    page.emulate_media(color_scheme="light")
    found = _found(page, colours=False)
    page.emulate_media(color_scheme="dark")
    found += _found(page, colours=True)
    page.emulate_media(color_scheme="light")
    return found


def _found(page: Page, *, colours: bool) -> list[str]:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    violations: list[dict[str, Any]] = page.evaluate(_RUN, colours)
    return [
        f"{page.url} {one['id']} ({one['impact']}): {node['html'][:300]} {node.get('failureSummary', '')[:300]}"
        for one in violations
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def accessible(page: Page) -> None:
    """axe-core finds no serious barrier on this page."""
    found = serious(page)
    assert found == []


def accessible_in_both_schemes(page: Page) -> None:
    """axe-core finds no serious barrier on this page, in light and in dark."""
    found = serious_in_both_schemes(page)
    assert found == []
