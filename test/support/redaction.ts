import { readProtocol } from "../../cli/index.js";
import { Redactor, type RedactOptions } from "../../sessions/show/redact/redactor.js";

export const launch = (args: object): object => ({
  seq: 1,
  type: "request",
  command: "launch",
  arguments: args,
});

export const output = (text: unknown): object => ({
  seq: 2,
  type: "event",
  event: "output",
  body: { output: text },
});

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
