/** Compares definitions of a small protocol: one change to a schema is one finding. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProtocols, type ReaderPolicy } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { openProtocolSource } from "../../generator/read/protocol-source.js";
import { CaseList, readPair } from "../support/case-list.js";
import { findingLines } from "../support/finding-lines.js";
import { fromRoot } from "../support/paths.js";

const string = { type: "string" };
const integer = { type: "integer" };
const number = { type: "number" };

function object(properties: object, more: object = {}): object {
  return { type: "object", properties, ...more };
}

function tagged(kind: string, properties: object = {}): object {
  return object({ kind: { const: kind }, ...properties }, { required: ["kind"] });
}

function reference(name: string): object {
  return { $ref: `#/definitions/${name}` };
}

/** Definitions of a payload whose only property has a type, with others to refer to. */
function carrying(type: object, part: object = {}): object {
  return {
    Open: object({ p: type }, { required: ["p"] }),
    Text: string,
    Part: object({ id: string, ...part }, { required: ["id"] }),
  };
}

/** The helpers of the cases. */
const names: Readonly<Record<string, unknown>> = {
  string,
  integer,
  number,
  object,
  tagged,
  reference,
  carrying,
  either: (other: object) => ({ anyOf: [string, other] }),
  pattern: (pattern: string, more: object = {}) => ({ ...string, pattern, ...more }),
  having: (name: string) => object({ [name]: string }, { required: [name] }),
  choice: (...required: readonly string[]) => ({
    Open: object(
      { a: string, b: string, c: string },
      required.length === 0 ? {} : { anyOf: required.map((name) => ({ required: [name] })) },
    ),
  }),
  items: (item: string) => ({
    Open: object({ item: reference(item) }, { required: ["item"] }),
    Item: { anyOf: [reference("A"), reference("B")] },
    Entry: { anyOf: [reference("C"), reference("D")] },
    ...Object.fromEntries(["A", "B", "C", "D"].map((name) => [name, tagged(name, { x: string })])),
  }),
  listed: (values: readonly unknown[], more: object) => ({
    Open: object({
      a: { type: typeof values[0] === "number" ? "integer" : "string", enum: values, ...more },
    }),
  }),
  titled: (union: string, more: object, ...titles: readonly string[]) => ({
    Open: object({
      a: { [union]: titles.map((title, at) => ({ ...integer, const: at + 1, title, ...more })) },
    }),
  }),
  extended: (changed: object) => ({
    Open: object({ item: reference("Twice"), other: reference("Once") }),
    Twice: { allOf: [reference("Once"), object({ t: string }, { required: ["t"] })] },
    Once: { allOf: [object({ s: string }), reference("Changed")] },
    Changed: changed,
    A: tagged("a"),
    B: tagged("b"),
    C: tagged("c"),
  }),
  extending: (s: object) => ({
    Open: reference("Once"),
    Once: { allOf: [reference("Changed"), object({ s })] },
    Changed: { anyOf: [reference("A"), reference("B")] },
    A: tagged("a"),
    B: tagged("b"),
  }),
  conditioned: (minProperties: number) => ({
    Open: { allOf: [reference("Changed"), object({ s: string })] },
    Changed: object({ x: string }, { additionalProperties: false, minProperties }),
  }),
};

async function read(definitions: object): Promise<Protocol> {
  const readStdin = (): Promise<string> => Promise.resolve(JSON.stringify({ definitions }));
  return (await openProtocolSource("-", fromRoot("test/fixtures/notes"), { readStdin })).protocol;
}

/** Returns the findings, with reasons that state more than their rules, and with examples. */
async function linesOf(
  before: object,
  after: object,
  reader: ReaderPolicy = "tolerant",
): Promise<readonly string[]> {
  const diff = diffProtocols(await read(before), await read(after), { reader });
  return findingLines(diff).map((line, index) => {
    const { rule, reason, witnesses } = diff.findings[index]!;
    const isSpecial = rule === "enum.meanings-swapped" || /^No message/.test(reason);
    const shown = witnesses.map(({ message }) =>
      JSON.stringify((message as { readonly params?: unknown }).params),
    );
    return [line, ...(isSpecial ? [reason] : []), ...shown].join("; ");
  });
}

const cases = new CaseList("test/cases/definition-changes.md");
for (const name of cases.names) {
  const [, reader] = /for a (strict|schema) reader$/.exec(name) ?? [];
  test(name, () =>
    cases.check(name, (input) => {
      const [before, after] = readPair(input, names) as [object, object];
      return linesOf(before, after, reader as ReaderPolicy | undefined);
    }),
  );
}

const constants = (key: string, ...values: readonly unknown[]): object => ({
  [key]: values.map((value) => ({ const: value })),
});

/** Ways to write the same string enum. */
const lists: readonly ((...values: readonly string[]) => object)[] = [
  (...values) => ({ type: "string", enum: values }),
  (...values) => ({ enum: values }),
  (...values) => constants("oneOf", ...values),
  (...values) => constants("anyOf", ...values),
  (first, ...rest) => ({ anyOf: [{ const: first }, { enum: rest }] }),
  (first, ...rest) => ({
    anyOf: [{ anyOf: [{ enum: [first] }] }, constants("oneOf", ...rest)],
  }),
];

test("adding an enum value is the same change, however the schema writes the enum", async () => {
  for (const list of lists)
    for (const other of lists) {
      const before = carrying(list("a", "b"));
      assert.deepEqual(await linesOf(before, carrying(other("b", "a"))), []);
      const rules = (await linesOf(before, carrying(other("a", "b", "c")))).map((line) =>
        line.split(",", 1).join(),
      );
      assert.deepEqual(rules, ['risky enum.value-added Open.p = "c": + "c"']);
    }
});
