// Sending a form and reading the answer: a part of the page, or one sentence about what went wrong.

const TRIES = 40; // of a form for which there was no room

/**
 * @typedef {{html: string} | {error: string, again?: number}} Answer `again`: seconds after which the server asks to come again
 * @typedef {{progress?: (percent: number) => void, signal?: AbortSignal, waiting?: (seconds: number) => void, ticket?: string}} Options
 */

/**
 * The address of a path of the application, which may lie in a folder of its host.
 * @param {string} path begins with a slash
 * @returns {string}
 */
export function at(path) {
  return (document.body.dataset.root ?? "") + path;
}

/**
 * Send a form in the background. Never throws: what goes wrong comes back as a sentence.
 *
 * If the server has no room and the sender allows it with `waiting`, send again at the server's time.
 * @param {string} address a path of the application
 * @param {FormData} form
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export async function send(address, form, options = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendOnce(address, form, options);
    if (!("error" in answer) || !answer.again || !options.waiting || attempt === TRIES) return answer;
    options.waiting(answer.again);
    // not all at the same moment
    await pause(1000 * answer.again * (1 + Math.random()), options.signal);
    if (options.signal?.aborted) return { error: "" };
  }
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal] ends it early
 * @returns {Promise<void>}
 */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/**
 * @param {string} address
 * @param {FormData} form
 * @param {Options} options
 * @returns {Promise<Answer>}
 */
function sendOnce(address, form, options) {
  return new Promise((resolve) => {
    const offline = { error: document.body.dataset.offline ?? "" };
    const request = new XMLHttpRequest();
    request.open("POST", at(address));
    request.setRequestHeader("X-PaiTai", "part");
    const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content");
    if (token) request.setRequestHeader("X-CSRF-Token", token);
    if (options.ticket) request.setRequestHeader("X-PaiTai-Ticket", options.ticket);
    request.timeout = 120000;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) options.progress?.(Math.round((100 * event.loaded) / event.total));
    };
    request.onload = () => resolve(answerOf(request));
    request.onerror = () => resolve(offline);
    request.ontimeout = () => resolve(offline);
    request.onabort = () => resolve({ error: "" });
    options.signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

/**
 * @param {XMLHttpRequest} request
 * @returns {Answer}
 */
function answerOf(request) {
  if (request.status === 200) return { html: request.responseText };
  try {
    const body = JSON.parse(request.responseText);
    const again = request.status === 503 ? Number(request.getResponseHeader("Retry-After")) : 0;
    if (typeof body.error === "string") return { error: body.error, again };
  } catch {
    // not ours: a proxy's page, or a server that went away
  }
  return { error: document.body.dataset.offline ?? "" };
}

/**
 * Show a sentence above the hand, or take it away.
 * @param {string} sentence
 * @param {boolean} [toTable] with the way back to the running table
 */
export function notice(sentence, toTable = false) {
  const place = document.getElementById("notice");
  if (!place) return;
  place.textContent = sentence;
  if (sentence && toTable) {
    const link = document.createElement("a");
    link.href = document.body.dataset.table ?? "";
    link.textContent = document.body.dataset.tableWord ?? "";
    place.append(" ", link);
  }
  place.hidden = sentence === "";
  if (sentence) place.scrollIntoView({ block: "nearest" });
}
