// Memory let go of at once. A collector of garbage sees small objects only, and may let tens of megabytes wait.

/** @param {any[]} buffers of which nothing is needed any more */
export function release(...buffers) {
  for (const buffer of buffers) buffer.transfer?.(0); // ES2024; browsers without it collect in their own time
}
