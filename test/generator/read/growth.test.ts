/**
 * The work for a schema grows with its size, not with the square. It is counted as the number of
 * times that the reader looks at a part of the schema, because times vary.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../../generator/model/types.js";
import { readDefinitions } from "../../../generator/read/schema/definitions.js";
import { noNotes, openSchema } from "../../../generator/read/schema/schema-file.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { generate } from "../../../cli/index.js";
import { withFolder } from "../../support/compile.js";
import { description, writeProtocol, type Part } from "../../support/table-protocol.js";

const reference = (index: number): Json => ({ $ref: `#/definitions/D${index}` });
const object = (properties: Record<string, Json>): Json => ({ type: "object", properties });
/** Creates `count` definitions `D0`, `D1`, … */
const many = (count: number, make: (index: number) => Json): Record<string, Json> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`D${index}`, make(index)]));
/** Applies a function several times. */
const nested = (count: number, wrap: (inner: Json) => Json): Json =>
  count === 0 ? { type: "string" } : wrap(nested(count - 1, wrap));

const chainOfExtensions = (count: number): Record<string, Json> =>
  many(count, (index) => ({
    ...(index > 0 && { allOf: [reference(index - 1)] }),
    ...(object({ [`p${index}`]: { type: "string" } }) as object),
  }));

const schemas: Readonly<Record<string, (count: number) => Record<string, Json>>> = {
  "separate objects": (count) =>
    many(count, (index) => object({ [`p${index}`]: { type: "string" } })),
  "a chain of references": (count) =>
    many(count, (index) => (index === 0 ? { type: "string" } : reference(index - 1))),
  "a chain of objects": (count) =>
    many(count, (index) => object(index === 0 ? {} : { next: reference(index - 1) })),
  "definitions that each refer twice to the one before": (count) =>
    many(count, (index): Json =>
      index === 0 ? { type: "string" } : { anyOf: [reference(index - 1), reference(index - 1)] },
    ),
  "objects that each refer twice to the one before": (count) =>
    many(count, (index) =>
      index === 0 ? object({}) : object({ a: reference(index - 1), b: reference(index - 1) }),
    ),
  "a cycle of objects": (count) =>
    many(count, (index) => object({ next: reference((index + 1) % count) })),
  "extensions of one base": (count) =>
    many(count, (index) =>
      index === 0
        ? object({ kind: { type: "string" } })
        : { allOf: [reference(0), object({ kind: { const: `k${index}` } })] },
    ),
  "a union of all": (count) => ({
    ...many(count, (index) => object({ kind: { const: `k${index}` } })),
    All: { oneOf: Array.from({ length: count }, (_, index) => reference(index)) },
  }),
  "an object with many properties": (count) => ({
    D: object(many(count, () => ({ type: "string" })) as Record<string, Json>),
  }),
  "an enum with many values": (count) => ({
    D: { enum: Array.from({ length: count }, (_, index) => `v${index}`) },
  }),
  "objects inside each other": (count) => ({
    D: nested(Math.min(count, 100), (inner) => object({ inner })),
  }),
};

/** Returns the number of times that a part of the schema is looked at. */
function stepsFor(definitions: Record<string, Json>): number {
  let steps = 0;
  const watched = new WeakMap<object, object>();
  const watch = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    let proxy = watched.get(value);
    if (proxy === undefined) {
      proxy = new Proxy(value, {
        get(target, key) {
          steps++;
          return watch(Reflect.get(target, key) as unknown);
        },
        ownKeys(target) {
          const keys = Reflect.ownKeys(target);
          steps += keys.length;
          return keys;
        },
      });
      watched.set(value, proxy);
    }
    return proxy;
  };
  const file = readJsonText(JSON.stringify({ definitions }), "growth.json");
  const schema = openSchema({ ...file, value: watch(file.value) as Json }, new Set());
  readDefinitions(schema, noNotes);
  schema.settle();
  return steps;
}

for (const [name, make] of Object.entries(schemas))
  test(`the work for ${name} grows no faster than n log n`, () => {
    const few = 100;
    const more = 800;
    const growth = stepsFor(make(more)) / stepsFor(make(few));
    const allowed = (more * Math.log(more)) / (few * Math.log(few));
    assert.ok(growth <= allowed, `${growth.toFixed(1)} times the steps for ${more / few} times`);
  });

/** Returns the size of the package for a protocol without messages. */
async function sizeFor(definitions: Record<string, Json>): Promise<number> {
  return withFolder(async (folder) => {
    const described = { ...description, messages: { by: "table", requests: {}, events: {} } };
    writeProtocol(folder, described, { "1.0.0": definitions as Part });
    const { files } = await generate(folder);
    return [...files.values()].reduce((sum, text) => sum + text.length, 0);
  });
}

for (const [name, make] of [
  ["a chain of extensions", chainOfExtensions],
  ...["a union of all", "objects that each refer twice to the one before"].map(
    (each) => [each, schemas[each]!] as const,
  ),
] as const)
  test(`the package for ${name} grows with the schema`, async () => {
    const growth = (await sizeFor(make(600))) / (await sizeFor(make(300)));
    assert.ok(
      growth > 1.5 && growth < 2.2,
      `${growth.toFixed(1)} times the code for twice the definitions`,
    );
  });
