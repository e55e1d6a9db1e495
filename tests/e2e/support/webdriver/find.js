// The elements that a locator's steps find, in the order of the page. Called by locator.py: find(steps, root).
const shown = (element) => {
  const style = getComputedStyle(element);
  return element.getClientRects().length > 0 && style.visibility !== "hidden";
};
const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const has = (text, wanted, exact) => exact ? plain(text) === plain(wanted) : plain(text).toLowerCase().includes(plain(wanted).toLowerCase());
const ROLES = {
  button: "button, input[type=submit], input[type=button], [role=button]",
  link: "a[href], [role=link]",
  heading: "h1, h2, h3, h4, h5, h6, [role=heading]",
  textbox: "input:not([type]), input[type=text], input[type=search], textarea",
  checkbox: "input[type=checkbox]", radio: "input[type=radio]", option: "option", dialog: "dialog", img: "img",
  listitem: "li", row: "tr", table: "table", combobox: "select", searchbox: "input[type=search]",
  navigation: "nav", main: "main", status: "output, [role=status]", alert: "[role=alert]",
};
const nameOf = (element) => {
  const by = element.getAttribute("aria-labelledby");
  if (by) return by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
  return element.getAttribute("aria-label") || (element.labels?.length ? [...element.labels].map((label) => label.textContent).join(" ") : "")
    || plain(element.innerText) || element.value || element.getAttribute("alt") || element.title || "";
};

// querySelectorAll with Playwright's :visible and :has-text("…") at the end of a selector's parts.
function select(selector, root) {
  const extra = selector.match(/^(.*?):(?:has-text\("([^"]*)"\)|(visible))(.*)$/s);
  if (!extra) {
    const scoped = /^\s*[>+~]/.test(selector) ? `:scope ${selector}` : selector;
    return [...root.querySelectorAll(scoped)];
  }
  const [, before, text, , after] = extra;
  const matching = select(before || "*", root).filter((element) => text === undefined ? shown(element) : has(element.textContent, text, false));
  if (!after.trim()) return matching;
  if (/^[\s>]/.test(after)) return matching.flatMap((element) => select(`:scope${after}`, element));
  return matching.filter((element) => element.matches(`*${after}`));
}

function find(steps, root = document) {
  let elements = null;
  for (const [kind, value, more] of steps) {
    const roots = elements ?? [root];
    const unique = (lists) => [...new Set(lists.flat())];
    if (kind === "css") elements = unique(roots.map((each) => select(value, each)));
    else if (kind === "role") {
      elements = unique(roots.map((each) => select(ROLES[value] ?? `[role=${value}]`, each)))
        .filter((element) => shown(element) && (more.name === null || has(nameOf(element), more.name, more.exact)));
    } else if (kind === "text") {
      const matches = (element) => has(element.textContent, value, more.exact) && !["SCRIPT", "STYLE"].includes(element.tagName);
      elements = unique(roots.map((each) => [...(each === document ? [] : [each]), ...each.querySelectorAll("*")]))
        .filter((element) => matches(element) && ![...element.children].some(matches));
    } else if (kind === "label") {
      elements = unique(roots.map((each) => [...each.querySelectorAll("label")])).filter((label) => has(label.textContent, value, more.exact))
        .map((label) => label.control).filter(Boolean);
      const named = unique(roots.map((each) => [...each.querySelectorAll("[aria-label]")]))
        .filter((element) => has(element.getAttribute("aria-label"), value, more.exact));
      elements = [...new Set([...elements, ...named])];
    } else if (kind === "nth") elements = elements.slice(value, value === -1 ? undefined : value + 1);
    else if (kind === "has_text") elements = elements.filter((element) => has(element.textContent, value, false));
    else if (kind === "has") elements = elements.filter((element) => find(value, element).length);
    else if (kind === "and") {
      const others = new Set(find(value, document));
      elements = elements.filter((element) => others.has(element));
    } else if (kind === "or") {
      const either = new Set([...elements, ...find(value, document)]);
      elements = [...document.querySelectorAll("*")].filter((element) => either.has(element));
    }
  }
  return elements ?? [];
}
