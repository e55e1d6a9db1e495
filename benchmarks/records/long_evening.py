"""Processor time of one evening with many hands: of a hand noted in the table's form, and of the table after it.

PYTHONPATH=. python benchmarks/records/long_evening.py [HANDS]
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from html import unescape
from pathlib import Path
from random import Random

from flask.testing import FlaskClient

from webui import create_app

NAMES = ("阿明", "小美", "老王", "Grace")
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
EVERY = 50  # hands between two lines


def table(client: FlaskClient) -> dict[str, str]:
    """Open the table; the hidden fields of its forms."""
    answer = client.get("/table")
    if answer.status_code != 200:
        raise SystemExit(f"/table: {answer.status}")
    fields = {name: unescape(value) for name, value in HIDDEN.findall(answer.get_data(as_text=True))}
    return {name: value for name, value in fields.items() if name != "csrf"}


def main(hands: int = 300) -> None:
    """Note the hands one after the other; the first dealer wins each, so that the evening does not end."""
    rng = Random(1)
    with tempfile.TemporaryDirectory() as folder:
        client = create_app({"READER": None, "DATA": str(Path(folder))}).test_client()
        names = {f"name_{at}": name for at, name in enumerate(NAMES)}
        client.post("/table/start", data={**names, "first_dealer": "0", "rules": "common"})
        fields = table(client)
        for number in range(1, hands + 1):
            hand = {"tai_0": "3", "source": rng.choice("123")}
            began = time.process_time()
            answer = client.post("/table/won", data={**fields, **hand})
            noted = time.process_time()
            fields = table(client)
            done = time.process_time()
            if answer.status_code != 303:
                raise SystemExit(f"hand {number}: {answer.status}")
            if number % EVERY == 0:
                print(f"hand {number}: {1000 * (noted - began):.0f} ms noted, {1000 * (done - noted):.0f} ms the table")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
