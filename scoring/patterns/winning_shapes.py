"""別種牌形: the patterns that are shapes other than five sets and a pair (`scoring.hands.shapes.declared`)."""

from functools import lru_cache

from scoring.hands.interpretation import Reading, own_trait
from scoring.hands.shapes.declared import SHAPES, Shape, shape_of
from scoring.hands.tables.traits import TRAITS, bits
from scoring.patterns.definition import Definition, Miss, Tiles, WhyNot, reading_definition


def other_shape(reading: Reading) -> Miss:
    """The reason why a pattern of five sets is not in a hand of another shape."""
    return Miss("is_other_shape", {"shape": reading.shape})


def all_tiles(reading: Reading) -> tuple[Tiles, ...]:
    """The tiles of a pattern that is made of the whole hand."""
    return (reading.tiles,)


def not_of(shape: Shape) -> WhyNot:
    """The function that says why a hand is not of this shape."""

    def why_not(reading: Reading) -> Miss:
        return Miss("not_of_shape", {"shape": shape})

    why_not.__doc__ = f"{shape.name}: {shape.text_en}, all closed."
    return why_not


for _shape in SHAPES:
    reading_definition(_shape.id, TRAITS[_shape.trait], tiles=all_tiles, shape=_shape)(not_of(_shape))
    if _shape.apart:  # 十六不搭 that is won with its pair only
        _of_pair = _shape._replace(last="pair")
        reading_definition(f"{_shape.id}+last=pair", TRAITS[_shape.trait], tiles=all_tiles, shape=_of_pair)(
            not_of(_shape)
        )


@lru_cache(maxsize=512)
def house_shape(id_: str) -> Definition:
    """The definition that is a shape of a house book, by its id (`scoring.hands.shapes.declared.shape_id`)."""
    shape = shape_of(id_)
    trait = own_trait(lambda reading: reading.shape == shape)
    return Definition(id_, "reading", (trait,), not_of(shape), all_tiles, shape=shape)


@reading_definition("concealed_self_draw.seven_pairs", TRAITS["seven_pairs"] | bits("self_drawn"))
def concealed_self_draw_seven_pairs(reading: Reading) -> Miss:
    """不求: self-drawn with seven pairs and a pung."""
    if reading.traits & TRAITS["seven_pairs"]:
        return Miss("not_self_drawn", near=True)
    return not_of(_SEVEN_PAIRS)(reading)


_SEVEN_PAIRS = next(shape for shape in SHAPES if shape.trait == "seven_pairs")
