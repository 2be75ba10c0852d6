import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptFindings, judgeFindings } from "../../diff/accepted-findings.js";
import { diffProtocols } from "../../diff/diff-protocols.js";
import type { Finding } from "../../diff/finding.js";
import { findingsFrom, selectFindings, type Selection } from "../../diff/select-findings.js";
import { compareVersions } from "../../diff/version-range.js";
import { compareNames } from "../../generator/model/first-versions.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Type } from "../../generator/model/types.js";
import { readSchema } from "../support/compared-versions.js";
import { schemaWith } from "../support/elementary-changes.js";
import {
  any,
  closedEnum,
  flag,
  integer,
  integers,
  list,
  literal,
  map,
  nothing,
  number,
  object,
  openEnum,
  protocolWith,
  ref,
  text,
  union,
} from "../support/model-types.js";

/**
 * Creates one version for each type, in which the type is the definition `Thing`. For undefined,
 * the version has no definitions.
 */
function versions(...types: readonly (Type | undefined)[]): readonly Protocol[] {
  const shared = { Named: object({}), Text: text, Listed: closedEnum("a", 1) };
  return types.map((type, index) =>
    protocolWith(type === undefined ? {} : { Thing: type, ...shared }, { version: `${index + 1}` }),
  );
}

test("names have a first and a last version", () => {
  const [a, b] = [object({ x: text }), object({ "y?": closedEnum("v") })];
  const { since, reused } = compareNames(versions(a, object({ x: number, "y?": text }), b, b));
  assert.deepEqual(since, [
    { kind: "property", at: "Thing.x", version: "1", until: "2" },
    { kind: "value", at: 'Listed = "a"', version: "1" },
    { kind: "value", at: "Listed = 1", version: "1" },
    { kind: "property", at: "Thing.y", version: "2" },
    { kind: "value", at: 'Thing.y = "v"', version: "3" },
  ]);
  assert.deepEqual(reused, []);
  // A definition's values are listed for the definition, not for each property that uses it.
  assert.deepEqual(
    compareNames(versions(object({ z: ref("Listed") }))).since.map(({ at }) => at),
    ["Thing.z", 'Listed = "a"', "Listed = 1"],
  );
});

test("a removed name that returns with a different meaning is reported as reused", () => {
  const reusedAs = (before: Type, after: Type): readonly [string, string] | undefined => {
    const [one, other] = [object({ x: before }), object({ x: after })];
    const [found] = compareNames(versions(one, object({}), other)).reused;
    if (found === undefined) return undefined;
    assert.deepEqual([found.at, found.before.version, found.after.version], ["Thing.x", "1", "3"]);
    return [found.before.type, found.after.type];
  };
  const same: readonly (readonly [Type, Type])[] = [
    [text, ref("Text")],
    [number, integers(0, 9)],
    [text, closedEnum("a")],
    [literal(true), flag],
    [literal(1), openEnum(1, 2)],
    [closedEnum(1), integer],
    [list(text), list(closedEnum("a"))],
    [object({ a: text }), object({ b: text })],
    [ref("Named"), ref("Named")],
    [union(text, number), union(integer, literal("a"))],
    [union(text, closedEnum("a")), text],
  ];
  for (const [before, after] of same) assert.equal(reusedAs(before, after), undefined);
  const different: readonly (readonly [Type, Type, string, string])[] = [
    [text, number, "string", "number"],
    [closedEnum("a"), closedEnum(1), "string", "number"],
    [literal("a"), literal(1), "string", "number"],
    [list(text), text, "string[]", "string"],
    [list(text), list(list(text)), "string[]", "string[][]"],
    [object({}), ref("Named"), "object", "Named"],
    [union(text, number), union(text, nothing), "number | string", "null | string"],
    [map(text), any, "map", "any"],
    [closedEnum(), text, "undefined", "string"],
  ];
  for (const [before, after, ...expected] of different)
    assert.deepEqual(reusedAs(before, after), expected);
  // The property exists in all versions and only its type has changed, so its name is not reported
  // as reused.
  assert.deepEqual(compareNames(versions(object({ x: text }), object({ x: number }))).reused, []);
});

test("the name history includes messages", async () => {
  const [one] = [await readSchema(schemaWith(undefined, "adapter"))];
  const messages = (more: object): Protocol["messages"] =>
    one.messages.map((message) => ({ ...message, ...more }));
  const { since, reused } = compareNames([
    { ...protocolWith({}), version: "1", messages: messages({ sender: "client" }) },
    { ...protocolWith({}), version: "2" },
    { ...protocolWith({}), version: "3", messages: messages({ sender: "adapter" }) },
  ]);
  assert.deepEqual(since, [{ kind: "message", at: "request put", version: "1" }]);
  assert.deepEqual(reused, [
    {
      at: "request put",
      before: { version: "1", type: "request of client" },
      after: { version: "3", type: "request of adapter" },
    },
  ]);
});

async function version(
  name: string,
  payload: object,
  required: readonly string[] = [],
): Promise<Protocol> {
  const schema = { type: "object", properties: payload, ...(required.length > 0 && { required }) };
  return { ...(await readSchema(schemaWith({ schema }, "adapter"))), version: name };
}

test("each version is compared with each later version, and with the steps in between", async () => {
  const string = { type: "string" };
  const protocols = [
    await version("1", { b: string }),
    await version("2", {}),
    await version("3", { b: { type: "number" } }),
    await version("4", { b: { type: "number" }, c: string }),
  ];
  const progress: (readonly [number, number])[] = [];
  const range = compareVersions(protocols, { onProgress: (...done) => progress.push(done) });
  assert.deepEqual(range.versions, ["1", "2", "3", "4"]);
  assert.equal(range.protocol, protocols[0]!.name);
  assert.deepEqual(
    range.pairs.map(({ before, after, worst, worseThanSteps }) => [
      `${before} to ${after}`,
      worst,
      worseThanSteps,
    ]),
    [
      ["1 to 2", "risky", false],
      ["1 to 3", "breaking", true],
      ["1 to 4", "breaking", true],
      ["2 to 3", "lossy", false],
      ["2 to 4", "lossy", false],
      ["3 to 4", "lossy", false],
    ],
  );
  assert.deepEqual(
    range.pairs.map(({ counts }) => Object.values(counts).join(" ")),
    ["0 1 0 0 0", "1 0 0 0 0", "1 0 1 0 0", "0 0 1 0 0", "0 0 2 0 0", "0 0 1 0 0"],
  );
  assert.deepEqual(
    progress,
    [1, 2, 3, 4, 5, 6].map((done) => [done, 6]),
  );
  const quiet = compareVersions(protocols.slice(0, 2), {
    select: (diff) => ({ ...diff, findings: [] }),
  });
  assert.deepEqual(
    quiet.pairs.map(({ worst }) => worst),
    ["none"],
  );
  assert.deepEqual(compareVersions([]), {
    protocol: "",
    versions: [],
    pairs: [],
    reused: [],
    since: [],
  });
});

async function findingsOf(
  before: object,
  after: object,
): Promise<ReturnType<typeof diffProtocols>> {
  return diffProtocols(await version("1", before), await version("2", after));
}

test("--side counts only verdicts on version pairs and code that belong to the side", async () => {
  const diff = await findingsOf({}, { a: { type: "string" } });
  const level = (selection: Selection): unknown =>
    selectFindings(diff, selection).findings.map((finding) => [finding.severity, finding.group]);
  const as = (name: string): unknown => [[name, `prop.added-optional ${name} a string (lost ok)`]];
  assert.deepEqual(level({}), as("lossy"));
  assert.deepEqual(level({ side: "client" }), as("lossy"));
  assert.deepEqual(level({ side: "adapter" }), as("safe"));
  assert.deepEqual(level({ pair: "new-client/old-adapter" }), as("lossy"));
  assert.deepEqual(level({ pair: "old-client/new-adapter" }), as("safe"));
  assert.deepEqual(level({ pair: "old-client/new-adapter", side: "client" }), as("safe"));
  assert.deepEqual(level({ severity: { "prop.added-optional": "risky" } }), as("risky"));
  assert.deepEqual(level({ severity: { "prop.added-optional": "off" } }), []);
  assert.deepEqual(level({ severity: { "prop.added-required": "off" } }), as("lossy"));
  // Code for the new client does not compile, but old adapters merely ignore the additional
  // property.
  const required = diffProtocols(
    await version("1", {}),
    await version("2", { a: { type: "string" } }, ["a"]),
  );
  const [forClient, forAdapter] = ["client", "adapter"].map(
    (side) => selectFindings(required, { side }).findings[0]!.severity,
  );
  assert.deepEqual([forClient, forAdapter], ["risky", "breaking"]);
  const other = await findingsOf({ a: { type: "string" } }, {});
  const levels = (side: string): readonly string[] =>
    selectFindings(other, { side }).findings.map((finding) => finding.severity);
  assert.deepEqual([levels("client"), levels("adapter")], [["risky"], ["risky"]]);
});

test("findings can be accepted until a date", async () => {
  const { findings } = await findingsOf(
    { a: { type: "string" }, b: { type: "string" } },
    { a: { type: "number" }, c: { type: "string" } },
  );
  const told = (given: readonly Pick<Finding, "rule" | "at">[]): readonly string[] =>
    given.map(({ rule, at }) => `${rule} ${at}`);
  const [b, c, a] = [
    "prop.removed-optional Payload.b",
    "prop.added-optional Payload.c",
    "type.changed Payload.a",
  ];
  assert.deepEqual(told(findings), [b, c, a]);
  assert.deepEqual(told(findingsFrom(findings, "breaking")), [a]);
  assert.deepEqual(told(findingsFrom(findings, "risky")), [b, a]);
  const old = { rule: "type.changed", at: "Payload.a", reason: "nobody sends it" };
  const accepted = acceptFindings(findings, "risky", [old], "2026-07-01");
  assert.deepEqual(accepted, [
    old,
    { rule: "prop.removed-optional", at: "Payload.b", reason: "accepted without a reason" },
  ]);
  // Acceptances for other versions stay in the file even after they have expired, because the
  // findings may still exist.
  const other = {
    rule: "type.changed",
    at: "Elsewhere.a",
    reason: "another pair",
    until: "2020-01-01",
  };
  const late = { ...old, until: "2026-06-30" };
  assert.deepEqual(acceptFindings(findings, "breaking", [other, late], "2026-07-01"), [
    other,
    { ...old, reason: "accepted without a reason" },
  ]);
  const today = "2026-07-01";
  const judge = (until?: string): readonly (readonly string[])[] => {
    const stale = { rule: "type.changed", at: "Payload.b", reason: "" };
    const judged = judgeFindings(
      findings,
      [stale, until === undefined ? old : { ...old, until }],
      today,
    );
    return [judged.findings, judged.accepted, judged.stale, judged.expired].map(told);
  };
  const stale = ["type.changed Payload.b"];
  assert.deepEqual(judge(), [[b, c], [a], stale, []]);
  assert.deepEqual(judge(today), [[b, c], [a], stale, []]);
  assert.deepEqual(judge("2026-07-02"), [[b, c], [a], stale, []]);
  assert.deepEqual(judge("2026-06-30"), [[b, c, a], [], stale, [a]]);
});
