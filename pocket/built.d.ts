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

declare const PAITAI: { build: string; policy: string; core: Record<string, string>; later: Record<string, string> };
