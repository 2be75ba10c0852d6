/** The parts of a finding that determine its group. */
interface Said {
  readonly rule: string;
  readonly severity: string;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly pointer: string;
  readonly message: string;
}

/** The JSON Pointer, with `*` for array indexes. */
export function shapeOf(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}

/**
 * Key of findings with the same text and the same location, apart from their values and array
 * indexes.
 */
export function groupOf({
  rule,
  severity,
  outcome = "",
  from = "",
  pointer,
  message,
}: Said): string {
  const place = shapeOf(pointer);
  return [rule, severity, outcome, from, place, message.replaceAll(/"[^"]*"|\d+/g, "…")].join("\n");
}
