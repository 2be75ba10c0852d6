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
const tagged = (kind: string, properties: object = {}): object =>
  object({ kind: { const: kind }, ...properties }, { required: ["kind"] });
const reference = (name: string): object => ({ $ref: `#/definitions/${name}` });

const description = {
  name: "notes",
  title: "Notes",
  package: "notes",
  roles: ["editor", "keeper"],
  schema: { format: "json-schema" },
  messages: { by: "table", requests: {}, events: { open: { docs: "Opens.", params: "Open" } } },
  directions: { requests: "editor", events: "editor" },
  envelope: {
    id: "id",
    replyTo: "id",
    request: { when: { method: true, id: true }, name: "method", payload: "params" },
    event: { when: { method: true, id: false }, name: "method", payload: "params" },
    response: { when: { method: false, id: true }, result: "result", error: "error" },
  },
  framing: { editor: "lines", keeper: "lines" },
};

const read = { "old-editor/new-keeper": "ok", "new-editor/old-keeper": "ok" };

/** Returns the findings between two versions of the definitions. */
const findings = (before: object, after: object): Promise<readonly object[]> =>
  withFolder(async (folder) => {
    writeFiles(folder, {
      "protocol.json": JSON.stringify(description),
      "old.json": JSON.stringify({ definitions: before }),
      "new.json": JSON.stringify({ definitions: after }),
    });
    const diff = await diffVersions(join(folder, "old.json"), join(folder, "new.json"), {
      protocol: folder,
    });
    return diff.findings.map(({ rule, at, message, severity, wire, reason }) => ({
      rule,
      at,
      message,
      severity,
      wire,
      ...(/^(prop\.added|enum|condition)/.test(rule) ? { reason } : {}),
    }));
  });

test("the types of properties that match a pattern are compared", async () => {
  const open = (type: object): object => ({
    Open: { type: "object", patternProperties: { "^x-": type } },
  });
  assert.deepEqual(await findings(open(string), open(number)), [
    {
      rule: "prop.matching-changed",
      at: "Open{^x-}",
      message: "string → number",
      severity: "breaking",
      wire: { "new-editor/old-keeper": "rejected", "old-editor/new-keeper": "rejected" },
    },
  ]);
  const named = (type: object, more: object = {}): object => ({
    Open: object({ a: string, ...more }, { additionalProperties: type }),
  });
  assert.deepEqual(
    (await findings(named(string), named(number))).map((each) => Object.values(each).slice(0, 2)),
    [["type.changed", "Open{}"]],
  );
  // A new named property is one change, not a second one of the condition on the others.
  assert.deepEqual(
    (await findings(named(string), named(string, { b: string }))).map(
      (each) => Object.values(each)[0],
    ),
    ["prop.added-optional"],
  );
});

test("the default of a required property does not matter", async () => {
  const open = (value: string, required: readonly string[]): object => ({
    Open: object({ a: { ...string, default: value } }, { required }),
  });
  assert.deepEqual(await findings(open("x", ["a"]), open("y", ["a"])), [
    {
      rule: "default.changed-unused",
      at: "Open.a",
      message: 'default "x" → "y"',
      severity: "safe",
      wire: read,
    },
  ]);
});

test("alternatives that require other properties are one change", async () => {
  const open = (...names: readonly string[]): object => ({
    Open: object(
      { a: string, b: string, c: string },
      names.length === 0 ? {} : { anyOf: names.map((name) => ({ required: [name] })) },
    ),
  });
  const rules = async (before: object, after: object): Promise<unknown> =>
    (await findings(before, after)).map((each) => Object.values(each).slice(0, 4));
  assert.deepEqual(await rules(open(), open("a", "b")), [
    ["prop.choice-narrowed", "Open", "required: none → a or b", "breaking"],
  ]);
  assert.deepEqual(await rules(open("a", "b"), open("a", "b", "c")), [
    ["prop.choice-widened", "Open", "required: a or b → a or b or c", "breaking"],
  ]);
  assert.deepEqual(await rules(open("a", "b"), open("b", "c")), [
    ["prop.choice-changed", "Open", "required: a or b → b or c", "breaking"],
  ]);
  assert.deepEqual(await rules(open("a", "b"), open("b", "a")), []);
});

test("a reference to another union is one change", async () => {
  const items = ["A", "B", "C", "D"].map((name) => [name, tagged(name, { x: string })]);
  const all = (item: string): object => ({
    Open: object({ item: reference(item) }, { required: ["item"] }),
    Item: { anyOf: [reference("A"), reference("B")] },
    Entry: { anyOf: [reference("C"), reference("D")] },
    ...(Object.fromEntries(items) as object),
  });
  const found = await findings(all("Item"), all("Entry"));
  assert.deepEqual(
    found.map((each) => Object.values(each).slice(0, 3)),
    [["type.changed", "Open.item", "Item → Entry"]],
  );
});

test("an inline alternative is named by its tag", async () => {
  const open = (...kinds: readonly string[]): object => ({
    Open: { anyOf: kinds.map((kind) => tagged(kind, { [`of${kind}`]: string })) },
  });
  assert.deepEqual(
    (await findings(open("a", "b"), open("a", "b", "c"))).map((each) => Object.values(each)[2]),
    ['+ { kind: "c", ofc? }'],
  );
});

test("a change to a type that no message contains says so", async () => {
  const open = { Open: object({}) };
  assert.deepEqual(
    await findings(
      { ...open, Unused: object({ a: string }) },
      { ...open, Unused: object({ a: string, b: string }, { required: ["b"] }) },
    ),
    [
      {
        rule: "prop.added-required",
        at: "Unused.b",
        message: "+ b: string",
        severity: "risky",
        wire: read,
        reason: "No message contains this type.",
      },
    ],
  );
});

test("values that swap their meanings are one change", async () => {
  const open = (values: readonly unknown[], docs: readonly string[], type: string): object => ({
    Open: object({ a: { type, enum: values, enumDescriptions: docs } }),
  });
  const expected = (value: string, change: string, reason: string): object => ({
    rule: "enum.meanings-swapped",
    at: `Open.a = ${value}`,
    message: change,
    severity: "risky",
    wire: { "new-editor/old-keeper": "different", "old-editor/new-keeper": "different" },
    reason,
  });
  const one = 'A value means "Error" to one version and "Warning" to the other.';
  assert.deepEqual(
    await findings(
      open([1, 2, 3], ["Error: Bad.", "Warning: Odd.", "Hint: Nice."], "integer"),
      open([1, 2, 3], ["Warning: Odd.", "Error: Bad.", "Hint: Nice."], "integer"),
    ),
    [expected("1", "1 ↔ 2", one)],
  );
  const texts = 'A value means "First." to one version and "Second." to the other.';
  assert.deepEqual(
    await findings(
      open(["a", "b"], ["First.", "Second."], "string"),
      open(["a", "b"], ["Second.", "First."], "string"),
    ),
    [expected('"a"', '"a" ↔ "b"', texts)],
  );
  const named = (keyword: string, ...names: readonly string[]): object => ({
    Open: object({ a: { type: "integer", enum: [1, 2], [keyword]: names } }),
  });
  for (const keyword of ["enumNames", "x-enumNames", "x-enum-varnames", "tsEnumNames"])
    assert.deepEqual(
      await findings(named(keyword, "Error", "Warning"), named(keyword, "Warning", "Error")),
      [expected("1", "1 ↔ 2", one)],
    );
  for (const union of ["oneOf", "anyOf"])
    for (const description of [undefined, "How bad it is."]) {
      const titled = (...titles: readonly string[]): object => ({
        Open: object({
          a: {
            [union]: titles.map((title, index) => ({
              type: "integer",
              const: index + 1,
              title,
              ...(description === undefined ? {} : { description }),
            })),
          },
        }),
      });
      assert.deepEqual(await findings(titled("Error", "Warning"), titled("Warning", "Error")), [
        expected("1", "1 ↔ 2", one),
      ]);
    }
});

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

/** A union before and after a change, and the finding's rule, location and text. */
const unionChanges: readonly (readonly [before: Schema, after: Schema, ...finding: string[]])[] = [
  [
    { anyOf: [tagged("a", { x: string }), tagged("b")] },
    { anyOf: [tagged("a", { x: string }), tagged("b"), tagged("c", { y: string })] },
    "union.branch-added",
    'Changed | { kind: "c", y? }',
    '+ { kind: "c", y? }',
  ],
  [
    { anyOf: [object({ x: string }, { required: ["x"] }), reference("B")] },
    { anyOf: [object({ x: string }, { required: ["x"] })] },
    "union.untagged-removed",
    "Changed | B",
    "- B",
  ],
  [
    { anyOf: [tagged("a", { x: string }), reference("B")] },
    { anyOf: [tagged("a", { x: number }), reference("B")] },
    "type.changed",
    "Changed.x",
    "string → number",
  ],
  [
    { anyOf: [reference("A"), reference("B")] },
    { anyOf: [reference("A"), reference("B"), reference("C")] },
    "union.branch-added",
    "Changed | C",
    "+ C",
  ],
  [
    object({ x: string }, { anyOf: [tagged("a"), tagged("b")] }) as Schema,
    object({ x: string, y: string }, { anyOf: [tagged("a"), tagged("b")] }) as Schema,
    "prop.added-optional",
    "Changed.y",
    "+ y?: string",
  ],
];

for (const [before, after, ...finding] of unionChanges)
  test(`a change to a union that others extend is one finding: ${finding.join(", ")}`, async () => {
    const all = (changed: Schema): object => ({
      Open: object({ item: reference("Twice"), other: reference("Once") }),
      Twice: { allOf: [reference("Once"), object({ t: string }, { required: ["t"] })] },
      Once: { allOf: [object({ s: string }), reference("Changed")] },
      Changed: changed,
      A: tagged("a"),
      B: tagged("b"),
      C: tagged("c"),
    });
    const found = await findings(all(before), all(after));
    assert.deepEqual(
      found.map((each) => Object.values(each).slice(0, 3)),
      [finding],
    );
    // Messages contain the change, although none contains the union itself.
    const ok = { "new-editor/old-keeper": "ok", "old-editor/new-keeper": "ok" };
    assert.notDeepEqual((found[0] as { readonly wire: object }).wire, ok);
  });

test("a change to what extends a union is one finding", async () => {
  const all = (s: Schema): object => ({
    Open: reference("Once"),
    Once: { allOf: [reference("Changed"), object({ s })] },
    Changed: { anyOf: [reference("A"), reference("B")] },
    A: tagged("a"),
    B: tagged("b"),
  });
  assert.deepEqual(
    (await findings(all(string), all(number))).map((each) => Object.values(each).slice(0, 4)),
    [["type.changed", "Once.s", "string → number", "breaking"]],
  );
});

test("a condition on a type that others must also match is one finding", async () => {
  const all = (least: number): object => ({
    Open: { allOf: [reference("Changed"), object({ s: string })] },
    Changed: object({ x: string }, { additionalProperties: false, minProperties: least }),
  });
  assert.deepEqual(await findings(all(1), all(2)), [
    {
      rule: "condition.changed",
      at: "Changed",
      message: "1.. properties → 2.. properties",
      severity: "safe",
      wire: read,
      reason:
        "The conditions are not compared, so it is unknown whether they accept the same values.",
    },
  ]);
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
