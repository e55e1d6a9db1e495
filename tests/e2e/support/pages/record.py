"""A settled hand and what people say of it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.support.pages.screen import Screen


class Record(Screen):
    """The page of one record."""

    def dispute(self, who: str, claim: str) -> None:
        """Dispute the hand with another claim; the books answer."""
        form = self.unfold("#dispute-new")
        self.page.fill("#who-new", who)
        self.page.fill("#claim", claim)
        self.follow(form.get_by_role("button", name="提出爭議"))
        expect(self.page.locator(".verdicts li")).not_to_have_count(0)

    def answer(self, who: str, claim: str) -> None:
        """Answer a dispute as another person."""
        before = self.page.locator(".claims li").count()
        self.page.fill("#who-claim", who)
        self.page.fill("#claim-more", claim)
        self.button("加上這個說法")
        expect(self.page.locator(".claims li")).to_have_count(before + 1)

    def agree(self, outcome: str) -> None:
        """All agreed on this."""
        self.page.fill("#outcome", outcome)
        self.button("談好了，記下結果")
        expect(self.page.locator(".agreed")).to_contain_text(outcome)

    def draw_card(self) -> None:
        """Draw the picture for the chat group and wait for the page's message."""
        said = self.page.locator("#card-said")
        said.evaluate("said => { said.textContent = 'not yet'; }")
        self.page.locator("#card").click()
        expect(said).not_to_have_text("not yet")
