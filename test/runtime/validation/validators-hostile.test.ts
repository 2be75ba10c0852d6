import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import * as dap from "@wirewright/dap/validators";
import { generate } from "../../../cli/index.js";
import { withFolder } from "../../support/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot } from "../../support/paths.js";
import { writeFileSync } from "node:fs";

const { isValid, validate, validateSource, isValidSource } = dap;

/** Returns the code and pointer of the only issue. */
function only(result: dap.Validation<unknown>): readonly [string, string] {
  assert.ok(!result.ok);
  assert.equal(result.issues.length, 1, JSON.stringify(result.issues.slice(0, 3)));
  return [result.issues[0]!.code, result.issues[0]!.pointer];
}

function nested(levels: number): object {
  let source: object = { name: "deepest" };
  for (let level = 0; level < levels; level++) source = { sources: [source] };
  return source;
}

test("recursive definitions are checked up to 512 levels deep", () => {
  assert.equal(isValidSource(nested(512)), true);
  assert.equal(validateSource(nested(512)).ok, true);
  for (const levels of [513, 100_000]) {
    const source = nested(levels);
    assert.equal(isValidSource(source), false);
    assert.deepEqual(only(validateSource(source)), ["too-deep", "/sources/0".repeat(513)]);
    assert.deepEqual(only(validateSource(source, { profile: "wire" })), [
      "too-deep",
      "/sources/0".repeat(513),
    ]);
  }
});

test("untyped values may nest to any depth", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const message = { seq: 1, type: "event", event: "mine", body: deep };
  assert.equal(isValid(message), true);
  assert.equal(validate(message, { profile: "wire" }).ok, true);
});

test("an object that contains itself is too deep", () => {
  const source: { sources?: object[] } = {};
  source.sources = [source, source];
  assert.equal(isValidSource(source), false);
  assert.equal(only(validateSource(source))[0], "too-deep");
  assert.equal(only(validateSource(source, { profile: "wire" }))[0], "too-deep");
});

test("a value that throws when it is read is unreadable", () => {
  const fail = (): never => {
    throw new Error("no");
  };
  const proxy = new Proxy({}, { get: fail, ownKeys: fail, getOwnPropertyDescriptor: fail });
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const stopped = { seq: 1, type: "event", event: "stopped" };
  const getter = {
    get reason(): string {
      return fail();
    },
  };
  for (const profile of ["strict", "wire"] as const) {
    assert.deepEqual(only(validate(proxy, { profile })), ["unreadable", ""]);
    assert.deepEqual(only(validate({ ...stopped, body: proxy }, { profile })), [
      "unreadable",
      "/body",
    ]);
    assert.deepEqual(only(validate({ ...stopped, body: getter }, { profile })), [
      "unreadable",
      "/body",
    ]);
    assert.equal(validate(revoked, { profile }).ok, false);
    assert.equal(dap.validateStoppedEvent(revoked, { profile }).ok, false);
  }
  for (const value of [proxy, revoked, { ...stopped, body: proxy }])
    assert.equal(isValid(value), false);
  assert.throws(() => dap.isValidStoppedEvent(proxy), { message: "no" });
  assert.throws(() => dap.isValidStoppedEvent(revoked), TypeError);
});

test("__proto__ is a key like any other", () => {
  const message = JSON.parse(
    '{"seq":1,"type":"request","command":"runInTerminal","arguments":{"cwd":"/","args":[],"env":{"__proto__":5}}}',
  ) as object;
  assert.equal(isValid(message), false);
  assert.deepEqual(only(validate(message)), ["wrong-type", "/arguments/env/__proto__"]);
  const known = JSON.parse('{"seq":1,"type":"event","event":"__proto__"}') as object;
  assert.equal(validate(known).ok, true);
  const constructed = { seq: 1, type: "event", event: "constructor" };
  assert.equal(validate(constructed).ok, true);
  const polluting = JSON.parse(
    '{"__proto__":{"seq":1,"type":"event","event":"initialized"}}',
  ) as object;
  assert.equal(isValid(polluting), false);
  assert.equal(({} as { seq?: unknown }).seq, undefined);
  const field = JSON.parse(
    '{"seq":1,"type":"event","event":"initialized","__proto__":1}',
  ) as object;
  const result = validate(field, { profile: "wire" });
  assert.deepEqual(result.ok && result.deviations.map(({ pointer }) => pointer), ["/__proto__"]);
});

const threads = (list: unknown): object => ({
  seq: 1,
  type: "response",
  request_seq: 1,
  success: true,
  command: "threads",
  body: { threads: list },
});

test("an array is checked by its items, even if its iterator returns other values", () => {
  const list = Object.assign([1], { [Symbol.iterator]: () => [].values() });
  assert.equal(isValid(threads(list)), false);
  assert.deepEqual(only(validate(threads(list))), ["wrong-type", "/body/threads/0"]);
});

test("sparse and huge arrays are checked", () => {
  const first = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
  for (const [list, faulty] of [
    [new Array(3), [0, 1, 2]],
    [new Array(50_000_000), first(100)],
    [
      [{ id: 1, name: "a" }, , 1],
      [1, 2],
    ],
  ] as const) {
    assert.equal(isValid(threads(list)), false);
    const result = validate(threads(list));
    assert.deepEqual(
      !result.ok && result.issues.map(({ code, pointer }) => `${code} ${pointer}`),
      faulty.map((at) => `wrong-type /body/threads/${at}`),
    );
  }
});

test("values that are not objects are never messages", () => {
  const values = [
    undefined,
    null,
    true,
    0,
    NaN,
    Infinity,
    1n,
    "",
    Symbol("x"),
    () => undefined,
    [],
    {},
    new Map(),
    new Date(0),
    Object.create(null),
  ];
  for (const value of values) {
    assert.equal(isValid(value), false);
    assert.equal(validate(value).ok, false);
    assert.equal(validate(value, { profile: "wire" }).ok, false);
  }
  for (const seq of [NaN, Infinity, -Infinity, "1", [1], { valueOf: () => 1 }, 1n, new Number(1)]) {
    const message = { seq, type: "event", event: "initialized" };
    assert.equal(isValid(message), false);
  }
});

test("a property with an inherited name counts only if the object owns it", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/odd.json`;
    const odd = {
      type: "object",
      properties: {
        constructor: { type: "string" },
        toString: { type: "integer" },
        __proto__x: { type: "boolean" },
      },
      required: ["toString"],
    };
    const schema = JSON.parse(
      JSON.stringify({
        definitions: {
          ProtocolMessage: {
            type: "object",
            properties: { seq: { type: "integer" }, type: { type: "string" } },
            required: ["seq", "type"],
          },
          ...Object.fromEntries(
            ["Request", "Event", "Response"].map((name) => [
              name,
              {
                allOf: [
                  { $ref: "#/definitions/ProtocolMessage" },
                  {
                    type: "object",
                    properties: {
                      type: { enum: [name.toLowerCase()] },
                      ...(name === "Event"
                        ? { event: { type: "string" } }
                        : { command: { type: "string" } }),
                      ...(name === "Response"
                        ? { request_seq: { type: "integer" }, success: { type: "boolean" } }
                        : {}),
                    },
                    required:
                      name === "Response"
                        ? ["type", "request_seq", "success", "command"]
                        : ["type", name === "Event" ? "event" : "command"],
                  },
                ],
              },
            ]),
          ),
          ErrorResponse: {
            allOf: [
              { $ref: "#/definitions/Response" },
              { type: "object", properties: { body: { type: "object" } } },
            ],
          },
          OddEvent: {
            allOf: [
              { $ref: "#/definitions/Event" },
              {
                type: "object",
                properties: { event: { enum: ["odd"] }, body: { $ref: "#/definitions/Odd" } },
                required: ["event", "body"],
              },
            ],
          },
          Odd: odd,
        },
      }),
    ) as object;
    writeFileSync(path, JSON.stringify(schema));
    const exported = await loadPackage(await generate("dap", { schema: path }));
    const check = exported["isValidOdd"] as (value: unknown) => boolean;
    const explain = exported["validateOdd"] as dap.Validator<unknown>;
    for (const [value, valid] of [
      [{}, false],
      [{ toString: 1 }, true],
      [{ toString: "1" }, false],
      [{ toString: 1, constructor: "a" }, true],
      [{ toString: 1, constructor: 1 }, false],
    ] as const) {
      assert.equal(check(value), valid, JSON.stringify(value));
      assert.equal(explain(value).ok, valid, JSON.stringify(value));
    }
  });
});

test("validators work where eval is forbidden", () => {
  const program = `
    import { isValid, validate } from ${JSON.stringify(`file://${fromRoot("build/generated/dap/validators.js")}`)};
    const message = { seq: 1, type: "event", event: "stopped", body: {} };
    console.log(isValid(message), validate(message).issues.length);
  `;
  const printed = execFileSync(
    process.execPath,
    ["--disallow-code-generation-from-strings", "--input-type=module", "-e", program],
    { encoding: "utf8" },
  );
  assert.equal(printed, "false 1\n");
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
