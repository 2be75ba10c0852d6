import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openProtocol } from "../../../cli/index.js";
import { listRules } from "../../../sessions/judge/rules.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { typeAt } from "../../../generator/model/type-at.js";
import type { ObjectType, Property } from "../../../generator/model/types.js";
import { check } from "../../../generator/read/description/check-file.js";
import { readJsonInput } from "../../../generator/read/source/input-source.js";
import { fromRoot, shared, skipWithout } from "../../support/paths.js";
import { readStatements, type Statement } from "../../support/statements.js";
import { isObject } from "../../../runtime/index.js";

/** A sentence that imposes a requirement on a side, and where it is in the schema. */
interface NormativeSentence {
  /** The address, in the form `Definition/property`. */
  readonly place: string;
  /** The sentence's position in its description, counted from 1. */
  readonly sentence: number;
  readonly text: string;
}

/** Words that specifications use to impose a requirement or to define a meaning. */
const binding =
  /\b(must|should|shall|expected to|not allowed|(?:can|may) (?:not|only)|cannot|only (?:call|used?|be|valid|sent|honored|supported|render|refetch)|(?:has|have|needs?) to|refrain|unique|assumed?|no longer valid|not necessary|only (?:necessary|if)|first sends|same order|same number|sorted|intact|exactly|required|deprecated)\b/i;

/** Keys on the path to a property that are not property names. */
const structure: ReadonlySet<string> = new Set([
  "definitions",
  "properties",
  "allOf",
  "anyOf",
  "oneOf",
  "items",
  "additionalProperties",
]);

/** Finds the sentences in a JSON Schema that impose requirements on a side, in document order. */
function normativeSentences(schema: object): readonly NormativeSentence[] {
  const found: NormativeSentence[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, path);
      return;
    }
    if (!isObject(node)) return;
    const { description } = node;
    if (typeof description === "string")
      for (const [index, text] of sentencesOf(description).entries())
        if (binding.test(text)) found.push({ place: placeOf(path), sentence: index + 1, text });
    for (const [key, value] of Object.entries(node))
      if (key !== "description" && key !== "enumDescriptions")
        visit(value, structure.has(key) ? path : [...path, key]);
  };
  visit(schema, []);
  return found;
}

function sentencesOf(description: string): readonly string[] {
  return description
    .split(/(?<=[.!?])\s+|\n+/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Omits `body` inside an address, because a body is part of its message. */
function placeOf(path: readonly string[]): string {
  return path.filter((each, index) => each !== "body" || index === path.length - 1).join("/");
}

const { reasons, validator, statements } = readStatements();
const dap = await openProtocol("dap");
const definitions = new Map(dap.definitions.map((each) => [each.name, each]));
const known = listRules(dap.sessionRules);
const keyOf = ({ place, sentence }: Pick<Statement, "place" | "sentence">): string =>
  `${place} ${sentence}`;

test("the DAP statements refer to existing rules, checks and reasons, and are unique", async () => {
  const file = await readJsonInput(fromRoot("schema/dap/statements.json"));
  check(file, "statements", "ERR_DESCRIPTION");
  assert.deepEqual(
    statements.flatMap(({ rules = [] }) => rules.filter((each) => !known.has(each))),
    [],
  );
  const used = (key: "validator" | "undecidable"): readonly string[] =>
    [...new Set(statements.flatMap((each) => each[key] ?? []))].sort();
  assert.deepEqual(used("validator"), Object.keys(validator).sort());
  assert.deepEqual(used("undecidable"), Object.keys(reasons).sort());
  const keys = statements.map(keyOf);
  assert.deepEqual(
    keys.filter((each, index) => keys.indexOf(each) !== index),
    [],
  );
});

test("the numbers of judged, validated and undecidable DAP statements are as expected", (t) => {
  const judged = statements.filter(({ rules }) => rules !== undefined).length;
  const rest = statements.filter(({ rules }) => rules === undefined);
  const validated = rest.filter((each) => each.validator !== undefined).length;
  const undecidable = rest.filter((each) => each.validator === undefined).length;
  t.diagnostic(
    `${statements.length} sentences: ${judged} by rules, ${validated} by the validator, ${undecidable} undecidable`,
  );
  assert.deepEqual(
    { all: statements.length, judged, validated, undecidable },
    { all: 305, judged: 166, validated: 27, undecidable: 112 },
  );
});

test(
  "there is a statement for each sentence in the official schema that imposes a requirement on a side",
  { skip: skipWithout("schemas") },
  () => {
    const official: unknown = JSON.parse(
      readFileSync(shared(`schemas/dap/${dap.version}.json`)!, "utf8"),
    );
    const bindingSentences = normativeSentences(official as object);
    const ofSchema = statements.filter(({ place }) => !place.startsWith("overview/"));
    assert.deepEqual(ofSchema.map(keyOf), bindingSentences.map(keyOf));
  },
);

/** Finds the property at an address such as `Source/path`. */
function propertyAt(place: string): Property | undefined {
  const [definition = "", ...path] = place.split("/");
  const name = path.at(-1) ?? "";
  const inner = path.slice(0, -1);
  const owners = [["arguments", ...inner], ["body", ...inner], inner];
  for (const owner of owners) {
    const type = typeAt(definitions, { kind: "reference", name: definition }, owner);
    if (type?.kind !== "object") continue;
    const found = flattenProperties(definitions, type as ObjectType).find(
      (each) => each.name === name,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

test("statements about capabilities belong to messages and properties that require one", () => {
  const gated = (place: string): boolean => {
    const message = dap.messages.find(({ definition }) => definition === place);
    // A statement about a request may concern one of its parameters.
    const parameter = propertyAt(`${place}/terminateDebuggee`);
    return (message?.gate ?? propertyAt(place)?.gate ?? parameter?.gate) !== undefined;
  };
  const wrong = statements.filter(
    ({ place, rules: [rule] = [] }) =>
      (rule === "request.capability" || rule === "field.capability") &&
      !place.startsWith("overview/") &&
      !gated(place),
  );
  assert.deepEqual(wrong.map(keyOf), []);
});

test("statements checked by the validator are consistent with the model", () => {
  const holds: Readonly<Record<string, (place: string) => boolean>> = {
    optional: (place) => propertyAt(`${place}/body`)?.required === false,
    type: (place) => propertyAt(place)?.type.kind === "map",
    range: (place) => propertyAt(place)?.type.kind === "integer",
    enum: (place) => definitions.get(place)?.type.kind === "enum",
  };
  const wrong = statements.filter(
    (each) =>
      each.validator !== undefined &&
      !each.place.startsWith("overview/") &&
      !holds[each.validator]!(each.place),
  );
  assert.deepEqual(wrong.map(keyOf), []);
});
