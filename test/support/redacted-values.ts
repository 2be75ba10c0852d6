import { readProtocol } from "../../cli/index.js";
import { Redactor, type RedactOptions } from "../../sessions/show/redact/redactor.js";

const dap = await readProtocol("dap");

/** Redacts values once the redactor has read all of them. */
export function redacted(
  values: readonly unknown[],
  options: RedactOptions = {},
): readonly unknown[] {
  const redactor = new Redactor(dap, options);
  for (const value of values) redactor.find(value);
  return values.map((value) => redactor.redacted(value));
}
