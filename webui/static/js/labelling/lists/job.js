// Work beside the page: while it goes on, the page is fetched again now and then and what changed is put in its place.

const EVERY = 2000; // milliseconds
const REACHED = "a, button, summary, [tabindex]";

/**
 * @param {Element} old
 * @param {Document} page
 */
function renew(old, page) {
  const fresh = page.getElementById(old.id);
  if (!fresh || fresh.outerHTML === old.outerHTML) return;
  const open = old.querySelector("details")?.open ?? false;
  const focused = [...old.querySelectorAll(REACHED)].findIndex((one) => one === document.activeElement);
  old.replaceWith(fresh);
  const details = fresh.querySelector("details");
  if (details && open) details.open = true;
  const there = fresh.querySelectorAll(REACHED)[focused];
  if (there instanceof HTMLElement) there.focus({ preventScroll: true });
}

async function look() {
  const job = document.getElementById("job");
  if (job?.dataset.state !== "running") return;
  try {
    const answer = await fetch(job.dataset.page ?? location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok && !page.getElementById("job")) {
      location.reload(); // it has ended, and its result is another page
      return;
    }
    if (answer.ok) {
      renew(job, page);
      // the results are loaded only at the end, so that a person keeps the place in the page
      if (document.getElementById("job")?.dataset.state !== "running") {
        for (const old of document.querySelectorAll("[data-after]")) renew(old, page);
      }
    }
  } catch {
    // the server is away: the job goes on without it
  }
  setTimeout(() => void look(), EVERY);
}

setTimeout(() => void look(), EVERY);
