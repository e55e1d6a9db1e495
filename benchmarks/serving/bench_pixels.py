"""Small zips of photos that are large when decoded, many at once, some of whose senders leave.

    PYTHONPATH=. python benchmarks/serving/bench_pixels.py --senders 80

Each zip holds 600 PNGs of 50 megapixels and is a third of a megabyte. Meanwhile a phone asks for the first page. Memory
and processor time are the server process's.
"""

from __future__ import annotations

import argparse
import io
import statistics
import sys
import threading
import time
import zipfile
from collections import Counter
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))

from server_process import Client, Server, multipart, temporary_folder

WIDE, HIGH = 8164, 6124


def zip_of(photos: int) -> bytes:
    """A zip of this many different PNGs of one colour, with the strongest compression."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number in range(photos):
            picture = io.BytesIO()
            Image.new("1", (WIDE, HIGH), number % 2).save(picture, "PNG", optimize=True)
            archive.writestr(f"{number}.png", picture.getvalue() + number.to_bytes(4, "big"))
    return out.getvalue()


def cpu_seconds(pid: int) -> float:
    """Processor time of a process; 0 if the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


def main() -> int:
    """Exit status 1 if the server held more than 600 MB, or worked on after its senders had left."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--senders", type=int, default=80)
    parser.add_argument("--photos", type=int, default=600)
    args = parser.parse_args()
    data = {"too many pixels": zip_of(args.photos), "within the limit": zip_of(19)}
    status = 0
    with temporary_folder() as folder, Server(str(folder)) as server:
        client = Client(server.address)
        client.form("/label/new", {"title": "many"})
        client.get("/")
        for what, body in data.items():
            status |= attack(server, what, body, args.senders)
        status |= leave(server, data["within the limit"])
    return status


def attack(server: Server, what: str, body: bytes, senders: int) -> int:
    """Send it from this many senders at once; print the time of a page meanwhile, and the server's memory."""
    answers: Counter[int] = Counter()
    ended = threading.Event()

    def send() -> None:
        try:
            path = "/label/many/import"
            answers[Client(server.address, 300).upload(path, [("files", "a.zip", body)])[0]] += 1
        except OSError:
            answers[0] += 1

    threads = [threading.Thread(target=send) for _ in range(senders)]
    spent, began = cpu_seconds(server.process.pid), time.monotonic()
    for thread in threads:
        thread.start()
    threading.Thread(target=lambda: ([thread.join() for thread in threads], ended.set()), daemon=True).start()
    waits = []
    while not ended.is_set():
        asked = time.monotonic()
        Client(server.address).get("/")
        waits.append(time.monotonic() - asked)
        ended.wait(0.2)
    held = server.memory()
    print(
        f"{what}: {len(body) / 1e6:.2f} MB × {senders}: {dict(answers)} in {time.monotonic() - began:.1f} s, "
        f"{cpu_seconds(server.process.pid) - spent:.1f} s of processor time; the first page meanwhile "
        f"{statistics.median(waits):.2f} s, at most {max(waits):.2f} s; server at most {held} MB",
        flush=True,
    )
    return int(held > 600)


def leave(server: Server, body: bytes) -> int:
    """Send it and go: how much the server still works afterwards."""
    Client(server.address).form("/label/new", {"title": "left"})
    client = Client(server.address)
    sent, kind = multipart([("files", "a.zip", body)], {})
    client.connection.request("POST", "/label/left/import", sent, {"Content-Type": kind})
    time.sleep(2)
    client.connection.close()
    spent = cpu_seconds(server.process.pid)
    time.sleep(6)
    more = cpu_seconds(server.process.pid) - spent
    print(f"a sender who left: {more:.1f} s of processor time in the six seconds after it")
    return int(more > 4)


if __name__ == "__main__":
    sys.exit(main())
