import assert from "node:assert/strict";
import { test } from "node:test";
import { adviseBump, diffProtocols, groupFindings, readProtocol } from "../../cli/index.js";
import { rules } from "../../diff/compare/rules.js";
import type { Schema } from "../support/elementary-changes.js";
import { lines, object, version } from "../support/compared-versions.js";
import { noteTexts } from "../../diff/notes.js";

test("every diff rule has an area and a mirror, and its mirror's mirror is the rule itself", () => {
  for (const rule of rules.values()) {
    assert.equal(rules.get(rule.mirror)!.mirror, rule.id);
    assert.equal(rule.area, rule.id.split(".")[0]);
    const mirror = rules.get(rule.mirror)!;
    if (/^(message|capability)$/.test(rule.area)) continue;
    assert.deepEqual([mirror.newToOld, mirror.oldToNew], [rule.oldToNew, rule.newToOld], rule.id);
  }
});

test("a breaking change deep in a cycle is found and shown once, with a small example", async () => {
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

test("replacing a definition with an unrelated one is one change, and renaming a definition is none", async () => {
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
  assert.deepEqual(lines(diffProtocols(before, after)), ["breaking type.changed Payload.x"]);
  const renamed = await version(refer("Uno", "Two"), {
    Uno: definitions.One,
    Two: definitions.Two,
  });
  const diff = diffProtocols(before, renamed);
  assert.deepEqual(
    [diff.findings, diff.notes],
    [[], [{ rule: "definition.renamed", before: "One", after: "Uno" }]],
  );
  assert.deepEqual(adviseBump(diff, "1.0.1"), {
    wire: "none",
    source: "major",
    needed: "major",
    claimed: "patch",
    suffices: false,
  });
});

test("types that exist in only one version are listed, except messages and their parts", async () => {
  const before = await readProtocol("dap", { version: "1.64.0" });
  const after = await readProtocol("dap", { version: "1.65.0" });
  const names = ["BreakpointMode", "BreakpointModeApplicability"];
  const added = diffProtocols(before, after).notes;
  assert.deepEqual(
    added,
    names.map((name) => ({ rule: "definition.added", after: name })),
  );
  assert.deepEqual(noteTexts(added), [`New types: ${names.join(", ")}`]);
  const removed = diffProtocols(after, before).notes;
  assert.deepEqual(
    removed,
    names.map((name) => ({ rule: "definition.removed", before: name })),
  );
  assert.deepEqual(noteTexts(removed), [`Removed types: ${names.join(", ")}`]);
  const older = await readProtocol("dap", { version: "1.63.0" });
  assert.deepEqual(diffProtocols(older, before).notes, []);
});

test("a change to a widely used type is one finding, with the messages that use the type", async () => {
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

test("a message that requires a capability is not lost if the peer lacks that capability", async () => {
  const before = await readProtocol("dap", { version: "1.40.0" });
  const after = await readProtocol("dap", { version: "1.51.0" });
  const { findings } = diffProtocols(before, after);
  const find = (at: string): unknown => {
    const { severity, wire } = findings.find((finding) => finding.at === at)!;
    return [severity, wire];
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

test("integers with a new range form eight groups, and no group hides a worse finding", async () => {
  const before = await readProtocol("dap", { version: "1.70.0" });
  const after = await readProtocol("dap", { version: "1.71.0" });
  const diff = diffProtocols(before, after);
  const groups = groupFindings(diff.findings).filter(({ rule }) => rule === "constraint.tightened");
  assert.deepEqual(
    groups.map(({ findings }) => findings.length),
    [51, 42, 15, 14, 8, 7, 4, 2],
  );
  for (const reader of ["strict", "schema", "tolerant"] as const)
    for (const group of groupFindings(diffProtocols(before, after, { reader }).findings))
      assert.deepEqual(
        [...new Set(group.findings.map(({ severity }) => severity))],
        [group.severity],
      );
});
