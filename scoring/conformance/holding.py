"""相符: compares an answer with its case. Only the keys of the case are compared."""

from collections.abc import Collection, Mapping
from typing import Any

from scoring.conformance.cases import Case


def differences(case: Case, answer: object, keys: Collection[str] | None = None) -> list[str]:
    """The differences between an answer and its case, one short text each; empty if they agree.

    answer: the engine's answer, any JSON value. keys: the keys of the case to compare; None: all.
    """
    if not isinstance(answer, Mapping):
        return [f"no JSON object: {answer!r}"[:200]]
    expect = case.expect
    if "error" in expect or "refused" in expect:
        return _refusal(expect, answer)
    if "error" in answer:
        return [f"refused: {answer['error']}"[:200]]
    wanted = [key for key in expect if keys is None or key in keys]
    return [
        f"{key}: {value!r}, not {expect[key]!r}"[:300]
        for key in wanted
        if (value := _plain(key, answer, expect[key])) != expect[key]
    ]


def _refusal(expect: Mapping[str, Any], answer: Mapping[str, Any]) -> list[str]:
    if "error" not in answer:
        return ["answered, not refused"]
    told = "\n".join(map(str, answer.get("problems") or [answer["error"]]))
    return [f"refused without naming {name!r}" for name in expect.get("names", ()) if name not in told]


def _plain(key: str, answer: Mapping[str, Any], expected: Any) -> object:
    """The value of a key as the cases write it: patterns by id, steps by id, payments by who pays, without reasons."""
    try:
        match key:
            case "patterns":
                return {pattern["id"]: pattern["tai"] for pattern in answer["patterns"]}
            case "left_out":
                return [[pattern["id"], pattern["because"]] for pattern in answer["left_out"]]
            case "points":
                return {payment["from"]: payment["points"] for payment in answer["transfers"]}
            case "transfers" if isinstance(expected, Mapping):
                return {payment["from"]: payment["tai"] for payment in answer["transfers"]}
            case "transfers":
                return [_without("reason", payment) for payment in answer["transfers"]]
            case "steps":
                return [step["id"] for step in answer["steps"]]
            case "duties":
                return [_without("since", duty) for duty in answer["duties"]]
            case _:
                return answer[key]
    except (KeyError, TypeError):
        return answer.get(key, "missing")


def _without(name: str, entry: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in entry.items() if key != name}
