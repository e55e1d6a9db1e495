"""A slow reference for the tally: from the tables of docs/rules-reading.md, sharing nothing with the engine.

It takes a hand as lists of codes and gives the patterns of every best reading for each of the four books.
Flower wins are left to the tables of the tests.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

Tiles = list[str]
Counted = dict[str, int]

SUITED = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
HONORS = [f"{rank}z" for rank in range(1, 8)]
KINDS = SUITED + HONORS
SEATS = "ESWN"
PLANT_OF_SEAT = {"E": "5f", "S": "6f", "W": "8f", "N": "7f"}
VALUES: dict[str, dict[str, int]] = {
    "luohan": {"all_melded": 2, "four": 6, "five": 16, "full_flush": 12, "flower_set": 2},
    "ntu": {"all_melded": 1, "four": 5, "five": 8, "full_flush": 8, "flower_set": 1},
    "common": {"all_melded": 2, "four": 5, "five": 8, "full_flush": 8, "flower_set": 2},
    "mahjong_time": {"all_melded": 2, "four": 5, "five": 8, "full_flush": 8, "flower_set": 2},
}
AS_COMMON = ("common", "mahjong_time")


def sets_of(tiles: Tiles) -> Iterator[list[tuple[str, ...]]]:
    """Every way to lay all the tiles out as sets, by always finding a home for the first tile."""
    if not tiles:
        yield []
        return
    first, rest = tiles[0], tiles[1:]
    if rest.count(first) >= 2:
        left = list(rest)
        left.remove(first)
        left.remove(first)
        for more in sets_of(left):
            yield [(first,) * 3, *more]
    if first[1] != "z" and int(first[0]) <= 7:
        chow = (first, f"{int(first[0]) + 1}{first[1]}", f"{int(first[0]) + 2}{first[1]}")
        if chow[1] in rest and chow[2] in rest:
            left = list(rest)
            left.remove(chow[1])
            left.remove(chow[2])
            for more in sets_of(left):
                yield [chow, *more]


def divisions(tiles: Tiles) -> list[tuple[str, list[tuple[str, ...]]]]:
    """(pair, closed sets) in every way."""
    ordered = sorted(tiles, key=KINDS.index)
    found = []
    for pair in dict.fromkeys(ordered):
        if ordered.count(pair) >= 2:
            left = list(ordered)
            left.remove(pair)
            left.remove(pair)
            found += [(pair, sets) for sets in sets_of(left)]
    return found


def is_seven_pairs(tiles: Tiles) -> bool:
    """Seven pairs and a pung: trying every pung."""
    for pung in set(tiles):
        left = Counter(tiles)
        left[pung] -= 3
        if left[pung] == 0 and all(count % 2 == 0 for count in left.values()) and len(tiles) == 17:
            return True
    return False


def waits(request: dict[str, Any]) -> Tiles:
    """Every kind tried on the 16 tiles; not one that the hand holds four times."""
    held = list(request["concealed"])
    held.remove(request["winning_tile"])
    everything = Counter(held + [tile for _, tiles in request["melds"] for tile in tiles])
    seven = request["seven_pairs"] and not request["melds"]
    return [
        kind
        for kind in KINDS
        if everything[kind] < 4 and (divisions([*held, kind]) or (seven and is_seven_pairs([*held, kind])))
    ]


def best(request: dict[str, Any]) -> tuple[int, list[Counted]]:
    """The most tai, and the patterns of every reading that has as much."""
    waited = waits(request)
    tallies: list[Counted] = []
    for pair, sets in divisions(request["concealed"]):
        places: list[int | None] = [place for place, one in enumerate(sets) if request["winning_tile"] in one]
        if pair == request["winning_tile"]:
            places.append(None)
        tallies += [_tally(request, pair, sets, place, waited) for place in places]
    if request["seven_pairs"] and not request["melds"] and is_seven_pairs(request["concealed"]):
        tallies.append(_seven_pairs(request, waited))
    if not tallies:
        return 0, []
    most = max(sum(one.values()) for one in tallies)
    return most, [one for one in tallies if sum(one.values()) == most]


def _common_part(request: dict[str, Any], waited: Tiles, counted: Counted) -> None:
    """What does not depend on the sets."""
    book, flowers, seat, events = request["book"], request["flowers"], request["seat"], request["events"]
    drawn = request["win"] == "self_draw"
    closed = all(kind == "concealed_kong" for kind, _ in request["melds"])
    if drawn and closed and book in AS_COMMON:
        counted["concealed_and_self_draw"] = 3
    elif drawn and closed and book == "luohan":
        counted |= {"concealed_hand": 1, "concealed_self_draw": 2}
    else:
        if closed:
            counted["concealed_hand"] = 1
        if drawn:
            counted["self_draw"] = 1
        if drawn and closed:
            counted["concealed_self_draw"] = 1
    if len(waited) == 1:
        counted["single_wait"] = 1
    if request["win"] == "rob_kong":
        counted["robbing_kong"] = 1
    if drawn and "flower_replacement" in events:
        counted["kong_bloom"] = 1
    if "last_tile" in events and drawn:
        counted["last_draw"] = 1
    if "last_tile" in events and request["win"] == "discard" and book in AS_COMMON:
        counted["last_discard"] = 1
    if "ready_declared" in events and book in AS_COMMON:
        counted["ready_declared"] = 1
    own = {f"{SEATS.index(seat) + 1}f", PLANT_OF_SEAT[seat]}
    seat_flowers, full_sets = 0, 0
    for colour in ({"1f", "2f", "3f", "4f"}, {"5f", "6f", "7f", "8f"}):
        full = colour <= set(flowers)
        full_sets += full
        if book == "ntu" or not full:
            seat_flowers += len(own & colour & set(flowers))
    if full_sets == 2 and book != "ntu":
        counted["eight_flowers"] = 8
    else:
        if full_sets:
            counted["flower_set"] = full_sets * VALUES[book]["flower_set"]
        if seat_flowers:
            counted["seat_flower"] = seat_flowers
    everything = set(request["concealed"]) | {tile for _, tiles in request["melds"] for tile in tiles}
    suits = {tile[1] for tile in everything}
    if suits == {"z"}:
        counted["all_honors"] = 16
    elif len(suits) == 1:
        counted["full_flush"] = VALUES[book]["full_flush"]
    elif len(suits) == 2 and "z" in suits:
        counted["half_flush"] = 4


def _tally(
    request: dict[str, Any], pair: str, closed_sets: list[tuple[str, ...]], place: int | None, waited: Tiles
) -> Counted:
    book, seat, round_ = request["book"], request["seat"], request["round"]
    values, drawn, melds = VALUES[book], request["win"] == "self_draw", request["melds"]
    counted: Counted = {}
    _common_part(request, waited, counted)
    pungs = [one[0] for one in closed_sets if one[0] == one[1]]
    concealed = len(pungs)
    if not drawn and place is not None and closed_sets[place][0] == closed_sets[place][1]:
        concealed -= 1
    for kind, tiles in melds:
        if kind != "chow":
            pungs.append(tiles[0])
            concealed += kind == "concealed_kong"
    # 全求, 半求
    if len(melds) == 5 and all(kind != "concealed_kong" for kind, _ in melds):
        if book == "ntu" or not drawn:
            counted["all_melded"] = values["all_melded"]
        else:
            counted["half_melded"] = 1
    # 平胡
    if not pungs and pair[1] != "z" and not drawn and place is not None and (book == "ntu" or not request["flowers"]):
        chow, tile = closed_sets[place], request["winning_tile"]
        low, high = int(chow[0][0]), int(chow[2][0])
        ends = {chow[0]: f"{high + 1}{tile[1]}", chow[2]: f"{low - 1}{tile[1]}"}
        if len(waited) >= 2 if book == "luohan" else ends.get(tile) in waited:
            counted["all_chows"] = 2
    # 暗刻, 對對胡
    if concealed == 5:
        counted["five_concealed_pungs"] = values["five"]
        if book == "luohan":
            counted.pop("concealed_hand", None)
    elif concealed == 4:
        counted["four_concealed_pungs"] = values["four"]
    elif concealed == 3:
        counted["three_concealed_pungs"] = 2
    without = (book == "luohan" and concealed == 5) or (book != "ntu" and "all_honors" in counted)
    if len(pungs) == 5 and not without:
        counted["all_pungs"] = 4
    # 三元, 四喜, 風, 箭
    dragons = sum(tile in pungs for tile in ("5z", "6z", "7z"))
    winds = sum(tile in pungs for tile in ("1z", "2z", "3z", "4z"))
    great = True
    if dragons == 3:
        counted["big_three_dragons"] = 8
    elif dragons == 2 and pair in ("5z", "6z", "7z"):
        counted["small_three_dragons"] = 4
    elif winds == 4:
        counted["big_four_winds"] = 16
    elif winds == 3 and pair in ("1z", "2z", "3z", "4z"):
        counted["small_four_winds"] = 8
    else:
        great = False
    if dragons and not {"big_three_dragons", "small_three_dragons"} & set(counted):
        counted["dragon_pung"] = dragons
    if "big_four_winds" not in counted and not ("small_four_winds" in counted and book != "luohan"):
        if f"{SEATS.index(seat) + 1}z" in pungs:
            counted["seat_wind_pung"] = 1
        if f"{SEATS.index(round_) + 1}z" in pungs:
            counted["round_wind_pung"] = 1
    if great and "all_honors" in counted and book == "luohan":
        counted["all_honors_overlap"] = -4
    return counted


def _seven_pairs(request: dict[str, Any], waited: Tiles) -> Counted:
    counted: Counted = {}
    _common_part(request, waited, counted)
    counted.pop("concealed_hand", None)
    if counted.get("concealed_and_self_draw") and request["book"] == "mahjong_time":
        del counted["concealed_and_self_draw"]
        counted["concealed_self_draw"] = 2
    counted["seven_pairs_and_pung"] = 8
    (pung,) = [tile for tile, count in Counter(request["concealed"]).items() if count == 3]
    if pung in ("5z", "6z", "7z"):
        counted["dragon_pung"] = 1
    if pung == f"{SEATS.index(request['seat']) + 1}z":
        counted["seat_wind_pung"] = 1
    if pung == f"{SEATS.index(request['round']) + 1}z":
        counted["round_wind_pung"] = 1
    return counted
