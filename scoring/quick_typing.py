"""`typing` for a quick start: the standard library's own to the type checker, at run time as little as is needed.

The standard `typing` takes longer to load than scoring a hundred hands. At run time ``Literal["a", "b"]`` is the tuple
of its values here, and a `NamedTuple` is made without compiling a constructor for each class.
"""

__all__ = ["Any", "Literal", "NamedTuple", "NoReturn", "TypeVar", "assert_never", "cast", "get_args", "made_of"]

made_of = tuple.__new__
"""A named tuple of all its values in order, in a third of the time that calling its class takes."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, NamedTuple, NoReturn, TypeVar, assert_never, cast, get_args
else:
    try:
        from _collections import _tuplegetter as _value_at
    except ImportError:  # another Python than CPython
        from operator import itemgetter

        def _value_at(place, doc):
            return property(itemgetter(place), doc=doc)

    Any = NoReturn = object

    class Literal(tuple):
        def __class_getitem__(cls, values):
            return cls(values if isinstance(values, tuple) else (values,))

        def __or__(self, other):
            return object

        __ror__ = __or__

    def get_args(literal):
        return tuple(literal)

    def cast(kind, value):
        return value

    def assert_never(value):
        raise AssertionError(f"not one of the choices: {value!r}")

    def TypeVar(name):
        return object

    class _Fields(tuple):
        """What all named tuples can do, as those of `collections.namedtuple`."""

        __slots__ = ()

        def __new__(cls, *values, **named):
            lacking = len(cls._fields) - len(values)
            if lacking or named:
                if named or not 0 < lacking <= len(cls._field_defaults):
                    values = cls._named(values, named)
                else:
                    values += tuple(cls._field_defaults.values())[-lacking:]
            return tuple.__new__(cls, values)

        @classmethod
        def _named(cls, values, named):
            """All values: those given in order, those by name, and the defaults."""
            by_place = dict(zip(cls._fields, values, strict=False))
            found = {**cls._field_defaults, **by_place, **named}
            if len(by_place) < len(values) or by_place.keys() & named.keys() or found.keys() != set(cls._fields):
                raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}; given: {values}, {named}")
            return [found[field] for field in cls._fields]

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **changes):
            values = [changes.pop(name, value) for name, value in zip(self._fields, self, strict=True)]
            if changes:
                raise ValueError(f"{type(self).__name__} has no {', '.join(changes)}")
            return tuple.__new__(type(self), values)

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            values = ", ".join([f"{name}={value!r}" for name, value in self._asdict().items()])
            return f"{type(self).__name__}({values})"

    class _NamedTupleType(type):
        """Makes of ``class Meld(NamedTuple)`` a tuple with a name for each of its annotations."""

        def __new__(mcs, name, bases, body):
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            getters = {field: _value_at(place, "") for place, field in enumerate(fields)}
            own = {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
            return type(name, (_Fields,), {**body, **getters, **own})

    NamedTuple = type.__new__(_NamedTupleType, "NamedTuple", (), {})
