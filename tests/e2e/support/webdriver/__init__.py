"""Browsers that speak WebDriver, with the interface of Playwright's pages.

Playwright drives only a WebKit of its own, and starts Firefox only without a kept profile. Selenium drives Debian's
WebKit, the engine of Safari, and Firefox with its storage. These classes give a test the part of Playwright's interface
that the page objects use. ``starting``: the browsers; ``page``: a tab; ``locator``: elements that are found when they
are used; ``expecting``: Playwright's ``expect`` for them; ``phone``: the pocket edition in a browser with its storage.
"""
