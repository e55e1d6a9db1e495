"""WebKit, the engine of Safari, with the interface of Playwright's pages.

Playwright drives only a WebKit of its own. Debian's WebKit speaks WebDriver, so selenium drives it, and these classes
give a test the part of Playwright's interface that the page objects use. ``page``: a tab; ``locator``: elements that
are found when they are used; ``expecting``: Playwright's ``expect`` for them.
"""
