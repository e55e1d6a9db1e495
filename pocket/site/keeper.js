// Storage of the application: the files below one folder of Python's memory, each a row in IndexedDB. A save is one
// transaction: all current files, or none of them if the browser has no room.

const STORE = "files";
const MADE_ANEW = "-shm"; // SQLite's index of its log, written whenever the database is opened

/** @typedef {{path: string, data: Uint8Array}} Row */

export class Keeper {
  /**
   * @param {any} fs Emscripten's file system
   * @param {string} folder
   * @param {IDBDatabase} database
   */
  constructor(fs, folder, database) {
    this.fs = fs;
    this.folder = folder;
    this.database = database;
    /** @type {Map<string, string>} size and modification time of each stored file */
    this.known = new Map();
  }

  /**
   * Open the database of that name and put its files into the folder.
   * @param {any} fs
   * @param {string} folder
   * @param {string} name
   */
  static async open(fs, folder, name) {
    const asked = indexedDB.open(name, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "path" });
    fs.mkdirTree(folder);
    const keeper = new Keeper(fs, folder, await settled(asked));
    await keeper.load();
    return keeper;
  }

  /** Restore the stored folder; unsaved files are removed. */
  async load() {
    /** @type {Row[]} */
    const rows = await settled(this.database.transaction(STORE).objectStore(STORE).getAll());
    for (const path of this.paths()) this.fs.unlink(path);
    for (const { path, data } of rows) {
      this.fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      this.fs.writeFile(path, data);
    }
    this.known = this.state();
  }

  /** Store changed files; resolves when they are on the disk. Rejects with the browser's own error. */
  async save() {
    const now = this.state();
    const changed = [...now].filter(([path, state]) => this.known.get(path) !== state).map(([path]) => path);
    const gone = [...this.known.keys()].filter((path) => !now.has(path));
    if (!changed.length && !gone.length) return false;
    const transaction = this.database.transaction(STORE, "readwrite", { durability: "strict" });
    const rows = transaction.objectStore(STORE);
    for (const path of changed) rows.put({ path, data: this.fs.readFile(path) });
    for (const path of gone) rows.delete(path);
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("not kept"));
    });
    this.known = now;
    return true;
  }

  /** @returns {Map<string, string>} size and modification time of each file to store */
  state() {
    return new Map(this.paths().filter((path) => !path.endsWith(MADE_ANEW)).map((path) => {
      const { size, mtime } = this.fs.stat(path);
      return [path, `${size} ${mtime.getTime()}`];
    }));
  }

  /**
   * @param {string} [folder]
   * @returns {string[]} the files below it
   */
  paths(folder = this.folder) {
    return this.fs.readdir(folder).filter((/** @type {string} */ name) => name !== "." && name !== "..")
      .flatMap((/** @type {string} */ name) => {
        const path = `${folder}/${name}`;
        return this.fs.isDir(this.fs.stat(path).mode) ? this.paths(path) : [path];
      });
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
