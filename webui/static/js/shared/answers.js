// A counter in <html>: how often the page has put in what something led to. Whoever drives the page (a test, a program
// that reads aloud) knows by it that the answer to a tap has come, and not only that the tap was taken.

/** The answer is in the page, or the reason why it failed. */
export function answered() {
  const page = document.documentElement;
  page.dataset.answers = String(Number(page.dataset.answers ?? 0) + 1);
}
