import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv } from "ajv";
import { generate, readProtocol, type InputError, type Json } from "../../../generator/index.js";
import { describedVersions } from "../../../generator/read/read-protocol.js";
import { markFirstVersions } from "../../../generator/diff/first-versions.js";
import { earlierSchema, type EarlierPart } from "../../../generator/read/schema/schema-history.js";
import type { SchemaObject } from "../../../generator/read/schema/schema-file.js";
import { isJsonObject, readJsonText } from "../../../generator/read/source/json-text.js";
import { earlierParts, structureText } from "../../../tools/maintenance/earlier-parts.js";
import { missingTexts } from "../../../tools/maintenance/own-texts.js";
import { printHistory } from "../../../tools/maintenance/print-history.js";
import { withFolder, writeFiles } from "../../../tools/shared/compile.js";
import {
  bundledDap,
  dapHistory,
  dapSchema,
  historyText,
  newestDap,
  publishedDap,
} from "../../../tools/shared/dap-versions.js";
import { fromRoot, shared, skipWithout } from "../../../tools/shared/paths.js";
import { runCommand, type Outcome } from "../../support/run-command.js";

type Parts = Readonly<Record<string, EarlierPart>>;

const later = {
  title: "T",
  definitions: {
    Base: { type: "object", title: "Bases", properties: { id: { type: "integer" } } },
    Thing: {
      allOf: [
        { $ref: "#/definitions/Base" },
        {
          type: "object",
          description: "A thing.",
          properties: {
            a: { type: "string", enum: ["x", "y"], enumDescriptions: ["An x.", "A y."] },
            b: { type: "array", items: { type: "integer", minimum: 0 } },
            "c/d~": { type: "object", additionalProperties: { type: "string" } },
            items: { oneOf: [{ type: "string" }, { type: "integer" }] },
          },
          required: ["a"],
        },
      ],
    },
    Alone: { type: "object" },
  },
} as const satisfies SchemaObject;

function before(...steps: readonly Parts[]): SchemaObject {
  const earlier = Object.fromEntries(steps.map((parts, index) => [`v${index}`, parts]));
  const file = readJsonText(JSON.stringify({ newest: "1", earlier }), "history.json");
  return earlierSchema(later, { newest: "1", earlier }, `v${steps.length - 1}`, file);
}

/** The later schema after `change`, which alters a copy of it. */
function changed(change: (definitions: Definitions, schema: Loose) => void): Loose {
  const copy = structuredClone(later) as unknown as Loose & { definitions: Definitions };
  change(copy.definitions, copy);
  return copy;
}

// Copies to alter freely.
type Loose = Record<string, any>;
type Definitions = Record<string, Loose>;

const inlineOf = ({ Thing }: Definitions): Loose => Thing!["allOf"][1];

test("an earlier schema lacks parts, has other keywords, and has parts that are gone", () => {
  const cases: readonly (readonly [Parts, Loose])[] = [
    [{}, changed(() => undefined)],
    [{ Alone: null }, changed((all) => delete all["Alone"])],
    [{ "Thing/a": null }, changed((all) => delete inlineOf(all)["properties"].a)],
    [{ "": { title: "Old" } }, changed((_, schema) => (schema["title"] = "Old"))],
    [
      { Thing: { required: null, title: "Things" } },
      changed((all) => {
        delete inlineOf(all)["required"];
        inlineOf(all)["title"] = "Things";
      }),
    ],
    [
      { "Thing/b/items": { minimum: null, type: "number" } },
      changed((all) => (inlineOf(all)["properties"].b.items = { type: "number" })),
    ],
    [
      { "Thing/c~1d~0/additionalProperties": { type: ["string", "null"] } },
      changed(
        (all) =>
          (inlineOf(all)["properties"]["c/d~"].additionalProperties.type = ["string", "null"]),
      ),
    ],
    // A property that is called like a keyword, and what stands below it.
    [
      { "Thing/items/oneOf/1": { type: "number" } },
      changed((all) => (inlineOf(all)["properties"].items.oneOf[1].type = "number")),
    ],
    [
      { "Thing/items/oneOf/0": { $is: { type: "null" } } },
      changed((all) => (inlineOf(all)["properties"].items.oneOf[0] = { type: "null" })),
    ],
    [{ Thing: { $is: { type: "object" } } }, changed((all) => (all["Thing"] = { type: "object" }))],
    // Texts of values stay with their values.
    [
      { "Thing/a": { enum: ["y"] } },
      changed((all) => {
        inlineOf(all)["properties"].a.enum = ["y"];
        inlineOf(all)["properties"].a.enumDescriptions = ["A y."];
      }),
    ],
    [
      { "Thing/a": { enum: null } },
      changed((all) => (inlineOf(all)["properties"].a = { type: "string" })),
    ],
    [
      { "Alone/__proto__": { $is: { type: "string" } } },
      changed(
        (all) =>
          (all["Alone"] = JSON.parse(
            '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
          ) as Loose),
      ),
    ],
  ];
  for (const [parts, expected] of cases) {
    const rebuilt = before(parts);
    assert.deepEqual(rebuilt, expected);
    assert.equal(structureText(rebuilt), structureText(expected));
    // The other way round: what tells the two apart rebuilds the earlier one.
    assert.equal(structureText(before(earlierParts(later, rebuilt))), structureText(rebuilt));
  }
  assert.deepEqual(before({ "Thing/a": { enum: ["y"] } }, { "Thing/b": null }, { Alone: null }), {
    ...changed((all) => {
      inlineOf(all)["properties"].a.enum = ["y"];
      inlineOf(all)["properties"].a.enumDescriptions = ["A y."];
      delete inlineOf(all)["properties"].b;
      delete all["Alone"];
    }),
  });
});

test("parts that are back stand where they stood", () => {
  const order = (parts: Parts): string => Object.keys(before(parts)["definitions"] as Loose).join();
  const part: Json = { type: "object" };
  assert.equal(order({ New: { $is: part } }), "Base,Thing,Alone,New");
  assert.equal(order({ New: { $is: part, $before: "Thing" } }), "Base,New,Thing,Alone");
  assert.equal(order({ Alone: { $before: "Base" } }), "Alone,Base,Thing");
  assert.equal(order({ Base: { $before: null } }), "Thing,Alone,Base");
  const names = ["D", "Base", "A", "Alone", "Thing", "B"];
  const shuffled: SchemaObject = {
    ...later,
    definitions: Object.fromEntries(
      names.map((name) => [name, (later.definitions as SchemaObject)[name] ?? part]),
    ),
  };
  assert.equal(order(earlierParts(later, shuffled)), names.join());
});

test("a history that names what is not there is refused with its place", () => {
  for (const [parts, at] of [
    [{ Nothing: null }, "Nothing"],
    [{ Nothing: { type: "string" } }, "Nothing"],
    [{ "Nothing/a": null }, "Nothing~1a"],
    [{ "Thing/x/y": null }, "Thing~1x~1y"],
    [{ "Thing/items/oneOf/9": { type: "null" } }, "Thing~1items~1oneOf~19"],
    [{ "Thing/items/oneOf/x": { type: "null" } }, "Thing~1items~1oneOf~1x"],
    [{ "": null }, ""],
    [{ toString: null }, "toString"],
  ] as const satisfies readonly (readonly [Parts, string])[])
    assert.throws(
      () => before(parts),
      ({ code, message, place }: InputError) => {
        assert.match(message, /^Cannot find the part ".*" that version v0 changes$/);
        const { file, pointer, line } = place;
        assert.deepEqual(
          [code, file, pointer, line],
          ["ERR_DESCRIPTION", "history.json", `/earlier/v0/${at}`, 1],
        );
        return true;
      },
    );
});

const digestsPath = fromRoot("test/golden/dap-structures.json");
const digestOf = (schema: Json): string =>
  createHash("sha256").update(structureText(schema)).digest("hex");

test("each bundled version has the structure of the published one", (context) => {
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

test("each version says something of each of its parts, and only of what it has", () => {
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

test("history.json is what its schema says, and printed as the tool prints it", async () => {
  const schema = readFileSync(fromRoot("schema/history.schema.json"), "utf8");
  const ajv = new Ajv({ strict: false });
  ajv.addSchema(
    JSON.parse(readFileSync(fromRoot("schema/protocol.schema.json"), "utf8")) as object,
    "protocol.schema.json",
  );
  const validate = ajv.compile(JSON.parse(schema) as object);
  assert.ok(validate(dapHistory), JSON.stringify(validate.errors));
  assert.equal(await printHistory(dapHistory), historyText);
  assert.equal(dapHistory.newest, newestDap);
  assert.deepEqual(await describedVersions("dap"), bundledDap);
});

test("@since is the first version that has a name", async () => {
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

/** What a published definition brings, by the names that generated types have. */
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

test("a version that is not known is refused with those near it", async () => {
  const near = async (version: string): Promise<string | undefined> => {
    const error: unknown = await readProtocol("dap", { version }).catch(
      (reason: unknown) => reason,
    );
    assert.equal((error as { code?: string }).code, "ERR_UNKNOWN_VERSION");
    return /^Near: (.*); known: 5\d from 1\.13\.0 to /.exec(
      (error as { hint?: string }).hint ?? "",
    )?.[1];
  };
  assert.equal(await near("1.50.0"), "1.48.0, 1.49.0, 1.51.0, 1.52.0");
  assert.equal(await near("1.68"), "1.68.0");
  assert.equal(await near("v1.68.0"), "1.68.0");
  assert.equal(await near("1.12.0"), "1.13.0, 1.14.0");
  assert.equal(await near("99.0.0"), bundledDap.slice(-2).join(", "));
  assert.equal(await near("banana"), bundledDap.slice(-4).join(", "));
});

test("any version can be named wherever a version is named", async () => {
  await withFolder((folder) => {
    const run = (...args: string[]): Outcome => runCommand(folder, args);
    assert.match(run("diff", "dap@1.68.0", "dap@1.69.0").stdout, /^dap 1\.68\.0 → 1\.69\.0 {3}/);
    for (const args of [["dap", "--version", "1.68.0"], ["dap@1.68.0"]]) {
      const { status, stdout, stderr } = run("generate", ...args, "--no-format");
      assert.deepEqual([status, stderr], [0, ""]);
      assert.match(stdout, /^generated[\\/]dap: /);
      assert.match(
        readFileSync(join(folder, "generated/dap/protocol.ts"), "utf8"),
        /protocolVersion = "1\.68\.0"/,
      );
    }
    writeFiles(folder, {
      "wirewright.config.json": '{"packages": [{"protocol": "dap@1.13.0", "out": "old"}]}',
      "a.jsonl": '{"seq":1,"type":"request","command":"threads"}\n',
    });
    assert.equal(run("generate", "--no-format").status, 0);
    assert.ok(existsSync(join(folder, "old/types.ts")));
    const judged = (...args: string[]): string =>
      run("lint", "a.jsonl", "--format", "json", ...args).stdout;
    assert.match(judged("--version", "1.68.0"), /"version": "1\.68\.0"/);
    assert.match(judged("--protocol", "dap@1.68.0"), /"version": "1\.68\.0"/);
    assert.equal(
      run("generate", "dap@1.68.0", "--version", "1.69.0").stderr,
      'Cannot use "dap@1.68.0" and version 1.69.0 [ERR_ARGUMENT]\n  Give one version\n',
    );
  });
});

test("a protocol of one's own may have a history", async () => {
  await withFolder(async (folder) => {
    const ticker = JSON.parse(
      readFileSync(fromRoot("test/fixtures/ticker/protocol.json"), "utf8"),
    ) as { schema: Loose };
    ticker.schema["history"] = "history.json";
    const history = (value: object): void =>
      writeFiles(folder, { "history.json": JSON.stringify(value) });
    writeFiles(folder, {
      "protocol.json": JSON.stringify(ticker),
      "types.json": readFileSync(fromRoot("test/fixtures/ticker/types.json"), "utf8"),
    });
    history({ newest: "1.0.0", earlier: { "0.9.0": { "StartParams/unit": null } } });
    assert.deepEqual(await describedVersions(folder), ["0.9.0", "1.0.0"]);
    const { files } = await generate(folder, { version: "0.9.0" });
    assert.ok(files.has("types.ts"));
    const fails = async (value: object, error: object): Promise<void> => {
      history(value);
      await assert.rejects(readProtocol(folder, { version: "0.9.0" }), error);
    };
    await fails(
      { newest: "2.0.0", earlier: {} },
      { code: "ERR_DESCRIPTION", hint: "Known: 1.0.0", message: /"2\.0\.0"/ },
    );
    await fails({ newest: "1.0.0", earlier: { "0.9.0": 1 } }, { code: "ERR_DESCRIPTION" });
    await fails(
      { newest: "1.0.0", earlier: { "0.9.0": { Nothing: null } } },
      { code: "ERR_DESCRIPTION", message: /"Nothing" that version 0\.9\.0/ },
    );
  });
});
