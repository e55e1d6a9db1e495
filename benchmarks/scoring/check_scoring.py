"""Compare the engine with the tests' slow reference on random hands, and send it requests with mistakes.

    PYTHONPATH=. python benchmarks/scoring/check_scoring.py [--hands 20000] [--mutated 30000] [--answers FILE]

For each book: random winning hands, of which waits, tai and patterns must equal the reference's. Then randomly changed
requests: each must be answered or refused in both languages, without an exception. The first difference is printed and
ends the run with status 1. The tests do the same on a few hundred hands.

--answers checks nothing. It writes every answer to these requests, in both languages and with reasons, into FILE. Two
checkouts can then be compared byte for byte (PYTHONPATH selects the checkout).
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import scoring
from scoring.api.json_text import answer_text, parse, write
from tests.unit.scoring.support import reference
from tests.unit.scoring.support.asking import BOOKS, tally_of
from tests.unit.scoring.support.hands import as_request, winning_hand

Request = dict[str, Any]

ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 3, 1.5, 10**30, "", "E", "x", "1m", "東", "5z5z5z", "111111m", "12345678f", "0m", "9z", "m1"),
    *(
        [],
        {},
        [1],
        ["last_tile"],
        ["rain"],
        {"all_pungs": 3},
        [{"kind": "pung", "tiles": "777z"}],
        "\ud800",
        "a" * 3000,
    ),
)


def difference(hand: Request) -> str:
    """The first difference between the engine and the reference, or ""."""
    response = scoring.answer(as_request(hand))
    tai, tallies = reference.best(hand)
    if response["waits"] != reference.waits(hand):
        return f"waits {response['waits']}, reference {reference.waits(hand)}"
    if response["wins"] != bool(tallies):
        return f"wins {response['wins']}, reference {bool(tallies)}"
    if tallies and (response["tai"] != tai or tally_of(response) not in tallies):
        return f"tally {tally_of(response)}, reference {tallies}"
    return ""


def mutated(rng: Random) -> Request:
    """A good request with one to three things changed."""
    request = as_request(winning_hand(rng))
    for _ in range(rng.randint(1, 3)):
        key = rng.choice([*request, "explain", "robbed_flower", "responsible", "foo"])
        change = rng.randrange(4)
        if change == 0:
            request.pop(key, None)
        elif change == 1 and isinstance(request.get(key), str) and request[key]:
            text = request[key]
            place = rng.randrange(len(text))
            request[key] = text[:place] + rng.choice("123456789mpszf東?\U0001f000 ") + text[place + rng.randrange(2) :]
        else:
            request[key] = rng.choice(ODD)
    return request


def answered(request: Request, ask: Callable[..., Any]) -> bool:
    """Whether both languages answer or refuse as they should."""
    for lang in ("zh", "en"):
        response = ask(request, lang=lang)
        if "error" in response and not (response["error"] and response["problems"]):
            return False
    return True


def as_text(request: Request, *, lang: str) -> Request:
    """`scoring.answer` by way of JSON text, as the command line goes."""
    answer: Request = parse(answer_text(write(request), lang=lang))
    return answer


def write_answers(path: Path, hands: int, mutations: int, seed: int) -> None:
    """Every answer to the requests of a run, one a line: as values, as JSON text, with the reasons, and the waits."""
    rng = Random(seed)
    with path.open("w", encoding="utf-8", errors="surrogatepass") as lines:
        for book in BOOKS:
            for _ in range(hands):
                request = as_request(winning_hand(rng, book))
                lines.write(f"{answer_text(write(request))}\n")
                for lang in ("zh", "en"):
                    lines.write(f"{write(scoring.answer({**request, 'explain': True}, lang=lang))}\n")
                lines.write(f"{write(scoring.ready(request))}\n")
        for _ in range(mutations):
            request = mutated(rng)
            for lang in ("zh", "en"):
                lines.write(f"{write(scoring.answer(request, lang=lang))}\n")
                lines.write(f"{answer_text(write(request), lang=lang)}\n")


def main() -> int:
    """Run the checks, print the figures, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=20000, help="random hands for each book")
    parser.add_argument("--mutated", type=int, default=30000, help="requests with mistakes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--answers", type=Path, metavar="FILE", help="write every answer there instead")
    options = parser.parse_args()
    if options.answers:
        write_answers(options.answers, options.hands, options.mutated, options.seed)
        return 0
    rng = Random(options.seed)
    for book in BOOKS:
        for _ in range(options.hands):
            hand = winning_hand(rng, book)
            found = difference(hand)
            if found:
                print(f"{book}: {found}\n{write(as_request(hand))}")
                return 1
        print(f"{book}: {options.hands} hands as the reference has them", flush=True)
    for _ in range(options.mutated):
        request = mutated(rng)
        if not (answered(request, scoring.answer) and answered(request, as_text)):
            print(f"refused without a reason: {write(request)}")
            return 1
    print(f"{options.mutated} changed requests: each was answered or refused with its reasons")
    return 0


if __name__ == "__main__":
    sys.exit(main())
