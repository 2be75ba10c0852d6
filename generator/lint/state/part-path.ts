import { pointerStep } from "../../../runtime/base/json-pointer.js";

/**
 * A part of a message: its parent, and its key there. Not a string, because few paths are printed.
 */
export interface PartPath {
  /** Undefined for the message itself. */
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
