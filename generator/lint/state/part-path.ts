import { pointerStep } from "../../../runtime/base/json-pointer.js";

/**
 * The path of a part of a message: the path of its parent, and its key in the parent. A string is
 * built only on demand, because few paths are printed.
 */
export interface PartPath {
  /** Path of the parent. Undefined if the parent is the message itself. */
  readonly owner: PartPath | undefined;
  readonly key: string | number;
}

/** The JSON Pointer of a part. */
export function pointerOf(path: PartPath | undefined): string {
  let pointer = "";
  for (let part = path; part !== undefined; part = part.owner)
    pointer = pointerStep(String(part.key)) + pointer;
  return pointer;
}
