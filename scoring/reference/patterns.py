"""每種牌型的白話定義: what each pattern is made of, in one reading of a hand.

Every function gives patterns by the id of their definition, each as a list of instances: the tiles of each time that
the pattern is there. Books choose which of them they score.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from scoring.hands.hand import FLOWER_WINS, SEATS, Hand, WinContext
from scoring.rulebook.model import RuleBook, parts_of
from scoring.tiles import DRAGONS, FLOWERS, KINDS, PLANTS, SEASONS, WINDS, index

Tiles = tuple[int, ...]
Instances = list[Tiles]
"""A pattern once for each entry: its tiles, or () if it is not made of tiles. Empty: the hand has it not."""


class Division(NamedTuple):
    """The closed tiles as `sets` and the `pair`; for seven pairs and a pung (嚦咕嚦咕) all seven are in `pairs`."""

    sets: tuple[Tiles, ...]
    pair: int
    pairs: tuple[int, ...] = ()


class View(NamedTuple):
    """One reading. `place`: the set, or None for the pair, that the winning tile came to. `others`: all readings."""

    hand: Hand
    context: WinContext
    book: RuleBook
    waits: Tiles
    division: Division
    place: Tiles | None
    others: tuple[tuple[Division, Tiles | None], ...]


def if_(holds: object, made_of: Tiles = ()) -> Instances:
    """The pattern once, made of these tiles, if it holds."""
    return [made_of] if holds else []


def all_of(groups: Sequence[Tiles]) -> Tiles:
    """The tiles of several sets."""
    return tuple(chain.from_iterable(groups))


def patterns(view: View) -> dict[str, Instances]:
    """Every pattern of one reading, under the id of its definition, whether or not the book scores it."""
    return {**of_the_win(view), **of_events(view), **of_flowers(view), **of_sets(view), **of_suits(view)}


def of_the_win(view: View) -> dict[str, Instances]:
    """門清, 自摸, 不求, 全求, 半求, 獨聽, 搶槓 and the last tile."""
    events, win = view.context.events_of(view.hand), view.context.win
    calls = sum(meld.kind != "concealed_kong" for meld in view.hand.melds)
    drawn, closed, five_calls = view.context.self_drawn, not calls, calls == 5
    return {
        **{f"single_wait{name}": if_(holds, made_of) for name, holds, made_of in _single_waits(view)},
        "concealed_hand": if_(closed),
        "self_draw": if_(drawn),
        "concealed_self_draw": if_(closed and drawn),
        "concealed_self_draw.seven_pairs": if_(drawn and view.division.pairs),
        "concealed_and_self_draw": if_(closed and drawn),
        "all_melded.discard": if_(five_calls and not drawn),
        "all_melded.any_win": if_(five_calls),
        "half_melded": if_(five_calls and drawn),
        "robbing_kong": if_(win == "rob_kong"),
        "last_draw": if_("last_tile" in events and drawn),
        "last_discard": if_("last_tile" in events and win == "discard"),
    }


def of_events(view: View) -> dict[str, Instances]:
    """聽牌宣告, 天地人胡 and 槓上開花: what the players saw."""
    hand, context = view.hand, view.context
    events = context.events_of(hand)
    kong, flower, exposed = (
        event in events for event in ("kong_replacement", "flower_replacement", "after_exposed_kong")
    )
    # an exposed kong was replaced: the players say so, or the hand has no other kong (000 L442, L444)
    after_exposed = exposed or (kong and all(meld.kind not in ("added_kong", "concealed_kong") for meld in hand.melds))
    replaced = kong or flower or exposed
    blooms = replaced and ((flower and not exposed) or not after_exposed)
    heavenly, human = "heavenly_win" in events, "human_win" in events
    heavenly_ready, one_shot = "heavenly_ready" in events, "earthly_ready_one_shot" in events
    earthly_ready = one_shot or "earthly_ready" in events
    stands, not_dealer = "ready_void" not in events, context.seat != context.dealer
    return {
        **{id_: if_(id_ in events) for id_ in ("ready_declared", "early_ready", "heavenly_win", "earthly_win")},
        "heavenly_win.no_kong": if_(heavenly and not hand.melds),
        "human_win": if_(human and not hand.melds),
        "human_win.first_discard": if_(human),
        "kong_bloom": if_(blooms),
        "kong_bloom.heavenly_win_by_kong": if_(blooms and (kong or not heavenly)),
        "kong_bloom.any_kong": if_(replaced),
        "heavenly_ready": if_(heavenly_ready and stands),
        "heavenly_ready.non_dealer": if_(heavenly_ready and stands and not_dealer),
        "earthly_ready": if_(earthly_ready and stands),
        "earthly_ready.non_dealer": if_(earthly_ready and stands and not_dealer),
        "earthly_ready_one_shot": if_(one_shot and stands),
    }


def of_flowers(view: View) -> dict[str, Instances]:
    """正花, 花槓, 八仙過海, 七搶一 and 配牌花胡."""
    flowers, seat, win = view.hand.flowers, SEATS.index(view.context.seat), view.context.win
    own = (SEASONS[seat], index(view.book.plants[seat]))
    return {
        "no_flowers": if_(not flowers),
        "seat_flower": [(flower,) for flower in own if flower in flowers],
        "any_flower": [(flower,) for flower in flowers],
        "flower_set": [tuple(colour) for colour in (SEASONS, PLANTS) if set(colour) <= set(flowers)],
        "eight_flowers": if_(len(flowers) == len(FLOWERS), flowers),
        "eight_flowers.flower_win_only": if_(len(flowers) == len(FLOWERS) and win == "eight_flowers", flowers),
        "seven_rob_one": if_(win == "seven_rob_one", flowers),
        "dealt_flower_win": if_(win in FLOWER_WINS and "dealt_flowers" in view.context.events),
    }


def of_sets(view: View) -> dict[str, Instances]:
    """刻子, 槓子, 三元, 四喜, 暗刻, 對對胡."""
    hand, division = view.hand, view.division
    exposed = [meld.tiles for meld in hand.melds if meld.kind in ("kong", "added_kong")]
    hidden = [meld.tiles for meld in hand.melds if meld.kind == "concealed_kong"]
    kongs = exposed + hidden
    sets = [*division.sets, *(tuple(sorted(meld.tiles)) for meld in hand.melds)]
    pungs = [group for group in sets if group[0] == group[1]]
    own = [group for group in division.sets if group[0] == group[1]] + hidden
    if not view.context.drawn and view.place in own:
        own.remove(view.place)  # a pung completed by another's tile is not concealed
    seat, round_ = (WINDS[SEATS.index(wind)] for wind in (view.context.seat, view.context.round))

    def of(kinds: Sequence[int]) -> Instances:
        return [group for group in pungs if group[0] in kinds]

    def big(kinds: Sequence[int]) -> Instances:
        return if_(len(of(kinds)) == len(kinds), all_of(of(kinds)))

    def small(kinds: Sequence[int]) -> Instances:
        lacks_one = len(of(kinds)) == len(kinds) - 1 and division.pair in kinds and not division.pairs
        return if_(lacks_one, (*all_of(of(kinds)), division.pair, division.pair))

    suited = any(tile < WINDS[0] for tile in (*all_of(sets), division.pair))
    return {
        "seat_wind_pung": of([seat]),
        "round_wind_pung": of([round_]),
        "any_wind_pung": of(WINDS),
        "dragon_pung": of(DRAGONS),
        "small_three_dragons": small(DRAGONS),
        "big_three_dragons": big(DRAGONS),
        "small_four_winds": small(WINDS),
        "big_four_winds": big(WINDS),
        "all_honors_overlap": [] if suited else big(DRAGONS) or small(DRAGONS) or big(WINDS) or small(WINDS),
        "two_concealed_pungs": if_(len(own) == 2, all_of(own)),
        "three_concealed_pungs": if_(len(own) >= 3, all_of(own)),
        "four_concealed_pungs": if_(len(own) >= 4, all_of(own)),
        "five_concealed_pungs": if_(len(own) == 5, all_of(own)),
        "all_pungs": if_(len(pungs) == len(sets) and not division.pairs, all_of(pungs)),
        "kong_each": exposed,
        "concealed_kong_each": hidden,
        "four_kongs": if_(len(kongs) >= 4, all_of(kongs)),
        "five_kongs": if_(len(kongs) == 5, all_of(kongs)),
    }


def of_suits(view: View) -> dict[str, Instances]:
    """清一色, 湊一色, 字一色, 無字, and 嚦咕嚦咕, which is made of all tiles too."""
    hand = view.hand
    tiles = tuple(sorted((*hand.concealed, *all_of([meld.tiles for meld in hand.melds]))))
    suits, honors = {tile // 9 for tile in tiles if tile < WINDS[0]}, tiles[-1] >= WINDS[0]
    return {
        "half_flush": if_(len(suits) == 1 and honors, tiles),
        "full_flush": if_(len(suits) == 1 and not honors, tiles),
        "all_honors": if_(not suits, tiles),
        "no_honors": if_(not honors, tiles),
        "no_honors_no_flowers": if_(not honors and not hand.flowers, tiles),
        "seven_pairs_and_pung": if_(view.division.pairs, tiles),
    }


def _at_end(tile: int, chow: Tiles) -> int:
    """The tile past the other end of a chow that `tile` ends, -1 if there is none or it is the middle."""
    past = chow[2] + 1 if tile == chow[0] else chow[0] - 1 if tile == chow[2] else -1
    return past if past >= 0 and past // 9 == tile // 9 and tile != chow[1] else -1


def _single_waits(view: View) -> Iterator[tuple[str, bool, Tiles]]:
    """獨聽 in three meanings: one kind completes the hand; it came to a middle, an edge or the pair; both."""
    tile, place = view.hand.winning_tile, view.place
    assert tile is not None
    one = len(view.waits) == 1
    shape = place is None or (place[0] != place[1] and _at_end(tile, place) < 0)
    completed = place or (tile, tile)
    yield "", one, view.waits
    yield ".shape", shape, completed
    yield ".kind_and_shape", one and shape, completed


def all_chows(view: View, definition: str) -> bool:
    """平胡: five chows and a pair, waiting and won as the id of the book's definition says."""
    base, parts = parts_of(definition)
    flowers, _, wait = base.removeprefix("all_chows.").partition("flowers_")
    hand, tile, division = view.hand, view.hand.winning_tile, view.division
    assert tile is not None
    sets = [*division.sets, *(meld.tiles for meld in hand.melds)]

    def ends(place: Tiles | None, among: Sequence[int]) -> bool:
        return place is not None and place[0] != place[1] and _at_end(tile, place) in among

    of_chows = [(other, place) for other, place in view.others if all(one[0] != one[1] for one in other.sets)]
    of_five = [(other, place) for other, place in view.others if not other.pairs]
    waited = {
        "two_kinds": len(view.waits) >= 2 and view.place is not None,
        "two_sided": ends(view.place, view.waits),
        "not_single": len(view.waits) >= 2,
        "every_two_sided": all(ends(place, view.waits) for _, place in of_five),
        "open_end": ends(view.place, range(KINDS)),
        "every_open_end": all(ends(place, range(KINDS)) for _, place in of_chows),
        "any_wait": True,
    }
    return (
        not division.pairs
        and all(one[0] != one[1] for one in sets)
        and waited[wait]
        and ("pair" in parts or division.pair < WINDS[0])
        and ("self_draw" in parts or not view.context.self_drawn)
        and ("robbed_kong" not in parts or view.context.win != "rob_kong")
        and ("closed" not in parts or any(meld.exposed for meld in hand.melds))
        and ("many_waits" not in parts or len(view.waits) == 2)
        and (flowers != "no_" or not hand.flowers)
    )
