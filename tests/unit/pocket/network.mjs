// Runs networks and layers of pocket/site/network for test_networks.py: a question as JSON on the standard input, numbers
// as base64.

import { readFileSync } from "node:fs";

const { folder, model, dims, input, layers } = JSON.parse(readFileSync(0, "utf-8"));
const { Network } = await import(`${folder}/network.js`);
const { Workshop } = await import(`${folder}/numbers.js`);
const { convolved, layer, product } = await import(`${folder}/convolution.js`);
const numbers = (text) => {
  const bytes = Buffer.from(text, "base64");
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
};
const shop = new Workshop();
const told = (tensor) => {
  const data = Buffer.from(Float32Array.from(shop.read(tensor)).buffer).toString("base64");
  shop.letGo(tensor);
  return { dims: tensor.dims, data };
};
const given = () => [...shop.heap.sizes.values()].reduce((all, size) => all + size, 0);

let answer;
if (model) {
  const network = new Network(shop, new Uint8Array(readFileSync(model)));
  const before = given();
  const made = [0, 1].map(() => told(network.run(shop.inHeap({ dims, values: numbers(input) }))));
  answer = { ...made[1], again: made[0].data === made[1].data, left: given() - before };
} else {
  const before = given();
  answer = layers.map(({ matrices, ...one }) => {
    if (matrices) return told(product(shop, ...matrices.map((each) => ({ dims: each.dims, values: numbers(each.data) }))));
    const of = layer(shop, { dims: one.weights.dims, values: numbers(one.weights.data) }, numbers(one.biases), one.way);
    const made = told(convolved(shop, of, { dims: one.input.dims, values: numbers(one.input.data) }));
    [of.weights, of.biases].forEach((place) => shop.heap.give(place));
    return made;
  });
  answer = { made: answer, left: given() - before };
}
console.log(JSON.stringify(answer));
