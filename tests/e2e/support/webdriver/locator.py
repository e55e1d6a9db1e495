"""Elements of a page in WebKit, found anew each time they are used."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error
from selenium.common.exceptions import WebDriverException

from tests.e2e.support.engines import PATIENCE

if TYPE_CHECKING:
    from tests.e2e.support.webdriver.page import Page

FIND = (Path(__file__).parent / "find.js").read_text("utf-8")
STEP = 0.05


class Locator:
    """``steps``: what find.js follows."""

    def __init__(self, page: Page, steps: list[list[Any]]) -> None:
        self.page, self.steps = page, steps

    def _with(self, *step: Any) -> Locator:
        return Locator(self.page, [*self.steps, list(step)])

    def locator(self, selector: str, *, has: Locator | None = None, has_text: str | None = None) -> Locator:
        return self._with("css", selector).filter(has=has, has_text=has_text)

    def get_by_role(self, role: str, *, name: str | None = None, exact: bool = False) -> Locator:
        return self._with("role", role, {"name": name, "exact": exact})

    def get_by_text(self, text: str, *, exact: bool = False) -> Locator:
        return self._with("text", text, {"exact": exact})

    def get_by_label(self, text: str, *, exact: bool = False) -> Locator:
        return self._with("label", text, {"exact": exact})

    def filter(self, *, has: Locator | None = None, has_text: str | None = None) -> Locator:
        inner = self if has is None else self._with("has", has.steps)
        return inner if has_text is None else inner._with("has_text", has_text)

    def and_(self, other: Locator) -> Locator:
        return self._with("and", other.steps)

    def or_(self, other: Locator) -> Locator:
        return self._with("or", other.steps)

    def nth(self, place: int) -> Locator:
        return self._with("nth", place)

    @property
    def first(self) -> Locator:
        return self.nth(0)

    @property
    def last(self) -> Locator:
        return self.nth(-1)

    def all(self) -> list[Locator]:
        return [self.nth(place) for place in range(self.count())]

    def ask(self, code: str, argument: Any = None) -> Any:
        """The value of ``code`` with ``elements`` (those found now) and ``argument``; a promise is awaited."""
        return self.page.script(
            f"{FIND}\nconst elements = find(input.steps); const argument = input.argument; {code}",
            {"steps": self.steps, "argument": argument},
        )

    def element(self) -> Any:
        """The one element, once it is there. Error if none is after ``PATIENCE``, or if there are several."""
        late = time.monotonic() + PATIENCE
        while True:
            elements = self.ask("return elements;")
            if len(elements) == 1:
                return elements[0]
            if len(elements) > 1:
                raise Error(f"{self.steps} finds {len(elements)} elements")
            if time.monotonic() > late:
                raise Error(f"{self.steps} finds nothing")
            time.sleep(STEP)

    def _act(self, name: str) -> None:
        """Do something with the element as soon as the driver can: nothing lies over it, and it is shown."""
        late = time.monotonic() + PATIENCE
        while True:
            element = self.element()
            try:
                self.page.script("input.scrollIntoView({ block: 'center', behavior: 'instant' });", element)
                getattr(element, name)()
                return
            except (WebDriverException, Error) as error:
                if time.monotonic() > late:
                    raise Error(f"{name} of {self.steps}: {error}") from error
                time.sleep(STEP)

    def click(self, *, force: bool = False, no_wait_after: bool = False, **_: Any) -> None:
        """``no_wait_after``: by a script, because the driver's own click waits for the next page."""
        if no_wait_after:
            self.element()
            self.ask("const control = elements[0]; setTimeout(() => control.click());")
        elif force:
            self.element()
            self.ask("elements[0].click();")
        else:
            self._act("click")

    def check(self, *, force: bool = False) -> None:
        if not self.is_checked():
            self.click(force=force)

    def is_checked(self) -> bool:
        self.element()
        return bool(self.ask("return elements[0].checked;"))

    def fill(self, value: str) -> None:
        element = self.element()
        self.ask("elements[0].value = ''; elements[0].dispatchEvent(new Event('input', { bubbles: true }));")
        if value:
            element.send_keys(value)

    def press(self, key: str) -> None:
        self.focus()
        self.page.keyboard.press(key)

    def focus(self) -> None:
        self.element()
        self.ask("elements[0].focus();")

    def blur(self) -> None:
        self.element()
        self.ask("elements[0].blur();")

    def select_option(self, value: str | None = None, *, label: str | None = None, index: int | None = None) -> None:
        self.element()
        self.ask(
            "const field = elements[0]; const options = [...field.options]; const { wanted, index } = argument;"
            " field.value = (index === null ? options.find((option) =>"
            " option.value === wanted || option.label === wanted)"
            " : options[index]).value;"
            " for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));",
            {"wanted": value if value is not None else label, "index": index},
        )

    def set_input_files(self, files: Any) -> None:
        paths = files if isinstance(files, list) else [files]
        element = self.element()
        self.ask("elements[0].value = '';")  # the driver would add to what is chosen
        element.send_keys("\n".join(str(path) for path in paths))

    def evaluate(self, source: str, argument: Any = None) -> Any:
        self.element()
        return self.ask(f"return ({source})(elements[0], argument);", argument)

    def count(self) -> int:
        return int(self.ask("return elements.length;"))

    def inner_text(self) -> str:
        self.element()
        return str(self.ask("return elements[0].innerText ?? elements[0].textContent;"))

    def text_content(self) -> str:
        self.element()
        return str(self.ask("return elements[0].textContent;"))

    def all_inner_texts(self) -> list[str]:
        return list(self.ask("return elements.map((element) => element.innerText);"))

    def get_attribute(self, name: str) -> str | None:
        self.element()
        value = self.ask("return elements[0].getAttribute(argument);", name)
        return None if value is None else str(value)

    def input_value(self) -> str:
        self.element()
        return str(self.ask("return elements[0].value;"))

    def is_visible(self) -> bool:
        return bool(self.ask("return elements.length > 0 && shown(elements[0]);"))

    def bounding_box(self) -> dict[str, float]:
        self.element()
        return dict(
            self.ask("const box = elements[0].getBoundingClientRect();"
                     " return { x: box.x, y: box.y, width: box.width, height: box.height };")
        )  # fmt: skip

    def scroll_into_view_if_needed(self) -> None:
        self.element()
        self.ask("elements[0].scrollIntoView({ block: 'nearest', behavior: 'instant' });")

    def wait_for(self, *, state: str = "visible", **_: Any) -> None:
        from tests.e2e.support.webdriver.expecting import Expectation

        Expectation(self).to_be_hidden() if state in ("hidden", "detached") else Expectation(self).to_be_visible()
