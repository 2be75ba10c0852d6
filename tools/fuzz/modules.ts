import type { Modules } from "./target.js";

/** Loads compiled modules from a folder. */
export function modulesOf(folder: URL): Modules {
  return async <Module>(path: string) => (await import(new URL(path, folder).href)) as Module;
}
