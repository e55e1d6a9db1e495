"""The OpenAPI 3.1 document, made from the routes and their types, and the page that shows it to people."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, current_app, g, jsonify, render_template
from flask.typing import ResponseReturnValue
from msgspec import Struct

from webui.i18n import Texts
from webui.views.api.schemas import Problem

Schema = dict[str, Any]
"""A part of the document: JSON Schema, or one of OpenAPI's own objects."""
blueprint = Blueprint("openapi", __name__)
VERSION = "3.1.0"
OPERATION = "paitai_operation"
PLACES = re.compile(r"<(?:\w+:)?(\w+)>")
"""The parts of a rule that an address fills in."""
COMMON = (401, 403, 421, 500)  # not paired; from another site; under another name; our own fault
WITH_TOKEN = (*COMMON, 422, 429, 503, 507)  # also: a set that cannot be read; wrong tokens; a set in use; a full disk
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Operation:
    """Requests and answers of a route: status -> type of the JSON.

    `example`: a valid body; `query`: the query parameters; `files`: the media types of an answer that is a file;
    `token`: whether a token gives access.
    """

    name: str
    body: type[Struct] | None
    answers: Mapping[int, type[Struct] | None]
    example: Mapping[str, Any] | None = None
    query: type[Struct] | None = None
    files: tuple[str, ...] = ()
    token: bool = False

    @property
    def media(self) -> str:
        """In which form its body is sent."""
        fields = self.body.__annotations__.values() if self.body else ()
        return "multipart/form-data" if "bytes" in fields else "application/json"


def documented(
    name: str,
    *,
    body: type[Struct] | None = None,
    answers: Mapping[int, type[Struct] | None],
    example: Mapping[str, object] | None = None,
    query: type[Struct] | None = None,
    files: tuple[str, ...] = (),
    token: bool = False,
) -> Callable[[View], View]:
    """Put a route into the document; its texts are ``api.<name>.title`` and ``api.<name>.about``."""
    operation = Operation(name, body, answers, example, query, files, token)

    def mark(view: View) -> View:
        setattr(view, OPERATION, operation)
        return view

    return mark


def operations() -> list[tuple[str, str, Operation]]:
    """Path, method in small letters and operation of every documented route of this application."""
    listed = []
    for rule in current_app.url_map.iter_rules():
        operation: Operation | None = getattr(current_app.view_functions[rule.endpoint], OPERATION, None)
        if operation is not None:
            methods = sorted((rule.methods or set()) & {"GET", "POST", "PUT", "DELETE"})
            listed += [(rule.rule, method.lower(), operation) for method in methods]
    return listed


def document(texts: Texts) -> Schema:
    """The OpenAPI document in the language of `texts`."""
    listed = operations()
    kinds = [
        Problem,
        *(kind for _, _, operation in listed for kind in (operation.body, *operation.answers.values()) if kind),
    ]
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    paths: Schema = {}
    for path, method, operation in listed:
        shown = _operation(operation, method, texts)
        shown["parameters"] += [_path_parameter(name, texts) for name in PLACES.findall(path)]
        paths.setdefault(PLACES.sub(r"{\1}", path), {})[method] = shown
    session = {"type": "apiKey", "in": "cookie", "name": current_app.config["SESSION_COOKIE_NAME"]}
    bearer = {"type": "http", "scheme": "bearer", "description": texts("api.bearer")}
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
            "securitySchemes": {"session": {**session, "description": texts("api.session")}, "bearer": bearer},
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
    parameters += _query_parameters(operation, texts)
    shown: Schema = {
        "operationId": operation.name,
        "summary": texts(f"api.{operation.name}.title"),
        "description": texts(f"api.{operation.name}.about"),
        "parameters": parameters,
        "responses": {},
    }
    common = dict.fromkeys(WITH_TOKEN if operation.token else COMMON, Problem)
    for status, kind in sorted({**common, **operation.answers}.items()):
        schema = _reference(kind) if kind else {"type": "object"}
        content: Schema = {"application/json": {"schema": schema}}
        if operation.files and kind is None:
            content = {media: {"schema": {"type": "string", "format": "binary"}} for media in operation.files}
        shown["responses"][str(status)] = {"description": texts(f"api.status.{status}"), "content": content}
    if operation.token:
        shown["security"] = [{}, {"session": []}, {"bearer": []}]
    if operation.body is not None:
        sent: Schema = {"schema": _reference(operation.body)}
        if operation.example is not None:
            sent["example"] = operation.example
        shown["requestBody"] = {"required": True, "content": {operation.media: sent}}
    return shown


def _path_parameter(name: str, texts: Texts) -> Schema:
    """A part of an address that the sender fills in."""
    pattern = {"sha256": {"pattern": "^[0-9a-f]{64}$"}}.get(name, {})
    schema = {"type": "string", **pattern}
    return {"name": name, "in": "path", "required": True, "schema": schema, "description": texts(f"api.path.{name}")}


def _query_parameters(operation: Operation, texts: Texts) -> list[Schema]:
    if operation.query is None:
        return []
    fields = msgspec.json.schema_components([operation.query])[1][operation.query.__name__]["properties"]
    return [
        {"name": name, "in": "query", "schema": schema, "description": texts(f"api.field.{name}")}
        for name, schema in fields.items()
    ]


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
def openapi() -> ResponseReturnValue:
    """The document for programs."""
    return jsonify(document(g.texts))


@blueprint.get("/docs")
def docs() -> str:
    """The document for people."""
    texts: Texts = g.texts
    shown = document(texts)
    return render_template("api_docs.html", api=shown, kind_of=kind_of)


def kind_of(field: Mapping[str, Any]) -> str:
    """The type of a field in a few words, such as ``string | null`` or ``[number × 4]``."""
    if "$ref" in field:
        return str(field["$ref"]).rsplit("/", 1)[-1]
    if "anyOf" in field:
        return " | ".join(kind_of(choice) for choice in field["anyOf"])
    if "enum" in field:
        return " | ".join("null" if choice is None else str(choice) for choice in field["enum"])
    kind = str(field.get("type", "any"))
    if kind == "array":
        if "prefixItems" in field:
            return f"[{', '.join(kind_of(item) for item in field['prefixItems'])}]"
        return f"[{kind_of(field.get('items') or {})} …]"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"{{… : {kind_of(field['additionalProperties'])}}}"
    if kind == "integer" and "minimum" in field and "maximum" in field:
        return f"{field['minimum']} … {field['maximum']}"
    return kind
