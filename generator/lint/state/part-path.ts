import { pointerStep } from "../../../runtime/base/json-pointer.js";

/** A part of a message: the part that holds it, and its key there. Few paths are ever printed, so a path is not a string. */
export interface PartPath {
  /** Undefined is the message. */
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
