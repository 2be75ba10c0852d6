import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "@wirewright/dap/connection";
import {
  event,
  request,
  response,
  scripted,
  turn,
  type Fields,
} from "../../support/scripted-connection.js";

/** A value that throws on every access. */
function untouchable(): object {
  const refuse = (): never => {
    throw new Error("touched");
  };
  const traps = Object.fromEntries(
    Object.getOwnPropertyNames(Reflect).map((trap) => [trap, refuse]),
  );
  return new Proxy({}, traps as ProxyHandler<object>);
}

const cycle: Fields = {};
cycle["self"] = cycle;

function rejected(cause: unknown): Promise<never> {
  return Promise.reject(cause) as Promise<never>;
}

/** Values that a handler may throw, each with the text of the failure it causes. */
const thrown: readonly (readonly [name: string, value: () => unknown, text: string])[] = [
  ["an Error", () => new Error("no"), "no"],
  ["a string", () => "no", "no"],
  ["undefined", () => undefined, "undefined"],
  ["a symbol", () => Symbol("no"), "Symbol(no)"],
  [
    "an object without a prototype",
    () => Object.create(null) as unknown,
    "A value without a message was thrown",
  ],
  ["a proxy that throws", untouchable, "A value without a message was thrown"],
  [
    "an Error whose message throws",
    () => Object.defineProperty(new Error(), "message", { get: () => assert.fail() }),
    "A value without a message was thrown",
  ],
  ["a Refusal", () => new Refusal("no"), "no"],
  [
    "a Refusal with a BigInt",
    () => new Refusal("no", { fields: { body: { error: { id: 1n, format: "x" } } } }),
    "no",
  ],
  ["a Refusal with a cycle", () => new Refusal("no", { fields: { body: cycle } }), "no"],
  [
    "a Refusal whose fields throw",
    () => new Refusal("no", { fields: untouchable() as never }),
    "no",
  ],
  ["a Refusal without fields", () => Object.assign(new Refusal("no"), { fields: null }), "no"],
  [
    "a Refusal that answers another request",
    () =>
      new Refusal("no", {
        fields: { request_seq: 99, type: "event", success: true, command: "other" },
      }),
    "no",
  ],
];

for (const isAsync of [false, true])
  for (const [name, value, text] of thrown)
    test(`a handler that ${isAsync ? "rejects with" : "throws"} ${name}`, async () => {
      const { transport, connection } = scripted("adapter", {
        handlers: {
          threads: () => {
            if (isAsync) return rejected(value());
            throw value();
          },
          next: () => undefined,
        },
      });
      await transport.say(request(7, "threads"), request(8, "next", { threadId: 1 }));
      await turn();
      const [answer, ...more] = transport.responsesTo(7);
      assert.deepEqual(more, []);
      assert.deepEqual(
        [answer!["type"], answer!["success"], answer!["command"], answer!["message"]],
        ["response", false, "threads", text],
      );
      assert.equal(transport.responsesTo(8).length, 1);
      assert.equal(connection.isClosed, false);
    });

/** Values that a handler may return, and whether each leads to a success response. */
const results: readonly {
  readonly name: string;
  readonly value: () => unknown;
  readonly success: boolean;
}[] = [
  { name: "a BigInt", value: () => ({ threads: 1n }), success: false },
  { name: "a cycle", value: () => cycle, success: false },
  { name: "a proxy that throws", value: untouchable, success: false },
  {
    name: "a result whose toJSON throws",
    value: () => ({ toJSON: () => assert.fail() }),
    success: false,
  },
  { name: "a promise", value: () => Promise.resolve({ threads: [] }), success: true },
  { name: "a promise of a BigInt", value: () => Promise.resolve(1n), success: false },
  // oxlint-disable-next-line unicorn/no-thenable
  {
    name: "a thenable",
    value: () => ({ then: (act: (value: unknown) => void) => act({ threads: [] }) }),
    success: true,
  },
  {
    name: "a thenable that settles twice",
    value: () => ({
      then: (act: (value: unknown) => void, fail: (error: unknown) => void) => {
        act({ threads: [] });
        fail(new Error("again"));
        act({ threads: [] });
      },
    }),
    success: true,
  },
  {
    name: "a thenable that rejects",
    value: () => ({ then: (_: unknown, fail: (e: unknown) => void) => fail(1) }),
    success: false,
  },
  {
    name: "a thenable that throws",
    value: () => ({ then: () => assert.fail("then") }),
    success: false,
  },
  {
    name: "a thenable of a thenable",
    value: () => ({
      then: (act: (value: unknown) => void) =>
        act({ then: (inner: (value: unknown) => void) => inner({ threads: [] }) }),
    }),
    success: true,
  },
  {
    name: "an object whose then throws",
    value: () => Object.defineProperty({}, "then", { get: () => assert.fail() }),
    success: false,
  },
  {
    name: "a promise of another class",
    value: () => new (class extends Promise<unknown> {})((resolve) => resolve({ threads: [] })),
    success: true,
  },
  {
    name: "a promise whose then throws",
    value: () => Object.assign(Promise.resolve(), { then: () => assert.fail("then") }),
    success: false,
  },
  { name: "nothing", value: () => undefined, success: true },
];

for (const { name, value, success } of results)
  test(`a handler that returns ${name}`, async () => {
    const { transport, connection } = scripted("adapter", {
      handlers: { threads: () => value() as never },
    });
    await transport.say(request(7, "threads"));
    await turn();
    const body = success && name !== "nothing" ? { threads: [] } : undefined;
    assert.deepEqual(
      transport.written.map((each) => [each["request_seq"], each["success"]]),
      [[7, success]],
    );
    if (success) assert.deepEqual(transport.written[0]!["body"], body);
    assert.equal(connection.isClosed, false);
  });

test("a problem says whether a handler threw or returned what cannot be sent", async () => {
  const { transport, problems } = scripted("adapter", {
    checkOutgoing: "strict",
    handlers: {
      threads: () => {
        throw new Error("no threads");
      },
      evaluate: () => ({ result: "", variablesReference: 0, extra: 1n }) as never,
      source: async () => ({ content: 7 }) as never,
    },
  });
  await transport.say(
    request(7, "threads"),
    request(8, "evaluate", { expression: "x" }),
    request(9, "source", { sourceReference: 1 }),
  );
  await turn();
  assert.deepEqual(
    problems.map(({ message }) => message),
    [
      'The handler for "threads" threw: no threads',
      'The handler for "evaluate" returned an unusable result: Cannot send a BigInt, at /body/extra',
      'The handler for "source" returned an unusable result: The message is invalid: `/body/content`: expected a string, received 7',
    ],
  );
});
test("an outgoing check that refuses the response and then its refusal", async () => {
  const { transport, codes } = scripted("adapter", {
    checkOutgoing: "strict",
    handlers: {
      threads: () => ({ threads: [{ id: "1" }] }) as never,
      pause: async () => {
        throw new Refusal("no", { error: { id: "1" } as never });
      },
    },
  });
  await transport.say(
    request(7, "threads"),
    request(8, "pause", { threadId: 1 }),
    request(9, "unknown"),
  );
  await turn();
  assert.deepEqual(
    transport.written.map((each) => [each["request_seq"], each["success"], each["message"]]),
    [
      [
        7,
        false,
        'The message is invalid: `/body/threads/0/id`: expected an integer from -2^31 to 2^31-1, received "1"; `/body/threads/0/name`: expected a string, received nothing',
      ],
      [9, false, "unknown request: unknown"],
      [8, false, "no"],
    ],
  );
  assert.deepEqual(new Set(codes()), new Set(["ERR_REQUEST_HANDLER"]));
});
test("a request and an event whose names are objects that cannot be converted to text", async () => {
  const { transport, connection } = scripted("adapter");
  const name = { toString: 1, valueOf: 1 };
  await transport.say(request(7, name), event(name), response(name));
  await transport.say(request(8, ["threads"]));
  assert.deepEqual(
    transport.written.map((each) => [each["request_seq"], each["success"]]),
    [
      [7, false],
      [8, false],
    ],
  );
  assert.equal(connection.isClosed, false);
});
test("a failure whose variables cannot be converted to text, or occur in it a million times", async () => {
  const { transport, connection } = scripted("client", { checkIncoming: "off" });
  const asked = connection.request("threads");
  const other = connection.request("threads");
  const failed = (error: object): object => ({ success: false, body: { error } });
  const variables = { x: { toString: 1 }, y: "y".repeat(1_000_000) };
  await transport.say(
    response(1, failed({ id: 1, format: "a {x} b", variables })),
    response(2, failed({ id: 1, format: "{y}".repeat(1_000_000), variables })),
  );
  await assert.rejects(asked, {
    code: "ERR_REQUEST_FAILED",
    message: "a A value without a message was thrown b",
  });
  await assert.rejects(other, ({ message }: Error) => {
    assert.equal(message, `${"y".repeat(65_536)}…`);
    return true;
  });
});
test("a dialect that fails to write, and one that fails to read", async () => {
  const oops = (): never => {
    throw new Error("oops");
  };
  const writing = scripted("adapter", {
    dialect: { read: (message) => message, write: oops },
  });
  await writing.transport.say(request(7, "threads"));
  const error = await writing.connection.closed;
  assert.match(error!.message, /^Cannot send the message: oops/);
  assert.deepEqual(
    [writing.transport.calls, writing.codes().at(-1)],
    [["destroy"], "ERR_REQUEST_HANDLER"],
  );

  const reading = scripted("adapter", { dialect: { read: oops, write: (message) => message } });
  const asked = reading.connection.requestCustom("mine");
  await reading.transport.say(request(7, "threads"), response(1));
  await assert.rejects(asked, { code: "ERR_MIDDLEWARE" });
  assert.deepEqual(
    reading.transport.responsesTo(7).map(({ success }) => success),
    [false],
  );
});
test("a response that is sent even though its handler closes the connection", async () => {
  const { transport, connection } = scripted("adapter", {
    handlers: {
      terminate: async () => void connection.close(),
    },
  });
  await transport.say(request(7, "terminate"), request(8, "threads"));
  await connection.closed;
  assert.deepEqual(
    [transport.written.map((each) => [each["request_seq"], each["success"]]), transport.calls],
    [[[7, true]], ["close"]],
  );
});
