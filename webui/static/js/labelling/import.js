// Photos that are too many for one upload go up in parts, and the parts' reports are shown together.

const PICTURE = /\.(jpe?g|jpe|png|webp|heic|heif|gif|bmp|tiff?|avif)$/i;
const ROOM = 100_000; // bytes of a request that are not photos

const limit = Number(document.body.dataset.limit) - ROOM;

/**
 * Files in parts that fit; null where a file is too large, or where labels belong to photos of another part.
 * @param {File[]} files
 * @returns {File[][] | null}
 */
function parts(files) {
  if (files.some((file) => file.size > limit || !PICTURE.test(file.name))) return null;
  /** @type {File[][]} */
  const found = [];
  let room = 0;
  for (const file of files) {
    if (file.size > room || !found.length) {
      found.push([]);
      room = limit;
    }
    found[found.length - 1].push(file);
    room -= file.size;
  }
  return found;
}

/**
 * @param {HTMLFormElement} form
 * @param {File[]} files
 * @param {HTMLElement} said
 */
async function send(form, files, said) {
  const about = new FormData(form);
  about.delete("files");
  /** @type {Element[]} */
  const reports = [];
  let page = null;
  let done = 0;
  for (const part of parts(files) ?? []) {
    said.textContent = (form.dataset.sending ?? "").replace("%done%", String(done)).replace("%all%", String(files.length));
    const body = new FormData();
    for (const [key, value] of about) body.append(key, value);
    for (const file of part) body.append("files", file);
    const answer = await fetch(form.action, { method: "POST", body });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const report = page.getElementById("report");
    if (!report) break; // a refusal: shown as the server says it
    reports.push(report);
    done += part.length;
  }
  const main = page?.querySelector("main");
  if (!main) return;
  page?.getElementById("report")?.replaceWith(...reports);
  for (const report of reports.slice(1)) report.removeAttribute("id");
  document.querySelector("main")?.replaceWith(main);
  main.scrollIntoView();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const said = document.getElementById("import-said");
  if (!(form instanceof HTMLFormElement) || form.id !== "import" || !said) return;
  const field = form.querySelector('input[type="file"]');
  const files = field instanceof HTMLInputElement ? [...(field.files ?? [])] : [];
  if (files.reduce((sum, file) => sum + file.size, 0) <= limit) return;
  event.preventDefault();
  if (parts(files)) send(form, files, said).catch(() => { said.textContent = document.body.dataset.offline ?? ""; });
  else said.textContent = form.dataset.large ?? "";
});
