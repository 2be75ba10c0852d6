import type { Tolerance } from "./findings.js";
import type { EnvelopePart } from "./rule.js";

/** The tolerances that accept a missing envelope part, by part. */
export const missingPart: { readonly [Part in EnvelopePart]?: Tolerance } = {
  id: "id-unset",
  result: "success-body",
  error: "failure-body",
};
