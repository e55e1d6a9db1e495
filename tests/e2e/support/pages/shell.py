"""The pocket edition's shell: the view without a page of the application."""

from __future__ import annotations

from playwright.sync_api import Page, expect


class Shell:
    """A tab of the pocket edition."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def says(self, sentence: str) -> None:
        """Wait until it shows this sentence and no page of the application."""
        expect(self.page.locator("#said")).to_contain_text(sentence)
        expect(self.page.locator("iframe")).to_have_count(0)

    def take_over(self) -> None:
        """Have the application here."""
        self.page.locator("#act").click()
