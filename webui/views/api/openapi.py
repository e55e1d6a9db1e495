"""The OpenAPI 3.1 document, made from the routes and their types, and the page that shows it to people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, current_app, g, jsonify, render_template
from msgspec import Struct

from webui.i18n import Texts
from webui.views.api.schemas import Problem, ReadForm

Schema = dict[str, Any]
"""A part of the document: JSON Schema, or one of OpenAPI's own objects."""
blueprint = Blueprint("openapi", __name__)
VERSION = "3.1.0"
OPERATION = "paitai_operation"
COMMON = (401, 403, 421, 500)  # not paired; from another site; under another name; our own fault
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Operation:
    """What a route takes and gives: status -> type of the JSON; `example`: a body that works."""

    name: str
    body: type[Struct] | None
    answers: Mapping[int, type[Struct] | None]
    example: Mapping[str, Any] | None = None


def documented(
    name: str,
    *,
    body: type[Struct] | None = None,
    answers: Mapping[int, type[Struct] | None],
    example: Mapping[str, Any] | None = None,
) -> Callable[[View], View]:
    """Put a route into the document; its texts are ``api.<name>.title`` and ``api.<name>.about``."""
    operation = Operation(name, body, answers, example)

    def mark(view: View) -> View:
        setattr(view, OPERATION, operation)
        return view

    return mark


def operations() -> list[tuple[str, str, Operation]]:
    """Path, method in small letters and operation of every documented route of this application."""
    found = []
    for rule in current_app.url_map.iter_rules():
        operation: Operation | None = getattr(current_app.view_functions[rule.endpoint], OPERATION, None)
        if operation is not None:
            methods = sorted((rule.methods or set()) & {"GET", "POST", "PUT", "DELETE"})
            found += [(rule.rule, method.lower(), operation) for method in methods]
    return found


def document(texts: Texts) -> Schema:
    """The OpenAPI document in the language of `texts`."""
    listed = operations()
    kinds = [Problem, *(kind for _, _, one in listed for kind in (one.body, *one.answers.values()) if kind)]
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    paths: Schema = {}
    for path, method, operation in listed:
        paths.setdefault(path, {})[method] = _operation(operation, method, texts)
    session = {"type": "apiKey", "in": "cookie", "name": current_app.config["SESSION_COOKIE_NAME"]}
    return {
        "openapi": VERSION,
        "info": {
            "title": texts("api.title"),
            "description": texts("api.about"),
            "version": _version(),
            "license": {"name": "AGPL-3.0-only", "identifier": "AGPL-3.0-only"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"session": []}],
        "paths": paths,
        "components": {
            "schemas": {name: _described(_binary(schema), texts) for name, schema in components.items()},
            "securitySchemes": {"session": {**session, "description": texts("api.session")}},
        },
    }


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("paitai")
    except PackageNotFoundError:
        return "0"


def _operation(operation: Operation, method: str, texts: Texts) -> Schema:
    parameters = [{"name": "lang", "in": "query", "schema": {"type": "string"}, "description": texts("api.lang")}]
    if method != "get":
        token = {"name": "X-CSRF-Token", "in": "header", "schema": {"type": "string"}}
        parameters.append({**token, "description": texts("api.token")})
    shown: Schema = {
        "operationId": operation.name,
        "summary": texts(f"api.{operation.name}.title"),
        "description": texts(f"api.{operation.name}.about"),
        "parameters": parameters,
        "responses": {},
    }
    for status, kind in sorted({**dict.fromkeys(COMMON, Problem), **operation.answers}.items()):
        schema = _reference(kind) if kind else {"type": "object"}
        shown["responses"][str(status)] = {
            "description": texts(f"api.status.{status}"),
            "content": {"application/json": {"schema": schema}},
        }
    if operation.body is not None:
        media = "multipart/form-data" if operation.body is ReadForm else "application/json"
        content: Schema = {"schema": _reference(operation.body)}
        if operation.example is not None:
            content["example"] = operation.example
        shown["requestBody"] = {"required": True, "content": {media: content}}
    return shown


def _reference(kind: type[Struct]) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _binary(schema: Schema) -> Schema:
    """A file in a form is its bytes, not base64 text as in JSON."""
    fields = {
        name: {"type": "string", "format": "binary"} if field.get("contentEncoding") == "base64" else field
        for name, field in schema.get("properties", {}).items()
    }
    return {**schema, "properties": fields} if fields else schema


def _described(schema: Schema, texts: Texts) -> Schema:
    listed = schema.get("properties", {})
    fields = {name: {**field, "description": texts(f"api.field.{name}")} for name, field in listed.items()}
    return {**schema, "properties": fields} if fields else schema


@blueprint.get("/openapi.json")
@documented("openapi", answers={200: None})
def openapi() -> Any:
    """The document for programs."""
    return jsonify(document(g.texts))


@blueprint.get("/docs")
def docs() -> Any:
    """The document for people."""
    texts: Texts = g.texts
    shown = document(texts)
    return render_template("api_docs.html", api=shown, kind_of=kind_of)


def kind_of(field: Mapping[str, Any]) -> str:
    """The type of a field in a few words, such as ``string | null`` or ``[number × 4]``."""
    if "$ref" in field:
        return str(field["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in field:
        return " | ".join(kind_of(one) for one in field["anyOf"])
    if "enum" in field:
        return " | ".join("null" if one is None else str(one) for one in field["enum"])
    kind = str(field.get("type", "any"))
    if kind == "array":
        if "prefixItems" in field:
            return f"[{', '.join(kind_of(one) for one in field['prefixItems'])}]"
        return f"[{kind_of(field.get('items') or {})} …]"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"{{… : {kind_of(field['additionalProperties'])}}}"
    if kind == "integer" and "minimum" in field and "maximum" in field:
        return f"{field['minimum']} … {field['maximum']}"
    return kind
