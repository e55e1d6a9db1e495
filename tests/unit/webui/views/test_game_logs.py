"""牌譜頁: a log from a file, step by step, exported, and its won hand on the board."""

from __future__ import annotations

import io
import json
import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from vision.game_log.log import ORDER, WINDS, Event, GameLog, Player
from vision.game_log.reading import read_log, to_text
from webui import create_app
from webui.game_logs.replay import table_after
from webui.views.records.game_logs import LONGEST

CLOSED = ("2m", "3m", "4m", "6p", "7p", "8p", "3s", "4s", "5s", "5z", "5z")
EVENTS = (
    Event("flower", place=1, tile="2f"),
    Event("discard", place=0, tile="1z"),
    Event("pung", place=1, tile="1z", giver=0),
    Event("discard", place=1, tile="9m"),
    Event("discard", place=2, open=("tile",), maybe={"tile": (("5p", 0.6),)}),
    Event("discard", tile="9s", open=("place", ORDER)),
    Event("concealed_kong", place=1, tile="7z"),
    Event("discard", place=3, tile="5s"),
    Event("win", place=1, tile="5s", by="discard", giver=3, concealed=CLOSED),
)
LOG = GameLog(EVENTS, tuple(Player("", wind) for wind in WINDS), dealer=0, round="S")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app({"DATA": str(tmp_path_factory.mktemp("data"))}).test_client()


def sent(client: FlaskClient, data: str | bytes, **fields: str) -> TestResponse:
    content = data.encode() if isinstance(data, str) else data
    return client.post("/log", data={"file": (io.BytesIO(content), "dir/hand.json"), **fields})


def test_the_table_after_each_event() -> None:
    assert [side.river for side in table_after(LOG, 2).sides] == [["1z"], [], [], []]
    whole = table_after(LOG, len(EVENTS))
    assert [side.river for side in whole.sides] == [[], ["9m"], [None], []]
    assert whole.sides[1].melds == [["1z"] * 3, ["7z"] * 4]
    assert whole.sides[1].flowers == ["2f"]
    assert whole.sides[1].hand == list(CLOSED)
    assert whole.loose.river == ["9s"]
    pung, kong = Event("pung", place=2, tile="3p", giver=1), Event("added_kong", place=2, tile="3p")
    assert table_after(GameLog((pung, kong)), 2).sides[2].melds == [["3p"] * 4]
    assert table_after(GameLog((kong, Event("later"))), 2).sides[2].melds == [["3p"]]


@pytest.mark.parametrize(
    ("lang", "sentence"), [("en", "South calls a pung of east from East"), ("zh", "南家碰東家的東")]
)
def test_a_log_is_shown_step_by_step(lang: str, sentence: str, client: FlaskClient) -> None:
    page = sent(client, to_text(LOG), step="3")
    client.set_cookie("lang", lang)
    shown = client.post("/log", data={"log": to_text(LOG), "step": "3"})
    assert (page.status_code, shown.status_code) == (200, 200)
    heading = re.search(r'<h2 id="log-now"[^>]*>(.*?)</h2>', shown.text)
    assert heading is not None
    assert heading[1] == f"3／9 {sentence}"
    assert "hand.json" in page.text
    for step in ("0", "999999", "-1", "x", "9" * 30):
        assert client.post("/log", data={"log": to_text(LOG), "step": step}).status_code == 200
    client.delete_cookie("lang")


def test_the_exported_file_is_the_log(client: FlaskClient) -> None:
    answer = client.post("/log/file", data={"log": to_text(LOG)})
    assert "attachment" in answer.headers["Content-Disposition"]
    assert read_log(answer.data) == LOG


@pytest.mark.parametrize(
    ("data", "status", "sentence"),
    [
        ("{}", 400, "這個檔案不是牌譜"),
        (to_text(LOG).replace('"9m"', '"9x"'), 400, "第 4 筆：tile 應該是一張牌"),
        ("", 400, "沒有選檔案"),
        (b"\x00" * 450_000, 413, "檔案太大"),
    ],
    ids=["not a log", "a fault", "empty", "large"],
)
def test_a_bad_file_is_refused_with_its_reason(
    data: str | bytes, status: int, sentence: str, client: FlaskClient
) -> None:
    answer = sent(client, data)
    assert answer.status_code == status
    assert sentence in answer.text


def test_a_log_that_opens_can_be_stepped_through(client: FlaskClient) -> None:
    """The page writes a log with spaces: a file without them may be short enough and its page not."""
    guesses = {"tile": tuple((f"{rank}m", 0.11) for rank in range(1, 9))}
    for number in (1800, 2000):
        log = GameLog(tuple(Event("discard", place=0, open=("tile",), maybe=guesses) for _ in range(number)))
        compact = json.dumps(json.loads(to_text(log)), separators=(",", ":"))
        assert len(compact) < LONGEST
        carried = client.post("/log", data={"log": to_text(log), "step": "1"})
        assert sent(client, compact).status_code == carried.status_code == (200 if number == 1800 else 413)


def test_what_cannot_be_is_told(client: FlaskClient) -> None:
    odd = GameLog((Event("discard", place=0, tile="1z"), Event("discard", place=2, tile="2z")))
    page = sent(client, to_text(odd))
    assert "第 2 筆：還沒輪到這一家" in page.text
    assert "看不出誰胡了" in page.text
    assert client.post("/log/hand", data={"log": to_text(odd)}).status_code == 400
    assert client.post("/log/file", data={"log": "{"}).status_code == 400


def state_of(answer: TestResponse) -> dict[str, object]:
    found = re.search(r'name="state" value="([^"]*)"', answer.text)
    assert found is not None
    state: dict[str, object] = json.loads(found[1].replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&"))
    return state


def test_the_won_hand_is_on_the_board(client: FlaskClient) -> None:
    answer = client.post("/log/hand", data={"log": to_text(LOG)})
    assert answer.status_code == 200
    state = json.dumps(state_of(answer))
    for code in ("5s", "7z", "2f", "1z"):
        assert f'"{code}"' in state
    for group, number in (("meld:1", 3), ("meld:2", 4), ("flowers", 1), ("winning", 1), ("concealed", 10)):
        assert state.count(f'"{group}"') >= number, group
    assert "牌譜有 2 筆沒看清楚" in answer.text


def test_each_winner_of_a_discard_is_recorded(client: FlaskClient) -> None:
    second = Event("win", place=0, tile="1z", by="discard", giver=2, concealed=("1z", "1z"))
    log = to_text(GameLog((*EVENTS, second), LOG.players))
    page = sent(client, log)
    assert page.text.count('name="winner"') == 2
    assert all(f"記{who}胡的這一把" in page.text for who in ("南家", "東家"))
    boards = [client.post("/log/hand", data={"log": log, "winner": winner}) for winner in ("0", "1", "2")]
    assert [board.status_code for board in boards] == [200, 200, 400]
    assert [json.dumps(state_of(board)).count('"concealed"') for board in boards[:2]] == [10, 1]


def test_what_the_log_leaves_open_is_asked(client: FlaskClient) -> None:
    win = Event("win", place=1, tile=None, concealed=CLOSED, open=("tile", "by", "from"))
    answer = client.post("/log/hand", data={"log": to_text(GameLog((*EVENTS[:-1], win)))})
    assert answer.status_code == 200
    assert 'id="ask"' in answer.text
