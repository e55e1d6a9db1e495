"""The running table: who sits where, hands without a photo, what was agreed."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.e2e.support.pages.screen import Screen, becomes

NAMES = ("阿明", "小美", "老王", "Grace")


class Table(Screen):
    """The page /table and what hangs on it."""

    @property
    def hands(self) -> Locator:
        return self.page.locator(".hands tbody tr")

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

    def note_draw(self) -> None:
        """Nobody won."""
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

    def choose(self, name: str) -> None:
        """A button or a link of the page by its words, which leads to another page."""
        main = self.page.locator("main")
        button, link = (main.get_by_role(role, name=name, exact=True) for role in ("button", "link"))  # type: ignore[arg-type]
        self.follow(button.or_(link).first)

    def pick(self, value: str) -> None:
        """A tile of the page that leads to the next one."""
        self.follow(self.page.locator(f".pick[value='{value}']"))

    def use_set(self, name: str) -> None:
        """The tile set that this table plays with."""
        step = self.unfold("#step-set")
        step.get_by_label(name).check()
        self.follow(step.get_by_role("button", name="存好"))
