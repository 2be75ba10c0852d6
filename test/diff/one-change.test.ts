/** One change to a schema is one finding, with the effect that it has. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { diffProtocols, diffVersions } from "../../cli/index.js";
import { verdictOf } from "../../diff/verdicts.js";
import { reader, version } from "../support/compared-versions.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { elementaryChanges, type Schema } from "../support/elementary-changes.js";
import { pairs, way } from "../support/elementary-payloads.js";
import { property } from "../support/property.js";

const string = { type: "string" };
const number = { type: "number" };
const object = (properties: object, more: object = {}): object => ({
  type: "object",
  properties,
  ...more,
});
const reference = (name: string): object => ({ $ref: `#/definitions/${name}` });

test("a payload that a base of messages comes to require breaks the messages that omit it", async () => {
  const schema = (required: readonly string[]): string =>
    JSON.stringify({
      definitions: {
        ProtocolMessage: object({ seq: number, type: string }, { required: ["seq", "type"] }),
        Request: {
          allOf: [
            reference("ProtocolMessage"),
            object(
              { type: { enum: ["request"] }, command: string, arguments: {} },
              { required: ["type", "command", ...required] },
            ),
          ],
        },
        Event: {
          allOf: [
            reference("ProtocolMessage"),
            object({ type: { enum: ["event"] }, event: string }, { required: ["type", "event"] }),
          ],
        },
        Response: {
          allOf: [
            reference("ProtocolMessage"),
            object(
              {
                type: { enum: ["response"] },
                request_seq: number,
                success: { type: "boolean" },
                command: string,
              },
              { required: ["type", "request_seq", "success", "command"] },
            ),
          ],
        },
        ErrorResponse: { allOf: [reference("Response"), object({ body: {} })] },
        StopRequest: {
          allOf: [
            reference("Request"),
            object(
              { command: { enum: ["stop"] }, arguments: reference("StopArguments") },
              { required: ["command"] },
            ),
          ],
        },
        StopResponse: { allOf: [reference("Response"), object({})] },
        ListRequest: {
          allOf: [reference("Request"), object({ command: { enum: ["list"] } })],
        },
        ListResponse: { allOf: [reference("Response"), object({})] },
        StopArguments: object({ force: { type: "boolean" } }),
      },
    });
  const diff = await withFolder((folder) => {
    writeFiles(folder, { "old.json": schema([]), "new.json": schema(["arguments"]) });
    return diffVersions(join(folder, "old.json"), join(folder, "new.json"));
  });
  const sent = (command: string): object => ({ seq: 0, type: "request", command });
  assert.deepEqual(
    diff.findings.map(({ at, severity, witnesses }) => [at, severity, witnesses[0]?.message]),
    [
      ["StopRequest.arguments", "breaking", sent("stop")],
      ["ListRequest.arguments", "breaking", sent("list")],
      ["Request.arguments", "risky", undefined],
    ],
  );
});

test("a version may be given without its last numbers", async () => {
  const { diff } = await diffVersions("dap@1.70", "dap@1.71");
  assert.deepEqual([diff.before, diff.after], ["1.70.0", "1.71.0"]);
});

/** Ways to use a type in another one. */
const uses: Readonly<Record<string, (type: Schema) => Schema>> = {
  required: (type) => object({ x: type }, { required: ["x"] }) as Schema,
  optional: (type) => object({ y: type }) as Schema,
  items: (type) => ({ type: "array", items: type }),
  map: (type) => ({ type: "object", additionalProperties: type }),
  nullable: (type) => ({ anyOf: [type, { type: "null" }] }),
  base: (type) => ({ allOf: [type, object({ z: string })] }),
};
const isObject = (use: string | undefined): boolean =>
  use === undefined || ["required", "optional", "base"].includes(use);

property(
  "a change to a type is one finding with the same verdicts, wherever the type is used",
  fc.record({
    change: fc.constantFrom(
      ...elementaryChanges.filter(
        ({ before, after }) => before?.optional !== true && after?.optional !== true,
      ),
    ),
    steps: fc.array(
      fc.record({ use: fc.constantFrom(...Object.keys(uses)), named: fc.boolean() }),
      { minLength: 1, maxLength: 4 },
    ),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  async ({ change, steps, times }) => {
    const { before, after, ids } = change;
    if (before === undefined || after === undefined) return;
    const isBase = [before, after].every(({ schema: { type } }) => type === "object");
    const read = (changed: Schema): ReturnType<typeof version> => {
      const definitions: Record<string, Schema> = { Changed: changed };
      let type = reference("Changed") as Schema;
      for (const [index, { use, named }] of steps.entries()) {
        if (use === "base" && (!isBase || !isObject(steps[index - 1]?.use))) continue;
        type = uses[use]!(type);
        if (!named) continue;
        definitions[`User${index}`] = type;
        type = reference(`User${index}`) as Schema;
      }
      const names = Array.from({ length: times }, (_, index) => `use${index}`);
      const payload = object(Object.fromEntries(names.map((name) => [name, type])));
      return version(payload as Schema, definitions);
    };
    const { findings } = diffProtocols(await read(before.schema), await read(after.schema));
    assert.deepEqual(
      findings.map(({ rule, at, wire }) => [rule, /^\w+/.exec(at)?.[0], wire]),
      ids.map((id) => [
        id,
        "Changed",
        Object.fromEntries(
          pairs.map((pair) => [pair, verdictOf(change[way(reader, pair)], "tolerant")]),
        ),
      ]),
    );
  },
  60,
);
