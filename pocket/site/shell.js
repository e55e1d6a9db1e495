// The page that stays: it starts the worker, shows the application's own pages in a frame, and hands the frame's
// requests on. Of several tabs one has the application; the others offer to take it over.

import { BUILD } from "./build.js";
import { handOver, isWaiting, startShutter } from "./outer/shutter.js";
import { note, say, text } from "./outer/texts.js";

const ROOT = new URL("../", import.meta.url).pathname;
const OWNER = `paitai ${ROOT}`;
const PATIENCE = 15000; // milliseconds that the tab that has the application gets to finish its work

/** @type {Worker | null} */
let worker = null;
/** @type {Map<number, {resolve: (made: any) => void, reject: (error: Error) => void}>} */
const waiting = new Map();
let asked = 0;
let fetching = true; // until the files of the start page are here
let far = { first: 100, all: 100 }; // per cent of them, and of everything that reads a photo, as far as it was said
let state = "loading";
/** @type {Promise<boolean> | undefined} */
let rest;
/** @type {ServiceWorkerRegistration} */
let registration;
/** @type {(value?: unknown) => void} */
let letGo = () => undefined;
const tabs = new BroadcastChannel(OWNER);

void begin();

async function begin() {
  if (!("serviceWorker" in navigator) || !("locks" in navigator) || !window.isSecureContext) return say("old_browser");
  try {
    tell("loading");
    void startShutter(wishChanged);
    await service();
    if (isWaiting()) void restOfFiles();
    await navigator.locks.request(OWNER, { ifAvailable: true }, (lock) => (lock ? own() : say("other_tab", takeOver)));
  } catch (error) {
    console.error(error);
    say("not_started", () => location.reload());
  }
}

/**
 * Say where the start is, with how far the files are that it waits for.
 * @param {string} key
 */
function tell(key) {
  state = key;
  const percent = isWaiting() ? far.all : far.first;
  say(key, undefined, percent < 100 && (fetching || isWaiting()) ? percent : undefined);
}

/** A photo was taken at the shutter, or the sample asked for, or neither any more. */
function wishChanged() {
  if (isWaiting() && !fetching) void restOfFiles();
  if (!document.documentElement.dataset.started) tell(state);
  else if (isWaiting()) give();
}

/** What reads a photo: fetched while Python starts if one waits, else after the start page. */
function restOfFiles() {
  rest ??= told({ what: "rest" }).then((all) => {
    if (all) document.documentElement.dataset.whole = "1";
    else rest = undefined; // once more with the next photo
    return all;
  });
  return rest;
}

/** What waits goes to the application; to its start page if it shows another. */
function give() {
  const frame = document.getElementById("app");
  if (!(frame instanceof HTMLIFrameElement) || !isWaiting()) return;
  const page = frame.contentDocument;
  if (page?.readyState !== "complete") return; // when it has come
  if (!handOver(page)) frame.src = ROOT;
}

/** The service worker of this build, in charge of this page. */
async function service() {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", hear);
  registration = await serviceWorker.register(`${ROOT}sw.js`, { scope: ROOT, updateViaCache: "none" });
  if (!serviceWorker.controller) {
    const failed = new Promise((_, reject) => {
      const installing = registration.installing ?? registration.waiting;
      installing?.addEventListener("statechange", () => installing.state === "redundant" && reject(new Error("not installed")));
    });
    const there = new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
    await Promise.race([there, failed]);
  }
  fetching = false;
  // another build is in charge: another tab has let it, or the browser itself while this page was starting. Who works
  // with the application already goes on; other pages reload, or their files would be of two builds
  serviceWorker.addEventListener("controllerchange", () => document.documentElement.dataset.started ?? location.reload());
  serviceWorker.startMessages();
  const build = await told({ what: "build" });
  if (build !== BUILD && !sessionStorage.getItem(build)) {
    sessionStorage.setItem(build, "1"); // this page came from the network while another build was put there
    location.reload();
    await new Promise(() => undefined);
  }
}

/**
 * The service worker's answer to a message.
 * @param {object} message
 * @returns {Promise<any>}
 */
function told(message) {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = ({ data }) => resolve(data);
    navigator.serviceWorker.controller?.postMessage(message, [channel.port2]);
  });
}

/** Have the application until another tab asks for it. */
async function own() {
  if (registration.waiting) {
    // a newer build is ready, and no tab works with this one: it takes over, and the page reloads
    registration.waiting.postMessage({ what: "take over" });
    await new Promise(() => undefined);
  }
  const free = new Promise((resolve) => { letGo = resolve; });
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error === undefined) one?.resolve(data.made);
    else one?.reject(new Error(data.error));
  });
  tell("starting");
  const start = await Promise.race([call({ start: ROOT }), free]);
  if (worker === null) return; // taken over meanwhile
  Object.assign(window, { paitai: start });
  if (isWaiting()) {
    tell("networks");
    await Promise.race([restOfFiles(), free]);
    if (worker === null) return;
  }
  document.documentElement.dataset.started = "1";
  show();
  void restOfFiles();
  await free;
}

tabs.addEventListener("message", async ({ data }) => {
  if (data !== "give" || !worker) return;
  await call({}).catch(() => undefined); // earlier requests are done then
  worker.terminate();
  worker = null;
  document.getElementById("app")?.remove();
  delete document.documentElement.dataset.started;
  say("other_tab", takeOver);
  letGo();
});

/** The other tab finishes its work and gives the application up; one that does not answer is not waited for. */
async function takeOver() {
  say("starting");
  tabs.postMessage("give");
  const late = new AbortController();
  setTimeout(() => late.abort(), PATIENCE);
  try {
    await navigator.locks.request(OWNER, { signal: late.signal }, own);
  } catch (error) {
    if (!late.signal.aborted) throw error;
    await navigator.locks.request(OWNER, { steal: true }, own);
  }
}

/**
 * @param {object} message
 * @param {Transferable[]} [moved]
 * @returns {Promise<any>}
 */
function call(message, moved = []) {
  return new Promise((resolve, reject) => {
    asked += 1;
    waiting.set(asked, { resolve, reject });
    worker?.postMessage({ id: asked, ...message }, moved);
  });
}

/**
 * The place that an address names; the start page if nobody can have written it.
 * @param {string} hash
 */
function named(hash) {
  try {
    return decodeURI(hash);
  } catch {
    return "";
  }
}

/** The application's pages, at the place that the address names behind its #. */
function show() {
  say("");
  const frame = document.createElement("iframe");
  frame.id = "app";
  frame.title = text("title");
  frame.allow = "camera";
  const place = named(location.hash.slice(1));
  frame.src = ROOT + (place.startsWith("/") && !place.startsWith("//") ? place.slice(1) : "");
  frame.addEventListener("load", () => {
    const page = frame.contentWindow;
    if (!page) return;
    const { pathname, search } = page.location;
    history.replaceState(null, "", `#/${(pathname + search).slice(ROOT.length)}`);
    document.title = page.document.title;
    page.document.addEventListener("click", stayHere, true);
    give();
  });
  document.body.append(frame);
}

/**
 * A link that would open a tab of its own is followed here: another tab has no application.
 * @param {MouseEvent} event
 */
function stayHere(event) {
  const link = /** @type {Element | null} */ (event.target)?.closest?.("a[target=_blank]");
  if (link instanceof HTMLElement || link) {
    const address = new URL(link.getAttribute("href") ?? "", link.baseURI);
    if (address.origin === location.origin && address.pathname.startsWith(ROOT)) link.removeAttribute("target");
  }
}

/** @param {MessageEvent} event from the service worker: a page's request, or how far it is with fetching files */
async function hear({ data, ports }) {
  if (data.what === "progress") {
    if (data.build !== BUILD) return; // another build, beside this one
    far = data.far;
    if (!document.documentElement.dataset.started) tell(state);
    return;
  }
  if (data.what !== "ask") return;
  const [port] = ports;
  if (!worker || !document.documentElement.dataset.started) return port.postMessage(null);
  try {
    const made = await call({ asked: data.asked }, data.asked.body ? [data.asked.body] : []);
    port.postMessage(made, [made.body]);
    if (data.asked.method === "POST" && made.status < 400) void firstRecord(data.asked.path);
  } catch (error) {
    console.error(error);
    const body = new TextEncoder().encode(text("failed"));
    port.postMessage({ status: 500, headers: [["Content-Type", "text/plain; charset=utf-8"]], body: body.buffer });
  }
}

/**
 * At the first record, ask the browser to keep the storage, and warn that some browsers delete it.
 * @param {string} path
 */
async function firstRecord(path) {
  if (path !== "/records" || localStorage.getItem(OWNER)) return;
  localStorage.setItem(OWNER, "said");
  await navigator.storage?.persist?.().catch(() => false);
  note("kept", () => {
    const frame = document.getElementById("app");
    if (frame instanceof HTMLIFrameElement) frame.src = `${ROOT}pocket#backup`;
  });
}
