"""The running table: seats, hands without a photo, agreements."""

from __future__ import annotations

from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import urlopen

from playwright.sync_api import Locator, expect

from tests.e2e.support.engines import WEBKIT
from tests.e2e.support.pages.screen import HOMES, Screen, becomes
from tests.unit.webui.support.records_kit import hidden

NAMES = ("阿明", "小美", "老王", "Grace")

SEND = """async ([path, fields]) => {
  const form = fields && { method: "POST", body: new URLSearchParams(fields) };
  return (await fetch(path, form ?? {})).text();
}"""


class Table(Screen):
    """The page /table and what hangs on it."""

    @property
    def hands(self) -> Locator:
        return self.page.locator(".hands tbody tr")

    def seated(self, names: tuple[str, ...] = NAMES, rules: str = "luohan") -> None:
        """Open a table, or take the one that is open, without its form: for tests that are about something else."""
        fields = {f"name_{at}": name for at, name in enumerate(names)}
        try:
            self._send("/table/start", {**fields, "first_dealer": "0", "rules": rules})
        except HTTPError as error:
            error.close()
            if error.code != 409:  # one is open
                raise

    def seats(self, names: tuple[str, ...] = NAMES, rules: str = "luohan") -> None:
        """The same, and go to its page."""
        self.seated(names, rules)
        self.go("/table")
        expect(self.page.locator(".totals li")).to_have_count(4)

    def closed(self) -> None:
        """The evening is over, without the page's button."""
        self._send("/table/end", hidden(self._send("/table")))

    def _send(self, path: str, fields: dict[str, str] | None = None) -> str:
        """The server's answer to a request of no browser; the pocket edition has its server in the page."""
        from tests.e2e.support.pocket import InFrame

        if isinstance(self.page, InFrame):
            return str(self.page.evaluate(SEND, [path, fields]))
        home = HOMES[self.page] if self.page.url == "about:blank" else self.page.url
        with urlopen(urljoin(home, path), urlencode(fields).encode() if fields else None) as answer:
            return str(answer.read().decode())

    def sit_down(self, names: tuple[str, ...] = NAMES, rules: str = "", button: str = "開一桌") -> None:
        """Open a table, or take the one that is open."""
        self.go("/table")
        if self.page.locator("#name_0").count():
            self.name(names)
            if rules:
                self.page.select_option("#rules", rules)
            self.button(button)
        expect(self.page.locator(".totals li")).to_have_count(4)

    def name(self, names: tuple[str, ...] = NAMES) -> None:
        for at, name in enumerate(names):
            self.page.fill(f"#name_{at}", name)

    def totals(self) -> dict[str, int]:
        """Points by name, as the table shows them."""
        names = self.page.locator(".totals .player").all_inner_texts()
        return dict(zip(names, map(int, self.page.locator(".totals strong").all_inner_texts()), strict=True))

    def shows(self, totals: dict[str, int]) -> None:
        """Wait until these players have these points."""
        wanted = totals.items()
        becomes(self.page, self.totals, lambda now: wanted <= now.items())

    def note(self, winner: str, tai: int, source: str = "自摸") -> None:
        """A hand without a photo."""
        before = self.hands.count()
        step = self.unfold("#step-won")
        step.get_by_label(winner, exact=True).fill(str(tai))
        step.get_by_label(source, exact=True).check()
        self.follow(step.get_by_role("button", name="記下"))
        expect(self.hands).to_have_count(before + 1)

    def note_thrown(self, winner: str, tai: int, chair: int, dice: int) -> None:
        """A hand won by the discard of that chair, with the number that the winner threw."""
        step = self.unfold("#step-won")
        step.get_by_label(winner, exact=True).first.fill(str(tai))
        step.locator("#win_dice").fill(str(dice))
        step.locator(f'[name="source"][value="{chair}"]').check()
        self.follow(step.get_by_role("button", name="記下"))

    def note_ready(self, *ready: str) -> None:
        """A drawn hand, after which these players' hands were ready."""
        step = self.unfold("#step-drawn")
        for name in ready:
            step.get_by_label(name, exact=True).check()
        self.follow(step.get_by_role("button", name="記下"))

    def note_away(self, winner: str, tai: int) -> None:
        """A self-drawn hand, entered while the computer cannot be reached: it waits in this phone."""
        self.open_step()
        step = self.page.locator("#step-won")
        step.get_by_label(winner, exact=True).fill(str(tai))
        step.get_by_role("button", name="記下").click()
        expect(self.page.locator("#entries")).to_be_visible()

    def open_step(self) -> None:
        """Open the form for a hand without a photo if it is closed."""
        if self.page.locator("#step-won[open]").count() == 0:
            self.unfold("#step-won")

    def note_draw(self) -> None:
        """Enter a drawn hand."""
        before = self.hands.count()
        self.follow(self.unfold("#step-drawn").get_by_role("button", name="記下"))
        expect(self.hands).to_have_count(before + 1)

    def undo(self) -> None:
        """Take the last hand back."""
        before = self.hands.count()
        self.button("復原上一把")
        expect(self.hands).to_have_count(before - 1)

    def close(self) -> None:
        """The evening is over."""
        self.follow(self.unfold("#more-table").get_by_role("button", name="收桌"))
        expect(self.page.get_by_role("button", name="繼續打")).to_be_visible()

    def share_evening(self) -> tuple[bytes, str]:
        """The picture and the words, as the phone's own sharing gets them."""
        self.page.evaluate(
            """window.shared = [];
            Object.defineProperty(navigator, 'canShare', {value: () => true, configurable: true});
            Object.defineProperty(navigator, 'share', {configurable: true, value: async (what) => {
              shared.push([[...new Uint8Array(await what.files[0].arrayBuffer())], what.text]); }});"""
        )
        if WEBKIT:  # a desktop without a finger, on which the page saves the picture instead
            self.page.evaluate("window.matchMedia = () => ({ matches: true })")
        self.page.locator("#card").click()
        ((picture, words),) = becomes(self.page, lambda: self.page.evaluate("shared"), lambda found: len(found) == 1)
        return bytes(picture), str(words)

    def choose(self, name: str) -> None:
        """A button or a link of the page by its words (or by its bold ones), which leads to another page."""
        main = self.page.locator("main")
        button, link = (main.get_by_role(role, name=name, exact=True) for role in ("button", "link"))  # type: ignore[arg-type]
        explained = main.locator("a", has=self.page.locator("b").get_by_text(name, exact=True))
        self.follow(button.or_(link).or_(explained).first)

    def pick(self, value: str) -> None:
        """A tile of the page that leads to the next one."""
        self.follow(self.page.locator(f".pick[value='{value}']"))

    def use_set(self, name: str) -> None:
        """The tile set that this table plays with."""
        step = self.unfold("#step-set")
        step.get_by_label(name).check()
        self.follow(step.get_by_role("button", name="存好"))

    def sit_three(self, names: tuple[str, ...] = NAMES[:3], *, flowers: bool = True) -> None:
        """Open a table of three, with flowers or without."""
        self.go("/table")
        self.toggle(self.page.get_by_label("三人", exact=True))
        expect(self.page.locator("#name_3")).to_be_hidden()
        self.name(names)
        if not flowers:
            self.toggle(self.page.get_by_label("不用花牌（136 張）"))
        self.button("開一桌")
        expect(self.page.locator(".totals li")).to_have_count(3)

    def answer_rule(self, question: str, answer: str) -> None:
        """你們怎麼算？ one of the usual answers, which is kept."""
        self.follow(self.page.locator(f"#rule-{question}").get_by_role("button", name=answer, exact=True))

    def note_false_win(self, offender: str) -> None:
        """詐胡, its form being open."""
        before = self.hands.count()
        step = self.page.locator("#step-false")
        self.toggle(step.get_by_label(offender, exact=True))
        self.follow(step.get_by_role("button", name="記下"))
        expect(self.hands).to_have_count(before + 1)

    def type_winners(self, tai: dict[str, int], source: str) -> None:
        """Send several winners of one discard; the table's page or a question follows."""
        step = self.unfold("#step-won")
        for winner, number in tai.items():
            step.get_by_label(winner, exact=True).fill(str(number))
        step.get_by_label(source, exact=True).check()
        self.follow(step.get_by_role("button", name="記下"))

    @property
    def listen(self) -> Locator:
        """The button that hears a sentence."""
        return self.page.locator(".listen")

    def say(self, sentence: str, button: str = "填表") -> None:
        """說一句, typed; the form that it fills in."""
        self.fill("#said", sentence)
        self.button(button, exact=True)

    def speak_up(self) -> None:
        """說一句, spoken; the form that it fills in."""
        self.follow(self.listen)

    def hear_nothing(self, note: str) -> None:
        """Use the microphone when its only result is a note."""
        self.listen.click()
        expect(self.page.locator(".say-note")).to_contain_text(note)

    def keep(self, button: str = "記下") -> None:
        """The filled form as it is."""
        self.button(button, exact=True)
        expect(self.hands.first).to_be_visible()
