"""schemathesis against every route with input, including forms: no answer may be a 500.

    python benchmarks/reliability/every_route.py [--seconds 300] [--seed 1]

The API's own document covers only the API. This one is made from the application's routes and from the fields that
`hostile_values` lists for every form; a missing route is reported. The server is a real one, with one set and one photo
in its workbench. Exit status 1 if schemathesis finds a server error.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from hostile_requests import Attack
from hostile_values import FORMS, PHOTO_FORMS, SET_FORMS
from server_process import Server, temporary_folder

from webui import create_app

UPLOADS = {
    "/": "photo",
    "/hand": "photo",
    "/live": "photo",
    "/api/read": "photo",
    "/house/import": "file",
    "/backup/merge": "backup",
}
JSON = ("/api/score", "/labels", "/read", "/sheet", "/dismiss")
OTHERS = ("who", "claim", "outcome", "key", "tile")
LEFT_OUT = ("/phones/forget", "/label/models/train", "/static")
"""They end the run's own pairing, start an hour's work, or are files."""


def document(name: str, photo: str) -> dict[str, Any]:
    """An OpenAPI document of every route: any text in every part of its address and in every field that it has."""
    app = create_app({"DATA": "/nowhere"})
    paths: dict[str, Any] = {}
    text = {"type": "string", "maxLength": 3000}
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith(LEFT_OUT):
            continue
        path = rule.rule.replace("/label/<name>", f"/label/{name}").replace("<id_>/read", f"{photo}/read")
        for inner in ("labels", "about", "blur", "state"):
            path = path.replace(f"<id_>/{inner}", f"{photo}/{inner}")
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)
        parameters = [
            {"name": one, "in": "path", "required": True, "schema": text} for one in re.findall(r"{(\w+)}", path)
        ]
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            operation: dict[str, Any] = {
                "parameters": list(parameters),
                "responses": {"default": {"description": "any"}},
            }
            if method == "GET":
                for one in ("lang", "page", "at", "kind", "key", "next", "since", "player", "below", "tile", "order"):
                    operation["parameters"].append({"name": one, "in": "query", "schema": text})
            else:
                operation["requestBody"] = {"content": _content(rule.rule, text)}
            paths.setdefault(path, {})[method.lower()] = operation
    info = {"title": "every route", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": paths}


def _content(rule: str, text: dict[str, Any]) -> dict[str, Any]:
    if rule.endswith(JSON):
        return {"application/json": {"schema": {"type": ["object", "array", "string", "number", "null"]}}}
    inner = rule.rsplit("/", 1)[-1]
    fields = FORMS.get(rule) or SET_FORMS.get(inner) or PHOTO_FORMS.get(inner) or OTHERS
    form = {"type": "object", "properties": dict.fromkeys(fields, text)}
    upload = UPLOADS.get(rule) or ("files" if rule.endswith("/import") else "")
    if not upload:
        return {"application/x-www-form-urlencoded": {"schema": form}}
    binary = {"type": "string", "format": "binary"}
    return {"multipart/form-data": {"schema": {**form, "properties": {**form["properties"], upload: binary}}}}


def main() -> int:
    """Serve, run schemathesis, print its result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with temporary_folder() as folder, Server(str(folder), environment={"PAITAI_DATA": str(folder)}) as server:
        attack = Attack(server, args.seed)
        schema = folder / "routes.json"
        made = document(attack.set, attack.photo)
        schema.write_text(json.dumps(made))
        program = Path(sys.executable).with_name("schemathesis")
        options = ["--checks", "not_a_server_error", "--max-time", str(args.seconds), "--phases", "coverage,fuzzing"]
        options += ["--max-examples", "100000", "--continue-on-failure", "--seed", str(args.seed), "--no-color"]
        command = [str(program), "run", str(schema), "--url", server.address.rstrip("/"), *options]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        alive = server.process.poll() is None
        operations = sum(len(one) for one in made["paths"].values())
        print(f"{operations} operations of {len(made['paths'])} paths, {args.seconds} s")
        print(done.stdout[-3000:])
        print(f"server {'alive' if alive else 'gone'}, memory at most {server.memory()} MB")
    return 0 if alive and done.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
