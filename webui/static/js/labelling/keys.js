// The meaning of keys on the canvas: classes by one or two keys, everything else by one.

/** @typedef {{act: string, value?: string, far?: boolean, size?: boolean}} Meaning */

const SUITS = new Map([["m", 9], ["p", 9], ["s", 9], ["z", 7], ["f", 8]]);
const ARROWS = new Map([["ArrowLeft", "left"], ["ArrowRight", "right"], ["ArrowUp", "up"], ["ArrowDown", "down"]]);
const ACTS = new Map([
  [" ", "right"], ["Enter", "all"], ["n", "next-doubtful"], ["Delete", "delete"], ["Backspace", "delete"], ["c", "copy"],
  ["d", "draw"], ["a", "add"], ["u", "undo"], ["y", "redo"], ["r", "turn"], ["x", "zoom"], ["+", "larger"], ["=", "larger"], ["-", "smaller"],
  ["PageDown", "next"], [".", "next"], ["PageUp", "previous"], [",", "previous"], ["e", "arrows"], ["o", "only"], ["/", "type"],
  ["?", "help"], ["Escape", "leave"], ["b", "back"], ["g", "guess"], ["k", "follow"], ["h", "names"], ["f", "full"],
  ["[", "left-turn"], ["]", "right-turn"], ["j", "finding"], ["i", "accept"], ["q", "dismiss"], ["w", "dismiss-kind"],
]);

/** Keys one after the other: a digit waits for its suit. */
export class Keys {
  constructor() {
    this.digit = "";
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {Meaning | null} null: not ours
   */
  read(event) {
    // Safari ends the composition before its last key, which has the code 229.
    if (event.isComposing || event.keyCode === 229 || event.altKey) return null;
    const key = plain(event);
    const arrow = ARROWS.get(event.key);
    if (arrow && !event.metaKey) return { act: "arrow", value: arrow, far: event.ctrlKey, size: event.shiftKey };
    if (event.ctrlKey || event.metaKey) {
      if (key === "a") return { act: "pick-all" };
      if (key === "z") return { act: event.shiftKey ? "redo" : "undo" };
      return key === "y" ? { act: "redo" } : null;
    }
    if (/^[0-9]$/.test(key)) {
      this.digit = key;
      return { act: "digit", value: key };
    }
    const digit = this.digit;
    this.digit = "";
    const most = SUITS.get(key);
    if (digit === "0" && most) return { act: "tile", value: `@0${key}` }; // a red five, in sets that have it
    if (digit && most) return Number(digit) <= most ? { act: "tile", value: digit + key } : { act: "no-tile", value: digit + key };
    if (digit && (key === "Backspace" || key === "Escape")) return { act: "digit", value: "" };
    const act = ACTS.get(key) ?? "";
    if (act === "back") return { act: "tile", value: "back" };
    return act ? { act } : null;
  }
}

/**
 * The key's own sign, even behind an input method.
 * @param {KeyboardEvent} event
 * @returns {string}
 */
function plain(event) {
  if (event.key === "Process" || event.key === "Unidentified") {
    const found = /^(?:Key|Digit)(.)$/.exec(event.code);
    return found ? found[1].toLowerCase() : event.key;
  }
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}

/**
 * Whether a key belongs to the field or button that has the focus. What was hidden keeps it until the page is drawn anew.
 * @param {EventTarget | null} target
 */
export function busyElsewhere(target) {
  if (!(target instanceof Element) || target.closest("[hidden]")) return false;
  return target.closest("input, select, textarea, summary, a, dialog, button:not([data-crop])") !== null;
}
