"""自訂定義: the definition that a condition is, so that the tally takes an own pattern for a pattern."""

from functools import lru_cache

from scoring.hands.interpretation import Reading
from scoring.patterns.definition import Definition, Miss, Tiles
from scoring.patterns.own.conditions import own_of
from scoring.patterns.own.numbers import NUMBERS, bits_of_number
from scoring.patterns.own.words import WORDS


@lru_cache(maxsize=512)
def own_definition(id_: str) -> Definition:
    """The definition whose id is a condition (`scoring.patterns.own.conditions.definition_id`)."""
    condition, each, total = own_of(id_)
    counted = bits_of_number(each) if each else 0

    def holds(traits: int) -> bool:
        return condition.holds(traits) and (not counted or traits & counted != 0)

    def why_not(reading: Reading) -> Miss:
        """自訂牌型: the parts of its condition that fail; near if it is only one trait that is nearly there."""
        lacking = condition.lacking(reading.traits)
        data = tuple([part.data() for part in lacking]) or ({"number": {"of": each, "at_least": 1}},)
        near = WORDS[lacking[0].name].near if len(lacking) == 1 and lacking[0].kind == "trait" else None
        return Miss("own_lacks", {"conditions": data}, bool(near and near(reading)))

    def tiles(reading: Reading) -> tuple[Tiles, ...]:
        names = [*condition.made_of(reading.traits), *([each] if each else [])]
        made_of = [part.tiles(reading) for name in names if (part := WORDS.get(name) or NUMBERS[name]).tiles]
        return tuple(dict.fromkeys([tiles for tiles in made_of if tiles])) or ((),)

    reads = condition.reads() | counted
    return Definition(id_, "reading", (), why_not, each=counted, holds=holds, reads=reads, shown=tiles, total=total)
