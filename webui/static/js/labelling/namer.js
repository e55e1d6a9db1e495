// The model's word for a box that a person made: asked when it is drawn, and again when it was moved before it was named.

import { post } from "./labels/save.js";

/** @typedef {import("./labels/model.js").Label} Label */

const PAUSE = 300; // milliseconds without a move

export class Namer {
  /** @param {(id: string, was: string, tile: string) => void} named called with the model's name, and the name so far */
  constructor(named) {
    this.named = named;
    /** @type {Map<string, string>} names that no person gave, by the box's id */
    this.given = new Map();
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /**
   * @param {Label} label just drawn, with any name
   * @param {string} read the address that reads a box
   */
  drawn(label, read) {
    this.given.set(label.id, label.tile);
    void this.ask(label, read);
  }

  /**
   * @param {Label | undefined} label moved or sized
   * @param {string} read
   */
  moved(label, read) {
    if (!label || label.checked || this.given.get(label.id) !== label.tile) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(label, read), PAUSE);
  }

  /**
   * @param {Label} label
   * @param {string} read
   */
  async ask(label, read) {
    const { status, body } = await post(read, { box: label.box });
    const was = this.given.get(label.id);
    if (status !== 200 || !body.names?.length || was === undefined) return;
    this.given.set(label.id, body.names[0][0]);
    this.named(label.id, was, body.names[0][0]);
  }
}
