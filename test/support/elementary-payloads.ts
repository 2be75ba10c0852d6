import assert from "node:assert/strict";
import AjvDraft04 from "ajv-draft-04";
import {
  type PayloadCase,
  type Schema,
  elementaryChanges,
  schemaWith,
  type ElementaryChange,
  type Reader,
} from "./elementary-changes.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { readSchema } from "./compared-versions.js";

/** Values for the property `p`. ajv decides which of them are valid. */
const pool: readonly unknown[] = [
  "a",
  "b",
  "c",
  "other",
  0,
  1,
  1.5,
  -1,
  300,
  true,
  null,
  [],
  ["a"],
  {},
  { kind: "k1", x: "" },
  { kind: "k2", y: "" },
  { kind: "k3", z: "" },
  { kind: "k3", y: "" },
  ["c"],
  [1],
  [1, 1],
  [1, ""],
  [1, 1, 1],
  ["a", 1],
  ["a", 1.5],
  ["a", "b"],
  ["a", "c"],
  { x: "" },
  { y: "" },
  { x: "", z: "" },
];

export const payloads: readonly unknown[] = [
  undefined,
  { q: "a" },
  ...["p", "line", "startLine"].flatMap((name) =>
    pool.flatMap((value) => [{ q: "a", [name]: value }, { [name]: value }]),
  ),
  { q: "a", other: true },
];

/** Compiled schemas by their text, because many cases share a schema. */
const compiled = new Map<string, (value: unknown) => unknown>();

/**
 * Creates a payload validator from the writer's schema, from the unchanged schema, or from a schema
 * with closed objects and enums.
 */
export function validator(
  payload: PayloadCase | undefined,
  how: "writer" | "schema" | "strict",
  extras: boolean,
): (value: unknown) => boolean {
  const isOpen = how === "schema" || (how === "writer" && extras);
  const schema = payload === undefined ? {} : prepared(payload.schema, !isOpen, how === "strict");
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? new AjvDraft04.default({ strict: false }).compile(schema);
  compiled.set(text, validate);
  return (value) => {
    if (payload === undefined) return value === undefined || how === "schema";
    return value === undefined ? payload.optional === true : validate(value) === true;
  };
}

function prepared(node: unknown, close: boolean, closeEnums: boolean): object {
  return JSON.parse(JSON.stringify(node), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const {
      _enum,
      default: _default,
      deprecated: _deprecated,
      // `unevaluatedProperties` allows other properties, but does not declare an index signature.
      unevaluatedProperties: isOpen = false,
      ...rest
    } = value as Schema;
    return {
      ...rest,
      ...(closeEnums && _enum !== undefined ? { enum: _enum } : {}),
      ...(close && "properties" in rest && !("additionalProperties" in rest) && isOpen !== true
        ? { additionalProperties: false }
        : {}),
    };
  }) as object;
}

/** Returns whether a reader rejects any value that a writer may send. */
export function rejects(
  writer: PayloadCase | undefined,
  reader: PayloadCase | undefined,
  policy: "schema" | "strict",
  extras: boolean,
): boolean {
  const [isWritten, isRead] = [
    validator(writer, "writer", extras),
    validator(reader, policy, extras),
  ];
  const sent = payloads.filter(isWritten);
  assert.ok(sent.length > 0, "the writer has nothing to send");
  return sent.some((value) => !isRead(value));
}

const readers: readonly Reader[] = ["adapter", "client"];
export const pairs = ["new-client/old-adapter", "old-client/new-adapter"] as const;

export interface Case {
  readonly change: ElementaryChange;
  readonly reader: Reader;
  readonly before: Protocol;
  readonly after: Protocol;
}

export const cases: readonly Case[] = await Promise.all(
  elementaryChanges.flatMap((change) =>
    readers.map(async (reader) => ({
      change,
      reader,
      before: await readSchema(schemaWith(change.before, reader)),
      after: await readSchema(schemaWith(change.after, reader)),
    })),
  ),
);

export function caseName({ change, reader }: Case): string {
  return `${change.title}, read by the ${reader}`;
}

/** Returns the direction in which values pass between two versions. */
export function way(reader: Reader, pair: (typeof pairs)[number]): "oldToNew" | "newToOld" {
  return pair.includes(`new-${reader}`) ? "oldToNew" : "newToOld";
}
