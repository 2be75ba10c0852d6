import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { checkedProperties } from "../../../generator/model/properties.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import type { ObjectType, Property } from "../../../generator/model/types.js";
import { validationRulesOf } from "../../../generator/model/validation-rules.js";
import { linkRule } from "../../../runtime/validation/link-rule.js";
import { fromRoot } from "../../support/paths.js";

/**
 * Lists the properties of each object other than responses twice: as numbered by the checks, and as
 * numbered by the walk.
 */
function numberings(protocol: Protocol): ReadonlyMap<string, readonly [string[], string[]]> {
  const definitions = definitionsByName(protocol);
  const numbered = new Map<string, readonly [string[], string[]]>();
  for (const [name, rule] of validationRulesOf(protocol).definitions) {
    const { type } = definitions.get(name)!;
    const isPinned = name === protocol.bases.error || "failure" in Object(rule());
    if (type.kind !== "object" || isPinned) continue;
    const node = linkRule(rule);
    assert.ok("properties" in node, name);
    numbered.set(name, [
      checkedProperties(definitions, type).map((property) => property.name),
      node.properties.map((property) => property.name),
    ]);
  }
  return numbered;
}

for (const name of ["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints", "ticker"])
  test(`checks and the walk number the properties of ${name} in the same way`, async () => {
    const protocol = await readProtocol(
      name === "ticker" ? fromRoot("test/fixtures/ticker") : name,
    );
    const numbered = numberings(protocol);
    assert.ok(numbered.size > 5, String(numbered.size));
    for (const [definition, [checks, walk]] of numbered) assert.deepEqual(checks, walk, definition);
  });

test("properties with numeric names come first, and required properties precede the others", async () => {
  const dap = await readProtocol("dap");
  const property = (name: string, required: boolean): Property => ({
    name,
    required,
    pointer: "",
    type: { kind: "string" },
  });
  const object = (bases: readonly string[], properties: readonly Property[]): ObjectType => ({
    kind: "object",
    extras: "open",
    bases,
    properties,
  });
  const base = object([], [property("b", false), property("7", true), property("c", true)]);
  const own = object(
    ["Base"],
    [property("d", false), property("2", false), property("b", true), property("a", true)],
  );
  const [first] = dap.definitions;
  const numbered = numberings({
    ...dap,
    definitions: [
      ...dap.definitions,
      { ...first!, name: "Base", type: base },
      { ...first!, name: "Own", type: own },
    ],
  });
  const order = ["7", "c", "b", "a", "2", "d"];
  assert.deepEqual(numbered.get("Own"), [order, order]);
});
