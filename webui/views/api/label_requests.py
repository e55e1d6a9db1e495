"""Parts of the label API's requests: the data set and the photo of an address, bodies and query parameters."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec
from flask import request
from msgspec import Struct

from vision.labelling.labels import LabelledPhoto
from vision.labelling.messages import LabellingError
from vision.labelling.store import DatasetStore
from webui.labelling import paths
from webui.web.errors import UserError

Kind = TypeVar("Kind", bound=Struct)


def store_of(name: str) -> DatasetStore:
    """The data set of an address. Raises UserError (404)."""
    if name not in paths.names():
        raise UserError("api.tokens.no_set", 404, name=name[:80])
    return paths.open_set(name)


def photo_of(store: DatasetStore, sha256: str) -> LabelledPhoto:
    """The photo of an address. Raises UserError (404)."""
    if re.fullmatch("[0-9a-f]{64}", sha256):
        try:
            return store.get(sha256)
        except LabellingError as error:
            if error.key != "no_photo":
                raise
    raise UserError("api.tokens.no_photo", 404)


def converted(value: object, kind: type[Kind], *, strict: bool = True) -> Kind:
    """A value of that kind. Raises UserError that names the faulty field."""
    try:
        return msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise UserError("error.schema", reason=str(error)) from None


def query_of(kind: type[Kind]) -> Kind:
    """The query parameters."""
    given = {}
    for key in kind.__struct_fields__:
        values = request.args.getlist(key)
        if len(values) > 1:
            raise UserError("error.schema", reason=f"$.{key}")
        if values:
            given[key] = values[0]
    return converted(given, kind, strict=False)
