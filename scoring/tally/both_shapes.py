"""雙食: the tally of a hand that is five sets and another shape, if the book counts both."""

from functools import cache
from typing import get_args

from scoring.hands.tables.traits import TRAITS, Trait
from scoring.patterns import definition_of
from scoring.patterns.own.numbers import NUMBERS, bits_of_number
from scoring.tally.counting import Line, Tally


def added(first: Tally, second: Tally) -> Tally:
    """雙食: the tally of a hand of which two readings count. What does not depend on the reading counts once."""
    of_hand = _traits_of_hand()
    lines = {line.rule: line for line in first.lines}
    for line in second.lines:
        known = lines.get(line.rule)
        if known is None:
            lines[line.rule] = line
        elif definition_of(line.rule.definition).asks & ~of_hand:
            lines[line.rule] = Line(line.rule, known.times + line.times)
    seen = {(out.rule, out.because) for out in first.left_out}
    left_out = (*first.left_out, *(out for out in second.left_out if (out.rule, out.because) not in seen))
    left_out = tuple([out for out in left_out if out.rule not in lines])
    return Tally(sum([line.tai for line in lines.values()]), tuple(lines.values()), left_out, by_tiles=True)


@cache
def _traits_of_hand() -> int:
    """The traits of how a hand was won, of events, melds and flowers: the same in every reading."""
    names = get_args(Trait)
    plain = sum([TRAITS[name] for name in names[: names.index("single_wait")]])
    return plain | sum([bits_of_number(id_) for id_, one in NUMBERS.items() if one.group in ("melds", "flowers")])
