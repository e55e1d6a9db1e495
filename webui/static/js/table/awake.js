// The screen stays on while a table is being played, where the browser can do that and the phone's owner has not said no.

const KEY = "paitai.awake";
/** @type {WakeLockSentinel | null} */
let held = null;

function isWanted() {
  try {
    return localStorage.getItem(KEY) !== "0";
  } catch {
    return true;
  }
}

/** Hold the screen on, or let it go; called again when the page is seen again, because browsers let go by then. */
async function renew() {
  const playing = document.querySelector(".table-room[data-follow]") !== null;
  if (!playing || !isWanted() || document.hidden) {
    const lock = held;
    held = null;
    await lock?.release().catch(() => undefined);
    return;
  }
  if (held && !held.released) return;
  held = await navigator.wakeLock.request("screen").catch(() => null); // low battery, or not allowed
  document.documentElement.dataset.awake = held ? "1" : "";
}

/** Keep the screen on from now on; the switch shows what is chosen. */
export function startAwake() {
  offerAwake();
  if (!("wakeLock" in navigator)) return;
  document.addEventListener("visibilitychange", () => void renew());
  document.addEventListener("change", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || box.dataset.option !== "awake") return;
    try {
      localStorage.setItem(KEY, box.checked ? "1" : "0");
    } catch {
      // no storage: it holds for this page
    }
    void renew();
  });
  void renew();
}

/** Show the switch as it stands; hidden in a browser that cannot keep the screen on. */
export function offerAwake() {
  for (const box of document.querySelectorAll('[data-option="awake"]')) {
    if (!(box instanceof HTMLInputElement)) continue;
    box.checked = isWanted();
    const row = box.closest("label");
    if (row) row.hidden = !("wakeLock" in navigator);
  }
}
