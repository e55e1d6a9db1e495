"""The board (board/board.js): one move after the other. A field's change is repeated on the current form, and a move
that did not arrive is not shown as done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.scripts.conftest import Scripts

BOARD = "board/board.js"
FORM = """<main id=app><form id=hand action=/hand class=board method=post>
<p id=notice hidden></p>
<section data-part=tally><b id=told>{told}</b></section>
<section data-part=context>
<input type=hidden name=state value="{told}"><input type=file name=photo id=second>
<input type=radio name=seat value=E id=seat-E checked><input type=radio name=seat value=S id=seat-S>
<input type=checkbox name=events value=one id=one checked><input type=checkbox name=events value=two id=two>
<select name=rules id=rules><option selected>luohan<option>ntu</select>
<input name=player_E id=player_E value=""><input type=radio name=into value=pung id=into-pung>
<fieldset><label class=chip title="had no kong" id=grey><input type=checkbox disabled> 槓開 </label>
<p class=why hidden></p></fieldset>
<button name=do value=undo id=undo>undo</button><button name=do value=again id=again>again</button>
<button name=lang value=en id=en formaction=/hand>English</button>
<button name=do value=settle id=settle formaction=/settle>settle</button>
<a href="#place" id=link>there</a>
</section></form><div id=place><input type=hidden><button id=first>first</button></div></main>"""
# A server with prepared answers; `sent` is its input, field by field.
SERVER = """([answers, form]) => {
  document.body.innerHTML = form.replaceAll("{told}", "0");
  document.body.dataset.offline = "away";
  window.sent = [];
  window.XMLHttpRequest = class {
    upload = {};
    open(method, address) { this.address = address; }
    setRequestHeader() {}
    getResponseHeader() { return null; }
    send(data) {
      sent.push([...data].map(([name, value]) => `${name}=${value}`).join(" "));
      const usual = [200, form.replaceAll("{told}", String(sent.length))];
      [this.status, this.responseText] = answers.length ? answers.shift() : usual;
      setTimeout(() => { if (this.status) this.onload(); else this.onerror(); }, 5);
    }
  };
}"""
DO = """async (m, code) => {
  m.startBoard();
  const by = (id) => document.getElementById(id);
  const choose = (id) => {
    by(id).checked = !by(id).checked;
    by(id).dispatchEvent(new Event("change", {bubbles: true}));
  };
  const answers = () => Number(document.documentElement.dataset.answers ?? 0);
  const wait = async (count) => {
    while (answers() < count) await new Promise((go) => setTimeout(go, 5));
  };
  return await eval(code)(by, choose, wait, m);
}"""


def play(anew: Scripts, code: str, *answers: tuple[int, str]) -> Any:
    """The result of the code on a board whose server answers so, and the fresh board afterwards."""
    anew.page.evaluate(SERVER, [[list(one) for one in answers], FORM])
    return anew.run(BOARD, DO, code)


USUAL = "state=0 seat=E events=one rules=luohan player_E="


@pytest.mark.parametrize(
    ("act", "wanted"),
    [
        pytest.param('by("undo").click()', USUAL + " do=undo", id="a button"),
        pytest.param('choose("seat-S")', USUAL.replace("seat=E", "seat=S") + " do=", id="a chip"),
        pytest.param('choose("two")', "state=0 seat=E rules=luohan player_E= events=one events=two do=", id="one more"),
        pytest.param('choose("one")', "state=0 seat=E rules=luohan player_E= do=", id="one less"),
        pytest.param('choose("into-pung")', USUAL + " into=pung do=add:pung", id="tiles go into another group"),
        pytest.param('m.submitMove("move:3:meld")', USUAL + " do=move:3:meld", id="a move without a button"),
    ],
)
def test_what_a_move_sends(anew: Scripts, act: str, wanted: str) -> None:
    told = play(
        anew, f"async (by, choose, wait, m) => {{ {act}; await wait(1); return [sent, by('told').textContent]; }}"
    )
    assert told == [[wanted], "1"]


def test_a_photo_that_is_chosen_is_no_move(anew: Scripts) -> None:
    """The photo is sent alone: an answer to the old hand would come later and remove the photo's message."""
    code = """async (by, choose, wait) => {
      by("second").dispatchEvent(new Event("change", {bubbles: true}));
      by("undo").click();
      await wait(1);
      return sent;
    }"""
    assert play(anew, code) == [USUAL + " do=undo"]


def test_a_select_is_sent_as_it_was_chosen(anew: Scripts) -> None:
    code = """async (by, choose, wait) => {
      by("rules").selectedIndex = 1;
      by("rules").dispatchEvent(new Event("change", {bubbles: true}));
      await wait(1);
      return sent;
    }"""
    assert play(anew, code) == [USUAL.replace("luohan", "ntu") + " do="]


def test_moves_go_one_after_the_other_each_from_the_state_before(anew: Scripts) -> None:
    """Chips are tapped faster than answers come: each is done again on the form that is there when its turn comes."""
    code = """async (by, choose, wait) => {
      choose("seat-S");
      choose("two");
      by("undo").click();
      await wait(3);
      return sent;
    }"""
    assert play(anew, code) == [
        "state=0 seat=S events=one events=two rules=luohan player_E= do=",
        "state=1 seat=E rules=luohan player_E= events=one events=two do=",
        "state=2 seat=E events=one rules=luohan player_E= do=undo",
    ]


@pytest.mark.parametrize(
    ("act", "field"), [('choose("seat-S")', "seat-E"), ('choose("one")', "one")], ids=["radio", "checkbox"]
)
def test_what_did_not_arrive_is_not_lit(anew: Scripts, act: str, field: str) -> None:
    code = f"""async (by, choose, wait) => {{
      {act};
      await wait(1);
      return [by("{field}").checked, by("told").textContent, by("notice").textContent, by("notice").hidden];
    }}"""
    assert play(anew, code, (0, "")) == [True, "0", "away", False]


def test_a_select_that_did_not_arrive_goes_back(anew: Scripts) -> None:
    code = """async (by, choose, wait) => {
      by("rules").selectedIndex = 1;
      choose("two");
      await wait(1);
      const other = by("rules").value;  // another field stays as it was chosen
      by("rules").dispatchEvent(new Event("change", {bubbles: true}));
      await wait(2);
      return [other, by("rules").value, by("one").checked, by("two").checked];
    }"""
    assert play(anew, code, (0, ""), (422, '{"error": "no"}')) == ["ntu", "luohan", True, False]


def test_a_refusal_is_said_in_its_own_words_and_the_next_move_goes(anew: Scripts) -> None:
    code = """async (by, choose, wait) => {
      by("undo").click();
      await wait(1);
      const said = by("notice").textContent;
      by("undo").click();
      await wait(2);
      return [said, by("told").textContent];
    }"""
    assert play(anew, code, (422, '{"error": "too many"}')) == ["too many", "2"]


def test_a_move_that_breaks_off_does_not_hold_up_the_next(anew: Scripts) -> None:
    code = """async (by, choose, wait) => {
      const told = [];
      window.addEventListener("error", (event) => { told.push(event.message); event.preventDefault(); });
      const app = by("app");
      app.id = "";  // the answer has nowhere to go
      by("undo").click();
      await wait(1);
      app.id = "app";
      by("undo").click();
      await wait(2);
      return [by("told").textContent, told.length];
    }"""
    assert play(anew, code) == ["2", 1]


def test_a_name_is_kept_and_sends_nothing(anew: Scripts) -> None:
    code = """async (by) => {
      by("player_E").value = "阿明";
      by("player_E").dispatchEvent(new Event("change", {bubbles: true}));
      await new Promise((go) => setTimeout(go, 30));
      return [sent, JSON.parse(sessionStorage.getItem("paitai.hand.1")).filter(([name]) => name === "player_E")];
    }"""
    assert play(anew, code) == [[], [["player_E", "阿明"]]]


def test_another_form_and_another_address_are_left_to_the_browser(anew: Scripts) -> None:
    code = """async (by) => {
      const left = [];
      document.addEventListener("submit", (event) => { left.push(event.defaultPrevented); event.preventDefault(); });
      by("settle").click();
      by("undo").click();
      return left;
    }"""
    assert play(anew, code) == [False, True]


def test_a_greyed_chip_says_why(anew: Scripts) -> None:
    code = """async (by) => {
      const why = document.querySelector(".why");
      by("undo").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true}));
      const before = why.hidden;
      by("grey").dispatchEvent(new MouseEvent("click", {bubbles: true}));
      return [before, why.hidden, why.textContent];
    }"""
    assert play(anew, code) == [True, False, "槓開：had no kong"]


def test_a_link_to_a_place_goes_there_and_leaves_no_entry(anew: Scripts) -> None:
    code = """async (by) => {
      const length = history.length;
      by("link").click();
      return [document.activeElement.id, location.hash, history.length - length];
    }"""
    assert play(anew, code) == ["first", "", 0]


def test_a_hand_that_was_left_is_counted_in_the_history(anew: Scripts) -> None:
    code = """async (by, choose, wait) => { by("again").click(); await wait(1); return history.state; }"""
    assert play(anew, code) == {"hand": None}


@pytest.mark.parametrize(
    ("status", "until", "wanted"),
    [
        pytest.param(409, '!by("notice").hidden', ["taken back meanwhile the table", "/table", 0], id="refused"),
        pytest.param(503, "asked", ["", None, 1], id="the computer does not answer: it goes on waiting"),
    ],
)
def test_a_hand_that_waited_in_this_phone(anew: Scripts, status: int, until: str, wanted: list[Any]) -> None:
    anew.page.evaluate(
        """status => {
          const entry = {id: "a", address: "/records", fields: [], game: "", head: ""};
          localStorage.setItem("paitai.entries", JSON.stringify([entry]));
          Object.assign(document.body.dataset, {table: "/table", tableWord: "the table"});
          window.asked = 0;
          window.fetch = async () => {
            window.asked += 1;
            return new Response('{"error": "taken back meanwhile"}', {status});
          };
        }""",
        status,
    )
    code = f"""async (by) => {{
      while (!({until})) await new Promise((go) => setTimeout(go, 5));
      const link = by("notice").querySelector("a")?.getAttribute("href") ?? null;
      return [by("notice").textContent, link, JSON.parse(localStorage.getItem("paitai.entries") ?? "[]").length];
    }}"""
    assert play(anew, code) == wanted


@pytest.mark.parametrize(
    ("stands", "wanted"),
    [
        pytest.param("kept in this phone", "", id="that it waits: no longer true"),
        pytest.param("away", "", id="that the computer is away: nor that"),
        pytest.param("a photo of other tiles", "a photo of other tiles", id="of something else: it stays"),
    ],
)
def test_what_is_said_when_a_waiting_hand_was_sent(anew: Scripts, stands: str, wanted: str) -> None:
    anew.page.evaluate(
        """() => {
          const entry = {id: "a", address: "/records", fields: [], game: "", head: ""};
          localStorage.setItem("paitai.entries", JSON.stringify([entry]));
          document.body.dataset.entryKept = "kept in this phone";
          let answer;
          const answered = new Promise((go) => { answer = () => go(new Response('{"url": "/records/1"}')); });
          Object.assign(window, { answer, fetch: () => answered });
        }"""
    )
    code = """async (by, choose, wait) => {
      by("notice").textContent = "%s";
      answer();
      while (localStorage.getItem("paitai.entries") !== null) await new Promise((go) => setTimeout(go, 5));
      await new Promise((go) => setTimeout(go));
      return by("notice").textContent;
    }"""
    assert play(anew, code % stands) == wanted


def test_the_hand_comes_back_in_the_other_language(anew: Scripts) -> None:
    code = """async (by, choose, wait) => {
      const form = '<form action=/lang id=language><button id=english>English</button></form>';
      document.body.insertAdjacentHTML("beforeend", form);
      by("language").addEventListener("submit", (event) => event.preventDefault());  // it would lead away
      const shown = () => sessionStorage.getItem("paitai.show");
      by("undo").click();
      await wait(1);
      const before = shown();
      by("english").click();
      return [before, shown(), JSON.parse(sessionStorage.getItem(`paitai.hand.${shown()}`))[0]];
    }"""
    assert play(anew, code) == [None, "1", ["state", "1"]]
