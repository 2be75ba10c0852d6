/** A required property must be present, whatever its type accepts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { emitPackage, readProtocol } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { runCommand } from "../../support/run-command.js";
import { description } from "../../support/table-protocol.js";

const reference = (name: string): object => ({ $ref: `#/definitions/${name}` });
const holding = (v: object | boolean): object => ({
  type: "object",
  properties: { v },
  required: ["v"],
});

/** Types that accept anything, or anything that is present. */
const broad: Readonly<Record<string, object | boolean>> = {
  Value: {},
  True: true,
  Documented: { description: "Any value." },
  Alias: reference("Documented"),
  ButText: { not: { type: "string" } },
  LongText: { if: { type: "string" }, then: { minLength: 2 } },
  Either: { anyOf: [reference("Value"), { type: "null" }] },
  Both: { allOf: [reference("Value"), {}] },
};

const holders = Object.fromEntries(
  Object.keys(broad).map((name) => [`Holds${name}`, holding(reference(name))]),
);

const definitions: Readonly<Record<string, object | boolean>> = {
  ...broad,
  ...holders,
  Extended: {
    allOf: [
      reference("HoldsValue"),
      { type: "object", properties: { w: { type: "string" } }, required: ["w"] },
    ],
  },
  Call: {
    type: "object",
    properties: { kind: { type: "string" }, call: reference("Value") },
    required: ["kind", "call"],
  },
  Part: { oneOf: [reference("Call"), { type: "object", required: ["id"] }] },
  // Accepts what does not match `Part`.
  Other: { oneOf: [{}, reference("Part")] },
  Turn: { type: "object", properties: { parts: { type: "array", items: reference("Other") } } },
};

test("a required property must be present, whatever its type accepts", () =>
  withFolder(async (folder) => {
    writeFiles(folder, {
      "protocol.json": JSON.stringify({
        ...description,
        messages: {
          by: "table",
          requests: {},
          events: { held: { docs: "Tells.", params: "HoldsValue" } },
        },
      }),
      "types-1.0.0.json": JSON.stringify({ definitions }),
    });
    const protocol = await readProtocol(folder);
    const own = await loadPackage({ protocol, files: await emitPackage(protocol) });
    const verdict = (name: string, value: unknown): unknown => {
      const isValid = own[`isValid${name}`] as (value: unknown) => boolean;
      const validate = own[`validate${name}`] as (value: unknown) => {
        readonly ok: boolean;
        readonly issues?: readonly { readonly pointer: string; readonly code: string }[];
      };
      const { ok, issues = [] } = validate(value);
      assert.equal(isValid(value), ok, name);
      return ok || issues.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    for (const name of Object.keys(holders)) {
      assert.deepEqual(verdict(name, {}), ["/v missing"], name);
      assert.equal(verdict(name, { v: null }), true, name);
    }
    assert.deepEqual(verdict("HoldsButText", { v: "text" }), ["/v wrong-value"]);
    assert.deepEqual(verdict("Extended", { w: "" }), ["/v missing"]);
    assert.deepEqual(verdict("Turn", { parts: [{ kind: "s" }, { kind: "s", call: 1, x: 1 }] }), [
      "/parts/1 wrong-value",
    ]);
    const message = { jsonrpc: "2.0", method: "held", params: {} };
    writeFiles(folder, { "session.jsonl": `${JSON.stringify(message)}\n` });
    const { stdout, stderr } = runCommand(folder, ["lint", "session.jsonl", "--protocol", "."]);
    assert.match(stdout, /schema\.issue .*event held \/params\/v$/m, stderr);
  }));
