import type { FileName, Files } from "../../../generator/base/files.js";

/**
 * File contents by absolute path. The tool's files are under `/tool/`, and the visitor's files are
 * under `/given/`.
 */
export const contents: Map<string, string> = new Map<string, string>();

const encoder = new TextEncoder();

function pathOf(name: FileName): string {
  const path = typeof name === "string" ? name : decodeURIComponent(name.pathname);
  return path.startsWith("/") ? path : `/given/${path}`;
}

function textOf(name: FileName): string {
  const text = contents.get(pathOf(name));
  if (text !== undefined) return text;
  throw Object.assign(new Error(`no such file: ${pathOf(name)}`), { code: "ENOENT" });
}

/** An in-memory file system that replaces Node's in the bundle. */
export const files: Files = {
  exists(name) {
    const path = pathOf(name);
    const folder = path.endsWith("/") ? path : `${path}/`;
    return contents.has(path) || [...contents.keys()].some((each) => each.startsWith(folder));
  },
  stateOf(name) {
    const text = contents.get(pathOf(name));
    return text === undefined
      ? undefined
      : { isRegular: true, size: text.length, mark: String(text.length) };
  },
  withoutLinks(name) {
    if (!files.exists(name)) textOf(name);
    return pathOf(name);
  },
  list(name) {
    const folder = pathOf(name).replace(/\/?$/, "/");
    const below = [...contents.keys()].filter((path) => path.startsWith(folder));
    return [...new Set(below.map((path) => path.slice(folder.length).split("/", 1)[0]!))];
  },
  read: (name) => encoder.encode(textOf(name)),
  readText: textOf,
  async *chunks(name) {
    await Promise.resolve();
    yield encoder.encode(textOf(name));
  },
};
