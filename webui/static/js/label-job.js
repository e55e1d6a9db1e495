// A job that runs: its page is fetched again now and then, and the middle of it put in place of the old one.

const EVERY = 2000; // milliseconds

async function look() {
  const old = document.getElementById("job");
  if (old?.dataset.state !== "running") return;
  try {
    const answer = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("job");
    if (fresh && answer.ok) {
      const open = old.querySelector("details")?.open ?? false;
      old.replaceWith(fresh);
      const details = fresh.querySelector("details");
      if (details && open) details.open = true;
    }
  } catch {
    // the server is away: the job goes on without it
  }
  setTimeout(() => void look(), EVERY);
}

setTimeout(() => void look(), EVERY);
