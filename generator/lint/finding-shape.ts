/** The parts of a finding that determine which others are equal. */
interface Said {
  readonly rule: string;
  readonly severity: string;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly pointer: string;
  readonly message: string;
}

/** A JSON Pointer with `*` for the items of lists. */
export function shapeOf(pointer: string): string {
  return pointer.replaceAll(/\/\d+(?=\/|$)/g, "/*");
}

/** Key of findings with the same text about the same place. */
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
