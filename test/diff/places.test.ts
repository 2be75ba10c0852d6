import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProtocols, groupFindings, openProtocolSource, readProtocol } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { readSchema, lines } from "../support/compared-versions.js";
import { schemaWith, type Schema } from "../support/elementary-changes.js";
import { fromRoot } from "../support/paths.js";
import { bundledDap } from "../support/dap-versions.js";
import { someOf } from "../support/long-tests.js";
import { readFileSync } from "node:fs";

type Definitions = { readonly [name: string]: Schema };

const dap = JSON.parse(readFileSync(fromRoot("schema/dap/1.71.0.json"), "utf8")) as {
  readonly definitions: Definitions;
};

/**
 * Reads the newest DAP version with some definitions replaced. A definition is removed if its
 * replacement is undefined.
 */
async function dapWith(
  changed: Readonly<Record<string, Schema | undefined>>,
  rename: (text: string) => string = (text) => text,
): Promise<Protocol> {
  const definitions = Object.fromEntries(
    Object.entries({ ...dap.definitions, ...changed }).filter(([, node]) => node !== undefined),
  );
  const text = rename(JSON.stringify({ ...dap, definitions }));
  const readStdin = (): Promise<string> => Promise.resolve(text);
  return (await openProtocolSource("-", "dap", { readStdin })).protocol;
}

const unchanged = await dapWith({});

const own = (name: string, properties: Schema, required: readonly string[] = []): Schema => {
  const node = dap.definitions[name] as {
    allOf?: Schema[];
    properties?: Schema;
    required?: string[];
  };
  const change = (part: { properties?: Schema; required?: readonly string[] }): Schema => ({
    ...part,
    properties: { ...part.properties, ...properties },
    required: [...(part.required ?? []), ...required],
  });
  return node.allOf === undefined
    ? change(node)
    : { ...node, allOf: [node.allOf[0]!, change(node.allOf[1]!)] };
};

test("a change to a base is one finding that lists all messages extending the base", async () => {
  const note = { note: { type: "string" } };
  for (const { base, required, expected, messages } of [
    {
      base: "ProtocolMessage",
      required: [],
      expected: "lossy prop.added-optional ProtocolMessage.note",
      messages: 98,
    },
    {
      base: "Response",
      required: ["note"],
      expected: "breaking prop.added-required Response.note",
      messages: 46,
    },
  ] as const) {
    const after = await dapWith({ [base]: own(base, note, required) });
    const diff = diffProtocols(unchanged, after);
    assert.deepEqual(lines(diff), [expected]);
    assert.ok(
      diff.findings[0]!.messages.length >= messages - 10,
      String(diff.findings[0]!.messages.length),
    );
    const back = diffProtocols(after, unchanged);
    assert.equal(back.findings.length, 1);
  }
});

test("each combination of rule and location identifies one finding", async () => {
  const versions = await Promise.all(
    someOf(bundledDap).map((version) => readProtocol("dap", { version })),
  );
  for (const before of versions)
    for (const after of versions) {
      const { findings } = diffProtocols(before, after);
      const keys = findings.map(({ rule, at }) => `${rule} ${at}`);
      assert.equal(new Set(keys).size, keys.length);
    }
});

test("all findings in a group have the same verdicts and the same effects on code", async () => {
  const before = await readProtocol("dap", { version: "1.40.0" });
  const after = await readProtocol("dap", { version: "1.71.0" });
  for (const reader of ["strict", "schema", "tolerant"] as const)
    for (const group of groupFindings(diffProtocols(before, after, { reader }).findings))
      for (const { wire, source } of group.findings) {
        assert.deepEqual(wire, group.wire);
        const code = (each: typeof source): unknown =>
          Object.values(each).map(({ compiles, when, exhaustive }) => [compiles, when, exhaustive]);
        assert.deepEqual(code(source), code(group.source));
      }
});

test("requiring an undeclared property has a rule of its own and is not breaking", async () => {
  const version = (required: readonly string[]): Promise<Protocol> => {
    const payload = { type: "object", properties: { a: { type: "string" } }, required };
    return readSchema(schemaWith({ schema: payload }, "adapter"));
  };
  const [with_, without] = [await version(["a", "id"]), await version(["a"])];
  assert.deepEqual(lines(diffProtocols(with_, without)), [
    "risky prop.required-name-removed Payload.id",
  ]);
  assert.deepEqual(lines(diffProtocols(without, with_)), [
    "risky prop.required-name-added Payload.id",
  ]);
});

test("required capabilities and defaults are tracked through renamed and inlined definitions", async () => {
  const name = "SetExceptionBreakpointsArguments";
  const renamed = await dapWith({}, (text) => text.replaceAll(`${name}"`, `${name}Renamed"`));
  const request = dap.definitions["SetExceptionBreakpointsRequest"] as { allOf: Schema[] };
  const inline = {
    ...request,
    allOf: [
      request.allOf[0]!,
      {
        ...request.allOf[1]!,
        properties: {
          ...(request.allOf[1]!["properties"] as Schema),
          arguments: dap.definitions[name],
        },
      },
    ],
  };
  const inlined = await dapWith({ [name]: undefined, SetExceptionBreakpointsRequest: inline });
  const kept = await dapWith({ SetExceptionBreakpointsRequest: inline });
  for (const other of [renamed, inlined, kept])
    for (const diff of [diffProtocols(unchanged, other), diffProtocols(other, unchanged)])
      assert.deepEqual(
        lines(diff).filter((line) => !/ doc\./.test(line)),
        [],
      );
});

test("capabilities under another name are refused, with a hint", async () => {
  const renamed = await dapWith({}, (text) =>
    text.replaceAll('Capabilities"', 'AdapterCapabilities"'),
  );
  for (const [before, after] of [
    [unchanged, renamed],
    [renamed, unchanged],
  ] as const)
    assert.throws(() => diffProtocols(before, after), {
      code: "ERR_ARGUMENT",
      message: `Cannot find the adapter's capabilities in ${renamed.version}: "Capabilities" is called "AdapterCapabilities" there`,
      hint: 'Keep the name, or compare with a description that names "AdapterCapabilities" under "capabilities"',
    });
});

test("a change to an error response affects the senders of the request", async () => {
  const error = {
    allOf: [
      { $ref: "#/definitions/Response" },
      {
        type: "object",
        properties: { body: { type: "object", properties: { reason: { type: "string" } } } },
        required: ["body"],
      },
    ],
  };
  const version = (body: object): Promise<Protocol> => {
    const schema = schemaWith(
      { schema: { type: "object", properties: { a: { type: "string" } } } },
      "adapter",
    );
    const text = JSON.stringify(error).replace(
      '{"reason":{"type":"string"}}',
      JSON.stringify(body),
    );
    const definitions = {
      ...(schema["definitions"] as object),
      ErrorResponse: JSON.parse(text) as Schema,
    };
    return readSchema({ ...schema, definitions });
  };
  const before = await version({});
  const { findings } = diffProtocols(before, await version({ reason: { type: "string" } }));
  assert.deepEqual(
    findings.map(({ rule, receivers, wire }) => ({ rule, receivers, wire })),
    [
      {
        rule: "prop.added-optional",
        receivers: ["client"],
        wire: { "new-client/old-adapter": "ok", "old-client/new-adapter": "lost" },
      },
    ],
  );
});
