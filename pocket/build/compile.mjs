// Compiles Python files with the Pyodide that will run them. Runs in Node.js, at build time only.
//
// node compile.mjs PYODIDE FOLDER: every .py below FOLDER becomes a .pyc beside it and goes; FOLDER/plan.json says which
// files keep their source, and which are compiled without docstrings and assertions.

import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: pyodide });
python.FS.mkdir("/work");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/work");
python.runPython(`
import json, os, py_compile
plan = json.load(open("/work/plan.json"))
os.remove("/work/plan.json")
for place, _, names in os.walk("/work"):
    for name in names:
        path = os.path.join(place, name)
        told = os.path.relpath(path, "/work").partition("/")[2]
        if not name.endswith(".py") or told.startswith(tuple(plan["sources"])):
            continue
        level = 2 if told.startswith(tuple(plan["bare"])) else 0
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(path, cfile=path + "c", dfile=told, doraise=True, optimize=level, invalidation_mode=mode)
        os.remove(path)
`);
