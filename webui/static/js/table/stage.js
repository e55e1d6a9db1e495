// The room's page follows the evening: asked for again and again, and changed only if the answer is another one.

const PACE = 1200; // milliseconds between two looks
let version = "";

async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store", headers: version ? { "If-None-Match": version } : {} });
    if (answer.ok) {
      version = answer.headers.get("ETag") ?? "";
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
      const shown = document.querySelector("main");
      if (fresh && shown && fresh.innerHTML !== shown.innerHTML) shown.replaceWith(fresh);
    }
  } catch {
    // the computer is away: the next look tries again
  }
  setTimeout(look, PACE);
}
setTimeout(look, PACE);
