import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import { schemaKeywords } from "./keywords.js";

/** Base of addresses in a file that states none. */
const unnamed = "schema:///";

/** The named places of a schema file: schemas with an address of their own, and anchors. */
export interface Resources {
  /** Whether the file follows a draft in which keywords beside `$ref` have no meaning. */
  readonly isRefAlone: boolean;
  /** The pointer that a reference at a pointer leads to; undefined if it leads out of the file or nowhere. */
  find(ref: string, pointer: string): string | undefined;
  /** Number of places in the file that a dynamic reference may lead to. */
  dynamicAnchors(name: string): number;
}

/**
 * Finds the named places of a schema file.
 *
 * @throws TypeError if an address is not a URI.
 */
export function findResources(root: Json): Resources {
  const draft = isJsonObject(root) ? root["$schema"] : undefined;
  const isRefAlone = typeof draft === "string" && /\/draft-0[34567]\b/.test(draft);
  const pointers = new Map<string, string>([[unnamed, ""]]);
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
  const baseAt = (pointer: string): string => {
    if (bases.size === 0) return unnamed;
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const base = bases.get(at);
      if (base !== undefined) return base;
      if (at === "") return unnamed;
    }
  };
  return {
    isRefAlone,
    find(ref, pointer) {
      // Almost all references are pointers, in a file without addresses.
      if (bases.size === 0 && /^#(?:\/[\w/$-]*)?$/.test(ref)) return ref.slice(1);
      const { href } = new URL(ref, baseAt(pointer));
      const [address = "", fragment = ""] = href.split("#");
      const start = pointers.get(address);
      if (start === undefined) return undefined;
      const part = decodeURIComponent(fragment);
      if (part === "" || part.startsWith("/")) return start + part;
      return pointers.get(`${address}#${part}`) ?? pointers.get(`${address}#${fragment}`);
    },
    dynamicAnchors: (name) => dynamic.get(name) ?? 0,
  };
}
