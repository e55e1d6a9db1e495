// The service worker: pages come from the computer; while it cannot be reached, one kept page says so.

const SHELL = "paitai-shell";
const OFFLINE = "/offline";

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => event.waitUntil(keepShell().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== worker.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (address.pathname.startsWith("/static/") && address.searchParams.has("v")) event.respondWith(file(request));
});

/** The kept page in the language of this phone, with the files that it names. */
async function keepShell() {
  const cache = await caches.open(SHELL);
  const answer = await fetch(OFFLINE, { cache: "no-store" });
  if (!answer.ok) return;
  const html = await answer.clone().text();
  await cache.put(OFFLINE, answer);
  const files = [...html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((found) => found[1]);
  await Promise.all(files.map((name) => file(new Request(name))));
}

/**
 * A page from the computer, else the kept one.
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

/**
 * A file whose address changes with it: the kept one, else from the computer; an older one of that name is dropped.
 * @param {Request} request
 * @returns {Promise<Response>}
 */
async function file(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.delete(request, { ignoreSearch: true });
    await cache.put(request, answer.clone());
  }
  return answer;
}
