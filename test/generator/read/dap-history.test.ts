import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv } from "ajv";
import { readProtocol } from "../../../cli/index.js";
import type { Json } from "../../../generator/model/types.js";
import { describedVersions } from "../../../generator/read/read-protocol.js";
import { markFirstVersions } from "../../../generator/model/first-versions.js";
import { isJsonObject } from "../../../generator/read/source/json-text.js";
import { structureText } from "../../../tools/maintenance/earlier-parts.js";
import { missingTexts } from "../../../tools/maintenance/own-texts.js";
import { printHistory } from "../../../tools/maintenance/print-history.js";
import {
  bundledDap,
  dapHistory,
  dapSchema,
  historyText,
  newestDap,
  publishedDap,
} from "../../support/dap-versions.js";
import { fromRoot, shared, skipWithout, readJson } from "../../support/paths.js";
import type { Loose, Definitions } from "../../support/read-schemas.js";

const digestsPath = fromRoot("test/golden/dap-structures.json");

const digestOf = (schema: Json): string =>
  createHash("sha256").update(structureText(schema)).digest("hex");

test("each bundled version has the same structure as the published one", (context) => {
  const digests = Object.fromEntries(
    bundledDap.map((version) => [version, digestOf(dapSchema(version))]),
  );
  if (process.env["UPDATE_GOLDEN"] === "1")
    writeFileSync(digestsPath, `${JSON.stringify(digests, null, 2)}\n`);
  assert.deepEqual(digests, JSON.parse(readFileSync(digestsPath, "utf8")));
  assert.equal(bundledDap.length >= 58, true);
  if (shared("schemas/dap") === undefined)
    return context.diagnostic(`compared with digests only: ${String(skipWithout("schemas/dap"))}`);
  for (const version of bundledDap) {
    const path = shared(`schemas/dap/${version}.json`);
    if (path === undefined) continue;
    const published = JSON.parse(readFileSync(path, "utf8")) as Json;
    assert.equal(structureText(dapSchema(version)), structureText(published), version);
  }
});

test("each version's descriptions mention only its own parts", () => {
  const newest = namesOf(dapSchema(newestDap));
  for (const version of bundledDap) {
    const schema = dapSchema(version);
    assert.deepEqual(missingTexts(schema), [], version);
    const own = namesOf(schema);
    for (const text of textsOf(schema))
      for (const [, code] of text.matchAll(/`([^`]+)`/g))
        for (const word of code!.split(/\W+/))
          assert.ok(!newest.has(word) || own.has(word), `${version} has no ${word}: ${text}`);
  }
});

function namesOf(value: Json, names = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(value)) for (const each of value) namesOf(each as Json, names);
  if (!isJsonObject(value)) return names;
  for (const [key, part] of Object.entries(value)) {
    if (key === "enum" || key === "_enum")
      for (const each of part as Json[]) names.add(String(each));
    if (key === "properties" || key === "definitions")
      for (const name of Object.keys(part as Loose)) names.add(name);
    namesOf(part, names);
  }
  return names;
}

function textsOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsOf(each));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (key === "description" && typeof part === "string") return [part];
    if (key === "enumDescriptions" && Array.isArray(part)) return part as string[];
    return textsOf(part);
  });
}

test("history.json matches its schema and is formatted as the tool prints it", async () => {
  const schema = readFileSync(fromRoot("schema/formats/history.schema.json"), "utf8");
  const ajv = new Ajv({ strict: false });
  ajv.addSchema(readJson("schema/formats/protocol.schema.json") as object, "protocol.schema.json");
  const validate = ajv.compile(JSON.parse(schema) as object);
  assert.ok(validate(dapHistory), JSON.stringify(validate.errors));
  assert.equal(await printHistory(dapHistory), historyText);
  assert.equal(dapHistory.newest, newestDap);
  assert.deepEqual(await describedVersions("dap"), bundledDap);
});

test("@since gives the first version that contains the name", async () => {
  const versions = bundledDap;
  const first = new Map<string, string>();
  for (const version of versions) {
    const { definitions } = publishedDap(version).schema as unknown as {
      definitions: Definitions;
    };
    for (const [name, definition] of Object.entries(definitions))
      for (const each of publishedNames(name, definition))
        if (!first.has(each)) first.set(each, version);
  }
  const earlier = await Promise.all(
    versions.slice(0, -1).map((version) => readProtocol("dap", { version })),
  );
  const marked = markFirstVersions(await readProtocol("dap"), earlier);
  const told = new Map<string, string>();
  for (const { name, type, since: own = versions[0]! } of marked.definitions) {
    told.set(name, own);
    if (type.kind === "enum")
      for (const { value, since = own } of type.values) told.set(`${name}=${value}`, since);
    if (type.kind !== "object") continue;
    for (const property of type.properties) {
      const { since = versions[0]! } = property;
      told.set(`${name}.${property.name}`, since);
      if (property.type.kind === "enum")
        for (const { value, since: brought = since } of property.type.values)
          told.set(`${name}.${property.name}=${value}`, brought);
    }
  }
  assert.equal(told.size > 900, true);
  for (const [name, since] of told) assert.equal(since, first.get(name), name);
});

/** Lists the names in a published definition as they appear in the generated types. */
function* publishedNames(name: string, definition: Loose): Generator<string> {
  const inline: Loose = definition["allOf"]?.at(-1) ?? definition;
  yield name;
  yield* valuesOf(name, inline);
  for (const [key, property] of Object.entries<Loose>(inline["properties"] ?? {})) {
    const at = `${name}.${key}`;
    yield at;
    yield* valuesOf(at, property);
    if (property["type"] === "object" && key === "body")
      yield* publishedNames(`${name}Body`, property);
  }
}

function* valuesOf(at: string, schema: Loose): Generator<string> {
  for (const value of schema["enum"] ?? schema["_enum"] ?? []) yield `${at}=${value}`;
}
