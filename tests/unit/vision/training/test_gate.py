"""Which share of a training is offered, and for what price: arithmetic on counts, no network."""

from __future__ import annotations

import pytest

from vision.training.evaluation.gate import (
    BETTER,
    LEARNED,
    MADE,
    NOTHING,
    OWN,
    PRICE,
    Count,
    Group,
    Trial,
    change,
    report,
    settle,
    trial,
)

OWN_TABLE, OTHER, DRAWN = Group("mine", OWN), Group("kitchen", "table"), Group("made", MADE)
LEARNED_TABLE = Group("mine", LEARNED)


def photos(right: int, false: int = 0, count: int = 6, tiles: int = 17) -> list[Count]:
    """``count`` photos of ``tiles`` tiles, each read alike."""
    return [Count(tiles, right, false, right == tiles and not false)] * count


BEFORE = {OWN_TABLE: photos(14), OTHER: photos(16), DRAWN: photos(17)}


def tried(share: float, own: list[Count], other: list[Count], made: list[Count]) -> Trial:
    return trial(share, BEFORE, {OWN_TABLE: own, OTHER: other, DRAWN: made})


GOOD = tried(0.35, photos(17), photos(16), photos(17))
LESS = tried(0.2, photos(15), photos(17), photos(17))
DEAR = tried(0.5, photos(17), photos(13), photos(17))
LETTERED = tried(0.5, photos(17), photos(16, false=1), photos(17))
USELESS = tried(0.2, photos(14), photos(17), photos(17))
HALF_HIDDEN = tried(0.35, photos(17), photos(17), photos(16))
"""The other table gains as much as the made photos lose."""


@pytest.mark.parametrize(
    ("trials", "verdict", "share"),
    [
        ([LESS, GOOD, DEAR], BETTER, 0.35),
        ([LESS, DEAR], BETTER, 0.2),
        ([DEAR], PRICE, 0.5),
        ([LETTERED], PRICE, 0.5),
        ([HALF_HIDDEN], PRICE, 0.35),
        ([USELESS], NOTHING, 0.2),
        ([], NOTHING, None),
    ],
    ids=["most gain", "less gain without harm", "harm", "made-up tiles are harm", "no table pays", "no gain", "none"],
)
def test_what_is_offered(trials: list[Trial], verdict: str, share: float | None) -> None:
    found = settle(trials)
    assert (found.verdict, found.chosen and found.chosen.share) == (verdict, share)


def test_of_two_shares_that_gain_the_same_the_smaller_is_taken() -> None:
    same = tried(0.2, photos(17), photos(16), photos(17))
    found = settle([GOOD, same]).chosen
    assert found is not None
    assert found.share == 0.2


def test_a_photo_that_is_no_longer_whole_is_harm() -> None:
    whole = {OWN_TABLE: photos(14), OTHER: [Count(17, 17, 0, True), Count(17, 15, 0, False)]}
    after = {OWN_TABLE: photos(17), OTHER: [Count(17, 16, 0, False), Count(17, 16, 0, False)]}
    assert not trial(0.35, whole, after).harmless


def test_made_photos_that_swing_both_ways_are_no_harm() -> None:
    swinging = [*photos(16, count=2), *photos(17, count=4)]
    assert tried(0.35, photos(17), photos(16), swinging).harmless
    assert not tried(0.35, photos(17), photos(16), photos(16)).harmless


def test_where_there_is_no_other_table_made_photos_stand_for_them() -> None:
    before = {OWN_TABLE: photos(14), DRAWN: photos(17)}
    same, worse = ({OWN_TABLE: photos(17), DRAWN: photos(right)} for right in (17, 15))
    assert settle([trial(0.35, before, same)]).verdict == BETTER
    dear = settle([trial(0.35, before, worse)])
    assert dear.verdict == PRICE
    assert dear.chosen is not None
    assert dear.chosen.others.points == -11.8


@pytest.mark.parametrize(
    ("other", "made", "losers"),
    [
        (photos(16), photos(17), []),
        (photos(13), photos(17), ["kitchen"]),
        (photos(17), photos(15), ["made"]),
        (photos(13), photos(16), ["kitchen", "made"]),
    ],
    ids=["nobody", "a table", "made photos", "both, the worst first"],
)
def test_the_report_names_the_groups_that_decided(other: list[Count], made: list[Count], losers: list[str]) -> None:
    """Made photos have decided while the report gave the gain of the other tables as the price."""
    trials = [tried(0.35, photos(17), other, made)]
    assert [group["name"] for group in report(settle(trials), trials)["decided"]] == losers
    assert trials[0].harmless == (not losers)


def test_a_lost_whole_photo_names_its_table() -> None:
    before = {OWN_TABLE: photos(14), OTHER: [Count(17, 17, 0, True), Count(17, 15, 0, False)]}
    after = {OWN_TABLE: photos(17), OTHER: [Count(17, 16, 0, False), Count(17, 16, 0, False)]}
    (loser,) = report(settle([trial(0.35, before, after)]), [])["decided"]
    assert (loser["name"], loser["points"], loser["exact"]) == ("kitchen", 0.0, [1, 0])


def test_the_smaller_loss_of_made_photos_is_the_better_price() -> None:
    less, more = tried(0.35, photos(17), photos(17), photos(16)), tried(0.5, photos(17), photos(17), photos(13))
    assert settle([more, less]).chosen is less


def test_what_was_learned_from_proves_nothing() -> None:
    before = {LEARNED_TABLE: photos(14), OWN_TABLE: photos(14), OTHER: photos(16)}
    after = {LEARNED_TABLE: photos(17), OWN_TABLE: photos(14), OTHER: photos(16)}
    assert settle([trial(0.35, before, after)]).verdict == NOTHING


def test_where_all_photos_were_learned_from_they_stand_for_the_table() -> None:
    before = {LEARNED_TABLE: photos(14), OTHER: photos(16)}
    after = {LEARNED_TABLE: photos(17), OTHER: photos(16)}
    found = settle([trial(0.35, before, after)])
    assert found.verdict == BETTER
    assert report(found, [])["own_learned"]


def test_points_and_their_interval() -> None:
    found = change([*photos(14, count=10), *photos(17, count=10)], photos(17, count=20))
    assert (found.net, found.points) == (30, 8.8)
    assert found.low is not None
    assert found.high is not None
    assert 3 < found.low < found.points < found.high < 15
    same = change(photos(16), photos(16))
    assert (same.points, same.low, same.high) == (0.0, 0.0, 0.0)
    few = change(photos(16, count=2), photos(17, count=2))
    assert (few.low, few.high) == (None, None)


def test_the_report_names_every_table_and_every_share() -> None:
    found = report(settle([DEAR, LESS]), [DEAR, LESS])
    assert found["verdict"] == BETTER
    points = {group["name"]: group["points"] for group in found["groups"]}
    assert points == {"mine": 5.9, "kitchen": 5.9, "made": 0.0}
    assert [(one["share"], one["harmless"]) for one in found["tried"]] == [(0.5, False), (0.2, True)]
    assert not found["own_learned"]
