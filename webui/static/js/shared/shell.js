// The page on a phone's home screen: the service worker, and the way back when the computer answers again.

const AGAIN = 5000; // milliseconds between two looks for the computer

// The service worker: where the browser has one, on this computer and over https with a certificate it knows.
if ("serviceWorker" in navigator && window.isSecureContext) {
  // without a worker the page is the same, it only cannot say that the computer is away
  navigator.serviceWorker.register("/sw.js").catch(() => undefined);
}
if (document.getElementById("reconnect") && location.pathname !== "/offline") setTimeout(reconnect, AGAIN);

/** The kept page was shown instead of the wanted one: show that when it can be had. */
async function reconnect() {
  try {
    await fetch("/offline", { cache: "no-store" });
    location.reload();
  } catch {
    setTimeout(reconnect, AGAIN);
  }
}
