import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { definitionsByName, eventsOf, readProtocol, requestsOf } from "../../../cli/index.js";
import {
  bundledDap,
  dapSchema,
  newestDap,
  newestDapSchema,
  publishedDap,
} from "../../support/dap-versions.js";
import { shared, skipWithout } from "../../support/paths.js";

test("readProtocol() finds the messages of each version", async () => {
  const counts: [string, number, number][] = [];
  for (const version of ["1.40.0", "1.51.0", "1.65.0", "1.70.0", "1.71.0"]) {
    const protocol = await readProtocol("dap", { version });
    assert.equal(protocol.version, version);
    counts.push([version, requestsOf(protocol).length, eventsOf(protocol).length]);
  }
  assert.deepEqual(counts, [
    ["1.40.0", 41, 15],
    ["1.51.0", 43, 17],
    ["1.65.0", 44, 17],
    ["1.70.0", 45, 17],
    ["1.71.0", 45, 17],
  ]);
});

test("readProtocol() does not require capabilities that an older version lacks", async () => {
  const old = await readProtocol("dap", { version: "1.40.0" });
  const flags = new Map(
    old.capabilities.map(({ role, definition }) => [
      role,
      JSON.stringify(definitionsByName(old).get(definition)),
    ]),
  );
  const gates = old.messages.flatMap(({ gate }) => gate ?? []);
  assert.notDeepEqual(gates, []);
  assert.deepEqual(
    gates.filter(({ role, capability }) => !flags.get(role)!.includes(`"${capability}"`)),
    [],
  );
});

test("readProtocol() reads every version of DAP", async () => {
  assert.ok(bundledDap.length >= 58);
  for (const version of bundledDap) {
    const protocol = await readProtocol("dap", publishedDap(version).source);
    assert.equal(protocol.version, version);
    assert.ok(protocol.messages.length > 30);
  }
});

describe(
  "the published DAP schemas match the bundled ones",
  { skip: skipWithout("schemas/dap") },
  () => {
    for (const version of bundledDap) {
      test(`bundled DAP ${version} has the same structure as the published version`, () => {
        const load = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
        const ours = structure(dapSchema(version), "");
        assert.deepEqual(ours, structure(load(shared(`schemas/dap/${version}.json`)!), ""));
        assert.equal(
          JSON.stringify(ours),
          JSON.stringify(structure(load(shared(`schemas/dap/${version}.json`)!), "")),
          "the order of keys differs",
        );
      });
    }

    test("the newest bundled DAP version has its own descriptions", () => {
      const texts = (path: string): string[] =>
        [...readFileSync(path, "utf8").matchAll(/"description": "((?:[^"\\]|\\.)*)"/g)].map(
          (match) => match[1]!,
        );
      const theirs = new Set(texts(shared(`schemas/dap/${newestDap}.json`)!));
      const ours = texts(newestDapSchema);
      assert.ok(ours.length > 500 && theirs.size > 500, `${ours.length}, ${theirs.size} texts`);
      const same = ours.filter((text) => theirs.has(text) && text.split(" ").length > 6);
      assert.deepEqual(same, []);
    });
  },
);

/**
 * Removes a schema's descriptions, so that their position among the keywords does not matter.
 */
function structure(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => structure(item, key));
  if (typeof value !== "object" || value === null) return value;
  const isText = (name: string): boolean =>
    (name === "description" || name === "enumDescriptions") &&
    key !== "properties" &&
    key !== "definitions";
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isText(name))
      .map(([name, child]) => [
        name,
        structure(child, key === "properties" || key === "definitions" ? "" : name),
      ]),
  );
}
