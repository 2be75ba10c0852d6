import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generate, readProtocol, type InputError } from "../../../cli/index.js";
import type { Json } from "../../../generator/model/types.js";
import { describedVersions } from "../../../generator/read/read-protocol.js";
import { earlierSchema, type EarlierPart } from "../../../generator/read/schema/schema-history.js";
import { readJsonText, type JsonObject } from "../../../generator/read/source/json-text.js";
import { earlierParts, structureText } from "../../../tools/maintenance/earlier-parts.js";
import { withFolder, withProject, writeFiles } from "../../support/compile.js";
import { bundledDap } from "../../support/dap-versions.js";
import { fromRoot, readJson } from "../../support/paths.js";
import { runCommand, type Outcome } from "../../support/run-command.js";
import type { Loose, Definitions } from "../../support/read-schemas.js";

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
} as const satisfies JsonObject;

function before(...steps: readonly Parts[]): JsonObject {
  const earlier = Object.fromEntries(steps.map((parts, index) => [`v${index}`, parts]));
  const file = readJsonText(JSON.stringify({ newest: "1", earlier }), "history.json");
  return earlierSchema(later, { newest: "1", earlier }, `v${steps.length - 1}`, file);
}

/** Applies a change to a copy of the later schema. */
function changed(change: (definitions: Definitions, schema: Loose) => void): Loose {
  const copy = structuredClone(later) as unknown as Loose & { definitions: Definitions };
  change(copy.definitions, copy);
  return copy;
}

const inlineOf = ({ Thing }: Definitions): Loose => Thing!["allOf"][1];

test("an earlier schema lacks later parts, but has its own keywords and parts that were removed later", () => {
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
    // A property named `items`, like the keyword, and a part inside it.
    [
      { "Thing/items/oneOf/1": { type: "number" } },
      changed((all) => (inlineOf(all)["properties"].items.oneOf[1].type = "number")),
    ],
    [
      { "Thing/items/oneOf/0": { $is: { type: "null" } } },
      changed((all) => (inlineOf(all)["properties"].items.oneOf[0] = { type: "null" })),
    ],
    [{ Thing: { $is: { type: "object" } } }, changed((all) => (all["Thing"] = { type: "object" }))],
    // The descriptions of enum values stay with their values.
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
    // Applied in reverse, the differences rebuild the earlier schema.
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

test("restored parts are in their original positions", () => {
  const order = (parts: Parts): string => Object.keys(before(parts)["definitions"] as Loose).join();
  const part: Json = { type: "object" };
  assert.equal(order({ New: { $is: part } }), "Base,Thing,Alone,New");
  assert.equal(order({ New: { $is: part, $before: "Thing" } }), "Base,New,Thing,Alone");
  assert.equal(order({ Alone: { $before: "Base" } }), "Alone,Base,Thing");
  assert.equal(order({ Base: { $before: null } }), "Thing,Alone,Base");
  const names = ["D", "Base", "A", "Alone", "Thing", "B"];
  const shuffled: JsonObject = {
    ...later,
    definitions: Object.fromEntries(
      names.map((name) => [name, (later.definitions as JsonObject)[name] ?? part]),
    ),
  };
  assert.equal(order(earlierParts(later, shuffled)), names.join());
});

test("a history that names a nonexistent part is refused with its location", () => {
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

test("an unknown version is refused, and the nearest versions are suggested", async () => {
  const near = async (version: string): Promise<string | undefined> => {
    const error: unknown = await readProtocol("dap", { version }).catch(
      (reason: unknown) => reason,
    );
    assert.equal((error as { code?: string }).code, "ERR_UNKNOWN_VERSION");
    return /^Similar versions: (.*); known: 5\d versions from 1\.13\.0 to /.exec(
      (error as { hint?: string }).hint ?? "",
    )?.[1];
  };
  assert.equal(await near("1.50.0"), "1.48.0, 1.49.0, 1.51.0, 1.52.0");
  assert.equal(await near("1.68.1"), "1.67.0, 1.68.0, 1.69.0, 1.70.0");
  assert.equal(await near("v1.68.0"), "1.68.0");
  assert.equal(await near("1.12.0"), "1.13.0, 1.14.0");
  assert.equal(await near("99.0.0"), bundledDap.slice(-2).join(", "));
  assert.equal(await near("banana"), bundledDap.slice(-4).join(", "));
});

test("a version without its last numbers is the newest that starts with the others", async () => {
  assert.equal((await readProtocol("dap", { version: "1.68" })).version, "1.68.0");
  assert.equal((await readProtocol("dap@1")).version, bundledDap.at(-1));
});

test("every command that accepts a version accepts earlier versions", async () => {
  await withProject((folder) => {
    const run = (...args: string[]): Outcome => runCommand(folder, args);
    assert.match(run("diff", "dap@1.68.0", "dap@1.69.0").stdout, /^dap 1\.68\.0 → 1\.69\.0 {3}/);
    for (const args of [["dap", "--version", "1.68.0"], ["dap@1.68.0"]]) {
      const { status, stdout, stderr } = run("generate", ...args, "--no-format");
      assert.deepEqual([status, stderr], [0, ""]);
      assert.match(stdout, /^generated[\\/]dap: /);
      assert.match(
        readFileSync(join(folder, "generated/dap/protocol.ts"), "utf8"),
        /protocolVersion: string = "1\.68\.0"/,
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
      'Cannot use "dap@1.68.0" together with version 1.69.0 [ERR_ARGUMENT]\n  Specify only one version\n',
    );
  });
});

test("reading an early version leaves later versions as they are", async () => {
  const read = async (version: string): Promise<string> =>
    JSON.stringify(await readProtocol("dap", { version }));
  const alone = await read("1.68.0");
  await read("1.40.0");
  assert.equal(await read("1.68.0"), alone);
});

test("a user's protocol can have a history", async () => {
  await withFolder(async (folder) => {
    const ticker = readJson("test/fixtures/ticker/protocol.json") as { schema: Loose };
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
