"""Two browsers label the same photos of one set for two minutes.

They name boxes, draw, delete, undo, and leave photos before they are saved. At the end every last word of either must
be in the set.

    PYTHONPATH=. python benchmarks/labelling/two_browsers.py [SECONDS] [SEED]

Exit status 1 if something was lost.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.e2e.support.engines import launched
from tests.e2e.support.labelling import Blind, served
from tests.e2e.support.pages import Canvas
from tests.e2e.support.two_labellers import Labeller, lost, photos_with_boxes

PHOTOS = 4


def main() -> int:
    """Label, and compare the result; the exit status."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    expect.set_options(timeout=60_000)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for address, store in served(Path(folder), READER=Blind()):
            ids = photos_with_boxes(store, PHOTOS)
            started = [launched(playwright) for _ in range(2)]
            both = []
            for side, browser in enumerate(started):
                page = browser.new_page(locale="zh-TW", viewport={"width": 1366, "height": 900})
                page.set_default_timeout(60_000)
                both.append(Labeller(Canvas(page), ids, side, random.Random(2 * seed + side)))
                both[-1].start(address)
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                for one in both:
                    one.act()
            for one in both:
                one.finish()
            saves = sum(store.get(id_).photo.revision for id_ in ids)
            did = [
                f"{sum(one.did.values())} ({', '.join(f'{n} {what}' for what, n in one.did.items())})" for one in both
            ]
            print(f"{seconds:.0f} s, {len(ids)} photos, {saves} revisions; steps: {' and '.join(did)}")
            missing = lost(store, both)
            print(f"said last by one of them and not kept: {len(missing)} of {sum(len(one.said) for one in both)}")
            for line in missing:
                print(f"  {line}")
            return 1 if missing else 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
