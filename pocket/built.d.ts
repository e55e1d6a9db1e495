// What the builder puts beside the files of site/, as their types need it.

declare module "*/build.js" {
  export const BUILD: string;
}

declare module "*/sentences.js" {
  export const SENTENCES: Record<string, Record<string, string>>;
}

declare module "*/pyodide.mjs" {
  export function loadPyodide(options: object): Promise<any>;
}

declare module "*/upload/outbox.js" {
  interface Parcel { files: { blob: Blob; name: string }[]; fields: [string, string][]; address: string }
  export const putAside: (parcel: Parcel) => Promise<unknown>;
  export const waiting: () => Promise<Parcel | null>;
}

declare const PAITAI: {
  build: string; policy: string; core: Record<string, string>; later: Record<string, string>; sizes: Record<string, number>;
};
