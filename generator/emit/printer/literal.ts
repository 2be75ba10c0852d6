import { lineWidth, literalKey, quote, type SourceFile } from "./source-file.js";

/** A literal to print: a string of code, an array of literals, an object, or a call. */
export type Literal = string | readonly Literal[] | LiteralObject | LiteralCall;
interface LiteralObject {
  readonly entries: readonly (readonly [key: string, value: Literal])[];
}

/** A call whose last argument is a literal. */
interface LiteralCall {
  /** The code in front of the last argument. */
  readonly call: string;
  readonly last: Literal;
}

/** Creates an object literal. */
export function object(entries: readonly (readonly [string, Literal])[]): LiteralObject {
  return { entries };
}

/**
 * A function that returns the code to print in place of a value, such as the name of a constant, or
 * undefined to print the value itself.
 */
export type Replace = (value: unknown, key: string) => string | undefined;

/** Converts plain data to a literal, omitting undefined entries. */
export function toLiteral(value: unknown, replace: Replace = () => undefined, key = ""): Literal {
  const instead = replace(value, key);
  if (instead !== undefined) return instead;
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return value.map((each) => toLiteral(each, replace));
  if (typeof value !== "object" || value === null) return String(value);
  return object(toEntries(value, replace));
}

/** Converts an object's properties to entries of an object literal. */
export function toEntries(value: object, replace?: Replace): LiteralObject["entries"] {
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => [key, toLiteral(each, replace, key)]);
}

export function printFlat(value: Literal): string {
  if (typeof value === "string") return value;
  if (isList(value)) return `[${value.map(printFlat).join(", ")}]`;
  if ("call" in value) return `${value.call}${printFlat(value.last)})`;
  if (value.entries.length === 0) return "{}";
  return `{ ${value.entries.map(([key, each]) => `${literalKey(key)}: ${printFlat(each)}`).join(", ")} }`;
}

/** Prints a literal, breaking it into several lines if it does not fit on one. */
export function printLiteral(
  value: Literal,
  before: number,
  after: number,
  indent: number,
): string {
  const flat = printFlat(value);
  if (typeof value === "string" || (before + flat.length + after <= lineWidth && !mustBreak(value)))
    return flat;
  if (!isList(value) && "call" in value)
    return `${value.call}${printLiteral(value.last, before + value.call.length, after + 1, indent)})`;
  const pad = " ".repeat(indent + 2);
  const lines = isList(value)
    ? value.map((each) => printLiteral(each, indent + 2, 1, indent + 2))
    : value.entries.map(([key, each]) => {
        const head = `${literalKey(key)}: `;
        return head + printLiteral(each, indent + 2 + head.length, 1, indent + 2);
      });
  const [open, close] = isList(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.map((line) => `${pad}${line},`).join("\n")}\n${" ".repeat(indent)}${close}`;
}

/**
 * Returns whether Prettier would break a literal into several lines even if it fits on one. This is
 * the case for an array of several objects that each have several entries.
 */
function mustBreak(value: Literal): boolean {
  if (typeof value === "string") return false;
  if (!isList(value))
    return "call" in value
      ? mustBreak(value.last)
      : value.entries.some(([, each]) => mustBreak(each));
  const isBusy = (each: Literal, list: boolean): boolean =>
    typeof each !== "string" && isList(each) === list && sizeOf(each) > 1;
  return (
    (value.length > 1 &&
      (value.every((each) => isBusy(each, true)) || value.every((each) => isBusy(each, false)))) ||
    value.some(mustBreak)
  );
}

function sizeOf(value: Exclude<Literal, string>): number {
  return isList(value) ? value.length : "call" in value ? 1 : value.entries.length;
}

function isList(value: Literal): value is readonly Literal[] {
  return Array.isArray(value);
}

/** Prints a constant. */
export function printConstant(head: string, type: string, value: Literal, file: SourceFile): void {
  const before = `${head}: ${type} = `;
  file.line(`${before}${printLiteral(value, before.length, 1, 0)};\n`);
}
