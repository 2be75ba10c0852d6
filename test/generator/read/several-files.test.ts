/** Reads a JSON Schema from several local files, which the user has named or allowed. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readProtocol, type InputError } from "../../../cli/index.js";
import { openProtocolSource } from "../../../generator/read/protocol-source.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { notes } from "../../support/notes-protocol.js";
import { runCommand } from "../../support/run-command.js";

const description = {
  ...notes,
  schema: { ...notes.schema, versions: { "1.0.0": "main.json" } },
  messages: { by: "table", requests: {}, events: { open: { docs: "Opens.", params: "Open" } } },
};

const object = (properties: object): object => ({ type: "object", properties });

/** Creates a message with one property for each reference. */
const opening = (...references: readonly string[]): object => ({
  definitions: {
    Open: object(Object.fromEntries(references.map(($ref, index) => [`p${index}`, { $ref }]))),
    Range: { type: "string" },
  },
});

const main = opening(
  "shared/types.json#/definitions/Range",
  "shared/types.json",
  "shared/a%20mark.schema.json",
  "#/definitions/Range",
);

const types = {
  definitions: {
    Range: object({
      from: { $ref: "#/definitions/Line" },
      to: { $ref: "../main.json#/definitions/Range" },
    }),
    Line: { type: "integer" },
    Unused: { type: "boolean" },
  },
  ...object({ all: { type: "array", items: { $ref: "types.json#/definitions/Range" } } }),
};

const files = {
  "protocol.json": JSON.stringify(description),
  "main.json": JSON.stringify(main),
  "shared/types.json": JSON.stringify(types),
  "shared/a mark.schema.json": JSON.stringify({ enum: ["a", "b"] }),
};

const reference = (name: string): object => ({ kind: "reference", name });

/** Returns the property types of object definitions, and the type of every other definition. */
async function typesOf(reading: ReturnType<typeof readProtocol>): Promise<object> {
  const { definitions } = await reading;
  return Object.fromEntries(
    definitions
      .filter(({ name }) => !/^(?:(?:Open)?Event|Request|(?:Error)?Response)$/.test(name))
      .map(({ name, type }) => [
        name,
        type.kind === "object"
          ? Object.fromEntries(type.properties.map((each) => [each.name, each.type]))
          : type,
      ]),
  );
}

const expected = {
  Open: {
    p0: reference("Range2"),
    p1: reference("Types"),
    p2: reference("AMark"),
    p3: reference("Range"),
  },
  Range: { kind: "string" },
  Range2: { from: reference("Line"), to: reference("Range") },
  Types: { all: { kind: "array", items: reference("Range2") } },
  AMark: { kind: "enum", open: false, values: [{ value: "a" }, { value: "b" }] },
  Line: { kind: "integer" },
};

test("files named by the user can refer to each other", () =>
  withFolder(async (folder) => {
    writeFiles(folder, files);
    const schema = ["main.json", "shared/types.json", "shared/a mark.schema.json"].map((name) =>
      join(folder, name),
    );
    assert.deepEqual(await typesOf(readProtocol(folder, { schema })), expected);
    const compared = openProtocolSource(schema.join(","), folder).then(({ protocol }) => protocol);
    assert.deepEqual(await typesOf(compared), expected);
    const versions = { "1.0.0": Object.keys(files).slice(1) };
    const listed = { ...description, schema: { ...description.schema, versions } };
    writeFiles(folder, { "protocol.json": JSON.stringify(listed) });
    assert.deepEqual(await typesOf(readProtocol(folder)), expected);
  }));

test('the option "files" reads the local files that a schema references', () =>
  withFolder(async (folder) => {
    writeFiles(folder, files);
    assert.deepEqual(await typesOf(readProtocol(folder, { files: true })), expected);
    await assert.rejects(readProtocol(folder), { code: "ERR_REF_OUTSIDE" });
  }));

test('"files" in a project file has the same effect, and errors are located in the file where they occur', () =>
  withFolder(async (folder) => {
    const packages = [{ protocol: ".", out: "out", files: true }];
    writeFiles(folder, { ...files, "wirewright.config.json": JSON.stringify({ packages }) });
    const done = runCommand(folder, ["generate"]);
    assert.equal(done.status, 0, done.stderr);
    writeFiles(folder, { "shared/a mark.schema.json": '{\n  "type": "strin"\n}' });
    const failed = runCommand(folder, ["generate"]);
    assert.match(
      failed.stderr,
      /^shared\/a mark\.schema\.json:2:11 \/type: Cannot read the type "strin"/,
    );
  }));

test("a file is found by its $id wherever the referencing schema is", () =>
  withFolder(async (folder) => {
    const $id = "https://example.com/schemas/main.json";
    writeFiles(folder, {
      "protocol.json": JSON.stringify(description),
      "main.json": JSON.stringify({
        $id,
        ...opening("https://example.com/schemas/stated.json", "types.json#/definitions/Line"),
      }),
      "stated.json": JSON.stringify({
        $id: "https://example.com/schemas/stated.json",
        type: "null",
      }),
      "types.json": JSON.stringify(types),
    });
    const schema = ["main.json", "stated.json", "types.json"].map((name) => join(folder, name));
    const { Open, ...others } = (await typesOf(
      readProtocol(folder, { schema: schema.slice(0, 3) }),
    )) as { readonly [name: string]: object };
    assert.deepEqual(Open, { p0: reference("Stated"), p1: reference("Line") });
    assert.deepEqual(others, {
      Range: { kind: "string" },
      Stated: { kind: "null" },
      Line: { kind: "integer" },
    });
  }));

test("a reference cannot leave the folder, fetch a URL or follow a link", () =>
  withFolder(async (folder) => {
    mkdirSync(join(folder, "inner"));
    writeFiles(folder, {
      "secret.json": '{"type":"string"}',
      "inner/protocol.json": files["protocol.json"],
    });
    symlinkSync(join(folder, "secret.json"), join(folder, "inner/link.json"));
    const fetchText = (): Promise<string> => assert.fail("fetched");
    for (const [reference, hint] of [
      ["../secret.json", "Only files in the schema's folder or below it are read"],
      ["x/../../secret.json", "Only files in the schema's folder or below it are read"],
      ["link.json", "Only files in the schema's folder or below it are read"],
      ["absent.json", "Only files in the schema's folder or below it are read"],
      ...[`${folder}/secret.json`, "file:///etc/passwd", "https://example.com/x.json"].map(
        (each) =>
          [
            each,
            'Copy the definition into this file and reference it as "#/definitions/NAME"',
          ] as const,
      ),
    ] as const) {
      writeFiles(folder, { "inner/main.json": JSON.stringify(opening(reference)) });
      await assert.rejects(
        readProtocol(join(folder, "inner"), { files: true, fetchText }),
        (error: InputError) => {
          assert.deepEqual(
            [error.code, error.message.includes("that file was not read"), error.hint],
            ["ERR_REF_OUTSIDE", true, hint],
          );
          assert.equal(error.place.pointer, "/definitions/Open/properties/p0/$ref");
          return true;
        },
      );
    }
    await assert.rejects(
      readProtocol(join(folder, "inner"), {
        schema: [join(folder, "inner/main.json"), join(folder, "secret.json")],
      }),
      { code: "ERR_ARGUMENT" },
    );
  }));
