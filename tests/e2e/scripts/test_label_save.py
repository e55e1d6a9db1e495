"""No box is lost (labels/save.js): what waits to be sent, lost answers, another's save, both sides' changes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.scripts.conftest import Scripts
from tests.e2e.scripts.test_label_model import label

SAVE = "labelling/labels/save.js"
ADDRESS = "/label/demo/photo/labels"
# A server with prepared answers; `asked` is its input. "away": it does not answer.
SERVER = """(answers) => {
  window.asked = [];
  window.fetch = async (address, options) => {
    asked.push({address: String(address), body: JSON.parse(options.body), headers: options.headers});
    const [status, body] = answers.length > 1 ? answers.shift() : answers[0];
    if (status === "away") throw new TypeError("away");
    return {status, json: async () => { if (body === null) throw new SyntaxError("no JSON"); return body; }};
  };
}"""
js = json.dumps
ONE, TWO = [label("a", [0, 0, 40, 60])], [label("a", [0, 0, 40, 60], tile="9s")]
THREE = [label("a", [0, 0, 40, 60], tile="5z")]
# A photo as the server gave it, `told` by its keeper; then what happens.
KEEP = """async (m, {state, steps}) => {
  const told = [], keeper = new m.Keeper(state, (answer) => told.push(answer));
  const unsent = () => JSON.parse(localStorage.getItem(keeper.key));
  const seen = await (eval(steps))(keeper, unsent, m);
  clearTimeout(keeper.timer);
  return {told, seen, asked, waiting: keeper.waiting, revision: keeper.revision, unsent: unsent()};
}"""


def keep(scripts: Scripts, steps: str, *answers: tuple[Any, Any], revision: int = 3, empty: bool = False) -> Any:
    """The messages, requests and state of a keeper after these steps, against a server with these answers."""
    scripts.page.evaluate(SERVER, [list(one) for one in answers] or [["away", None]])
    state = {"save": ADDRESS, "revision": revision, "labels": ONE, "empty": empty}
    return scripts.run(SAVE, KEEP, {"state": state, "steps": steps})


def test_a_change_is_kept_at_once_and_sent(anew: Scripts) -> None:
    steps = f"""async (keeper, unsent) => {{
      keeper.keep({js(TWO)});
      const kept = unsent();
      await keeper.send();
      return kept;
    }}"""
    done = keep(anew, steps, (200, {"revision": 4}))
    assert done["seen"]["labels"] == TWO
    assert (done["seen"]["base"], done["seen"]["revision"]) == (ONE, 3)
    [asked] = done["asked"]
    assert (asked["address"], asked["body"]) == (ADDRESS, {"labels": TWO, "revision": 3, "empty": False})
    assert done["told"] == [{"kind": "saved", "revision": 4}]
    assert (done["waiting"], done["revision"], done["unsent"]) == (False, 4, None)
    assert anew.call(SAVE, "savedRevision", ADDRESS) == 4
    assert anew.call(SAVE, "savedRevision", "/label/demo/other/labels") == 0


@pytest.mark.parametrize(
    ("answer", "told", "waits"),
    [
        pytest.param(("away", None), {"kind": "away"}, True, id="no answer"),
        pytest.param((500, {"error": "x"}), {"kind": "away"}, True, id="the server is broken"),
        pytest.param((503, {}), {"kind": "away"}, True, id="the server is full"),
        pytest.param((200, None), {"kind": "away"}, True, id="an answer that is none"),
        pytest.param((499, {}), {"kind": "refused", "error": ""}, True, id="refused without a word"),
        pytest.param((403, {"error": "not yours"}), {"kind": "refused", "error": "not yours"}, True, id="refused"),
        pytest.param(
            (409, {"error": "gone"}), {"kind": "refused", "error": "gone"}, True, id="a conflict without labels"
        ),
        pytest.param(
            (409, {"labels": THREE, "revision": 9}),
            {"kind": "elsewhere", "elsewhere": {"labels": THREE, "revision": 9}},
            True,
            id="somebody else saved",
        ),
    ],
)
def test_what_did_not_arrive_stays(anew: Scripts, answer: tuple[Any, Any], told: dict[str, Any], waits: bool) -> None:
    steps = f"async (keeper) => {{ keeper.keep({js(TWO)}); await keeper.send(); }}"
    done = keep(anew, steps, answer)
    assert done["told"] == [told]
    assert (done["waiting"], done["revision"]) == (waits, 3)
    assert done["unsent"]["labels"] == TWO
    assert len(done["asked"]) == 1


def test_a_change_taken_back_before_it_was_sent_is_none(anew: Scripts) -> None:
    steps = f"async (keeper) => {{ keeper.keep({js(TWO)}); keeper.keep({js(ONE)}); await keeper.send(); }}"
    done = keep(anew, steps, (200, {"revision": 4}))
    assert (done["asked"], done["waiting"]) == ([], False)
    assert done["told"] == [{"kind": "saved", "revision": 3}]


def test_no_tile_in_the_photo_is_a_change(anew: Scripts) -> None:
    steps = f"async (keeper) => {{ keeper.keep({js(ONE)}, true); await keeper.send(); keeper.keep({js(ONE)}, true); }}"
    done = keep(anew, steps, (200, {"revision": 4}))
    assert [one["body"]["empty"] for one in done["asked"]] == [True]
    assert done["told"] == [{"kind": "saved", "revision": 4}] * 2
    assert done["waiting"] is False


def test_what_is_typed_while_a_save_is_on_its_way_is_sent_after_it(anew: Scripts) -> None:
    steps = f"""async (keeper) => {{
      keeper.keep({js(TWO)});
      const first = keeper.send();
      keeper.keep({js(THREE)});
      await keeper.send();  // one at a time
      await first;
      for (let n = 0; n < 20; n += 1) await Promise.resolve();
      await new Promise((done) => setTimeout(done, 20));
    }}"""
    done = keep(anew, steps, (200, {"revision": 4}), (200, {"revision": 5}))
    assert [(one["body"]["labels"], one["body"]["revision"]) for one in done["asked"]] == [(TWO, 3), (THREE, 4)]
    assert done["told"] == [{"kind": "saved", "revision": 5}]
    assert (done["waiting"], done["revision"]) == (False, 5)


def test_changes_typed_together_are_sent_together_by_themselves(anew: Scripts) -> None:
    steps = f"""async (keeper) => {{
      keeper.keep({js(TWO)});
      keeper.keep({js(THREE)});
      await new Promise((done) => setTimeout(done, 300));
    }}"""
    done = keep(anew, steps, (200, {"revision": 4}))
    assert [one["body"]["labels"] for one in done["asked"]] == [THREE]


def test_a_photo_that_was_left_is_not_told_of(anew: Scripts) -> None:
    steps = f"""async (keeper) => {{
      keeper.keep({js(TWO)});
      const sent = keeper.send();
      keeper.stop();
      await sent;
      keeper.soon(0);
      await new Promise((done) => setTimeout(done, 20));
    }}"""
    done = keep(anew, steps, (200, {"revision": 4}))
    assert (done["told"], done["waiting"], len(done["asked"])) == ([], False, 1)


# A photo is left and opened again while `answers` are held back; `free()` lets the next one go.
HELD = """(answers) => {
  window.asked = [], window.held = [];
  window.free = async () => { held.shift()(); for (let n = 0; n < 50; n += 1) await Promise.resolve(); };
  window.fetch = async (address, options) => {
    asked.push(JSON.parse(options.body));
    const [status, body] = answers.shift();
    await new Promise((done) => held.push(done));
    return {status, json: async () => body};
  };
}"""
BACK = """async (m, {state, steps}) => {
  const told = [], open = () => m.keeperOf(state, (answer) => told.push(answer));
  const before = open();
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  await (eval(steps))(before, open, wait, m);
  return {told, asked, left: Object.keys(localStorage), known: m.savedRevision(state.save)};
}"""


def back(scripts: Scripts, steps: str, *answers: tuple[int, Any]) -> Any:
    """The messages of a photo that was left and opened again before its save was answered."""
    scripts.page.evaluate(HELD, [list(one) for one in answers])
    state = {"save": ADDRESS, "revision": 3, "labels": ONE, "empty": False}
    return scripts.run(SAVE, BACK, {"state": state, "steps": steps})


def test_going_back_before_the_answer_hears_it(anew: Scripts) -> None:
    steps = f"""async (before, open) => {{
      before.keep({js(TWO)});
      void before.send();
      before.stop();
      open().soon(0);
      await free();
    }}"""
    done = back(anew, steps, (200, {"revision": 4}))
    assert done["told"] == [{"kind": "saved", "revision": 4}]
    assert ([one["labels"] for one in done["asked"]], done["left"], done["known"]) == ([TWO], [], 4)


def test_what_is_taken_back_before_the_answer_is_saved_and_told(anew: Scripts) -> None:
    steps = f"""async (before, open, wait) => {{
      before.keep({js(TWO)});
      void before.send();
      before.stop();
      open().keep({js(ONE)});
      await wait(200);  // its own time to send has come
      await free();
      await free();
    }}"""
    done = back(anew, steps, (200, {"revision": 4}), (200, {"revision": 5}))
    assert [(one["labels"], one["revision"]) for one in done["asked"]] == [(TWO, 3), (ONE, 4)]
    assert done["told"] == [{"kind": "saved", "revision": 5}]
    assert (done["left"], done["known"]) == ([], 5)


def test_what_the_rest_is_sending_is_not_sent_twice(anew: Scripts) -> None:
    """Opened while it is sent from elsewhere in the page: it hears that answer."""
    steps = f"""async (before, open, wait, m) => {{
      before.stop();
      const unsent = {{save: "{ADDRESS}", revision: 3, base: {js(ONE)}, labels: {js(TWO)}, at: 0}};
      localStorage.setItem(before.key, JSON.stringify(unsent));
      const rest = m.sendRest("/other");
      open().soon(0);
      await wait(50);
      await free();
      await rest;
    }}"""
    done = back(anew, steps, (200, {"revision": 4}), (200, {"revision": 5}))
    assert [one["labels"] for one in done["asked"]] == [TWO]
    assert done["told"] == [{"kind": "saved", "revision": 4}]
    assert done["left"] == []


def test_a_lost_answer_is_no_conflict(anew: Scripts) -> None:
    """The server holds what this tab sent before: it goes on from there."""
    steps = f"""async (keeper) => {{
      keeper.keep({js(TWO)});
      await keeper.send();  // arrives; its answer does not
      keeper.keep({js(THREE)});
      await keeper.send();
    }}"""
    held = [dict(reversed(TWO[0].items()))]  # the same values in another order
    done = keep(anew, steps, ("away", None), (409, {"labels": held, "revision": 4}), (200, {"revision": 5}))
    assert [(one["body"]["labels"], one["body"]["revision"]) for one in done["asked"]] == [
        (TWO, 3),
        (THREE, 3),
        (THREE, 4),
    ]
    assert done["told"] == [{"kind": "away"}, {"kind": "saved", "revision": 5}]


def test_going_back_after_a_lost_answer_is_sent_too(anew: Scripts) -> None:
    steps = f"""async (keeper) => {{
      keeper.keep({js(TWO)});
      await keeper.send();
      keeper.keep({js(ONE)});
      await keeper.send();
    }}"""
    done = keep(anew, steps, ("away", None), (200, {"revision": 5}))
    assert [one["body"]["labels"] for one in done["asked"]] == [TWO, ONE]


def test_of_the_saves_without_an_answer_the_last_eight_are_remembered(anew: Scripts) -> None:
    steps = f"""async (keeper, unsent) => {{
      for (let n = 0; n < 10; n += 1) {{
        keeper.keep([{{...{js(ONE[0])}, tile: `${{n}}`}}]);
        await keeper.send();
      }}
      await keeper.send();  // the same once more: not remembered twice
      return unsent().sent.map((labels) => labels[0].tile);
    }}"""
    assert keep(anew, steps)["seen"] == [str(n) for n in range(2, 10)]


def test_where_one_has_to_choose_the_chosen_labels_go_onto_the_others(anew: Scripts) -> None:
    steps = f"""async (keeper) => {{
      keeper.keep({js(TWO)});
      await keeper.send();
      keeper.adopt({{revision: 9, labels: {js(THREE)}}}, {js(TWO)});
      await keeper.send();
    }}"""
    done = keep(anew, steps, (409, {"labels": THREE, "revision": 9}), (200, {"revision": 10}))
    assert [one["body"]["revision"] for one in done["asked"]] == [3, 9]
    assert done["told"][-1] == {"kind": "saved", "revision": 10}


def test_taking_the_others_labels_sends_nothing(anew: Scripts) -> None:
    steps = f"""async (keeper) => {{
      keeper.keep({js(TWO)});
      keeper.adopt({{revision: 9, labels: {js(THREE)}}}, {js(THREE)});
      await keeper.send();
    }}"""
    done = keep(anew, steps, (200, {"revision": 10}))
    assert (done["asked"], done["told"]) == ([], [{"kind": "saved", "revision": 9}])


LEFT = """async (m, {state, kept}) => {
  for (const [key, value] of Object.entries(kept)) {
    const text = typeof value === "string" ? value : JSON.stringify({...value, at: Date.now() - value.ago});
    localStorage.setItem(key, text);
  }
  const keeper = new m.Keeper(state, () => undefined);
  const left = keeper.left();
  return [left?.labels[0].tile ?? null, localStorage.getItem(keeper.key) !== null, Object.keys(localStorage).length];
}"""


@pytest.mark.parametrize(
    ("kept", "wanted"),
    [
        pytest.param({}, [None, False, 0], id="nothing"),
        pytest.param({f"paitai-label {ADDRESS} tab2": (6001, "9s")}, ["9s", True, 1], id="of a tab that was closed"),
        pytest.param({f"paitai-label {ADDRESS} tab2": (3000, "9s")}, [None, False, 1], id="of a tab that is open"),
        pytest.param({"paitai-label /label/demo/photo2/labels t": (9000, "9s")}, [None, False, 1], id="another photo"),
        pytest.param({f"paitai-label {ADDRESS} tab2": "{"}, [None, False, 1], id="damaged"),
        pytest.param({f"paitai-label {ADDRESS} MINE": (0, "9s")}, ["9s", True, 1], id="its own, at once"),
    ],
)
def test_what_a_tab_left_is_taken_up(anew: Scripts, kept: dict[str, Any], wanted: list[Any]) -> None:
    anew.page.evaluate("sessionStorage.setItem('paitai-tab', 'MINE')")
    values = {
        key: value
        if isinstance(value, str)
        else {"save": ADDRESS, "revision": 3, "base": ONE, "labels": [ONE[0] | {"tile": value[1]}], "ago": value[0]}
        for key, value in kept.items()
    }
    state = {"save": ADDRESS, "revision": 3, "labels": ONE}
    assert anew.run(SAVE, LEFT, {"state": state, "kept": values}) == wanted


REST = """async (m, {open, kept}) => {
  for (const [key, value] of Object.entries(kept)) {
    localStorage.setItem(key, JSON.stringify({...value, at: Date.now() - value.ago}));
  }
  return {...await m.sendRest(open), asked: asked.map((one) => one.address), left: Object.keys(localStorage).sort()};
}"""


def rest(anew: Scripts, kept: dict[str, int], *answers: tuple[Any, Any]) -> Any:
    """The state of the photos that other pages left this many milliseconds ago."""
    anew.page.evaluate(SERVER, [list(one) for one in answers])
    values = {
        f"paitai-label {save} tab": {"save": save, "revision": 3, "base": ONE, "labels": TWO, "ago": ago}
        for save, ago in kept.items()
    }
    return anew.run(SAVE, REST, {"open": ADDRESS, "kept": values})


def test_what_other_photos_left_is_sent(anew: Scripts) -> None:
    done = rest(anew, {"/p1/labels": 5000, ADDRESS: 5000, "/p2/labels": 100}, (200, {"revision": 4}))
    assert done["asked"] == ["/p1/labels"]  # not the one that is open, not one that is being typed
    assert done["left"] == [f"paitai-label {ADDRESS} tab", "paitai-label /p2/labels tab"]
    assert (done["waiting"], done["conflicts"]) == (0, [])


def test_what_somebody_else_changed_stays_to_be_opened(anew: Scripts) -> None:
    done = rest(anew, {"/p1/labels": 5000}, (409, {"labels": THREE, "revision": 9}))
    assert (done["waiting"], done["conflicts"], len(done["left"])) == (0, ["/p1"], 1)


def test_what_cannot_be_sent_waits(anew: Scripts) -> None:
    done = rest(anew, {"/p1/labels": 5000, "/p2/labels": 3000}, ("away", None))
    assert (done["waiting"], done["conflicts"], len(done["left"])) == (2, [], 2)


A, B, C = (label(id_, [0, 0, 40, 60]) for id_ in "abc")
A1, A2, B1 = A | {"tile": "9s"}, A | {"tile": "9p"}, B | {"tile": "9m"}


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "wanted"),
    [
        pytest.param([A, B], [A1, B], [A, B1], [A1, B1], id="each changed another"),
        pytest.param([A, B], [A1, B], [A1, B], [A1, B], id="both the same"),
        pytest.param([A, B], [A1, B], [A2, B], None, id="both the same box"),
        pytest.param([A], [A, B], [A, C], [A, C, B], id="each added one"),
        pytest.param([A, B], [A], [A, B], [A], id="mine is gone"),
        pytest.param([A, B], [A, B], [A], [A], id="theirs is gone"),
        pytest.param([A, B], [A], [A, B1], None, id="gone here, changed there"),
        pytest.param([A, B], [A, B1], [A], None, id="changed here, gone there"),
        pytest.param([A, B], [A], [A], [A], id="gone on both sides"),
        pytest.param([], [], [], [], id="nothing"),
    ],
)
def test_both_sides_changes_together(
    scripts: Scripts, base: list[Any], mine: list[Any], theirs: list[Any], wanted: list[Any] | None
) -> None:
    assert scripts.call(SAVE, "merged", base, mine, theirs) == wanted


def test_steps_are_laid_onto_what_somebody_else_did(scripts: Scripts) -> None:
    def said(**tiles: str) -> list[Any]:
        return [label(id_, [0, 0, 40, 60], tile=tile) for id_, tile in tiles.items()]

    base, mine = said(a="1m", b="1m", c="1m"), said(a="2m", b="2m", c="1m", d="4m")
    theirs = said(a="1m", b="9p", e="5m")  # b was changed by both, c taken away
    assert scripts.call(SAVE, "merged", base, mine, theirs) is None
    assert scripts.call(SAVE, "laidOnto", base, mine, theirs) == said(a="2m", b="9p", e="5m", d="4m")


def test_a_confirmed_box_wins_over_the_memory_that_renewed_it(scripts: Scripts) -> None:
    base, theirs = ([label("a", [0, 0, 40, 60], tile=tile)] for tile in ("1m", "8f"))
    mine = [{**base[0], "checked": True}]
    assert scripts.call(SAVE, "merged", base, mine, theirs) == mine
    assert scripts.call(SAVE, "merged", base, mine, [{**theirs[0], "checked": True}]) is None


def test_what_is_posted_has_the_pages_token(anew: Scripts) -> None:
    anew.page.evaluate(SERVER, [[418, {"a": 1}]])
    anew.page.evaluate('document.head.innerHTML = \'<meta name="csrf-token" content="secret">\'')
    assert anew.call(SAVE, "post", "/x", {"b": 2}) == {"status": 418, "body": {"a": 1}}
    [asked] = anew.page.evaluate("asked")
    assert asked["body"] == {"b": 2}
    assert asked["headers"]["X-CSRF-Token"] == "secret"
