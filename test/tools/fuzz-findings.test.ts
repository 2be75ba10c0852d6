import assert from "node:assert/strict";
import { test } from "node:test";
import * as dap from "@wirewright/dap/validators";
import { notations } from "@wirewright/ruby-debug-ide";
import { InputError, openProtocolSource, readProtocol } from "../../cli/index.js";
import { readDeclarations } from "../../generator/read/source/declarations.js";
import { EncodeError, FrameEncoder } from "../../runtime/index.js";
import { checkInput } from "../../tools/fuzz/check-input.js";
import { updateInstrumentedCopy } from "../../tools/fuzz/instrumented-copy.js";
import { bytesOf } from "../../tools/fuzz/literal.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { schemaWith } from "../support/elementary-changes.js";
import { logOf } from "../support/frame-cases.js";
import { fromRoot } from "../support/paths.js";

/** Inputs that once failed, as printed by `npm run fuzz`. */
const found: readonly (readonly [target: string, bytes: string])[] = [
  ["schema", '{"definitions":{"a":{"allOf":[{"type":"toString","required":[]}]}}}'],
  ["schema", '{"definitions":{"a":{"allOf":[{"properties":{"":{"type":[{"toString":{}}]}}}]}}}'],
  ["xml-concat", `<eval a="" value="<suspended file='' line='' threadId='' frames='" />'/>`],
  [
    "content-length",
    "Content-Length:7\r\na:\r\nContent-Type:Content-Length:7\r\nContent-Type:\r\n\r\n{0a0}C}",
  ],
  [
    "schema",
    '{"definitions":{"ProtocolMessage":{"properties":{"seq":{"type":"integer"},"type":{"allOf":[{"$ref":"#/definitions/ProtocolMessage"},{"properties":{},"required":["type","event"]}]}}},"PutResponse":{}}}',
  ],
  ["encoder", '{"":{"$":"sparse"},"a":{"$":"parent"}}'],
  ["content-length", "Content-Type:; charset=a\n\na"],
  ["content-length", "a:\na\n"],
  ["content-length", "a\n\n0"],
  ["content-length", "a:\r\n\n"],
  ["content-length", "Content-Length:30\n\naContent-Length:0\n"],
  [
    "content-length",
    'a:\r\nContent-Length:7\r\n\r\n{"a":0}Content-Length:11\r\n\r\n{"a :aaa0]}Content-Length:7\r\nC:Content-Length:7\r\np:ca\r\n\r\n{ a :a}',
  ],
  ["content-length", "Content-Length:0\n\naaaaa\n\r\n0"],
  ["content-length", "\rContent-Length:7 \n\r\n{aaa1 \r\na}"],
  ["content-length", "a:" + " ".repeat(1000) + "\rx\r\n"],
  ["lines", "a\na"],
  ["lines", 'aaaa000aaa 0 a aaaab":aaaaa  :2aa02aaaa 0  00:2a" a 0a0aaa aaaaa}'],
  ["xml-concat", "<breakpoint "],
  ["xml-concat", '<variables><variable e="" a="" d=""><s</variable></variables>'],
  ["xml-concat", "<a><![CDATA[\n".repeat(40) + "]]></b>"],
  ["command-lines", `${"a".repeat(66)}\naa`],
  ["command-lines", ";"],
  ["command-lines", "break :" + " ".repeat(150) + ":x"],
  ["encoder", '{"$":"symbol"}'],
  ["validators-dap", '{"$":"revoked"}'],
  ["validators-dap", '{"$":"throwing","of":{"":"0"}}'],
  ["validators-dap", '{"$":"throwing-proxy"}'],
  ["validators-sqltools", '{"$":"throwing-proxy","a":{"b":"c"}}'],
  [
    "connection",
    '[{"do":"say","with":{"seq":1,"type":"request","command":"launch","arguments":{"behaviour":"reject-null-prototype"}}}]',
  ],
  [
    "connection",
    '[{"do":"say","with":{"seq":0,"type":"request","command":"launch","arguments":{"behaviour":"null-prototype"}}}]',
  ],
  ["diff", '{"before":{"definitions":{"a":{"type":"constructor"}}}}'],
  ["declarations", "interface a{a:{[a:"],
  ["declarations", 'interface a{"'],
];

updateInstrumentedCopy();
for (const [target, bytes] of found) {
  test(`holds: ${target} ${JSON.stringify(bytes).slice(0, 60)}`, async () => {
    const findings = await checkInput(target, bytesOf(bytes));
    assert.deepEqual(
      findings.map(({ oracle, detail }) => `${oracle}: ${detail}`),
      [],
    );
  });
}

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
      name: "m",
      title: "M",
      package: "m",
      roles: ["client", "agent"],
      schema: {
        format: "json-schema",
        current: "1.0.0",
        versions: { "1.0.0": "types.json" },
        annotations: ["x-method", "x-side"],
      },
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
      envelope: {
        constants: { jsonrpc: "2.0" },
        id: "id",
        replyTo: "id",
        request: { when: { method: true, id: true }, name: "method", payload: "params" },
        event: { when: { method: true, id: false }, name: "method", payload: "params" },
        response: { when: { method: false, id: true }, result: "result", error: "error" },
      },
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

test("values without a rule need not be readable, and issues with unreadable values can be described", () => {
  const fail = (): never => {
    throw new Error("no");
  };
  const unread = Object.defineProperty({ seq: 1, type: "event", event: "initialized" }, "more", {
    get: fail,
    enumerable: true,
  });
  assert.equal(dap.isValid(unread), true);
  assert.deepEqual(dap.validate(unread, { profile: "wire" }), {
    ok: true,
    value: unread,
    deviations: [
      {
        pointer: "/more",
        code: "unknown-field",
        expected: "no such field",
        received: undefined,
        rule: "unknown-field",
      },
    ],
  });
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const result = dap.validateInitializedEvent({
    seq: proxy,
    type: "event",
    event: "initialized",
  });
  assert.ok(!result.ok);
  assert.equal(
    dap.describeIssue(result.issues[0]!),
    "`/seq`: expected an integer from 1 to 2^31-1, received an object that cannot be read",
  );
});

test("an encoder refuses values that are not objects", () => {
  const encoder = new FrameEncoder();
  for (const value of [Symbol("a"), 1n, 1, "a", true, null, undefined, () => 1, [1]])
    assert.throws(() => encoder.encode(value as unknown as object), EncodeError);
});

test("noise ends where a command begins", () => {
  const long = "a".repeat(30);
  assert.deepEqual(
    logOf(bytesOf(`${long}\nnext\n`), [], {
      framing: notations.frontend,
      limits: { maxBodyBytes: 20 },
    }),
    [
      "error ERR_BODY_TOO_LONG 0+20",
      'noise 20 "aaaaaaaaaa"',
      "error ERR_NOISE 20+10",
      'message 31+0+4 {"command":"next"}',
    ],
  );
});
