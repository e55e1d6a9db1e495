// Sending a form and reading the answer: a part of the page, or one sentence about what went wrong.

/**
 * @typedef {{html: string} | {error: string}} Answer
 */

/**
 * Send a form in the background. Never throws: what goes wrong comes back as a sentence.
 * @param {string} address
 * @param {FormData} form
 * @param {{progress?: (percent: number) => void, signal?: AbortSignal}} [options]
 * @returns {Promise<Answer>}
 */
export function send(address, form, options = {}) {
  return new Promise((resolve) => {
    const offline = { error: document.body.dataset.offline ?? "" };
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.setRequestHeader("X-PaiTai", "part");
    const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content");
    if (token) request.setRequestHeader("X-CSRF-Token", token);
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
    if (typeof body.error === "string") return { error: body.error };
  } catch {
    // not ours: a proxy's page, or a server that went away
  }
  return { error: document.body.dataset.offline ?? "" };
}

/**
 * Show a sentence above the hand, or take it away.
 * @param {string} sentence
 */
export function notice(sentence) {
  const place = document.getElementById("notice");
  if (!place) return;
  place.textContent = sentence;
  place.hidden = sentence === "";
  if (sentence) place.scrollIntoView({ block: "nearest" });
}
