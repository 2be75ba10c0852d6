/** The parts of a finding that determine its group. */
interface Said {
  readonly rule: string;
  readonly severity: string;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly pointer: string;
  readonly message: string;
}

/** Replaces the array indexes in a JSON Pointer with `*`. */
export function shapeOf(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}

/**
 * Returns the key of a finding's group. Findings share a key if their texts and locations differ
 * only in values and array indexes.
 */
export function groupOf({
  rule,
  severity,
  outcome = "",
  from = "",
  pointer,
  message,
}: Said): string {
  const shape = shapeOf(pointer);
  return [rule, severity, outcome, from, shape, message.replaceAll(/"[^"]*"|\d+/g, "…")].join("\n");
}
