// Which browser features do our pages use that a browser of the floor lacks? Called by features.py:
//     node features.mjs MODULES FLOOR FILE...
// MODULES: a node_modules folder with @mdn/browser-compat-data, acorn, acorn-walk and css-tree.
// FLOOR: a JSON object, browser to its oldest supported version. Prints one JSON object: feature to {lacking, files}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, floor, ...files] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const data = JSON.parse(readFileSync(`${modules}/@mdn/browser-compat-data/data.json`, "utf8"));
const acorn = require("acorn");
const walk = require("acorn-walk");
const cssTree = require("css-tree");
const browsers = Object.entries(JSON.parse(floor));
const found = {};

function older(version, than) {
  const parts = (text) => String(text).replace("≤", "").split(".").map(Number);
  const [left, right] = [parts(version), parts(than)];
  for (let place = 0; place < Math.max(left.length, right.length); place += 1) {
    const step = (left[place] ?? 0) - (right[place] ?? 0);
    if (step) return step < 0;
  }
  return false;
}

// Whether one entry of the data says that the browser's version has the feature, under this prefix.
function gives(entry, version, prefix) {
  if (!entry.version_added || entry.version_added === "preview" || entry.flags?.length) return false;
  if (entry.partial_implementation) return false;
  if (entry.version_removed && !older(version, entry.version_removed)) return false;
  if ((entry.prefix ?? "") !== prefix || entry.alternative_name) return false;
  return !older(version, entry.version_added);
}

// The browsers of the floor that lack a feature. `prefixes`: those that the same rule declares too.
function lacking(compat, prefixes = [""]) {
  return browsers.filter(([browser, version]) => {
    const support = [compat.support[browser] ?? []].flat();
    return support.length && !prefixes.some((prefix) => support.some((entry) => gives(entry, version, prefix)));
  }).map(([browser]) => browser);
}

function note(feature, browsersWithout, file) {
  if (!browsersWithout.length) return;
  const row = (found[feature] ??= { lacking: browsersWithout, files: [] });
  if (!row.files.includes(file)) row.files.push(file);
}

// JavaScript: names of globals, their static members, and members that some interface has.
const globals = new Map();
const members = new Map(); // name to the features of every interface that has it
for (const [area, table] of [["api", data.api], ["javascript.builtins", data.javascript.builtins]]) {
  for (const [name, node] of Object.entries(table)) {
    if (!node.__compat) continue;
    globals.set(name, { feature: `${area}.${name}`, node });
    for (const [key, member] of Object.entries(node)) {
      if (key === "__compat" || !member.__compat || key.includes("_")) continue;
      if (!members.has(key)) members.set(key, []);
      members.get(key).push({ feature: `${area}.${name}.${key}`, compat: member.__compat });
    }
  }
}
for (const [name, node] of Object.entries({ ...data.api.Window, ...data.api.WorkerGlobalScope })) {
  if (node.__compat && !globals.has(name)) globals.set(name, { feature: `api.Window.${name}`, node });
}

const parsed = new Map();
const ours = new Set(); // names of members that our own objects have: nothing tells them from an interface's
function parse(file, text) {
  const tree = acorn.parse(text, { ecmaVersion: 2022, sourceType: "module", allowHashBang: true });
  parsed.set(file, tree);
  walk.full(tree, (node) => {
    if (["Property", "MethodDefinition", "PropertyDefinition"].includes(node.type) && !node.computed) ours.add(node.key.name);
  });
}

function script(file) {
  const tree = parsed.get(file);
  const own = new Set();
  const declare = (pattern) => pattern && walk.full(pattern, (node) => node.type === "Identifier" && own.add(node.name));
  walk.full(tree, (node) => {
    if (node.type === "VariableDeclarator") declare(node.id);
    if (/Function/.test(node.type)) [node.id, ...node.params].forEach(declare);
    if (/^Class/.test(node.type)) declare(node.id);
    if (node.type === "CatchClause") declare(node.param);
    if (/^Import.*Specifier$/.test(node.type)) declare(node.local);
  });
  walk.full(tree, (node) => {
    if (node.type === "Identifier" && globals.has(node.name) && !own.has(node.name)) {
      const { feature, node: entry } = globals.get(node.name);
      note(feature, lacking(entry.__compat), file);
    }
    if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return;
    const key = node.property.name;
    const holder = node.object.type === "Identifier" && !own.has(node.object.name) && globals.get(node.object.name);
    const member = holder && (holder.node[`${key}_static`] ?? holder.node[key]);
    if (member?.__compat) {
      note(`${holder.feature}.${key}`, lacking(member.__compat), file);
    } else if (!holder && members.has(key) && !ours.has(key)) {
      const all = members.get(key).map(({ feature, compat }) => [feature, lacking(compat)]);
      const [feature, without] = all.reduce((best, next) => (next[1].length < best[1].length ? next : best));
      note(feature, without, file);
    }
  });
}

// Style sheets: properties with the prefixes beside them, at-rules, pseudo-classes, functions of values.
const functions = new Map();
(function collect(node, path) {
  for (const [key, next] of Object.entries(node)) {
    if (key === "__compat" || typeof next !== "object") continue;
    if (next.__compat) functions.set(key, [...(functions.get(key) ?? []), { feature: `${path}.${key}`, compat: next.__compat }]);
    collect(next, `${path}.${key}`);
  }
})(data.css.types, "css.types");

function sheet(file, text) {
  const tree = cssTree.parse(text, { context: "stylesheet" });
  cssTree.walk(tree, (node) => {
    if (node.type === "Atrule" && data.css["at-rules"][node.name]?.__compat) {
      note(`css.at-rules.${node.name}`, lacking(data.css["at-rules"][node.name].__compat), file);
    }
    if (node.type === "PseudoClassSelector" || node.type === "PseudoElementSelector") {
      const entry = data.css.selectors[node.name]?.__compat;
      if (entry) note(`css.selectors.${node.name}`, lacking(entry), file);
    }
    if (node.type !== "Block") return;
    const declarations = node.children.toArray().filter((child) => child.type === "Declaration");
    const declared = declarations.map((child) => child.property);
    declarations.forEach((declaration, place) => {
      if (declared.indexOf(declaration.property) < place) return; // the one before it is what an older browser takes
      cssTree.walk(declaration, { visit: "Function", enter: ({ name }) => {
        if (!functions.has(name)) return;
        const all = functions.get(name).map(({ feature, compat }) => [feature, lacking(compat)]);
        const [feature, without] = all.reduce((best, next) => (next[1].length < best[1].length ? next : best));
        note(feature, without, file);
      } });
    });
    for (const property of declared) {
      const entry = data.css.properties[property];
      if (!entry?.__compat) continue;
      const prefixes = ["", ...["-webkit-", "-moz-"].filter((prefix) => declared.includes(prefix + property))];
      note(`css.properties.${property}`, lacking(entry.__compat, prefixes), file);
    }
  });
  cssTree.walk(tree, { visit: "Declaration", enter(node) {
    const value = cssTree.generate(node.value);
    const entry = data.css.properties[node.property]?.[value];
    if (entry?.__compat) note(`css.properties.${node.property}.${value}`, lacking(entry.__compat), file);
  } });
}

// Templates: elements and attributes by their names alone, as they are not whole pages.
function template(file, text) {
  const markup = text.replace(/\{#.*?#\}/gs, "").replace(/\{%.*?%\}|\{\{.*?\}\}/gs, "");
  for (const [, element, attributes] of markup.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)>/g)) {
    const entry = data.html.elements[element];
    if (!entry) continue;
    if (entry.__compat) note(`html.elements.${element}`, lacking(entry.__compat), file);
    for (const [, attribute] of attributes.replace(/"[^"]*"/g, "").matchAll(/([a-z][a-z-]*)/g)) {
      const own = entry[attribute] ?? data.html.global_attributes[attribute];
      if (own?.__compat) note(`html.${entry[attribute] ? `elements.${element}` : "global_attributes"}.${attribute}`, lacking(own.__compat), file);
    }
  }
}

const readers = { js: script, mjs: script, css: sheet, html: template };
for (const file of files) if (/js$/.test(file)) parse(file, readFileSync(file, "utf8"));
for (const file of files) readers[file.split(".").pop()](file, readFileSync(file, "utf8"));
process.stdout.write(JSON.stringify(found));
