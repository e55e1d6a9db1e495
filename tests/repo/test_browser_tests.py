"""Browser tests wait by construction: only the verbs of the page objects click, and no assertion looks only once.

A test answers a request in the server's place with `catch`, which waits until that holds.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

BROWSER_TESTS = Path(__file__).parents[1] / "e2e"
VERBS = BROWSER_TESTS / "support" / "pages"  # the one place that clicks
DRIVER = BROWSER_TESTS / "support" / "webdriver"  # below the verbs: it is what clicks
CLICKS = {"click", "dblclick", "tap", "check", "uncheck", "set_checked"}
SCRIPTED = {"evaluate", "evaluate_all", "eval_on_selector", "dispatch_event"}
SCRIPTED_CLICK = re.compile(r"\.(click|requestSubmit|submit)\(|^['\"]click['\"]$")
KINDS = {"Page", "Locator", "Screen", "Board", "Table", "Canvas", "ContactSheet"}
OPENERS = {"open_page", "phone", "with_worker", *KINDS}
LOCATING = {"locator", "nth", "filter", "and_", "or_", "new_page", "context", "first", "last", "page", "sheet", "hands"}


class Faults(ast.NodeVisitor):
    """Finds raw clicks in a file, and assertions on a page at one moment."""

    def __init__(self, tree: ast.Module) -> None:
        self.found: list[str] = []
        returns = {one.name: one.returns for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
        self._openers = OPENERS | {name for name, kind in returns.items() if self._is_kind(kind)}
        self._browser: set[str] = set()
        self.visit(tree)

    def _is_kind(self, annotation: ast.expr | None) -> bool:
        return isinstance(annotation, ast.Name) and annotation.id in KINDS

    def _is_browser(self, value: ast.expr) -> bool:
        """Whether a value is a page, a part of one, or a page object."""
        if isinstance(value, ast.Name):
            return value.id in self._browser
        if isinstance(value, ast.Tuple):
            return any(map(self._is_browser, value.elts))
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            return value.func.id in self._openers
        if isinstance(value, ast.Call):
            return self._is_browser(value.func)
        if isinstance(value, ast.Attribute):
            locating = value.attr in LOCATING or value.attr.startswith("get_by_")
            return locating and self._is_browser(value.value)
        return False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer, self._browser = self._browser, set(self._browser)
        self._browser |= {one.arg for one in node.args.args if self._is_kind(one.annotation)}
        self.generic_visit(node)
        self._browser = outer

    def visit_Assign(self, node: ast.Assign) -> None:
        if self._is_browser(node.value):
            for target in node.targets:
                self._browser |= {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name) and self._is_kind(node.annotation):
            self._browser.add(node.target.id)
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        names = {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name)}
        if names & self._browser:
            self.found.append(f"line {node.lineno}: an assert looks at a page once: {ast.unparse(node.test)}")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and node.func.attr in CLICKS:
            self.found.append(f"line {node.lineno}: a raw {node.func.attr}: {ast.unparse(node)}")
        if isinstance(node.func, ast.Attribute) and node.func.attr == "route" and self._is_browser(node.func.value):
            self.found.append(f"line {node.lineno}: requests may pass by, `catch` waits: {ast.unparse(node)}")
        script = isinstance(node.func, ast.Attribute) and node.func.attr in SCRIPTED and node.args
        if script and SCRIPTED_CLICK.search(ast.unparse(node.args[0])):
            self.found.append(f"line {node.lineno}: a click in a script: {ast.unparse(node)}")
        self.generic_visit(node)


def faults(source: str) -> list[str]:
    return Faults(ast.parse(source)).found


def test_only_verbs_click_and_no_assert_looks_once() -> None:
    paths = [path for path in BROWSER_TESTS.rglob("*.py") if not {VERBS, DRIVER} & {*path.parents}]
    assert len(paths) > 20, "the browser tests are not where this test looks"
    found = {path.relative_to(BROWSER_TESTS).as_posix(): faults(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("line", "count"),
    [
        pytest.param('page.locator("#undo").click()', 1, id="a raw click"),
        pytest.param('page.get_by_role("button").tap()', 1, id="a raw tap"),
        pytest.param('page.locator("#seat-S").check()', 1, id="a raw check"),
        pytest.param('page.locator("#undo").evaluate("button => button.click()")', 1, id="a click in a script"),
        pytest.param('page.locator("#undo").dispatch_event("click")', 1, id="a click as an event"),
        pytest.param('page.evaluate("document.forms[0].requestSubmit()")', 1, id="a form sent by a script"),
        pytest.param('page.route("**/hand", print)', 1, id="requests that may pass by"),
        pytest.param('catch(page, "**/hand", print)', 0, id="requests that are caught"),
        pytest.param('page.evaluate("document.title")', 0, id="a script that reads"),
        pytest.param('assert page.locator(".total").inner_text() == "10"', 1, id="one look in an assert"),
        pytest.param("assert tiles_of(page) == []", 1, id="one look by a function"),
        pytest.param("assert board.tiles() == []", 1, id="one look by a page object"),
        pytest.param('assert "key" not in page.url', 1, id="one look at the address"),
        pytest.param('row = page.locator("tr").nth(1)\n    assert row.count() == 1', 1, id="one look at a part"),
        pytest.param("shown = looked_at(open_page)\n    assert shown.total() == 1", 1, id="opened by a function"),
        pytest.param('expect(page.locator(".total")).to_have_text("10")', 0, id="expect waits"),
        pytest.param("board.undo()", 0, id="a verb"),
        pytest.param("becomes(page, board.tiles, [])", 0, id="read until it is so"),
        pytest.param("before = board.tiles()\n    assert len(before) == 17", 0, id="a value"),
    ],
)
def test_the_rule_finds_what_it_forbids(line: str, count: int) -> None:
    source = f"""
def looked_at(open_page) -> Board: ...
def test(open_page):
    page = open_page("phone")
    board = Board(page)
    {line}
"""
    assert len(faults(source)) == count
