import type { Draft } from "./description/draft.js";
import type { JsonFile } from "./source/json-text.js";

/**
 * Returns the schema file of a draft, which locates each part in the file that it comes from: the
 * schema or an overlay.
 */
export function mergedFile({ source, root, origins, renamed }: Draft): JsonFile {
  return {
    name: source.file.name,
    value: root,
    locate(pointer) {
      const overlay = originOf(pointer, origins);
      const [, container = "", name = "", rest = ""] =
        /^\/([^/]*)\/([^/]*)(.*)$/s.exec(pointer) ?? [];
      if (overlay !== undefined)
        return { ...overlay.locate(name === "" ? "" : `/definitions/${name}${rest}`), pointer };
      const own = renamed.get(`/${name}`);
      return own === undefined
        ? source.file.locate(pointer)
        : { ...source.file.locate(`/${container}${own}${rest}`), pointer };
    },
  };
}

function originOf(pointer: string, origins: Draft["origins"]): JsonFile | undefined {
  for (let prefix = pointer; prefix !== ""; prefix = prefix.slice(0, prefix.lastIndexOf("/"))) {
    const origin = origins.get(prefix);
    if (origin !== undefined) return origin;
  }
  return undefined;
}
