"""The pocket edition's numbers give what numpy gives: each operation on arrays of any shape that reading meets."""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.extra.numpy as arrays
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.pocket.standin import standin_numpy

ours = standin_numpy()
Operation = Callable[[Any, Any], Any]
ROOT = Path(__file__).parents[3]
KINDS = {"bool": "b", "int64": "i", "float64": "f", "complex128": "c"}

floats = st.one_of(st.floats(-1e4, 1e4, allow_subnormal=False), st.sampled_from([0.0, 1.0, -2.5, math.inf]))
VALUES = {
    "float64": floats.map(lambda value: round(value, 6)),
    "int64": st.integers(-30, 30),
    "bool": st.booleans(),
}


def some(shape: Any, kinds: tuple[str, ...] = ("float64", "int64", "bool")) -> st.SearchStrategy[Any]:
    """numpy arrays of a shape."""
    return st.sampled_from(kinds).flatmap(lambda kind: arrays.arrays(kind, shape, elements=VALUES[kind]))


any_shape = arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)
pairs = arrays.mutually_broadcastable_shapes(num_shapes=2, min_dims=1, max_dims=3, max_side=3)


def taken_over(value: Any) -> Any:
    """A numpy array, or a tuple with such, as ours."""
    if isinstance(value, tuple):
        return tuple(map(taken_over, value))
    if not isinstance(value, numpy.ndarray):
        return value
    kind = {"b": bool, "i": int, "f": float, "c": complex}[value.dtype.kind]
    return ours.array(value.tolist(), kind).reshape(value.shape)


def agree(operation: Operation, *given_: Any) -> None:
    """Both give the same values, shape and kind, or both refuse."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            theirs = operation(numpy, *given_)
        except (ValueError, IndexError):
            with pytest.raises((ValueError, IndexError)):
                operation(ours, *map(taken_over, given_))
            return
    alike(operation(ours, *map(taken_over, given_)), theirs)


def alike(mine: Any, theirs: Any) -> None:
    """The same values, shape and kind."""
    if isinstance(theirs, tuple):
        assert len(mine) == len(theirs)
        for one, other in zip(mine, theirs, strict=True):
            alike(one, other)
        return
    if isinstance(theirs, numpy.ndarray):
        assert mine.shape == theirs.shape
        assert KINDS[mine.dtype.name] == theirs.dtype.kind
    else:
        assert isinstance(mine, bool | int | float | complex)
    numpy.testing.assert_allclose(
        numpy.array(mine.tolist() if isinstance(theirs, numpy.ndarray) else mine).reshape(numpy.shape(theirs)),
        theirs,
        rtol=1e-9,
        atol=1e-9,
    )


PAIRS: dict[str, Operation] = {
    "add": lambda np, a, b: a + b,
    "subtract": lambda np, a, b: a * 1.0 - b,
    "multiply": lambda np, a, b: a * b,
    "divide": lambda np, a, b: a / b,
    "less": lambda np, a, b: a < b,
    "at most": lambda np, a, b: a <= b,
    "more": lambda np, a, b: a > b,
    "at least": lambda np, a, b: a >= b,
    "equal": lambda np, a, b: a == b,
    "unequal": lambda np, a, b: a != b,
    "and": lambda np, a, b: (a > 0) & (b > 0),
    "or": lambda np, a, b: (a > 0) | (b > 0),
    "and, a number first": lambda np, a, b: True & (a > b),
    "or, a number first": lambda np, a, b: False | (a > b),
    "maximum": lambda np, a, b: np.maximum(a, b),
    "minimum": lambda np, a, b: np.minimum(a, b),
    "hypot": lambda np, a, b: np.hypot(a, b),
    "arctan2": lambda np, a, b: np.arctan2(a, b),
    "where": lambda np, a, b: np.where(a > b, a, b),
    "where a number": lambda np, a, b: np.where(a > b, a, 0.5),
    "square": lambda np, a, b: (a * 1.0) ** 2 + b,
    "divide where": lambda np, a, b: np.divide(a + b * 0.0, b, out=np.zeros_like(a + b * 0.0), where=b > 0),
}


@pytest.mark.parametrize("operation", PAIRS.values(), ids=PAIRS)
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_two_arrays(operation: Operation, data: st.DataObject) -> None:
    first, second = data.draw(pairs).input_shapes
    a, b = data.draw(some(first)), data.draw(some(second))
    if a.dtype.kind == b.dtype.kind == "b":
        a = a.astype(int)  # numpy adds booleans as "or", divides them as numbers: nothing here does either
    agree(operation, a, b)


ONE: dict[str, Operation] = {
    "negative": lambda np, a: -(a * 1.0),
    "not": lambda np, a: ~(a > 0),
    "abs": lambda np, a: np.abs(a),
    "log": lambda np, a: np.log(np.abs(a)),
    "log of all": lambda np, a: np.log(a),
    "log1p": lambda np, a: np.log1p(np.abs(a * 1.0)),
    "exp": lambda np, a: np.exp(np.clip(a, -30, 30)),
    "sqrt": lambda np, a: np.sqrt(np.abs(a)),
    "finite": lambda np, a: np.isfinite(a * 1.0),
    "radians": lambda np, a: np.radians(a * 1.0),
    "cos": lambda np, a: np.cos(np.clip(a, -9, 9)),
    "tan": lambda np, a: np.tan(np.clip(a, -1, 1)),
    "mod": lambda np, a: np.clip(a, -99.0, 99.0) % 0.75,
    "from a number": lambda np, a: 1 - a * 1.0,
    "number by": lambda np, a: 1 / a,
    "clip": lambda np, a: (a * 1.0).clip(-2, 2.5),
    "clip below": lambda np, a: (a * 1.0).clip(max=1.5),
    "astype int": lambda np, a: a.clip(-9, 9).astype(int),
    "astype float": lambda np, a: a.astype(np.float64),
    "turned": lambda np, a: a.T,
    "in one row": lambda np, a: a.reshape(-1),
    "in two": lambda np, a: a.reshape(2, -1),
    "added to a tuple": lambda np, a: a.reshape(-1)[:2] * (2, 3),
    "tuple less it": lambda np, a: (4, 5) - a.reshape(-1)[:2] * 1.0,
    "nonzero": lambda np, a: np.nonzero(a),
    "flatnonzero": lambda np, a: np.flatnonzero(a),
    "sum of all": lambda np, a: np.clip(a, -9, 9).sum(),
    "mean of all": lambda np, a: np.mean(np.clip(a, -9, 9)),
    "median of all": lambda np, a: np.median(a * 1.0),
    "quantile": lambda np, a: np.quantile(a.clip(-9, 9) * 1.0, 0.9),
    "stacked": lambda np, a: np.stack([a, a * 2.0]),
    "stacked inside": lambda np, a: np.stack([a, a], axis=1),
    "with a new axis": lambda np, a: a[:, None],
    "mean of several": lambda np, a: np.mean([a.clip(-9, 9), a.clip(-9, 9) * 2.0], axis=0),
    "rolled": lambda np, a: np.roll(a, -2, axis=a.ndim - 1),
    "full": lambda np, a: np.full(a.shape, 2.5) + np.ones(a.shape) + np.zeros(a.shape),
    "alike": lambda np, a: np.zeros_like(a),
    "isin": lambda np, a: np.isin(a, (1, 2, 0)),
}


@pytest.mark.parametrize("operation", ONE.values(), ids=ONE)
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_one_array(operation: Operation, data: st.DataObject) -> None:
    agree(operation, data.draw(any_shape.flatmap(some)))


ALONG: dict[str, Callable[[Any, Any, int], Any]] = {
    "sum": lambda np, a, axis: a.sum(axis=axis),
    "sum kept": lambda np, a, axis: a.sum(axis=axis, keepdims=True),
    "mean": lambda np, a, axis: a.mean(axis=axis),
    "max": lambda np, a, axis: a.max(axis=axis),
    "max from": lambda np, a, axis: (a * 1.0).max(axis=axis, initial=3.5),
    "min": lambda np, a, axis: a.min(axis=axis, keepdims=True),
    "min from": lambda np, a, axis: (a * 1.0).min(axis=axis, initial=np.inf),
    "prod": lambda np, a, axis: a.prod(axis=axis),
    "any": lambda np, a, axis: (a > 0).any(axis=axis),
    "all": lambda np, a, axis: (a > 0).all(axis=axis),
    "argmax": lambda np, a, axis: a.argmax(axis=axis),
    "argmin": lambda np, a, axis: a.argmin(axis=axis),
    "median": lambda np, a, axis: np.median(a * 1.0, axis=axis),
    "nanmedian": lambda np, a, axis: np.nanmedian(np.where(a > 0, a, np.nan), axis=axis),
    "norm": lambda np, a, axis: np.linalg.norm(a * 1.0, axis=axis, keepdims=True),
    "joined": lambda np, a, axis: np.concatenate([a, a * 0.5, a], axis=axis),
    "deleted": lambda np, a, axis: np.delete(a, np.r_[0:1], axis=axis),
    "two axes": lambda np, a, axis: a.sum(axis=(0, axis)) if axis else a.sum(axis=0),
}


@pytest.mark.parametrize("operation", ALONG.values(), ids=ALONG)
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_along_an_axis(operation: Callable[..., Any], data: st.DataObject) -> None:
    values = data.draw(any_shape.flatmap(lambda shape: some(shape, ("float64", "int64"))))
    values = numpy.clip(values, -50, 50)
    axis = data.draw(st.integers(0, values.ndim - 1))
    agree(lambda np, a: operation(np, a, axis), values)


PARTS: dict[str, Operation] = {
    "element": lambda np, a: a[1, 2],
    "from the end": lambda np, a: a[-1],
    "slices": lambda np, a: a[1:3, ::2],
    "backwards": lambda np, a: a[::-1, 1],
    "new axes": lambda np, a: a[:, None] - a[None],
    "ellipsis": lambda np, a: a[..., 1],
    "places": lambda np, a: a[[2, 0, 2]],
    "no places": lambda np, a: a[[]],
    "an array": lambda np, a: a[np.array([1, 3])],
    "one of a row": lambda np, a: a[1, [0, 3]],
    "rows and columns": lambda np, a: a[np.ix_([0, 2], [1, 3, 4])],
    "pairs": lambda np, a: a[np.arange(4), [1, 0, 2, 3]],
    "places and a slice": lambda np, a: a[np.array([2, 1]), 1:3],
    "places and a new axis": lambda np, a: a[np.array([2, 1]), None],
    "a mask": lambda np, a: a[a > 0],
    "a mask of rows": lambda np, a: a[(a > 0).any(axis=1)],
    "a mask of one row": lambda np, a: a[0][a[0] > 0],
    "square of places": lambda np, a: a[np.array([[0, 1], [2, 3]])],
    "apart": lambda np, a: a.reshape(4, 5, 1)[[0, 1], :, [0, 0]],
    "outside": lambda np, a: a[4],
    "too many": lambda np, a: a[0, 0, 0],
    "taken along": lambda np, a: np.take_along_axis(a, np.argsort(a, axis=1, kind="stable")[:, :2], axis=1),
    "sorted places": lambda np, a: np.argsort(-a, kind="stable"),
    "first unique": lambda np, a: np.unique(np.array([3, 1, 3, 2, 1]), return_index=True),
    "without": lambda np, a: np.setdiff1d(np.arange(6), np.array([1, 4])),
    "counted": lambda np, a: np.bincount(np.array([1, 1, 3]), minlength=6),
    "by two keys": lambda np, a: np.lexsort((a[0], a[1] > 0)),
    "steps": lambda np, a: np.diff(a[0]),
    "from to": lambda np, a: np.ptp(a[:, 0]),
    "numbers": lambda np, a: np.arange(-89.0, 91.0, 7.0),
    "eye": lambda np, a: np.eye(3),
    "columns": lambda np, a: np.column_stack([a, np.ones(4)]),
    "rows": lambda np, a: np.vstack([a, [0.0, 0.0, 1.0, 2.0, 3.0]]),
    "matrices": lambda np, a: a @ a.T,
    "matrix and row": lambda np, a: a @ a[0],
    "rows multiplied": lambda np, a: a[0] @ a[1],
    "einsum": lambda np, a: np.einsum("ntc,mtc->nm", a.reshape(2, 2, 5), a.reshape(2, 2, 5)),
    "average": lambda np, a: np.average(a, axis=0, weights=np.array([1.0, 2.0, 3.0, 0.5])),
    "line": lambda np, a: tuple(np.polyfit(np.array([0.0, 1.0, 2.5, 7.0]), a[:, 0], 1)),
    "complex": lambda np, a: a[:, :2] @ np.array([1, 1j]),
    "turned by a complex": lambda np, a: ((a[:, :2] @ np.array([1, 1j])).conj() * (2 + 1j)).real,
    "length of complex": lambda np, a: np.abs(a[:, :2] @ np.array([1, 1j])),
    "lengths along own axes": lambda np, a: np.linalg.svd(a[:, :2] - a[:, :2].mean(axis=0), compute_uv=False),
    "own axis": lambda np, a: np.abs(np.linalg.svd(a[:, :2] * (9, 1), full_matrices=False)[2][1]),
}


@pytest.mark.parametrize("operation", PARTS.values(), ids=PARTS)
def test_parts_and_matrices(operation: Operation) -> None:
    chosen = numpy.random.default_rng(31)
    for _ in range(20):
        agree(operation, chosen.normal(0, 3, (4, 5)).round(3))


WRITTEN: dict[str, Callable[[Any, Any], None]] = {
    "row": lambda np, a: a.__setitem__(1, 7.0),
    "rows": lambda np, a: a.__setitem__([0, 2], a[[1, 3]] * 2),
    "columns of rows": lambda np, a: a.__setitem__(
        (np.array([0, 3]), slice(1, 3)), np.array([[1.0], [2.0]]) * a[:2, :2]
    ),
    "masked": lambda np, a: a.__setitem__(a == a, 1.5),
    "column": lambda np, a: a.__setitem__((slice(None), 2), a[:, 0]),
    "some columns": lambda np, a: a.__setitem__((slice(None), np.array([3, 0])), a[:, :2] * 2),
    "diagonal": lambda np, a: np.fill_diagonal(a, np.inf),
    "does not fit": lambda np, a: a.__setitem__(0, np.zeros(3)),
}


@pytest.mark.parametrize("operation", WRITTEN.values(), ids=WRITTEN)
def test_what_is_written_into_an_array(operation: Callable[[Any, Any], None]) -> None:
    def written(np: Any, values: Any) -> Any:
        held = values.copy()
        operation(np, held)
        return held

    agree(written, numpy.random.default_rng(3).normal(0, 3, (4, 5)))


@given(arrays.arrays("float64", (7, 3), elements=st.floats(-50, 50).map(lambda value: round(value, 3))), st.booleans())
def test_the_nearest_solution_comes_as_near(matrix: Any, several: bool) -> None:
    """An undetermined system has many solutions: the distance counts."""
    wanted = numpy.arange(14.0).reshape(7, 2) if several else numpy.arange(7.0)
    theirs = numpy.linalg.lstsq(matrix, wanted, rcond=None)[0]
    mine = numpy.array(ours.linalg.lstsq(taken_over(matrix), taken_over(wanted), rcond=None)[0].tolist())
    off = [float(numpy.abs(matrix @ solved - wanted).max()) for solved in (theirs, mine)]
    assert off[1] == pytest.approx(off[0], abs=1e-4)


def test_a_matrix_turned_round_and_one_that_cannot_be() -> None:
    matrix = numpy.random.default_rng(5).normal(0, 1, (3, 3))
    agree(lambda np, a: np.linalg.inv(a), matrix)
    with pytest.raises(ValueError, match="singular"):
        ours.linalg.inv(ours.zeros((3, 3)))


def test_every_name_that_reading_uses_is_there() -> None:
    used = set()
    packages = ("detection", "layout", "multiview", "reading", "tileset")
    left_out = {"torch_nms.py", "measure.py", "cli.py"}  # for training and the terminal
    paths = [path for package in packages for path in (ROOT / "vision" / package).glob("*.py")]
    paths = [path for path in paths if path.name not in left_out]
    paths += [ROOT / "vision/geometry.py", ROOT / "webui/tile_sets/learning.py", ROOT / "webui/board/manual_box.py"]
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np":
                used.add(node.attr)
    assert len(used) > 50
    assert {name for name in used if not hasattr(ours, name)} == set()
