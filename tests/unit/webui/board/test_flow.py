"""Photo to tally without scripts: the forms alone."""

from __future__ import annotations

import json
from typing import Any

import pytest


def test_photo_to_tally(page: Any) -> None:
    page.upload()
    assert page.status == 200
    assert page.tai == 3  # dragon pung, seat flower, self-draw
    page.press(win="discard", dealer="S")
    assert page.tai == 2
    assert "選誰放槍，就知道誰付" in page.text  # the hand's tai stand without it
    assert 'class="pay"' not in page.html
    page.press(discarder="N")
    assert page.tai == 2
    assert "北家付東家 5 點（2 台）" in page.text
    assert "麻將羅漢規則 第 34 行" in page.text


def test_what_nearly_counted_says_why_not(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = {**hand(), "concealed": "222m333p44s66z", "winning": "4s"}
    page.upload()
    page.press(win="discard", dealer="S", discarder="N")
    nearly = page.html.split('id="nearly"')[1].split("</ul>")[0]
    assert "四索的刻子是別人放槍才成的，暗刻只有 2 組" in nearly
    assert "麻將羅漢規則 第 126 行" in nearly
    assert "聽 2 洞" not in nearly  # the waits stand below the tally


def test_a_tile_is_corrected_and_the_tally_follows(page: Any) -> None:
    page.upload()
    place = page.place("1z")
    page.press(f"edit:{place}")
    assert "這張是什麼牌" in page.text
    assert page.html.count(f'value="set:{place}:') >= 43
    page.press(f"set:{place}:9m")
    assert page.tai is None
    assert "還不是胡牌" in page.text
    page.press(f"set:{place}:1z")
    assert page.tai == 3
    assert json.loads(page.fields()["state"])["tiles"][place]["k"] is True


def test_without_a_winning_tile_it_asks_and_says_what_each_would_give(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = {key: text for key, text in hand(concealed="234m567p345s11z").items() if key != "winning"}
    page.upload()
    assert "胡的是哪一張" in page.text
    assert page.tai is None
    assert page.html.count('class="would"') == 11
    page.press(f"win:{page.place('5s')}")
    assert page.tai == 3
    page.press("pick")
    page.press(f"win:{page.place('2m')}")
    assert [tile["t"] for tile in json.loads(page.fields()["state"])["tiles"] if tile["g"] == "winning"] == ["2m"]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        pytest.param({"concealed": "34m567p14s11z"}, "還不是胡牌", id="16-tiles-that-wait-for-nothing"),
        pytest.param({"concealed": "2345m567p34s11z"}, "還不是胡牌", id="18-tiles"),
        pytest.param({"concealed": "55m567p34s111z"}, "這手牌有問題", id="five-of-a-kind"),
        pytest.param({"meld:1": "556m"}, "這手牌有問題", id="no-meld"),
        pytest.param({"flowers": "1f1f"}, "這手牌有問題", id="two-of-one-flower"),
    ],
)
def test_what_cannot_be_is_said_and_kept(
    changed: dict[str, str], sentence: str, page: Any, reader: Any, hand: Any
) -> None:
    reader.groups = hand(**changed)
    page.upload()
    assert page.status == 200
    assert sentence in page.text
    assert '<ul class="problems"><li>' in page.html
    assert "/photo/" in page.html
    assert page.tai is None


def test_a_photo_without_tiles_is_kept_and_tiles_can_be_added(page: Any, reader: Any) -> None:
    reader.groups = {}
    page.upload()
    assert "照片裡沒找到牌" in page.text
    assert "/photo/" in page.html
    page.press("add:concealed")
    for code in ["2m", "3m", "4m", "5p", "6p", "7p", "3s", "4s", "5s", "1z", "1z", "6m", "6m", "6m", "8p", "8p", "8p"]:
        page.press(f"put:{code}", into="concealed")
    page.press("put:1f", into="concealed")
    assert page.place("1f", "flowers") == 17
    page.press(f"win:{page.place('5s')}")
    assert page.tai


def test_no_photo_at_all(page: Any) -> None:
    page.take(page.client.post("/", data={"manual": "1"}))
    assert page.status == 200
    assert "還沒有牌" in page.text


def test_moves_between_groups(page: Any) -> None:
    page.upload()
    place = page.place("2m")
    page.press(f"move:{place}:meld:new")
    assert page.place("2m", "meld:3") == place
    page.press(f"move:{place}:concealed")
    assert page.tai == 3
    page.press(f"drop:{page.place('1f', 'flowers')}")
    assert page.tai == 2  # 1f was the flower of the seat
    page.press(f"set:{page.place('6f', 'flowers')}:5p")
    assert page.place("5p", "concealed") is not None


def test_a_face_down_kong_is_filled_up(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = hand(**{"meld:1": "5mbackbackback"})
    page.upload()
    assert "暗槓" in page.text
    assert page.tai
    page.press("kind:1:kong")
    assert json.loads(page.fields()["state"])["kinds"]["1"] == "kong"
    assert page.tai


def test_a_kong_of_backs_only_asks_for_its_face(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = hand(**{"meld:1": "backbackbackback"})
    page.upload()
    assert "全是蓋著的牌" in page.text
    page.press(f"set:{page.place('back', 'meld:1')}:8p")
    assert page.tai


def test_uncertain_tiles_stay_visible_until_looked_at(page: Any, reader: Any) -> None:
    reader.confidences = {0: 0.5}
    page.upload()
    assert "1 張沒把握" in page.text
    assert "請看一下這 1 張" in page.text
    assert "確認後台數才算數" in page.text
    page.press("set:0:2m")
    assert "每張都有把握" in page.text
    assert "請看一下這" not in page.text
    assert "確認後台數才算數" not in page.text


def test_the_language_changes_and_the_hand_stays(page: Any) -> None:
    page.upload()
    page.press(f"set:{page.place('1z')}:9m")
    page.press("", lang="en")
    assert "Not a winning hand yet" in page.text
    assert 'lang="en"' in page.html
    assert page.place("9m") is not None
    assert page.client.get_cookie("lang").value == "en"


def test_the_next_hand_keeps_seats_and_stakes(page: Any) -> None:
    page.upload()
    page.press("again", seat="W", dealer="N", streak="2", base="10", per_tai="5", win="discard", discarder="S")
    assert 'id="camera"' in page.html
    fields = page.fields()
    page.upload(**{key: value for key, value in fields.items() if isinstance(value, str)})
    assert "北家作莊" in page.text
    assert "連莊 2" in page.text
    assert "自摸" in page.text
    assert page.fields()["base"] == "10"


def test_events_that_contradict_are_greyed_with_the_reason(page: Any) -> None:
    page.upload()
    assert "天胡" in page.text
    chip = page.html.split('value="human_win"')[1].split("</span>")[0]
    assert "disabled" in chip
    assert 'id="why-events-human_win"' in page.html


def test_house_points(page: Any) -> None:
    page.upload()
    page.press(win="discard", discarder="N", dealer="S", base="10", per_tai="5")
    assert "20 點" in page.text


@pytest.mark.parametrize("win", ["self_draw", "discard", "rob_kong", "eight_flowers", "seven_rob_one"])
def test_every_way_to_win_is_answered(win: str, page: Any) -> None:
    page.upload()
    page.press(win=win)
    assert page.status == 200
    page.press(win=win, discarder="N", seat="N")  # the winner cannot be the discarder: taken back
    assert page.status == 200


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("concealed, melds：五筒（5p）有 6 張", "五筒有 6 張"),
        ("melds[0].tiles: no tile", "no tile"),
        ("天胡（heavenly_win）與放槍（discard）矛盾", "天胡與放槍矛盾"),
        ("flowers: spring (1f) twice", "spring twice"),
        ("少 1 張：手牌 12 張", "少 1 張：手牌 12 張"),
        ("not five sets and a pair: 2 away", "not five sets and a pair: 2 away"),
    ],
)
def test_the_names_of_request_keys_are_not_shown(sentence: str, shown: str) -> None:
    from webui.board.panels.reading.contradictions import plain

    assert plain(sentence) == shown


def test_nothing_is_taken_for_granted_that_was_not_said(page: Any) -> None:
    page.shoot()
    assert page.tai is None
    assert "哪一家胡" in page.text
    assert not set(page.fields()) & {"win", "seat", "round", "dealer", "streak"}
    assert "至少 1 台" in bar_of(page)  # the dragons, whoever won
    assert 'id="settle"' not in page.html
    assert page.client.post("/records", data=page.fields()).status_code == 409
    page.press("say:seat=S")
    assert "南家怎麼胡的" in page.text
    page.press("say:win=discard,discarder=W")
    assert "誰作莊" in bar_of(page)
    assert "什麼圈" not in bar_of(page)  # no pung of winds
    assert page.tai is None
    page.press("say:dealer=E,streak=0")
    assert page.tai == 2  # 中 and the flower of South
    assert "西家付南家" in page.text


def bar_of(page: Any) -> str:
    """The dialogue at the bottom of the board."""
    return str(page.html.split('data-part="bar"')[1].split("</section>")[0])


@pytest.mark.parametrize(
    ("concealed", "said", "questions"),
    [
        pytest.param("234m567p34s11z", "say:win=discard,discarder=W", ["誰作莊"], id="no wind: the round is nothing"),
        pytest.param("222z567p34s11z", "say:win=discard,discarder=W", ["什麼圈", "誰作莊"], id="a pung of winds"),
    ],
)
def test_only_what_the_number_hangs_on_is_asked(
    concealed: str, said: str, questions: list[str], page: Any, reader: Any, hand: Any
) -> None:
    reader.groups = hand(concealed=concealed)
    page.shoot()
    page.press("say:seat=S")
    page.press(said)
    answers = {"什麼圈": "say:round=E", "誰作莊": "say:dealer=S,streak=0"}
    for question in questions:
        assert question in bar_of(page)
        page.press(answers[question])
    assert page.tai is not None


def test_a_streak_is_asked_where_the_dealer_pays_or_is_paid(page: Any) -> None:
    page.shoot(dealer="N")
    page.press("say:seat=S")
    page.press("say:win=discard,discarder=W")
    assert page.tai == 2  # North deals, and has nothing to do with it
    page.shoot(dealer="W")
    page.press("say:seat=S")
    page.press("say:win=discard,discarder=W")
    assert "連莊幾次" in bar_of(page)


def test_the_winds_of_the_last_hand_are_remembered_and_shown(page: Any) -> None:
    page.upload()
    page.press("again", seat="W", dealer="N", round="S", streak="2")
    page.shoot(**{key: value for key, value in page.fields().items() if isinstance(value, str)})
    assert "南風圈・北家莊・連 2" in page.text
    assert "照上一把" in page.text
    assert page.tai is None  # who won is asked of every hand
    page.press("say:seat=E")
    page.press("say:win=self_draw")
    assert page.tai is not None
    assert (page.fields()["dealer"], page.fields()["streak"]) == ("N", "2")
    page.press("", dealer="E")
    assert "照上一把" not in page.text
    page.shoot()  # a photo from a start page that was opened again
    assert "南風圈・東家莊・連 2" in page.text


@pytest.mark.parametrize("bad", ["say:", "say:seat=X", "say:rules=ntu", "say:win=", "say:streak=x", "say:seat"])
def test_what_cannot_be_said_is_refused(bad: str, page: Any) -> None:
    page.shoot()
    assert page.client.post("/hand", data={**page.fields(), "do": bad}).status_code == 400


def test_sixteen_tiles_tell_what_is_waited_for(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = {key: text for key, text in hand().items() if key != "winning"}
    page.upload()
    waits = page.html.split('class="wait-list"')[1].split("</ul>")[0]
    assert [f'alt="{name}"' in waits for name in ("二索", "五索", "三索")] == [True, True, False]
    assert "自摸 3 台" in waits


def test_the_tile_from_the_river_is_one_tap(page: Any, reader: Any, hand: Any) -> None:
    """Sixteen tiles are a hand that waits, and no error; the winning one is still in the river."""
    reader.groups = {key: text for key, text in hand().items() if key != "winning"}
    page.shoot()
    bar = bar_of(page)
    assert "還不是胡牌" not in page.text
    assert [f"胡{name}" in bar for name in ("二索", "五索", "三索")] == [True, True, False]
    page.press("put:2s:winning")
    page.press("say:seat=E")
    page.press("say:win=discard,discarder=N")
    page.press("say:dealer=E,streak=0")
    assert page.tai == 2  # dragons and a flower of the seat
    page.press("undo")
    assert "胡五索" in bar_of(page)


def test_one_of_the_sixteen_that_was_taken_for_the_winning_tile_goes_back(page: Any, reader: Any, hand: Any) -> None:
    reader.groups = hand(concealed="234m567p4s11z", winning="3s")
    page.shoot()
    page.press(f"move:{page.place('3s', 'winning')}:concealed+put:5s:winning")
    page.press("say:seat=E")
    page.press("say:win=self_draw")
    page.press("say:dealer=E,streak=0")
    assert page.tai == 3


@pytest.mark.parametrize(("book", "told"), [("luohan", "nearest"), ("ntu", "nearest"), ("mahjong_time", "all")])
def test_what_the_book_does_with_two_winners_is_told(book: str, told: str) -> None:
    from scoring.rulebook.loading import load_book
    from webui.board.panels.answer.payments import second_winner
    from webui.board.state import Context

    rules = load_book(book)
    assert {"nearest": "nearest", "nearest_or_three": "nearest", "each": "all"}[rules.payment.several_winners] == told
    assert second_winner(rules, Context(win="discard", seat="S", discarder="E")) == told
    assert second_winner(rules, Context(win="self_draw", seat="S")) == ""


def test_what_is_paid_stands_beside_the_hands_own_tai(page: Any) -> None:
    page.upload()
    page.press(win="discard", seat="S", dealer="S", discarder="N", streak="2")
    paid = page.html.split('class="total-paid"')[1].split("</ul>")[0]
    assert "北家付" in paid
    assert f"{page.tai} 台" not in paid  # dealer and streak come on top
