"""The form of a table's own pattern, by its verbs."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.e2e.support.pages.screen import Screen


class OwnPatternForm(Screen):
    """The form that is open. ``has`` and ``has_not`` name its two hands."""

    def field(self, key: str) -> Locator:
        """A field by its key."""
        return self.page.locator(f'[id="{key}"]')

    def type(self, **fields: str) -> None:
        """Fill in fields; two underscores stand for the dot in a key."""
        for name, value in fields.items():
            self.fill(f'[id="{name.replace("__", ".")}"]', value)

    def ask_for(self, group: str, trait: str, state: str) -> None:
        """Choose the condition of a trait, in its folded group."""
        details = self.page.locator(f'.trait-group:has(> summary:has-text("{group}"))')
        if details.get_attribute("open") is None:
            self.unfold(".trait-group", group)
        self.field(f"trait.{trait}").select_option(state)

    def lay(self, hand: str, codes: list[str]) -> None:
        """Tap tiles of the pad into a hand, "" takes the last one back; each is waited for."""
        pad = self.page.locator(f"#example-{hand} .tile-pad")
        if pad.get_attribute("open") is None:
            pad.locator("> summary").click()
        shown = self.page.locator(f'[data-tiles="{hand}.concealed"] img')
        for code in codes:
            before = shown.count()
            pad.locator(f'[data-code="{code}"]').click()
            expect(shown).to_have_count(before + (1 if code else -1))

    def wrong(self, field: str) -> Locator:
        """The error message of a field."""
        return self.page.locator(f'[id="{field}-wrong"]')
