/** Callbacks, handlers, transports and checks that fail in every way. An unhandled rejection fails the test. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FrameFault } from "@wirewright/ruby-debug-ide";
import {
  createClient,
  createServer,
  type ClientOptions,
  type LaneError,
  type ServerOptions,
} from "@wirewright/ruby-debug-ide/connection";
import { listenForSubProcesses } from "@wirewright/ruby-debug-ide/node";
import { bytesOf, textOf } from "../../support/framed-text.js";
import { frames } from "../../support/ruby-debug-ide.js";

const thrower = (value: unknown) => (): never => {
  throw value;
};
const unreadable: unknown = new Proxy(
  {},
  { get: thrower(new Error("get")), getPrototypeOf: thrower(new Error("getPrototypeOf")) },
);

/** Ways in which a callback can fail, each with the reported cause. */
const failures: readonly {
  readonly name: string;
  readonly cause: string;
  readonly isSync: boolean;
  readonly act: () => unknown;
}[] = [
  { name: "throws", cause: "thrown", isSync: true, act: thrower(new Error("thrown")) },
  {
    name: "throws a value that is not an error",
    cause: "object",
    isSync: true,
    act: thrower(Object.create(null)),
  },
  { name: "throws nothing", cause: "undefined", isSync: true, act: thrower(undefined) },
  {
    name: "throws an unreadable value",
    cause: "unreadable",
    isSync: true,
    act: thrower(unreadable),
  },
  {
    name: "rejects",
    cause: "rejected",
    isSync: false,
    act: () => Promise.reject(new Error("rejected")),
  },
  {
    name: "rejects with a value that is not an error",
    cause: "object",
    isSync: false,
    act: () => Promise.reject(Object.create(null)),
  },
  {
    name: "returns a thenable that rejects",
    cause: "refused",
    isSync: false,
    act: () => ({
      then: (_: unknown, reject: (cause: unknown) => void) => reject(new Error("refused")),
    }),
  },
  {
    name: "returns a thenable that throws",
    cause: "then",
    isSync: false,
    act: () => ({ then: thrower(new Error("then")) }),
  },
  {
    name: "returns a value whose then cannot be read",
    cause: "getter",
    isSync: false,
    act: () => Object.defineProperty({}, "then", { get: thrower(new Error("getter")) }),
  },
];

const event = '<suspended file="a" line="1" threadId="1" frames="1"/>';
const stop = {
  element: "suspended",
  body: { file: "a", line: 1, threadId: 1, frames: 1 },
} as const;

function causeOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : typeof thrown;
  } catch {
    return "unreadable";
  }
}

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "answered",
    ({ code, name }: LaneError) => code ?? name,
  );

const breakdown = (reason: string): string =>
  `<error>INTERNAL ERROR!!! ${reason}</error><error></error>`;

/** Sends a stopped server a command. Returns what it writes, and the problem that ends it. */
async function served(
  line: string,
  options: Omit<ServerOptions, "write">,
): Promise<readonly string[]> {
  const written: string[] = [];
  let problem = "open";
  const server = createServer({
    write: (bytes) => void written.push(textOf(bytes)),
    ...options,
    onClose: (given) => {
      problem = given?.code ?? "none";
      return options.onClose?.(given);
    },
  });
  server.stop(stop);
  server.push(bytesOf(line));
  await nextTurn();
  const texts = [written.slice(1).join("").replaceAll("\n", ""), problem];
  await server.close();
  return texts;
}

for (const { name, cause, isSync, act } of failures) {
  for (const [callback, input, reported] of [
    ["onEvent", event, cause],
    ["onNote", "<message debug='true'>x</message>", cause],
    ["onUnexpected", "<threads></threads>", cause],
    ["onNoise", `<suspended x>\n${event}`, ""],
    ["onFault", `<suspended x>\n${event}`, ""],
  ] as const)
    test(`the next message arrives after an ${callback} that ${name}`, async () => {
      const errors: FrameFault[] = [];
      const client = createClient({
        write: () => undefined,
        onFault: (error) => void errors.push(error),
        [callback]: act,
      } as ClientOptions);
      const sent = client.send("where");
      client.push(bytesOf(input));
      await nextTurn();
      client.push(bytesOf("<frames></frames>"));
      const causes = errors.flatMap(({ code, cause }) =>
        code === "ERR_HANDLER" ? [causeOf(cause)] : [],
      );
      assert.deepEqual([causes.join(), await outcome(sent)], [reported, "answered"]);
      await client.close();
    });

  test(`push() does not throw if a callback ${name} and there is no onFault`, async () => {
    const client = createClient({ write: () => undefined, onEvent: act });
    client.push(bytesOf(event));
    await nextTurn();
    await client.close();
  });

  test(`a transport that ${name} ends the connection`, async () => {
    let problem = "";
    const settings = { close: act, destroy: act };
    const client = createClient({
      ...settings,
      write: act,
      onClose: (given) => {
        problem = given?.code ?? "none";
        return act();
      },
    });
    const sent = [client.send("where"), client.send("cont"), client.send("where")].map(outcome);
    const results = await Promise.all(sent);
    await client.closed;
    const closed = "ERR_CONNECTION_CLOSED";
    assert.deepEqual(
      [results, problem, await outcome(client.send("where"))],
      [[closed, closed, closed], "ERR_TRANSPORT", closed],
    );
    const other = createClient({ ...settings, write: () => undefined, onClose: act });
    const waiting = outcome(other.send("where"));
    await other.close();
    assert.equal(await waiting, closed);
  });

  test(`a handler that ${name} is answered with its reason`, async () => {
    const isText = cause !== "object" && cause !== "unreadable";
    const reason = breakdown(isText ? cause : "A value without a message was thrown");
    for (const [command, problem] of [
      ["where", "open"],
      ["info break", "ERR_COMMAND_HANDLER"],
    ] as const)
      assert.deepEqual(
        await served(`${command}\n`, {
          onBreakdown: act,
          onClose: act,
          handlers: { [command]: act },
        } as unknown as ServerOptions),
        [reason, problem],
      );
  });

  test(`after a check that ${name}, nothing is written`, async () => {
    const write = (): never => assert.fail("written");
    const validate = act as () => void;
    const client = createClient({ write, validate });
    assert.equal(
      await client.send("where").then(String, causeOf),
      isSync ? cause : "Cannot use an asynchronous check: it must throw before it returns",
    );
    await client.close();
    let problem = "";
    const onClose: ServerOptions["onClose"] = (given) => void (problem = given?.code ?? "none");
    const server = createServer({ write, validate, onClose, handlers: {} });
    server.push(bytesOf("where;foo\ninfo break\n"));
    await server.closed;
    assert.equal(problem, "ERR_COMMAND_HANDLER");
  });

  test(`a listener for processes survives callbacks of which each ${name}`, async () => {
    const errors: string[] = [];
    const started = await listenForSubProcesses(0, {
      onProcess: act,
      onError: (error) => {
        errors.push(error.message);
        return act();
      },
    });
    await new Promise<void>((done) => {
      const socket = connect({ port: started.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("data", () => socket.end("5000"));
      socket.on("end", () => socket.destroy());
      socket.on("close", () => done());
    });
    await started.close();
    assert.deepEqual(errors, ["onProcess threw"]);
  });
}

const cycle: { element: string; body: object } = { element: "frames", body: {} };
cycle.body = { frames: [cycle] };
const missing = breakdown(
  "Cannot write a eval element without its expression, at /body/expression",
);
const noMessage = breakdown("Cannot write a message without a name, at /element");
const noAnswer = breakdown("the handler for &quot;where&quot; returned no answer");
const noFrames = { element: "frames", body: { frames: [] } };

for (const [name, handler, written] of [
  ["a field that is missing", () => ({ element: "eval", body: {} }), missing],
  ["a BigInt", () => ({ element: "eval", body: { expression: 1n, value: "" } }), missing],
  [
    "a cycle",
    () => cycle,
    breakdown(
      "Cannot write &quot;element&quot;: it is not allowed here, at /body/frames/0/element",
    ),
  ],
  ["null", () => null, noMessage],
  ["a number", () => 5, noMessage],
  ["no answer", () => undefined, noAnswer],
  ["no answers", () => [], noAnswer],
  [
    "one that can be written and one that cannot",
    () => [noFrames, { element: "frames", body: { frames: 5 } }],
    breakdown("Cannot write a value that is not an array, at /body/frames"),
  ],
  [
    "one in a thenable",
    () => ({ then: (settle: (answer: object) => void) => settle(noFrames) }),
    frames,
  ],
  ["one that cannot be read", () => unreadable, breakdown("get")],
] as const)
  test(`a handler returns ${name}`, async () => {
    const handlers = { where: handler } as unknown as ServerOptions["handlers"];
    assert.deepEqual(await served("where\n", { handlers }), [written, "open"]);
  });
