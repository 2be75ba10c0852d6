import assert from "node:assert/strict";
import { test } from "node:test";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Definition, Json, Type } from "../../../generator/model/types.js";
import { namePackage } from "../../../generator/emit/modules/package-names.js";
import { SourceFile } from "../../../generator/emit/printer/source-file.js";
import { emitTypes } from "../../../generator/emit/modules/types.js";
import { docTag, formatDocs } from "../../../generator/emit/printer/doc-comment.js";
import { readDefinitions } from "../../../generator/read/schema/definitions.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { readInput, testCases } from "../../support/case-list.js";
import { openSchema } from "../../../generator/read/schema/schema-file.js";

function emit(nodes: Record<string, Json>): string {
  const file = readJsonText(JSON.stringify({ definitions: nodes }), "test.json");
  const definitions = readDefinitions(openSchema(file, new Set()), {
    gates: new Map([["It/gated", { role: "server", capability: "supportsIt" }]]),
    defaults: new Map([["It/limit", 10]]),
    limits: new Map(),
    extensible: new Set(),
    annotations: new Set(),
    forgives: {},
    untyped: "meant",
    overlapping: false,
    formats: false,
  });
  return emitDefinitions(definitions);
}

function emitDefinitions(definitions: readonly Definition[]): string {
  const protocol: Protocol = {
    kind: "protocol",
    name: "test",
    title: "Test",
    version: "1.0.0",
    packageName: "test",
    packageVersion: "1.0.0",
    roles: ["client", "server"],
    envelope: {
      constants: {},
      id: "id",
      idTypes: ["integer"],
      replyTo: "id",
      request: { noun: "request", when: {}, name: "method", payload: "params" },
      event: { noun: "event", when: {}, name: "method", payload: "params" },
      response: { when: {}, result: "result", error: "error" },
    },
    framing: {},
    messages: [],
    definitions,
    bases: { request: "", event: "", response: "", error: "" },
    capabilities: [],
    dialects: [],
    essential: [],
  };
  const file = new SourceFile("Test.");
  emitTypes(protocol, namePackage(protocol), file);
  return file.toString().replace("// Test.\n\n", "");
}

/** A union of these values does not fit on a line. */
const long = [
  "a long value of an enum",
  "another long value of it",
  "a third one",
  "and a fourth one of them",
];

testCases("test/cases/emitted-types.md", "types are printed", (input, section) => {
  if (section === "definitions") {
    const [nodes] = readInput(input, { long }) as readonly [Record<string, Json>];
    return [emit(nodes).trimEnd()];
  }
  const [paragraphs, width] = readInput(input, { docTag }) as Parameters<typeof formatDocs>;
  return formatDocs(paragraphs, width);
});

test("the compiler reports a kind of type that emitTypes() does not support", () => {
  const missing = { kind: "tuple" } as unknown as Type;
  assert.throws(() =>
    emitDefinitions([
      { kind: "definition", name: "It", type: missing, extensible: false, pointer: "" },
    ]),
  );
});
