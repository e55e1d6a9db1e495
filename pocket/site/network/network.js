// A network from an ONNX file: what can be known of it is worked out when it is loaded, the rest for every input.

import { convolved, layer } from "./convolution.js";
import { graphOf } from "./file.js";
import { OPERATIONS } from "./operations.js";

/** @typedef {import("./numbers.js").Tensor} Tensor */
/** @typedef {import("./numbers.js").Workshop} Workshop */
/** @typedef {import("./file.js").Graph} Graph */
/** @typedef {import("./file.js").Node} Node */
/** @typedef {(inputs: Tensor[]) => Tensor | Tensor[]} Act */
/** @typedef {{act: Act, inputs: string[], outputs: string[], done: string[]}} Step `done`: needed by no later step */

/**
 * The nodes with each convolution and the two nodes behind it, that multiply its output by its sigmoid, as one.
 * @param {Node[]} nodes
 * @returns {Node[]}
 */
function lit(nodes) {
  /** @type {Map<string, Node[]>} */
  const users = new Map();
  for (const node of nodes) for (const name of node.inputs) users.set(name, [...(users.get(name) ?? []), node]);
  const gone = new Set();
  const changed = nodes.map((node) => {
    const [first, second] = node.kind === "Conv" ? (users.get(node.outputs[0]) ?? []) : [];
    const [sigmoid, product] = first?.kind === "Sigmoid" ? [first, second] : [second, first];
    if (sigmoid?.kind !== "Sigmoid" || product?.kind !== "Mul" || users.get(node.outputs[0])?.length !== 2) return node;
    const only = users.get(sigmoid.outputs[0]);
    if (only?.length !== 1 || only[0] !== product || !product.inputs.includes(node.outputs[0])) return node;
    gone.add(sigmoid).add(product);
    return { ...node, kind: "LitConv", outputs: product.outputs };
  });
  return changed.filter((node) => !gone.has(node));
}

/** A network that is loaded. */
export class Network {
  /**
   * @param {Workshop} shop
   * @param {Uint8Array} file
   */
  constructor(shop, file) {
    this.shop = shop;
    const graph = graphOf(file);
    this.input = graph.input;
    this.output = graph.output;
    /** @type {Map<string, Tensor>} */
    this.known = graph.constants;
    this.steps = this.planned(lit(graph.nodes));
  }

  /**
   * The steps for every input. Nodes that need no input are worked out now.
   * @param {Node[]} nodes
   * @returns {Step[]}
   */
  planned(nodes) {
    /** @type {Step[]} */
    const steps = [];
    for (const node of nodes) {
      const { kind, outputs, given } = node;
      const inputs = node.inputs.filter((name) => name);
      const whole = node.inputs.map((name) => this.known.get(name) ?? { dims: [0], values: [] });
      if (kind === "Constant") this.known.set(outputs[0], given.value.tensor ?? { dims: [0], values: [] });
      else if (kind === "Conv" || kind === "LitConv" || kind === "Gemm") steps.push(this.layered(node));
      else if (!OPERATIONS[kind]) throw new Error(`a network with the node ${kind}`);
      else if (inputs.every((name) => this.known.has(name))) this.keep(outputs, OPERATIONS[kind](this.shop, whole, given, outputs.length));
      else {
        /** @type {Act} */
        const act = (tensors) => OPERATIONS[kind](this.shop, tensors, given, outputs.length);
        steps.push({ act, inputs: node.inputs, outputs, done: [] });
      }
    }
    const used = new Set([this.output]);
    for (const step of [...steps].reverse()) {
      step.done = [...new Set([...step.inputs, ...step.outputs])].filter((name) => !used.has(name) && !this.known.has(name));
      for (const name of step.inputs) used.add(name);
    }
    for (const name of [...this.known.keys()]) if (!used.has(name)) this.known.delete(name);
    return steps;
  }

  /**
   * @param {string[]} names
   * @param {Tensor | Tensor[]} made
   */
  keep(names, made) {
    [made].flat().forEach((tensor, at) => this.known.set(names[at], tensor));
  }

  /**
   * A convolution, or the product of a matrix and rows, which is a convolution of pictures with one position.
   * @param {Node} node
   * @returns {Step}
   */
  layered({ kind, inputs, outputs, given }) {
    const [weights, biases] = inputs.slice(1).map((name) => this.known.get(name));
    if (!weights?.values || (inputs[2] && !biases?.values)) throw new Error("a layer whose weights are not known");
    const values = biases?.values ?? [];
    if (kind === "Gemm") {
      const of = layer(this.shop, { ...weights, values: weights.values }, values, { step: 1, edge: 0, apart: false, lit: false });
      /** @type {Act} */
      const act = ([rows]) => {
        const input = this.shop.view(rows, [...rows.dims, 1, 1]);
        const made = convolved(this.shop, of, input);
        this.shop.letGo(input);
        return { ...made, dims: made.dims.slice(0, 2) };
      };
      return { act, inputs: inputs.slice(0, 1), outputs, done: [] };
    }
    const [step] = given.strides.ints;
    const [edge] = given.pads.ints;
    const side = weights.dims[2];
    const apart = (given.group?.number ?? 1) > 1;
    const alike = given.pads.ints.every((one) => one === (side - 1) / 2) && (given.dilations?.ints ?? []).every((one) => one === 1);
    const usual = alike && (side === 1 || side === 3) && (!apart || (weights.dims[1] === 1 && side === 3 && step === 1));
    if (!usual) throw new Error("a convolution that is not of this kind");
    const of = layer(this.shop, { ...weights, values: weights.values }, values, { step, edge, apart, lit: kind === "LitConv" });
    return { act: ([picture]) => convolved(this.shop, of, picture), inputs: inputs.slice(0, 1), outputs, done: [] };
  }

  /**
   * The output for an input, which is let go; to be let go.
   * @param {Tensor} input
   * @returns {Tensor}
   */
  run(input) {
    const tensors = new Map([[this.input, input]]);
    for (const { act, inputs, outputs, done } of this.steps) {
      const made = act(inputs.map((name) => tensors.get(name) ?? this.known.get(name) ?? { dims: [0], values: [] }));
      [made].flat().forEach((tensor, at) => tensors.set(outputs[at], tensor));
      for (const name of done) {
        const tensor = tensors.get(name);
        if (tensor) this.shop.letGo(tensor);
        tensors.delete(name);
      }
    }
    const output = tensors.get(this.output);
    if (!output) throw new Error("a network without its output");
    return output;
  }
}
