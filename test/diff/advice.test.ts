import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceText, adviseSides, waysOutOf } from "../../diff/advice.js";
import { readOutcomes } from "../../diff/compare/outcomes.js";
import { rules } from "../../diff/compare/rules.js";
import { byOwner, outlineOf, partText } from "../../diff/report/diff-report.js";
import { diffProtocols, readProtocol, selectFindings, type ProtocolDiff } from "../../cli/index.js";
import { readSchema } from "../support/compared-versions.js";
import { schemaWith, type Schema } from "../support/elementary-changes.js";

type Properties = Readonly<Record<string, string>>;

/**
 * Creates a schema for a payload that an adapter receives. Properties whose names contain a
 * question mark are optional.
 */
function schemaOf(properties: Properties): Schema {
  const entries = Object.entries(properties);
  const payload = {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([name, type]) => [name.replace("?", ""), { type }]),
    ),
    required: entries.flatMap(([name]) => (name.endsWith("?") ? [] : [name])),
  };
  return schemaWith({ schema: payload }, "adapter");
}

async function diffOf(before: Properties, after: Properties): Promise<ProtocolDiff> {
  const diff = diffProtocols(await readSchema(schemaOf(before)), await readSchema(schemaOf(after)));
  return { ...diff, before: "1", after: "2" };
}

/** Returns the advice for each side as text, including its tasks. */
function told(diff: ProtocolDiff): unknown {
  return adviseSides(diff, diff.findings).map((advice) => {
    const { text, tasks } = adviceText(advice, diff);
    return [text, ...tasks];
  });
}

test("the advice lists the effects on each side and its tasks", async () => {
  assert.deepEqual(told(await diffOf({ a: "string" }, { a: "string", "b?": "string" })), [
    [
      "A client that moves from 1 to 2 with old adapters: nothing fails; it sends 1 property that old adapters ignore. Its code compiles as before. No action is required. It may send 1 new property.",
    ],
    [
      "An adapter that moves from 1 to 2 with old clients: nothing fails. Its code compiles as before. No action is required.",
    ],
    ["A client that stays on 1 with new adapters: nothing fails."],
    [
      "An adapter that stays on 1 with new clients: nothing fails; it ignores 1 property that new clients send.",
    ],
  ]);
  assert.deepEqual(told(await diffOf({ a: "string" }, { a: "number", b: "string" })), [
    [
      "A client that moves from 1 to 2 with old adapters: 1 change (Payload.a) breaks the session; it sends 1 property that old adapters ignore. Its code stops compiling because of 2 changes (Payload.b, Payload.a). It may send 1 new property.",
      "use the old form with old adapters in Payload.a",
      "adapt the code that handles Payload.b, Payload.a",
    ],
    [
      "An adapter that moves from 1 to 2 with old clients: 2 changes (Payload.b, Payload.a) break the session. Its code stops compiling because of 1 change (Payload.a).",
      "accept messages without the parts that old clients omit: Payload.b",
      "keep reading the parts that old clients send in Payload.a",
      "adapt the code that handles Payload.a",
    ],
    [
      "A client that stays on 1 with new adapters: 2 changes (Payload.b, Payload.a) break the session.",
    ],
    [
      "An adapter that stays on 1 with new clients: 1 change (Payload.a) breaks the session; it ignores 1 property that new clients send.",
    ],
  ]);
});

test("only the sides whose severities count are described", async () => {
  const diff = await diffOf({ a: "string" }, { a: "string", b: "string" });
  const pairsOf = (selection: Parameters<typeof selectFindings>[1]): unknown => {
    const selected = selectFindings(diff, selection);
    return {
      severities: selected.findings.map(({ severity }) => severity),
      sides: adviseSides(selected, selected.findings).map(
        ({ role, moves, breaks }) => `${moves ? "new" : "old"} ${role}: ${breaks.length}`,
      ),
    };
  };
  assert.deepEqual(pairsOf({}), {
    severities: ["breaking"],
    sides: ["new client: 0", "new adapter: 1", "old client: 1", "old adapter: 0"],
  });
  assert.deepEqual(pairsOf({ side: "client" }), {
    severities: ["risky"],
    sides: ["new client: 0", "old adapter: 0"],
  });
  assert.deepEqual(pairsOf({ pair: "old-client/new-adapter" }), {
    severities: ["breaking"],
    sides: ["new adapter: 1", "old client: 1"],
  });
});

test("the finding for a renamed property contains both names, a score and the evidence", async () => {
  const diff = await diffOf(
    { a: "string", reason: "string", z: "number" },
    { a: "string", cause: "string", z: "number" },
  );
  const [finding, ...others] = diff.findings;
  assert.deepEqual(others, []);
  const { rule, at, message: change, evidence, reason } = finding!;
  assert.deepEqual(
    { rule, at, change, evidence },
    {
      rule: "prop.renamed-required",
      at: "Payload.cause",
      change: "reason → cause: string",
      evidence: {
        score: 0.7,
        reasons: [
          "the same type",
          "the only removed and added properties of this type",
          "the same neighbouring properties",
        ],
      },
    },
  );
  assert.equal(
    reason,
    "Each version requires its own name. Treated as a rename (score 0.7): the same type, the only removed and added properties of this type, the same neighbouring properties.",
  );
  assert.deepEqual(
    adviseSides(diff, diff.findings).map((advice) => adviceText(advice, diff).tasks),
    [
      [
        "also send the old names to old adapters: Payload.reason (now cause)",
        "adapt the code that handles Payload.reason (now cause)",
      ],
      [
        "also accept the old names that old clients send: Payload.reason (now cause)",
        "adapt the code that handles Payload.reason (now cause)",
      ],
      [],
      [],
    ],
  );
  // A matching type is not enough evidence of a renaming: the neighbours or the description must
  // also be the same, or the names must share a word.
  const other = await diffOf({ reason: "string", a: "number" }, { a: "number", cause: "string" });
  assert.deepEqual(
    other.findings.map(({ rule: own }) => own),
    ["prop.removed-required", "prop.added-required"],
  );
});

test("reports in files and on pages list all locations", async () => {
  const names = ["b", "c", "d", "e", "f"];
  const diff = await diffOf(
    { a: "string" },
    { a: "string", ...Object.fromEntries(names.map((name) => [name, "string"])) },
  );
  const [advice] = adviseSides(diff, diff.findings).slice(1);
  assert.deepEqual(adviceText(advice!, diff).tasks, [
    "accept messages without the parts that old clients omit: Payload.b, Payload.c, Payload.d and 2 more",
  ]);
  assert.deepEqual(adviceText(advice!, diff, { all: true }).tasks, [
    "accept messages without the parts that old clients omit: Payload.b, Payload.c, Payload.d, Payload.e, Payload.f",
  ]);
});

test("each suggested alternative is listed once, with its locations", async () => {
  const diff = await diffOf({ a: "string" }, { a: "string", b: "string", c: "string" });
  assert.deepEqual(waysOutOf({ side: "client" }, diff.findings), []);
  assert.deepEqual(
    waysOutOf(diff, diff.findings).map(({ text, findings: own }) => [
      text,
      own.map(({ at }) => at),
    ]),
    [["Make the part optional, and define what its absence means.", ["Payload.b", "Payload.c"]]],
  );
});

test("every change that can break, degrade or alter the meaning comes with a suggested alternative", () => {
  const isHarmless = new Set(["ok", "strict", "lost"]);
  const without = [...rules.values()].filter(
    ({ oldToNew, newToOld, wayOut }) =>
      !(isHarmless.has(oldToNew) && isHarmless.has(newToOld)) && wayOut === undefined,
  );
  assert.deepEqual(without, []);
  assert.ok([...isHarmless].every((outcome) => Object.hasOwn(readOutcomes, outcome)));
});

test("additions are grouped by type, and each group gives the reason once", async () => {
  const diff = diffProtocols(
    await readProtocol("dap", { version: "1.40.0" }),
    await readProtocol("dap", { version: "1.71.0" }),
  );
  const lossy = outlineOf(diff.findings).find(({ severity }) => severity === "lossy")!;
  const entries = lossy.groups.filter(({ isListed }) => isListed);
  assert.deepEqual(
    entries.map(({ first }) => first.reason),
    ["An older reader ignores the property.", "An older reader ignores the property."],
  );
  const lines = byOwner(entries[0]!).map(
    ([owner, sign, findings]) => `${owner}: ${sign} ${findings.map(partText).join(", ")}`,
  );
  assert.ok(lines.includes("Breakpoint: + instructionReference, offset, reason"));
  assert.equal(new Set(lines.map((line) => line.split(":")[0])).size, lines.length);
  // Together, the groups in the advice contain every finding.
  const listed = outlineOf(diff.findings).flatMap(({ groups }) =>
    groups.flatMap((group) => byOwner(group).flatMap(([, , findings]) => findings)),
  );
  assert.deepEqual(new Set(listed), new Set(diff.findings));
  assert.equal(listed.length, diff.findings.length);
});
