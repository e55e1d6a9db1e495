"""The pocket edition's shell: the view without a page of the application."""

from __future__ import annotations

from pathlib import Path

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

    def take(self, photo: Path) -> None:
        """A photo with the camera button that is there before the application."""
        self.page.set_input_files("#shutter-camera", photo)

    def sample(self) -> None:
        """The sample hand, by its button."""
        self.page.locator("#shutter-sample").click()
        expect(self.page.locator("#wished")).to_be_visible()

    def another(self) -> None:
        """Another photo instead of the one that waits."""
        self.page.locator("#shutter-again").click()
        expect(self.page.locator("#wished")).to_be_hidden()

    def waits(self, words: str) -> None:
        """Wait until it says what waits for the application, and offers no second photo."""
        expect(self.page.locator("#wished-words")).to_contain_text(words)
        expect(self.page.locator("#shutter")).to_be_hidden()
