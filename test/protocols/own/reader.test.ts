/** Tests user-defined readers: the guide's reader, and faulty readers. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { withFolder, withProject, writeFiles } from "../../support/compile.js";
import { shownFiles } from "../../support/guide-programs.js";
import { runCommand, cli } from "../../support/run-command.js";
import { reference } from "../../support/meta-model.js";

const files = shownFiles("docs/guides/own-reader.md");
const reader = "petstore/openrpc-reader.mjs";

test("the guide's reader has about 40 lines, and reads its document", async () => {
  assert.deepEqual(Object.keys(files), [reader, "petstore/protocol.json", "petstore/openrpc.json"]);
  assert.ok(files[reader]!.trimEnd().split("\n").length <= 60);
  await withProject((folder) => {
    writeFiles(folder, files);
    const printed = runCommand(folder, ["model", "petstore"]);
    assert.deepEqual([printed.status, printed.stderr], [0, ""]);
    const { protocol } = JSON.parse(printed.stdout) as {
      protocol: { version: string; messages: object[]; definitions: { name: string }[] };
    };
    assert.equal(protocol.version, "1.0.0");
    assert.deepEqual(protocol.messages, [
      {
        kind: "request",
        name: "list_pets",
        sender: "client",
        definition: "List_petsRequest",
        responseDefinition: "List_petsResponse",
        payload: { type: reference("List_petsParams"), required: true },
        result: { type: reference("List_petsResult"), required: true },
        docs: "Lists pets.",
        pointer: "/requests/list_pets",
      },
      {
        kind: "request",
        name: "get_pet",
        sender: "client",
        definition: "Get_petRequest",
        responseDefinition: "Get_petResponse",
        payload: { type: reference("Get_petParams"), required: true },
        result: { type: reference("Pet"), required: true },
        docs: "The message `get_pet`.",
        pointer: "/requests/get_pet",
      },
      {
        kind: "event",
        name: "goodbye",
        sender: "client",
        definition: "GoodbyeEvent",
        docs: "The message `goodbye`.",
        pointer: "/events/goodbye",
      },
    ]);
    const made = runCommand(folder, ["generate", "petstore", "--out", "petstore/generated"]);
    assert.deepEqual([made.status, made.stderr], [0, ""]);
  });
});

test("an error in a document is reported with its location", () =>
  withFolder((folder) => {
    const document = files["petstore/openrpc.json"]!;
    const wrong = document.replace('"type": "integer", "minimum"', '"type": "number?", "minimum"');
    assert.notEqual(wrong, document);
    writeFiles(folder, { ...files, "petstore/openrpc.json": wrong });
    const { status, stderr } = runCommand(folder, ["generate", "petstore"]);
    assert.equal(status, 2);
    assert.match(stderr, /^petstore\/openrpc\.json:\d+:\d+ .*Cannot read the type "number\?"/);

    const dangling = document.replace(
      '"params": []',
      '"params": [{ "$ref": "#/components/none" }]',
    );
    assert.notEqual(dangling, document);
    writeFiles(folder, { "petstore/openrpc.json": dangling });
    assert.deepEqual(runCommand(folder, ["generate", "petstore"]), {
      status: 2,
      stdout: "",
      stderr:
        'petstore/openrpc.json:19:5 /methods/2: Cannot find "#/components/none" in this document [ERR_SCHEMA]\n',
    });
  }));

test("faults in payloads are located in their messages", () =>
  withFolder((folder) => {
    const refused = (shown: Readonly<Record<string, string>>, ...args: string[]): string => {
      writeFiles(folder, { ...files, ...shown });
      return runCommand(folder, ["generate", "petstore", ...args]).stderr;
    };
    const document = files["petstore/openrpc.json"]!.replace(
      '"petId", "required": true, "schema": { "type": "integer" }',
      '"petId", "required": true, "schema": { "$ref": "#/components/schemas/Id" }',
    );
    assert.equal(
      refused({ "petstore/openrpc.json": document }),
      'petstore/openrpc.json:14:5 /requests/get_pet/arguments/properties/petId/$ref: Cannot find the definition of "#/definitions/Id" [ERR_REF]\n',
    );
    const both = ["--schema", "petstore/openrpc.json", "--schema", "petstore/other.json"];
    assert.equal(
      refused({ "petstore/other.json": "{}" }, ...both),
      "petstore/other.json:1:1: Cannot read a second document [ERR_SCHEMA]\n",
    );
  }));

test("a reader may refuse several parts at once", () =>
  withFolder((folder) => {
    const module = `export const readSchema = (documents, refuse) =>
  refuse({ message: "One", place: "/info" }, { message: "Two", place: "/methods/0" });
`;
    writeFiles(folder, { ...files, [reader]: module });
    assert.equal(
      runCommand(folder, ["generate", "petstore"]).stderr,
      `Found 2 faults:
petstore/openrpc.json:3:11 /info: One [ERR_SCHEMA]
petstore/openrpc.json:5:5 /methods/0: Two [ERR_SCHEMA]
`,
    );
  }));

test("the guide's reader follows references to parts of messages, and reads positional parameters", () =>
  withFolder(async (folder) => {
    const named = { name: "id", required: true, schema: { $ref: "#/components/schemas/Id" } };
    const document = {
      openrpc: "1.3.2",
      info: { title: "Pets", version: "1.0.0" },
      methods: [
        { $ref: "#/components/methods/get" },
        { name: "put", paramStructure: "by-position", params: [named], result: named },
      ],
      components: {
        methods: {
          get: {
            name: "get",
            params: [{ $ref: "#/components/contentDescriptors/id" }],
            result: named,
          },
        },
        contentDescriptors: { id: named },
        schemas: { Id: { type: "integer" } },
      },
    };
    writeFiles(folder, { ...files, "petstore/openrpc.json": JSON.stringify(document) });
    const { messages, definitions } = await readProtocol(`${folder}/petstore`);
    const typeOf = (wanted: string): unknown =>
      definitions.find(({ name }) => name === wanted)?.type;
    const id = { kind: "reference", name: "Id" };
    assert.deepEqual(
      messages.map(({ name }) => name),
      ["get", "put"],
    );
    assert.deepEqual(typeOf("GetParams"), {
      kind: "object",
      bases: [],
      extras: "open",
      properties: [
        { name: "id", type: id, required: true, pointer: "/definitions/GetParams/properties/id" },
      ],
    });
    assert.deepEqual(typeOf("PutParams"), {
      kind: "array",
      first: [id],
      items: { kind: "union", members: [] },
      minItems: 1,
    });
  }));

test("the error for a reader that throws contains the function and line", () =>
  withFolder((folder) => {
    const module = `export function readSchema([document]) {
  return { definitions: named(document.value.components.missing) };
}
function named(part) {
  return part.name;
}
`;
    writeFiles(folder, { ...files, [reader]: module });
    assert.equal(
      runCommand(folder, ["generate", "petstore"]).stderr,
      `${reader}:5:15: The reader threw in named: Cannot read properties of undefined (reading 'name') [ERR_READER]\n` +
        "  To report an error in a document, a reader must call its second argument\n",
    );
  }));

testCases("test/cases/refused-readers.md", "readers are judged", (input) =>
  withFolder((folder) => {
    const [module] = readInput(input) as readonly [string | undefined];
    const { [reader]: _, ...others } = files;
    writeFiles(folder, others);
    if (module !== undefined) writeFiles(folder, { [reader]: module });
    const { status, stdout, stderr } = runCommand(folder, ["generate", "petstore"]);
    assert.deepEqual([status, stdout], [2, ""], input);
    return [stderr.trimEnd()];
  }),
);

test("a reader whose promise never settles makes the command fail", () =>
  withFolder((folder) => {
    const module = "export const readSchema = () => new Promise(() => undefined);";
    writeFiles(folder, { ...files, [reader]: module });
    const args = [cli, "generate", "petstore"];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    assert.deepEqual(
      [status, stderr],
      [2, `${reader}: The reader does not complete: its promise never settles [ERR_READER]\n`],
    );
  }));

test("the error names a reader that refuses a document without a message", () =>
  withFolder((folder) => {
    const module = "export function readSchema(documents, refuse) {\n  refuse(5);\n}\n";
    writeFiles(folder, { ...files, [reader]: module });
    assert.match(
      runCommand(folder, ["generate", "petstore"]).stderr,
      /^petstore\/openrpc-reader\.mjs:2:3: The reader threw in readSchema: refuse was called without a message: its argument must be \{ message, place\?, hint\? \} \[ERR_READER\]\n/,
    );
  }));

test('"by": "format" requires a format that lists messages, and such a format requires it', () =>
  withFolder((folder) => {
    const description = files["petstore/protocol.json"]!;
    const say = (text: string): string => {
      writeFiles(folder, { ...files, "petstore/protocol.json": text });
      return runCommand(folder, ["generate", "petstore"]).stderr;
    };
    assert.match(
      say(description.replace("./openrpc-reader.mjs", "json-schema")),
      /\/messages\/by: Cannot find messages by format: a JSON Schema does not list messages \[ERR_DESCRIPTION\]\n {2}List them: "by": "table"\n$/,
    );
    assert.match(
      say(description.replace('"by": "format"', '"by": "table", "requests": {}, "events": {}')),
      /\/messages\/by: Cannot find messages by table: a schema in the format "\.\/openrpc-reader\.mjs" lists its messages itself \[ERR_DESCRIPTION\]\n {2}Use "by": "format"\n$/,
    );
    assert.match(
      say(description.replace("./openrpc-reader.mjs", "https://example.com/reader.mjs")),
      /\/schema\/format: .*\[ERR_DESCRIPTION\]/,
    );
  }));

test("omit removes definitions, no matter how messages are found", () =>
  withProject((folder) => {
    const description = files["petstore/protocol.json"]!.replace(
      '"format": "./openrpc-reader.mjs",',
      '"format": "./openrpc-reader.mjs", "omit": ["Request"],',
    );
    const document = files["petstore/openrpc.json"]!.replace(
      '"schemas": {',
      '"schemas": { "Request": { "type": "object" },',
    );
    const requestOf = (described: string): string | undefined => {
      writeFiles(folder, {
        ...files,
        "petstore/openrpc.json": document,
        "petstore/protocol.json": described,
      });
      const { status, stderr } = runCommand(folder, ["generate", "petstore", "--out", "out"]);
      assert.deepEqual([status, stderr], [0, ""]);
      const types = readFileSync(join(folder, "out/types.ts"), "utf8");
      return /^export (?:interface|type) Request\b.*$/m.exec(types)?.[0];
    };
    // A definition has its name, and the wire type gives way.
    const defined = requestOf(files["petstore/protocol.json"]!);
    assert.notEqual(defined, requestOf(description));
    assert.equal(defined, "export interface Request extends NoProperties {}");
  }));
