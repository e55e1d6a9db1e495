// All work on pixels for Python: the functions that vision/pixels/browser/looks.py calls.

export { crops, cut, grey, letterbox, one, resized, same, stacked, turned, window } from "./arithmetic/crops.js";
export { unfiltered } from "./arithmetic/canvas.js";
export { face, raised, whites } from "./arithmetic/light.js";
export { moved, nearest, shaped } from "./arithmetic/patches.js";
export { focused, gathered, smaller, steepness } from "./arithmetic/sharpness.js";
export { laid } from "./arithmetic/turn.js";
