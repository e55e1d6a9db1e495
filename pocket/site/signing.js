// The device's key: made once, kept in IndexedDB, and given to nobody, not even to our own scripts. It signs the head of
// the records after every save.

const STORE = "keys";
const NAME = "device";
const KIND = { name: "ECDSA", namedCurve: "P-256" };

/** @typedef {{x: string, y: string, signature: string}} Signed base64url */

/**
 * @param {string} name of the database
 * @param {string} text
 * @returns {Promise<Signed | null>} null: this browser keeps no keys, or not here
 */
export async function sign(name, text) {
  try {
    const { privateKey, publicKey } = await keys(name);
    const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey);
    const made = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, new TextEncoder().encode(text));
    const letters = String.fromCharCode(...new Uint8Array(made));
    return { x, y, signature: btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") };
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @returns {Promise<CryptoKeyPair>}
 */
async function keys(name) {
  const asked = indexedDB.open(name, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  const database = await settled(asked);
  try {
    const kept = await settled(database.transaction(STORE).objectStore(STORE).get(NAME));
    if (kept) return kept;
    const made = await crypto.subtle.generateKey(KIND, false, ["sign", "verify"]);
    await settled(database.transaction(STORE, "readwrite", { durability: "strict" }).objectStore(STORE).put(made, NAME));
    return made;
  } finally {
    database.close();
  }
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
