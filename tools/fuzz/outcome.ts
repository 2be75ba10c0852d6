import { WorkLimitError } from "./coverage.js";
import { OracleFailure, type Oracle } from "./target.js";

/** An input that violates an oracle. */
export interface Finding {
  readonly target: string;
  readonly oracle: Oracle;
  /** A description of the failure. */
  readonly detail: string;
  /** A key shared by all inputs that show the same fault. */
  readonly key: string;
  readonly input: Uint8Array;
  /** The salt with which the input reproduces the fault. */
  readonly salt: number;
}

/** The result of running an input: its failure, if any, and its number of steps. */
export interface Outcome {
  readonly failure: Omit<Finding, "target" | "input" | "salt"> | undefined;
  readonly work: number;
}

/** Describes an exception thrown by a check. */
export function failureOf(error: unknown): NonNullable<Outcome["failure"]> {
  if (error instanceof OracleFailure) {
    const { oracle, message, key } = error;
    return { oracle, detail: message, key: `${oracle} ${key}` };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // Line numbers are the same in instrumented files as in the originals.
  const places = [...(stack ?? "").matchAll(/\/((?:runtime|generator|generated)\/[^:)]+:\d+)/g)];
  const place = places[0]?.[1] ?? "";
  const detail = `${name}: ${message.slice(0, 200)}${place === "" ? "" : ` (${place})`}`;
  const where = error instanceof RangeError && message.includes("call stack") ? "" : place;
  return {
    oracle: "throws",
    detail: error instanceof WorkLimitError ? "more steps than allowed" : detail,
    key: `throws ${name} ${where === "" ? message.replaceAll(/\d+/g, "N").slice(0, 60) : where}`,
  };
}
