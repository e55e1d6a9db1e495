// Photos that could not be sent wait in this browser, over reloads too, until they are sent or thrown away.

const BASE = "paitai";
const STORE = "outbox";
const ONLY = "photos";

/** @typedef {{files: {blob: Blob, name: string}[], fields: [string, string][], address: string}} Parcel */

/**
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} act
 * @returns {Promise<unknown>} null if this browser stores nothing
 */
function within(mode, act) {
  return new Promise((resolve) => {
    const opening = indexedDB.open(BASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => resolve(null);
    opening.onsuccess = () => {
      const base = opening.result;
      try {
        const request = act(base.transaction(STORE, mode).objectStore(STORE));
        request.onerror = () => resolve(null);
        const { transaction } = request;
        transaction?.addEventListener("abort", () => resolve(null));
        transaction?.addEventListener("complete", () => {
          base.close();
          resolve(request.result ?? null); // a photo is stored only now
        });
      } catch {
        base.close(); // what cannot be kept is not waited for
        resolve(null);
      }
    };
  }).catch(() => null);
}

/** @param {Parcel} parcel */
export const putAside = (parcel) => within("readwrite", (store) => store.put(parcel, ONLY));
/** @returns {Promise<Parcel | null>} */
export const waiting = async () => /** @type {Parcel | null} */ (await within("readonly", (store) => store.get(ONLY)));
export const throwAway = () => within("readwrite", (store) => store.delete(ONLY));
