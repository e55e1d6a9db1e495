"""自訂定義: the definition that a condition is, so that the tally takes an own pattern for a pattern."""

from functools import lru_cache

from scoring.hands.interpretation import Reading
from scoring.patterns.definition import Definition, Miss, Tiles
from scoring.patterns.own.conditions import condition_of
from scoring.patterns.own.words import WORDS


@lru_cache(maxsize=512)
def own_definition(id_: str) -> Definition:
    """The definition whose id is a condition (`scoring.patterns.own.conditions.definition_id`)."""
    condition = condition_of(id_)

    def why_not(reading: Reading) -> Miss:
        """自訂牌型: the parts of its condition that fail; near if it is only one trait that is nearly there."""
        lacking = condition.lacking(reading.traits)
        near = WORDS[lacking[0].name].near if len(lacking) == 1 and lacking[0].name else None
        return Miss(
            "own_lacks",
            {"conditions": tuple([condition_part.data() for condition_part in lacking])},
            bool(near and near(reading)),
        )

    def tiles(reading: Reading) -> tuple[Tiles, ...]:
        made_of = [
            word.tiles(reading) for trait_id in condition.made_of(reading.traits) if (word := WORDS[trait_id]).tiles
        ]
        return tuple(dict.fromkeys([tiles for tiles in made_of if tiles])) or ((),)

    return Definition(id_, "reading", (), why_not, holds=condition.holds, reads=condition.reads(), shown=tiles)
