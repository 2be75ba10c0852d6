import assert from "node:assert/strict";
import { test } from "node:test";
import { InputError, openProtocolSource, readProtocol } from "../../../cli/index.js";
import { readDeclarations } from "../../../generator/read/source/declarations.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { schemaWith } from "../../support/elementary-changes.js";
import { notes } from "../../support/notes-protocol.js";
import { fromRoot } from "../../support/paths.js";

/**
 * Returns the code, message and location of the error with which an input is refused, or
 * `accepted`.
 */
async function refusal(read: () => Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await read();
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    const { file, pointer, line, column } = error.place;
    return [error.code, error.message, file, pointer ?? `${line}:${column}`];
  }
  return ["accepted"];
}

const elementary = fromRoot("test/fixtures/elementary/protocol.json");
const readSchema = (schema: unknown): Promise<unknown> =>
  openProtocolSource("-", elementary, { readStdin: () => Promise.resolve(JSON.stringify(schema)) });

test("a type named like a method of Object is an unknown type", async () => {
  for (const type of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
    assert.deepEqual(await refusal(() => readSchema({ definitions: { a: { type } } })), [
      "ERR_SCHEMA",
      `Cannot read the type "${type}"`,
      "<stdin>",
      "/definitions/a/type",
    ]);
  }
});

test("a message base that is not an object is refused", async () => {
  const schema = schemaWith({ schema: { type: "object" } }, "adapter");
  const definitions = { ...(schema["definitions"] as object), ErrorResponse: { type: "string" } };
  assert.deepEqual(await refusal(() => readSchema({ ...schema, definitions })), [
    "ERR_SCHEMA",
    'Cannot use "ErrorResponse" as a base of messages: it is not an object',
    "<stdin>",
    "/definitions/ErrorResponse",
  ]);
});

test("declarations that cannot be parsed are refused with the location", async () => {
  const refused = (text: string): Promise<readonly unknown[]> =>
    refusal(() => readDeclarations(text, "a.d.ts"));
  assert.deepEqual(await refused("interface A {\n  a: {[a:"), [
    "ERR_DECLARATION",
    "Cannot parse the declarations: Type expected.",
    "a.d.ts",
    "2:10",
  ]);
  assert.deepEqual((await refused('interface A { "'))[0], "ERR_DECLARATION");
  assert.deepEqual((await refused("interface A { a: `b${c}` }"))[0], "ERR_DECLARATION");
  for (const levels of [300, 100_000]) {
    const nested = `interface A { a: ${"(".repeat(levels)}string${")".repeat(levels)} }`;
    assert.equal((await refused(nested))[0], "ERR_TOO_DEEP");
    assert.equal(
      (await refused(`interface A { a: string${"[]".repeat(levels)} }`))[0],
      "ERR_TOO_DEEP",
    );
  }
});

test("names and strings in declarations keep their values", async () => {
  const { value } = await readDeclarations(
    `interface __proto__ { "a\\x41": 'b\\u{42}\\'"'; constructor: -1; c: \`d\`; [key: string]: any }
     type constructor = { [name: string] };`,
    "a.d.ts",
  );
  const any = { type: ["array", "boolean", "integer", "null", "number", "object", "string"] };
  assert.deepEqual(
    value,
    JSON.parse(
      JSON.stringify({
        definitions: {
          ["__proto__"]: {
            type: "object",
            properties: {
              aA: { type: "string", enum: ["bB'\""] },
              constructor: { type: "number", enum: [-1] },
              c: { type: "string", enum: ["d"] },
            },
            required: ["aA", "constructor", "c"],
            additionalProperties: true,
          },
          constructor: { type: "object", additionalProperties: any },
        },
      }),
    ),
  );
});

test("methods and definitions can have names such as constructor", async () => {
  await withFolder(async (folder) => {
    const definition = (method: string, side: unknown): object => ({
      type: "object",
      properties: {},
      "x-method": method,
      "x-side": side,
    });
    const description = {
      ...notes,
      roles: ["client", "agent"],
      schema: { ...notes.schema, annotations: ["x-method", "x-side"] },
      messages: {
        by: "method",
        method: "x-method",
        side: "x-side",
        senders: { agent: "client", client: "agent" },
        rename: {
          request: { from: "*Request", to: "*Params" },
          response: { from: "*Response", to: "*Result" },
          event: { from: "*Notification", to: "*Event" },
        },
        docs: {},
      },
      directions: { requests: "client", events: "agent" },
      framing: { client: "lines", agent: "lines" },
    };
    writeFiles(folder, {
      "protocol.json": JSON.stringify(description),
      "types.json": JSON.stringify({
        definitions: {
          ARequest: definition("constructor", "agent"),
          AResponse: definition("constructor", "agent"),
          BNotification: definition("toString", "client"),
        },
      }),
    });
    const { messages } = await readProtocol(`${folder}/protocol.json`);
    assert.deepEqual(
      messages.map(({ kind, name, docs }) => [kind, name, docs]),
      [
        ["request", "constructor", "The method `constructor`."],
        ["event", "toString", "The method `toString`."],
      ],
    );
    for (const side of [{ toString: {} }, null, ["client"]]) {
      writeFiles(folder, {
        "types.json": JSON.stringify({ definitions: { ARequest: definition("a", side) } }),
      });
      await assert.rejects(readProtocol(`${folder}/protocol.json`), {
        code: "ERR_MESSAGE",
        message: `Cannot determine the sender of "a": the description has no role ${JSON.stringify(side)}`,
      });
    }
  });
});
