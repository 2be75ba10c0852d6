import { pointerStep } from "../../../runtime/base/json-pointer.js";

/**
 * The path of a part of a message, stored as its parent's path and its key in the parent. A string
 * is built only on demand, because few paths are printed.
 */
export interface PartPath {
  /** The parent's path. Undefined if the parent is the message itself. */
  readonly owner: PartPath | undefined;
  readonly key: string | number;
}

/** Returns a part's JSON Pointer. */
export function pointerOf(path: PartPath | undefined): string {
  let pointer = "";
  for (let part = path; part !== undefined; part = part.owner)
    pointer = pointerStep(String(part.key)) + pointer;
  return pointer;
}
