/** Every message of a table and every file ends in the package or in an error. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { InputError, readProtocol, type ReadOptions } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { notes } from "../../support/notes-protocol.js";
import { property } from "../../support/property.js";
import { runCommand } from "../../support/run-command.js";

const object = (properties: object = {}): object => ({ type: "object", properties });

const first = {
  definitions: { OpenParams: object(), OpenResult: object(), Failure: object(), Batch: object() },
};
const second = { definitions: { ReadParams: object(), Changed: object() } };
const overlay = { definitions: { Added: { type: "string" } } };

const requests = {
  "note/open": {
    docs: "Opens.",
    params: "OpenParams",
    result: "OpenResult",
    partialResult: "Batch",
    errorData: "Failure",
  },
  "note/read": { docs: "Reads.", params: "ReadParams?", result: "OpenResult?" },
};
const events = {
  "note/changed": { docs: "Changed.", params: "Changed" },
  "note/closed": { docs: "Closed." },
};

const description = {
  ...notes,
  schema: {
    ...notes.schema,
    versions: { "0.9.0": ["first.json", "second.json"], "1.0.0": ["first.json", "second.json"] },
  },
  messages: { by: "table", error: "Failure", requests, events },
};

const names = [...Object.keys(requests), ...Object.keys(events)];
const options = fc.record({
  overlay: fc.boolean(),
  schema: fc.constantFrom(undefined, ["first.json"], ["first.json", "second.json"]),
  version: fc.constantFrom(undefined, "0.9.0", "1.0.0"),
  omit: fc.constantFrom(undefined, "OpenResult", "Changed", "Batch"),
  extended: fc.boolean(),
  strictSchema: fc.boolean(),
});

/** The parts of a table that name a definition. */
const named = [
  ["requests", "note/open", "params"],
  ["requests", "note/open", "result"],
  ["requests", "note/open", "partialResult"],
  ["requests", "note/open", "errorData"],
  ["requests", "note/read", "params"],
  ["requests", "note/read", "result"],
  ["events", "note/changed", "params"],
] as const;

property(
  "a message with a wrong name is refused, left out with a warning, or read",
  fc.record({ broken: fc.constantFrom(undefined, ...named), options }),
  ({ broken, options: { overlay: overlaid, schema, version, omit, extended, strictSchema } }) =>
    withFolder(async (folder) => {
      const table = structuredClone({ requests, events }) as Record<
        string,
        Record<string, Record<string, string>>
      >;
      if (broken !== undefined) table[broken[0]]![broken[1]]![broken[2]] += "x";
      writeFiles(folder, {
        "protocol.json": JSON.stringify({
          ...description,
          messages: { ...description.messages, ...table },
          schema: { ...description.schema, ...(omit === undefined ? {} : { omit: [omit] }) },
        }),
        "extension.json": JSON.stringify({
          extends: "protocol.json",
          name: "more",
          title: "More",
          package: "more",
          packageVersion: "1.0.0",
          overlays: [],
        }),
        "first.json": JSON.stringify(first),
        "second.json": JSON.stringify(second),
        "overlay.json": JSON.stringify(overlay),
      });
      const warnings: string[] = [];
      const reading: ReadOptions = {
        strictSchema,
        onWarning: ({ message }) => warnings.push(message),
        ...(overlaid ? { overlays: [join(folder, "overlay.json")] } : {}),
        ...(schema === undefined ? {} : { schema: schema.map((name) => join(folder, name)) }),
        ...(version === undefined ? {} : { version }),
      };
      const path = join(folder, extended ? "extension.json" : "protocol.json");
      try {
        const { messages, definitions } = await readProtocol(path, reading);
        const present = new Set(messages.map(({ name }) => name));
        for (const name of names)
          assert.ok(
            present.has(name) || warnings.some((warning) => warning.includes(name)),
            `${name} is lost`,
          );
        assert.equal(
          definitions.some(({ name }) => name === "Added"),
          overlaid,
        );
        assert.ok(version === "0.9.0" || (broken === undefined && present.size === names.length));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        assert.ok(
          broken !== undefined || omit !== undefined || schema?.length === 1,
          error.message,
        );
      }
    }),
);

/** Returns the messages that the protocol in a folder gets from its files, or why it is refused. */
const messagesOf = (files: Readonly<Record<string, object>>, options: ReadOptions = {}) =>
  withFolder(async (folder) => {
    writeFiles(
      folder,
      Object.fromEntries(Object.entries(files).map(([name, file]) => [name, JSON.stringify(file)])),
    );
    const inside = (paths: string | readonly string[] = []): string[] =>
      [paths].flat().map((path) => join(folder, path));
    try {
      const { messages } = await readProtocol(folder, {
        ...options,
        ...(options.schema === undefined ? {} : { schema: inside(options.schema) }),
        overlays: inside(options.overlays),
      });
      return messages.map(({ name }) => name);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return `${error.code} ${error.message}`;
    }
  });

const base = { "protocol.json": description, "first.json": first, "second.json": second };

test("payloads are found in any of a version's files", async () => {
  assert.deepEqual(await messagesOf(base), names);
  const twice = { ...base, "second.json": { definitions: { ...second.definitions } } };
  assert.equal(
    await messagesOf(
      { ...twice, "third.json": second },
      { schema: ["first.json", "second.json", "third.json"] },
    ),
    'ERR_NAME_COLLISION Cannot decide which "ReadParams" the messages use: several files define it',
  );
});

test("a file from which nothing is used is refused", async () => {
  assert.equal(
    await messagesOf(
      { ...base, "third.json": { definitions: { Unused: {} } } },
      { schema: ["first.json", "second.json", "third.json"] },
    ),
    "ERR_SCHEMA Cannot use this file: no message and no definition refers to anything in it",
  );
});

test("an overlay's names must exist", async () => {
  const gates = { gates: { messages: { "note/oepn": "keeper.fast" } } };
  assert.equal(
    await messagesOf({ ...base, "overlay.json": gates }, { overlays: ["overlay.json"] }),
    'ERR_DESCRIPTION Cannot find the message "note/oepn" in version 1.0.0',
  );
});

const metaModel = {
  metaData: { version: "1.0.0" },
  requests: [
    {
      method: "open",
      messageDirection: "clientToServer",
      params: { kind: "reference", name: "Place" },
      result: { kind: "base", name: "null" },
    },
  ],
  notifications: [],
  structures: [{ name: "Place", properties: [] }],
  enumerations: [],
  typeAliases: [],
};
const extension = {
  notifications: [
    {
      method: "mine/changed",
      messageDirection: "serverToClient",
      params: { kind: "reference", name: "Mine" },
    },
  ],
  structures: [
    {
      name: "Mine",
      properties: [{ name: "place", type: { kind: "reference", name: "Place" } }],
    },
  ],
};
const modelled = {
  "protocol.json": {
    ...description,
    roles: ["client", "server"],
    schema: {
      format: "lsp-metamodel",
      current: "1.0.0",
      versions: { "1.0.0": "model.json" },
    },
    messages: { by: "format" },
    directions: { requests: "client", events: "server" },
    framing: { client: "lines", server: "lines" },
  },
  "model.json": metaModel,
  "extension.json": extension,
  "other.json": { hello: 1 },
};

test("a meta model's further files and overlays add to it or are refused", async () => {
  const both = ["open", "mine/changed"];
  const schema = ["model.json", "extension.json"];
  assert.deepEqual(await messagesOf(modelled, { schema }), both);
  assert.deepEqual(await messagesOf(modelled, { overlays: ["extension.json"] }), both);
  const other =
    "ERR_SCHEMA Cannot find any of requests, notifications, structures, enumerations, typeAliases: this file adds nothing to a meta model";
  assert.equal(await messagesOf(modelled, { schema: ["model.json", "other.json"] }), other);
  assert.equal(await messagesOf(modelled, { overlays: ["other.json"] }), other);
});

test("a fault in a meta model's second file is located there", () =>
  withFolder(async (folder) => {
    const twice = { structures: [{ name: "Place", properties: [] }] };
    writeFiles(
      folder,
      Object.fromEntries(
        Object.entries({ ...modelled, "extension.json": twice }).map(([name, file]) => [
          name,
          JSON.stringify(file, null, 2),
        ]),
      ),
    );
    await assert.rejects(
      readProtocol(folder, { overlays: [join(folder, "extension.json")] }),
      (error: InputError) => {
        assert.equal(error.message, 'Cannot define "Place" twice');
        assert.deepEqual(error.place, {
          file: join(folder, "extension.json"),
          pointer: "/structures/0/name",
          line: 4,
          column: 15,
        });
        return true;
      },
    );
  }));

test("diff names the messages that a version leaves out", () =>
  withFolder((folder) => {
    const { Changed: _, ...others } = second.definitions;
    const whole = { definitions: { ...first.definitions, ...second.definitions } };
    writeFiles(folder, {
      "protocol.json": JSON.stringify(description),
      "old.json": JSON.stringify(whole),
      "new.json": JSON.stringify({ definitions: { ...first.definitions, ...others } }),
    });
    const { stderr } = runCommand(folder, ["diff", "old.json", "new.json", "--protocol", "."]);
    assert.equal(
      stderr,
      "warning: new.json:1:16 /definitions: Left out note/changed: this version does not define the parameters or the result [ERR_REF]\n",
    );
  }));
