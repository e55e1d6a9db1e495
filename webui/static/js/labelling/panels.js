// Next to the canvas: a finding of the health check, earlier revisions, and the view of the photo.

import { canvas, desk, edit, show } from "./desk.js";
import { freshId, tidy } from "./labels/model.js";
import { lyingAt } from "./labels/edits.js";
import { names, part, root, say, says } from "./page.js";
import { post } from "./labels/save.js";

/** The finding that led here: its reason, and the possible actions. */
export function showFinding() {
  const { finding } = desk.state;
  const place = part("finding", HTMLElement);
  place.hidden = !finding;
  if (!finding) return;
  part("finding-text", HTMLElement).textContent = finding.text;
  const proposal = proposed(finding);
  part("finding-accept", HTMLButtonElement).hidden = !proposal;
  if (!proposal) return;
  part("finding-how", HTMLElement).textContent = (says[`accept_${proposal.how}`] ?? "").replace("%tile%", names.get(finding.tile) ?? "");
}

/**
 * The action and the new labels of accepting a finding; null without a proposal.
 * @param {import("./page.js").Finding} finding
 * @returns {{how: "add" | "remove" | "name" | "move", labels: import("./labels/model.js").Label[]} | null}
 */
function proposed(finding) {
  const { labels } = desk.work;
  const id = finding.label || (finding.box ? lyingAt(labels, finding.box) : "");
  const label = labels.find((one) => one.id === id);
  const { kind, tile, to_box: box } = finding;
  if (kind === "unlabelled" || kind === "unlabelled_back" || kind === "missed") {
    if (!finding.box || !tile) return null;
    return { how: "add", labels: [...labels, { id: freshId(), tile, box: [...finding.box.slice(0, 4), finding.box[4] ?? 0], origin: "person", confidence: null, checked: true }] };
  }
  if (!label) return null;
  /** @param {Partial<import("./labels/model.js").Label>} change */
  const changed = (change) => labels.map((one) => (one === label ? { ...one, origin: "person", ...change } : one));
  if (kind === "no_tile" || kind === "doubled") return { how: "remove", labels: labels.filter((one) => one !== label) };
  if (kind === "wrong_name" && tile) return { how: "name", labels: changed({ tile, confidence: null, checked: true }) };
  if (box) return { how: "move", labels: changed({ box: [...box.slice(0, 4), 0] }) };
  return null;
}

/** @param {boolean} accept the proposal, or dismiss the finding for good */
export async function settleFinding(accept) {
  const { finding } = desk.state;
  if (!finding) return;
  if (accept) {
    const proposal = proposed(finding);
    if (!proposal) {
      say("no_proposal");
      return;
    }
    edit(desk.work.change(proposal.labels, ""));
    await desk.keeper?.send();
  }
  const { status } = await post(finding.dismiss, { how: accept ? "accepted" : "dismissed" });
  if (status !== 200) say("failed");
  else nextFinding();
}

/** Hide findings of this kind, or, without a finding, places of possibly missed tiles. */
export async function dismissKind() {
  const { finding, dismiss_kind: address } = desk.state;
  if (!finding && !desk.guesses.length) {
    say("no_finding");
    return;
  }
  const { status } = await post(address, { kind: finding?.kind ?? "guess" });
  if (status !== 200) {
    say("failed");
    return;
  }
  if (!finding) desk.guesses = [];
  desk.state.finding = null;
  showFinding();
  show();
  say(finding ? "kind_away" : "guess_away", { title: finding?.title ?? "" });
}

/** To the next finding of its kind, else back to the health check. */
export function nextFinding() {
  const { finding } = desk.state;
  if (!finding) say("no_finding");
  else location.href = finding.next ?? `${desk.state.save.split("/").slice(0, -2).join("/")}/health`;
}

/** The earlier revisions of the photo's labels, each with a button that brings it back. */
async function showPast() {
  const place = part("past-list", HTMLElement);
  const answer = await fetch(desk.state.save.replace(/labels$/, "revisions"), { headers: { "X-PaiTai": "part" } });
  if (!answer.ok) {
    say("failed");
    return;
  }
  const { revisions } = await answer.json();
  place.replaceChildren(...revisions.map((/** @type {{revision: number, text: string}} */ one) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.dataset.revision = String(one.revision);
    button.textContent = part("past", HTMLElement).dataset.take ?? "";
    item.append(`${one.text} `, button);
    return item;
  }));
}

/** @param {string} revision the labels as they were then, as a change that can be undone */
export async function takeRevision(revision) {
  const { work } = desk;
  const answer = await fetch(desk.state.save.replace(/labels$/, `revisions/${revision}`), { headers: { "X-PaiTai": "part" } });
  if (!answer.ok || work !== desk.work) {
    say("failed");
    return;
  }
  const { labels } = await answer.json();
  edit(work.change(tidy(labels), ""));
  say("restored", { revision });
}

/** The canvas as large as the window, and back. */
export function full() {
  if (root.classList.toggle("full")) root.scrollIntoView();
  canvas.whole();
  show();
}

/** Names on the photo, or the bare tiles. */
export function hideNames() {
  root.classList.toggle("no-names");
}

/** @param {boolean} [again] whether the photo is another one */
export function preparePanels(again = false) {
  const past = part("past", HTMLDetailsElement);
  if (again) {
    past.open = false;
    return;
  }
  past.addEventListener("toggle", () => { if (past.open) void showPast(); });
  const light = part("light", HTMLInputElement);
  light.addEventListener("input", () => { part("canvas", SVGSVGElement).style.setProperty("--light", `${light.value}%`); });
}
