// The service worker of one build. Files come from its own cache, pages from the tab that has the application. The
// builder puts `PAITAI` before this: the build, and every file with its hash, the files of the start page first.

/* global PAITAI */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const { build, policy, core, later, sizes } = PAITAI;

const ROOT = new URL("./", worker.location.href).pathname;
const MINE = `paitai-pocket ${ROOT} `;
const HERE = MINE + build;
const HASH = "x-paitai-hash";
const AT_ONCE = 6;
/** From so many bytes on a file is fetched alone: it is held whole while its hash is worked out. */
const LARGE = 1_000_000;
/** @type {Promise<void>} the large files so far */
let large = Promise.resolve();
/** @type {Map<string, Promise<void>>} files that are being fetched: two who ask for one wait for the same */
const coming = new Map();
const HOPS = 5;
/** The files that a photo needs: of the others nobody waits for the rest. */
const WAITED = Object.keys({ ...core, ...later }).filter((name) => !name.startsWith("about/"));
/** @type {Map<string, number>} bytes of each file that are here */
const here = new Map();
let told = "";
/** @type {Record<string, string>} */
const TYPES = {
  html: "text/html; charset=utf-8", js: "text/javascript", mjs: "text/javascript", css: "text/css", json: "application/json",
  svg: "image/svg+xml", png: "image/png", wasm: "application/wasm", webmanifest: "application/manifest+json",
  txt: "text/plain; charset=utf-8", zip: "application/zip", gz: "application/gzip",
};

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => {
  const [port] = event.ports;
  if (event.data.what === "build") port.postMessage(build);
  if (event.data.what === "take over") event.waitUntil(worker.skipWaiting());
  if (event.data.what === "rest") event.waitUntil(keep({ ...core, ...later }).then(() => port.postMessage(true), () => port.postMessage(false)));
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== worker.location.origin || !address.pathname.startsWith(ROOT)) return;
  const name = address.pathname.slice(ROOT.length);
  if (request.destination === "document") event.respondWith(file("index.html"));
  else if (name in core || name in later) event.respondWith(file(name));
  else event.respondWith(page(request, address));
});

/** A first build takes over at once; a later one waits next to the current one until the app is opened again. */
async function install() {
  const others = (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== HERE);
  await keep(others.length ? { ...core, ...later } : core);
  if (!worker.registration.active) await worker.skipWaiting();
}

async function activate() {
  const old = (/** @type {string} */ name) => name.startsWith(MINE) && name !== HERE;
  const memory = (/** @type {string} */ name) => name.startsWith(`paitai-memory ${ROOT} `) && !name.endsWith(` ${build}`);
  await Promise.all((await caches.keys()).filter((name) => old(name) || memory(name)).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * Put files into this build's cache: from an earlier build's if they are equal, else from the network. A file that
 * does not match this build (because another build is being uploaded) is refused.
 * @param {Record<string, string>} files
 */
async function keep(files) {
  const names = (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== HERE);
  const earlier = await Promise.all(names.map((name) => caches.open(name)));
  const left = Object.keys(files);
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      await once(name, files[name], earlier);
      came(name, sizes[name]);
    }
  }));
}

/**
 * So much of a file is here; every tab is told how far all is where that has changed.
 * @param {string} name
 * @param {number} bytes
 */
function came(name, bytes) {
  here.set(name, bytes);
  const far = { first: share(Object.keys(core)), all: share(WAITED) };
  const now = JSON.stringify(far);
  if (now === told) return;
  told = now;
  void tell({ what: "progress", build, far });
}

/** @param {string[]} names */
function share(names) {
  const sum = (/** @type {(name: string) => number} */ bytes) => names.reduce((all, name) => all + bytes(name), 0);
  return Math.floor((100 * sum((name) => here.get(name) ?? 0)) / sum((name) => sizes[name]));
}

/**
 * One large file after the other.
 * @param {() => Promise<void>} start
 * @returns {Promise<void>}
 */
function inTurn(start) {
  const done = large.then(start);
  large = done.catch(() => undefined);
  return done;
}

/**
 * @param {string} name
 * @param {string} hash
 * @param {Cache[]} earlier
 */
function once(name, hash, earlier) {
  const start = () => put(name, hash, earlier);
  const found = coming.get(name) ?? (sizes[name] > LARGE ? inTurn(start) : start()).finally(() => coming.delete(name));
  coming.set(name, found);
  return found;
}

/**
 * @param {string} name
 * @param {string} hash
 * @param {Cache[]} earlier caches of other builds
 */
async function put(name, hash, earlier) {
  const mine = await caches.open(HERE);
  const address = ROOT + name;
  if (await mine.match(address)) return;
  for (const cache of earlier) {
    const kept = await cache.match(address);
    if (kept?.headers.get(HASH) === hash) return mine.put(address, kept);
  }
  const answer = await fetch(address, { cache: "no-cache" });
  if (!answer.ok || !answer.body) throw new Error(`${name}: ${answer.status}`);
  const content = await whole(answer.body, name);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  if (`sha256-${btoa(String.fromCharCode(...digest))}` !== hash) throw new Error(`${name} is of another build`);
  await mine.put(address, dressed(content, name, hash));
  release(content);
}

/**
 * A file's bytes, counted while they come. (`fetch` with `integrity` gives none of them before it has all.)
 * @param {ReadableStream<Uint8Array>} body
 * @param {string} name
 */
async function whole(body, name) {
  const content = new Uint8Array(sizes[name]);
  const reader = body.getReader();
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (bytes + part.value.length > content.length) throw new Error(`${name} is of another build`);
    content.set(part.value, bytes);
    bytes += part.value.length;
    came(name, bytes);
    release(part.value);
  }
  return content;
}

/** @param {Uint8Array} bytes megabytes in all, which no collector has to find (ES2024) */
const release = (bytes) => /** @type {any} */ (bytes.buffer).transfer?.(0);

/**
 * A file's answer with the type of its name's ending, whatever the host sends, and with the shell's permissions.
 * @param {Uint8Array<ArrayBuffer>} content
 * @param {string} name
 * @param {string} hash
 */
function dressed(content, name, hash) {
  const headers = new Headers({ [HASH]: hash, "X-Content-Type-Options": "nosniff" });
  headers.set("Content-Type", TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream");
  if (!name.startsWith("static/")) headers.set("Content-Security-Policy", policy);
  return new Response(content, { headers });
}

/** @param {object} message to every tab */
async function tell(message) {
  for (const client of await worker.clients.matchAll({ type: "window", includeUncontrolled: true })) client.postMessage(message);
}

/**
 * @param {string} name
 * @returns {Promise<Response>}
 */
async function file(name) {
  const kept = await (await caches.open(HERE)).match(ROOT + name);
  if (kept) return kept;
  await keep({ [name]: core[name] ?? later[name] });
  return (await (await caches.open(HERE)).match(ROOT + name)) ?? Response.error();
}

/**
 * A page of the application, from the tab that has it.
 * @param {Request} request
 * @param {URL} address
 * @returns {Promise<Response>}
 */
async function page(request, address) {
  /** @type {Record<string, string>} */
  const headers = Object.fromEntries(request.headers);
  if (request.referrer) {
    const from = new URL(request.referrer);
    headers.referer = from.pathname + from.search;
  }
  const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
  let at = address;
  let asked = { method: request.method, path: pathOf(address), query: address.search.slice(1), headers, body };
  for (let hop = 0; hop < HOPS; hop += 1) {
    const made = await ask(asked);
    if (!made) return new Response("", { status: 503 });
    const answered = new Headers(made.headers);
    const to = answered.get("Location");
    if (!to || made.status < 300 || made.status >= 400) {
      // tell a redirected page its address: `url` of an answer made here is the requested one
      answered.set("X-Address", worker.location.origin + at.pathname + at.search);
      return new Response([204, 304].includes(made.status) ? null : made.body, { status: made.status, headers: answered });
    }
    const next = new URL(to, address);
    if (request.mode === "navigate") return Response.redirect(worker.location.origin + next.pathname + next.search + next.hash, made.status);
    at = next;
    asked = { method: "GET", path: pathOf(next), query: next.search.slice(1), headers, body: null };
  }
  return Response.error();
}

/** @param {URL} address */
function pathOf(address) {
  return `/${decodeURIComponent(address.pathname.slice(ROOT.length))}`;
}

/**
 * Every tab is asked whether it has the application; the one that has it answers with more than null.
 * @param {{body: ArrayBuffer | null}} asked
 * @returns {Promise<{status: number, headers: [string, string][], body: ArrayBuffer} | null>}
 */
async function ask(asked) {
  const tabs = (await worker.clients.matchAll({ type: "window" })).filter((one) => one.frameType === "top-level");
  for (const tab of tabs) {
    const made = await new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = ({ data }) => resolve(data);
      tab.postMessage({ what: "ask", asked }, [channel.port2]);
    });
    if (made) return made;
  }
  return null;
}
