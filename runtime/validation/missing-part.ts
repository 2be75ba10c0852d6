import type { Tolerance } from "./findings.js";
import type { EnvelopePart } from "./rule.js";

/** The tolerance that accepts the absence of a part of the envelope. */
export const missingPart: { readonly [Part in EnvelopePart]?: Tolerance } = {
  id: "id-unset",
  result: "success-body",
  error: "failure-body",
};
