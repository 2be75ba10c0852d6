import { uncomparedTexts } from "../../../generator/diff/uncompared-facts.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  adviseBump,
  compareVersions,
  diffProtocols,
  generate,
  groupFindings,
  openProtocolSource,
  readProtocol,
  selectFindings,
  type ProtocolDiff,
} from "../../../generator/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { rules } from "../../../generator/diff/compare/rules.js";
import { faultOfClaim } from "../../../generator/diff/version-bump.js";
import { readSchema } from "../../support/diff-sources.js";
import {
  schemaWith,
  type PayloadCase,
  type Schema,
} from "../../../tools/shared/elementary-changes.js";
import { dapSchemaText, newestDap } from "../../../tools/shared/dap-versions.js";
import { fromRoot } from "../../../tools/shared/paths.js";

const reader = "adapter";

async function version(
  payload: Schema,
  definitions: Schema = {},
  name = "1.0.0",
): Promise<Protocol> {
  const schema = schemaWith({ schema: payload } satisfies PayloadCase, reader);
  const all = { ...(schema["definitions"] as Schema), ...definitions };
  return { ...(await readSchema({ ...schema, definitions: all })), version: name };
}

function object(properties: Schema, required: readonly string[] = []): Schema {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

function lines(diff: ProtocolDiff): readonly string[] {
  return diff.findings.map(({ id, at, level }) => `${level} ${id} ${at}`);
}

test("every rule has a mirror that mirrors back, and its area", () => {
  for (const rule of rules.values()) {
    assert.equal(rules.get(rule.mirror)!.mirror, rule.id);
    assert.equal(rule.area, rule.id.split(".")[0]);
    const mirror = rules.get(rule.mirror)!;
    if (/^(message|capability)$/.test(rule.area)) continue;
    assert.deepEqual([mirror.newToOld, mirror.oldToNew], [rule.oldToNew, rule.newToOld], rule.id);
  }
});

test("a break deep in a cycle is found, shown once, and shown small", async () => {
  const tree = (value: Schema): Schema => ({
    Tree: { anyOf: [{ $ref: "#/definitions/Leaf" }, { $ref: "#/definitions/Fork" }] },
    Leaf: object({ kind: { type: "string", enum: ["leaf"] }, value }, ["kind", "value"]),
    Fork: object(
      {
        kind: { type: "string", enum: ["fork"] },
        parts: { type: "array", minItems: 2, items: { $ref: "#/definitions/Tree" } },
      },
      ["kind", "parts"],
    ),
  });
  const payload = object({ trees: { type: "array", items: { $ref: "#/definitions/Tree" } } }, [
    "trees",
  ]);
  const [before, after] = [
    await version(payload, tree({ type: "string" })),
    await version(payload, tree({ type: "boolean" })),
  ];
  const diff = diffProtocols(before, after);
  assert.deepEqual(lines(diff), ["breaking type.changed Leaf.value"]);
  assert.deepEqual(diff.findings[0]!.witnesses, [
    {
      pair: "new-client/old-adapter",
      sender: "client",
      message: {
        seq: 0,
        type: "request",
        command: "put",
        arguments: { trees: [{ kind: "leaf", value: false }] },
      },
    },
    {
      pair: "old-client/new-adapter",
      sender: "client",
      message: {
        seq: 0,
        type: "request",
        command: "put",
        arguments: { trees: [{ kind: "leaf", value: "" }] },
      },
    },
  ]);
});

test("a definition that is now another one is judged by what it holds", async () => {
  const definitions = {
    One: object({ a: { type: "string" } }, ["a"]),
    Two: object({ b: { type: "string" } }, ["b"]),
  };
  const refer = (one: string, two: string): Schema =>
    object({ x: { $ref: `#/definitions/${one}` }, y: { $ref: `#/definitions/${two}` } }, [
      "x",
      "y",
    ]);
  const before = await version(refer("One", "Two"), definitions);
  const after = await version(refer("Two", "Two"), definitions);
  assert.deepEqual(lines(diffProtocols(before, after)), [
    "breaking prop.removed-required Payload.x.a",
    "breaking prop.added-required Payload.x.b",
  ]);
  const renamed = await version(refer("Uno", "Two"), {
    Uno: definitions.One,
    Two: definitions.Two,
  });
  const diff = diffProtocols(before, renamed);
  assert.deepEqual(
    [diff.findings, diff.notes],
    [[], [{ id: "definition.renamed", before: "One", after: "Uno" }]],
  );
  assert.deepEqual(adviseBump(diff, "1.0.1"), {
    wire: "none",
    source: "major",
    needed: "major",
    claimed: "patch",
    suffices: false,
  });
});

test("a type used in many places is one finding with the messages that reach it", async () => {
  const before = await readProtocol("dap", { version: "1.40.0" });
  const after = await readProtocol("dap", { version: "1.71.0" });
  const { findings } = diffProtocols(before, after);
  const seq = findings.filter(({ at }) => at === "ProtocolMessage.seq");
  assert.equal(seq.length, 1);
  assert.deepEqual(seq[0]!.receivers, ["client", "adapter"]);
  assert.equal(seq[0]!.messages.length, 98);
  const source = findings.find(({ at }) => at === "EvaluateArguments.source")!;
  assert.deepEqual(source.messages, ["evaluate request"]);
  assert.equal(source.path, "evaluate request: /arguments/source");
});

test("what is sent to those only who announced a flag is not lost on those who cannot", async () => {
  const before = await readProtocol("dap", { version: "1.40.0" });
  const after = await readProtocol("dap", { version: "1.51.0" });
  const { findings } = diffProtocols(before, after);
  const find = (at: string): unknown => {
    const { level, wire } = findings.find((finding) => finding.at === at)!;
    return [level, wire];
  };
  assert.deepEqual(find("ContinueArguments.singleThread"), [
    "safe",
    { "new-client/old-adapter": "ok", "old-client/new-adapter": "ok" },
  ]);
  assert.deepEqual(find("StoppedEventBody.hitBreakpointIds"), [
    "lossy",
    { "new-client/old-adapter": "ok", "old-client/new-adapter": "lost" },
  ]);
  assert.deepEqual(find("event memory"), [
    "safe",
    { "new-client/old-adapter": "ok", "old-client/new-adapter": "ok" },
  ]);
});

test("145 integers that got a range are seven decisions, of which none hides a worse one", async () => {
  const before = await readProtocol("dap", { version: "1.70.0" });
  const after = await readProtocol("dap", { version: "1.71.0" });
  const diff = diffProtocols(before, after);
  const groups = groupFindings(diff.findings).filter(({ id }) => id === "constraint.tightened");
  assert.deepEqual(
    groups.map(({ findings }) => findings.length),
    [51, 44, 21, 15, 8, 4, 2],
  );
  for (const reader of ["strict", "schema", "tolerant"] as const)
    for (const group of groupFindings(diffProtocols(before, after, { reader }).findings))
      assert.deepEqual([...new Set(group.findings.map(({ level }) => level))], [group.level]);
});

test("a point of view counts its own verdicts", async () => {
  const before = await version(object({}));
  const after = await version(object({ x: { type: "string" } }, ["x"]));
  const diff = diffProtocols(before, after);
  const level = (selection: Parameters<typeof selectFindings>[1]): unknown =>
    selectFindings(diff, selection).findings.map((finding) => finding.level);
  assert.deepEqual(level({}), ["breaking"]);
  assert.deepEqual(level({ side: "adapter" }), ["breaking"]);
  // Its code does not compile; on the wire it only says more than the other side reads.
  assert.deepEqual(level({ side: "client" }), ["risky"]);
  assert.deepEqual(level({ severity: { "prop.added-required": "doc" } }), ["doc"]);
  assert.deepEqual(level({ severity: { "prop.added-required": "off" } }), []);
});

test("the version step follows wire and code", async () => {
  const plain = await version(object({}));
  const more = await version(object({ x: { type: "string" } }), {}, "1.1.0");
  assert.deepEqual(adviseBump(diffProtocols(plain, more)), {
    wire: "minor",
    source: "minor",
    needed: "minor",
    claimed: "minor",
    suffices: true,
  });
  assert.deepEqual(adviseBump(diffProtocols(more, { ...plain, version: "next" })), {
    wire: "minor",
    source: "major",
    needed: "major",
  });
  assert.equal(adviseBump(diffProtocols(plain, { ...plain, version: "2.0.0" })).needed, "none");
});

test("a claimed step is a version, two versions, or the name of a step", async () => {
  const [a, b] = [object({ x: { type: "string" } }), object({ x: { type: "number" } })];
  const breaking = diffProtocols(await version(a), await version(b));
  const judge = (before: string, claim: string): unknown => {
    const { claimed, suffices } = adviseBump({ ...breaking, before }, claim);
    return [claimed, suffices, faultOfClaim(before, claim)];
  };
  assert.deepEqual(judge("1.2.3", "2.0.0"), ["major", true, undefined]);
  assert.deepEqual(judge("1.2.3", "1.3.0"), ["minor", false, undefined]);
  assert.deepEqual(judge("1.2.3", "v1.2.4"), ["patch", false, undefined]);
  assert.deepEqual(judge("1.2.3", "2.0.0-rc.1"), ["major", true, undefined]);
  assert.deepEqual(judge("@scope/name@1.2.3", "1.2.3"), ["none", false, undefined]);
  // Before 1.0.0, the second number counts for breaks, and the third for everything else.
  assert.deepEqual(judge("0.2.3", "0.3.0"), ["major", true, undefined]);
  assert.deepEqual(judge("0.2.3", "0.2.4"), ["minor", false, undefined]);
  assert.deepEqual(judge("old.json", "major"), ["major", true, undefined]);
  assert.deepEqual(judge("old.json", "minor"), ["minor", false, undefined]);
  assert.deepEqual(judge("old.json", "1.2.3..2.0.0"), ["major", true, undefined]);
  assert.deepEqual(judge("old.json", "2.0.0"), [undefined, undefined, "no-old-number"]);
  for (const claim of [
    "banana",
    "",
    "1",
    "1.2",
    "1.2.3.4",
    "1.2.3x",
    "a..b",
    "1.2.3..b",
    "..1.2.3",
  ])
    assert.deepEqual(judge("1.2.3", claim), [undefined, undefined, "no-number"], claim);
  assert.equal(faultOfClaim("1.2.3", "1.2.2"), "backwards");
  assert.equal(faultOfClaim("1.2.3", "2.0.0..1.9.9"), "backwards");
});

test("steps that are harmless one by one need not be so together", async () => {
  const text = await version(object({ b: { type: "string" } }), {}, "1.0.0");
  const none = await version(object({}), {}, "1.1.0");
  const number = await version(object({ b: { type: "number" } }), {}, "1.2.0");
  const steps: string[] = [];
  const range = compareVersions([text, none, number], {
    onProgress: (done, all) => void steps.push(`${done}/${all}`),
  });
  assert.deepEqual(
    range.pairs.map(({ before, after, worst, worseThanSteps }) => [
      before,
      after,
      worst,
      worseThanSteps,
    ]),
    [
      ["1.0.0", "1.1.0", "risky", false],
      ["1.0.0", "1.2.0", "breaking", true],
      ["1.1.0", "1.2.0", "lossy", false],
    ],
  );
  assert.deepEqual(range.reused, [
    {
      at: "Payload.b",
      before: { version: "1.0.0", type: "string" },
      after: { version: "1.2.0", type: "number" },
    },
  ]);
  assert.deepEqual(
    range.since.filter(({ at }) => at.startsWith("Payload")),
    [{ kind: "property", at: "Payload.b", version: "1.0.0" }],
  );
  assert.deepEqual(steps, ["1/3", "2/3", "3/3"]);
});

test("generate can say since when each name is there", async () => {
  const { files } = await generate("dap", { since: true });
  const types = files.get("types.ts")!;
  assert.match(
    types,
    /\* @since 1\.42\.0\n \*\n \* Needs `supportsInvalidatedEvent`, announced by the client\.\n \*\/\nexport interface InvalidatedEvent/,
  );
  assert.match(types, /@since 1\.71\.0\n {3}\*\/\n {2}outputPresentation\?:/);
  assert.match(types, /- `"important"`: [^`]*`console`\. \(since[\s*]+1\.51\.0\)/);
  assert.doesNotMatch((await generate("dap")).files.get("types.ts")!, /@since/);
  assert.match(types, /@since 1\.42\.0\n \*\/\nexport type InvalidatedAreas/);
  const old = await generate("dap", { since: true, version: "1.13.0" });
  assert.doesNotMatch(old.files.get("types.ts")!, /@since/);
});

test("what a source cannot state is unknown, not changed", async () => {
  const before = await version(object({ x: { type: "integer", minimum: 0 } }, ["x"]));
  const after = await version(object({ x: { type: "number" } }, ["x"]));
  assert.equal(diffProtocols(before, after).findings.length, 2);
  const silent: Protocol = { ...after, unstated: ["integers", "ranges"] };
  assert.deepEqual(diffProtocols(before, silent).findings, []);
  assert.deepEqual(diffProtocols(silent, before).findings, []);
  assert.deepEqual(diffProtocols({ ...before, unstated: [] }, silent).uncompared, [
    { fact: "ranges", unstatedBy: "after" },
    { fact: "integers", unstatedBy: "after" },
  ]);
  // Neither version has texts: there is nothing to compare.
  const documented: Protocol = { ...after, unstated: [] };
  const { uncompared } = diffProtocols(
    { ...before, unstated: ["docs", "integers"] },
    { ...after, unstated: ["docs", "integers"] },
  );
  assert.deepEqual(uncompared, [{ fact: "integers", unstatedBy: "both" }]);
  const texts = diffProtocols({ ...before, unstated: ["docs", "deprecation"] }, documented);
  assert.deepEqual(uncomparedTexts({ ...texts, before: "1", after: "2" }), [
    "Not compared: texts, deprecations, which 1 does not state.",
  ]);
  // Two sources of one kind are silent about the same, so that what differs is a difference.
  assert.equal(
    diffProtocols({ ...before, unstated: ["integers"] }, { ...after, unstated: ["integers"] })
      .findings.length,
    2,
  );
});

test("the fixture protocol, whose messages have other envelopes, is compared the same way", async () => {
  const ticker = await readProtocol(fromRoot("test/fixtures/ticker"));
  assert.deepEqual(diffProtocols(ticker, ticker).findings, []);
  const definitions = ticker.definitions.map((definition) =>
    definition.name === "StartParams" && definition.type.kind === "object"
      ? {
          ...definition,
          type: {
            ...definition.type,
            properties: definition.type.properties.map((property) => ({
              ...property,
              required: true,
            })),
          },
        }
      : definition,
  );
  const diff = diffProtocols(ticker, { ...ticker, definitions });
  const [first] = diff.findings.filter(({ id }) => id === "prop.became-required");
  assert.deepEqual(first!.witnesses, [
    {
      pair: "old-watcher/new-clock",
      sender: "watcher",
      message: { jsonrpc: "2.0", id: 0, method: "ticker/start", params: {} },
    },
  ]);
});

test("an extension differs from what it extends by what it adds, and drafts of one protocol are compared", async () => {
  const base = await readProtocol("acp");
  const extended = diffProtocols(base, await readProtocol("acp-breakpoints"));
  assert.deepEqual(
    extended.findings.map(({ id, at }) => `${id} ${at}`),
    [
      "message.added-gated request setBreakpoints",
      "message.added-gated request setFunctionBreakpoints",
      "message.added-gated request setExceptionBreakpoints",
      "message.added-gated request addBreakpoints",
      "message.added-gated request removeBreakpoints",
      "message.added-event event breakpointChanged",
      "capability.added ClientCapabilities.breakpoints",
      "capability.added AgentCapabilities.breakpoints",
    ],
  );
  const draft = diffProtocols(base, await readProtocol("acp", { version: "2" }));
  const renamed = draft.findings.filter(({ id }) => id === "message.renamed");
  assert.deepEqual(
    renamed.map(({ change }) => change),
    ["authenticate → auth/login", "logout → auth/logout"],
  );
});

test("a source may be an address, a folder, a description or a bundled version", async () => {
  const asked: string[] = [];
  const fetchText = (url: string): Promise<string> => {
    asked.push(url);
    return Promise.resolve(dapSchemaText("1.70.0"));
  };
  const open = async (spec: string): Promise<string> =>
    (await openProtocolSource(spec, "dap", { fetchText })).protocol.version;
  assert.equal(await open("https://example.com/1.70.0.json"), "1.70.0");
  assert.deepEqual(asked, ["https://example.com/1.70.0.json"]);
  assert.equal(await open("dap"), newestDap);
  assert.equal(await open("dap@1.51.0"), "1.51.0");
  assert.equal(await open(fromRoot("test/fixtures/ticker")), "1.0.0");
  assert.equal(await open(fromRoot("schema/dap/protocol.json")), newestDap);
  await assert.rejects(open("ftp://example.com/a.json"), { code: "ERR_READ" });
});
