import { basename } from "node:path";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import type { Json } from "../../model/types.js";
import { joinedFiles } from "../source/joined-files.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import { schemaKeywords } from "./keywords.js";

/** Base URL for relative addresses in a file that does not specify its own address. */
const unnamed = "schema:///";

/** Returns a file's address. `path` is relative to the schema's folder. */
function addressOf(path: string): string {
  return new URL(encodeURI(path), unnamed).href;
}

/** The named locations in a schema file: anchors, and schemas that specify their address. */
export interface Resources {
  /** Whether the file uses a draft in which keywords next to `$ref` have no effect. */
  readonly isRefAlone: boolean;
  /** Whether other files have been joined to this one. */
  readonly isJoined: boolean;
  /**
   * Returns the JSON Pointer of a reference's target, or undefined if the target is missing or
   * outside the file. `pointer` is the location of the reference.
   */
  find(ref: string, pointer: string): string | undefined;
  /** Returns the number of locations in the file that a dynamic reference may lead to. */
  dynamicAnchors(name: string): number;
}

/**
 * Finds the named locations in a schema file and in the files joined to it.
 *
 * @param name Name by which other files reference this one.
 * @throws TypeError if an address is not a URI.
 */
export function findResources(root: Json, name: string): Resources {
  const draft = isJsonObject(root) ? root["$schema"] : undefined;
  const isRefAlone = typeof draft === "string" && /\/draft-0[34567]\b/.test(draft);
  const pointers = new Map<string, string>([
    [unnamed, ""],
    [addressOf(basename(name)), ""],
  ]);
  const bases = new Map<string, string>();
  const dynamic = new Map<string, number>();
  const visit = (node: Json | undefined, pointer: string, base: string): void => {
    if (!isJsonObject(node)) return;
    const id = node["$id"] ?? (typeof node["id"] === "string" ? node["id"] : undefined);
    const isIgnored = isRefAlone && node["$ref"] !== undefined;
    if (typeof id === "string" && !isIgnored) {
      const [path = "", anchor = ""] = id.split("#");
      if (path !== "") base = new URL(path, base).href;
      if (path !== "") {
        bases.set(pointer, base);
        pointers.set(base, pointer);
      }
      if (anchor !== "") pointers.set(`${base}#${anchor}`, pointer);
    }
    for (const key of ["$anchor", "$dynamicAnchor"]) {
      const anchor = node[key];
      if (typeof anchor === "string") pointers.set(`${base}#${anchor}`, pointer);
      if (typeof anchor === "string" && key === "$dynamicAnchor")
        dynamic.set(anchor, (dynamic.get(anchor) ?? 0) + 1);
    }
    for (const [key, value] of Object.entries(node)) {
      if (schemaKeywords.one.has(key)) visit(value, joinPointer(pointer, key), base);
      if (schemaKeywords.list.has(key) && Array.isArray(value))
        value.forEach((each, index) => visit(each, joinPointer(pointer, key, index), base));
      if (schemaKeywords.named.has(key) && isJsonObject(value))
        for (const [name, each] of Object.entries(value))
          visit(each, joinPointer(pointer, key, name), base);
    }
  };
  visit(root, "", unnamed);
  const joined = isJsonObject(root) ? root[joinedFiles] : undefined;
  const isJoined = isJsonObject(joined);
  for (const [path, node] of isJoined ? Object.entries(joined) : []) {
    const pointer = joinPointer("", joinedFiles, path);
    const address = addressOf(path);
    pointers.set(address, pointer);
    bases.set(pointer, address);
    visit(node, pointer, address);
  }
  const baseAt = (pointer: string): string => {
    if (bases.size === 0) return unnamed;
    for (let ancestor = pointer; ; ancestor = ancestor.slice(0, ancestor.lastIndexOf("/"))) {
      const base = bases.get(ancestor);
      if (base !== undefined) return base;
      if (ancestor === "") return unnamed;
    }
  };
  /**
   * Returns the address from which the file at a JSON Pointer was read, even if the file specifies
   * a different one.
   */
  const fileAt = (pointer: string): string => {
    const [keyword, path = ""] = isJoined ? parsePointer(pointer) : [];
    return keyword === joinedFiles ? addressOf(path) : unnamed;
  };
  return {
    isRefAlone,
    isJoined,
    find(ref, pointer) {
      // Shortcut: almost all references are JSON Pointers in a file without addresses.
      if (bases.size === 0 && /^#(?:\/[\w/$-]*)?$/.test(ref)) return ref.slice(1);
      const base = baseAt(pointer);
      const [found] = (isJoined ? [base, fileAt(pointer)] : [base]).flatMap((each) => {
        const [address = "", fragment = ""] = new URL(ref, each).href.split("#");
        const start = pointers.get(address);
        return start === undefined ? [] : [{ address, fragment, start }];
      });
      if (found === undefined) return undefined;
      const { address, fragment, start } = found;
      const part = decodeURIComponent(fragment);
      if (part === "" || part.startsWith("/")) return start + part;
      return pointers.get(`${address}#${part}`) ?? pointers.get(`${address}#${fragment}`);
    },
    dynamicAnchors: (name) => dynamic.get(name) ?? 0,
  };
}
