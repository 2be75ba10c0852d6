import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { InputError, readProtocol } from "../../cli/index.js";
import type { Json } from "../../generator/model/types.js";
import { describedVersions } from "../../generator/read/read-protocol.js";
import { earlierSchema, type SchemaHistory } from "../../generator/read/schema/schema-history.js";
import { readJsonText } from "../../generator/read/source/json-text.js";
import { structureText } from "../../tools/maintenance/earlier-parts.js";
import { missingTexts } from "../../tools/maintenance/own-texts.js";
import { takeInVersion, type TakenIn } from "../../tools/maintenance/take-in-version.js";
import { withFolder } from "../support/compile.js";
import { bundledDap, newestDap, publishedDap } from "../support/dap-versions.js";
import { fromRoot } from "../support/paths.js";
import { type Schema, next, currentText, publish, add } from "../support/dap-update.js";

async function withCopy(use: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    for (const path of ["schema/dap", "protocols/dap"])
      cpSync(fromRoot(path), join(folder, path), { recursive: true });
    await use(join(folder, "schema/dap"));
  });
}

const take = (folder: string, text: string, version: string): Promise<TakenIn> =>
  takeInVersion(folder, readJsonText(text, "official.json"), version);

const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), "utf8")]),
  );

test("takeInVersion() adds our descriptions to the published structure", async () => {
  await withCopy(async (folder) => {
    const { missing, changed, notes, unusedFlags, written } = await take(folder, publish(), next);
    assert.deepEqual([missing, changed, notes, unusedFlags], [[], [], [], []]);
    assert.deepEqual(
      written,
      [`${next}.json`, "history.json", "protocol.json"].map((name) => join(folder, name)),
    );
    assert.equal(existsSync(join(folder, `${newestDap}.json`)), false);
    assert.equal(readFileSync(join(folder, `${next}.json`), "utf8"), currentText);
    const { schema } = JSON.parse(readFileSync(join(folder, "protocol.json"), "utf8")) as {
      schema: { current: string; versions: Record<string, string> };
    };
    assert.equal(schema.current, next);
    assert.deepEqual(schema.versions, { [next]: `${next}.json` });
    assert.equal((await readProtocol(folder)).version, next);
    assert.deepEqual(await describedVersions(folder), [...bundledDap, next]);
  });
});

test("takeInVersion() lists parts without a description and proposes notes for protocol.json", async () => {
  await withCopy(async (folder) => {
    const { missing, changed, notes, unusedFlags } = await take(folder, publish(add), next);
    assert.deepEqual(missing, [
      { address: "OutputEvent/body/group=sideways", official: "Starts a group at the side." },
      { address: "ScopesArguments/deep", official: "Only if `supportsXyzzy` is true." },
      { address: "Capabilities/supportsXyzzy", official: "The adapter supports it." },
      { address: "Capabilities/supportsMystery", official: "The adapter supports it." },
      {
        address: "XyzzyRequest",
        official:
          "Xyzzys.\nClients should only call this request if the corresponding capability `supportsXyzzy` is true.",
      },
      { address: "XyzzyArguments/depth", official: "How deep to look. Defaults to 3." },
      { address: "XyzzyArguments/colour", official: "The default is `red`." },
      {
        address: "PlughRequest",
        official: "This request is sent from the debug adapter to the client to make it plugh.",
      },
      { address: "PlughResponse/body/times", official: "How often." },
    ]);
    assert.deepEqual(changed, ["OutputEvent/body/group"]);
    assert.deepEqual(notes, [
      { part: "gates.properties", key: "ScopesArguments/deep", value: "adapter.supportsXyzzy" },
      { part: "gates.messages", key: "xyzzy", value: "adapter.supportsXyzzy" },
      { part: "defaults", key: "XyzzyArguments/depth", value: 3 },
      { part: "defaults", key: "XyzzyArguments/colour", value: "red" },
      { part: "directions.exceptions", key: "plugh", value: "adapter" },
    ]);
    assert.deepEqual(unusedFlags, ["adapter.supportsMystery"]);

    const text = readFileSync(join(folder, `${next}.json`), "utf8");
    assert.doesNotMatch(text, /somebody else|How often|Starts a group at the side/);
    const { definitions } = JSON.parse(text) as { definitions: Record<string, Json> };
    assert.deepEqual(definitions["XyzzyArguments"], {
      type: "object",
      description: "Arguments to `xyzzy`.",
      properties: {
        depth: { type: "integer", description: "" },
        colour: { type: "string", description: "" },
      },
    });
    assert.deepEqual(definitions["PlughRequest"], {
      allOf: [
        { $ref: "#/definitions/Request" },
        {
          type: "object",
          description: "",
          properties: {
            command: { type: "string", enum: ["plugh"] },
          },
          required: ["command"],
        },
      ],
    });
    assert.deepEqual(
      missingTexts(JSON.parse(text) as { [key: string]: Json }),
      missing.map(({ address }) => address),
    );
  });
});

test("takeInVersion() keeps the previous version, including the descriptions of removed parts", async () => {
  await withCopy(async (folder) => {
    const removeSome = (definitions: Record<string, Json>): void => {
      add(definitions);
      const all = definitions as Record<
        string,
        { properties: Record<string, unknown>; required?: readonly string[] }
      >;
      delete all["Thread"]!.properties["name"];
      all["Thread"]!.required = ["id"];
      delete all["ExceptionPathSegment"];
      const group = definitions["OutputEvent"] as {
        allOf: [Json, { properties: { body: { properties: Record<string, Schema> } } }];
      };
      const values = group.allOf[1].properties.body.properties["group"]!;
      for (const list of [values["enum"], values["enumDescriptions"]]) (list as Json[]).shift();
      all["Scope"]!.properties = Object.fromEntries(
        Object.entries(all["Scope"]!.properties).reverse(),
      );
      (all["ExceptionOptions"] as unknown as Schema)["properties"] = {
        breakMode: { type: "string" },
      };
    };
    await take(folder, publish(removeSome), next);
    const [text, newest] = ["history.json", `${next}.json`].map((name) =>
      readFileSync(join(folder, name), "utf8"),
    );
    const history = JSON.parse(text!) as SchemaHistory;
    assert.equal(history.newest, next);
    assert.deepEqual(Object.keys(history.earlier), [...bundledDap].reverse());
    const file = readJsonText(text!, "history.json");
    const rebuilt = earlierSchema(JSON.parse(newest!) as Schema, history, newestDap, file);
    assert.deepEqual(rebuilt, JSON.parse(currentText));
    assert.equal(structureText(rebuilt), structureText(JSON.parse(currentText) as Json));
  });
});

test("takeInVersion() keeps new descriptions and changes nothing when it runs again", async () => {
  await withCopy(async (folder) => {
    const path = join(folder, `${next}.json`);
    const first = await take(folder, publish(add), next);
    const again = await take(folder, publish(add), next);
    assert.deepEqual(again, { ...first, written: [] });
    const filled = readFileSync(path, "utf8").replaceAll(/": ""|^ *""$/gm, (empty) =>
      empty.replace('""', '"Ours."'),
    );
    writeFileSync(path, filled);
    const before = contentOf(folder);
    const last = await take(folder, publish(add), next);
    assert.deepEqual([last.missing, last.written], [[], []]);
    assert.deepEqual(contentOf(folder), before);
  });
});

test("takeInVersion() refuses a version that it cannot add and writes nothing", async () => {
  const cases: readonly (readonly [string, string, InputError])[] = [
    [
      '{ "definitions": { "ProtocolMessage": {} } }',
      next,
      new InputError(
        "ERR_SCHEMA",
        'Cannot find the definition "Request": this is not a schema of the Debug Adapter Protocol',
        { file: "official.json" },
        "Pass the new version's debugAdapterProtocol.json",
      ),
    ],
    [
      "[]",
      next,
      new InputError(
        "ERR_SCHEMA",
        'Cannot find the definition "ProtocolMessage": this is not a schema of the Debug Adapter Protocol',
        { file: "official.json" },
        "Pass the new version's debugAdapterProtocol.json",
      ),
    ],
    [
      publish(),
      "1.65.0",
      new InputError(
        "ERR_UNKNOWN_VERSION",
        `Cannot add version 1.65.0: it is older than ${newestDap}, which has already been added`,
      ),
    ],
    [
      publish(add),
      newestDap,
      new InputError(
        "ERR_SCHEMA",
        "Cannot add this version again: its structure has changed, first at OutputEvent/body/group",
        { file: `${newestDap}.json` },
        "Check the version, or remove the file and its line in protocol.json to start over",
      ),
    ],
  ];
  for (const [text, version, { code, message, place, hint }] of cases)
    await withCopy(async (folder) => {
      const before = contentOf(folder);
      await assert.rejects(take(folder, text, version), {
        code,
        message,
        hint,
        place: place.file === `${newestDap}.json` ? { file: join(folder, place.file) } : place,
      });
      assert.deepEqual(contentOf(folder), before);
    });
});

test("takeInVersion() refuses a schema that the reader cannot read", async () => {
  await withCopy(async (folder) => {
    const text = publish((definitions) => {
      definitions["Odd"] = { type: "object", patternsProperties: {} };
    });
    await assert.rejects(take(folder, text, next), { code: "ERR_KEYWORD" });
  });
});

test("the newest bundled version has the same structure as the published one", async () => {
  await withCopy(async (folder) => {
    const { schema } = publishedDap(newestDap);
    const { missing, written } = await takeInVersion(
      folder,
      readJsonText(JSON.stringify(schema, null, 2), "published.json"),
      newestDap,
    );
    assert.deepEqual([missing, written], [[], []]);
  });
});

test("every definition, property and value in the newest bundled version has a description", () => {
  assert.deepEqual(missingTexts(JSON.parse(currentText) as { [key: string]: Json }), []);
});
