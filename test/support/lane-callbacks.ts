/**
 * Runs connections without ids in a separate process, with callbacks, handlers and transports that
 * misbehave in every way. An unhandled rejection ends the process. Prints the result of each case.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type FrameFault } from "@wirewright/ruby-debug-ide";
import {
  createClient,
  createServer,
  type Client,
  type ClientOptions,
  type LaneError,
  type Server,
  type ServerOptions,
} from "@wirewright/ruby-debug-ide/connection";
import { listenForSubProcesses } from "@wirewright/ruby-debug-ide/node";
import { connect } from "node:net";

const unreadable: unknown = new Proxy(
  {},
  {
    get: () => {
      throw new Error("get");
    },
    getPrototypeOf: () => {
      throw new Error("getPrototypeOf");
    },
  },
);

/** Ways in which a callback can fail, by name. */
const misbehaviours: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error("thrown");
  },
  "throws a value that is not an error": () => {
    throw Object.create(null);
  },
  "throws nothing": () => {
    throw undefined;
  },
  "throws an unreadable value": () => {
    throw unreadable;
  },
  rejects: async () => Promise.reject(new Error("rejected")),
  "rejects with a value that is not an error": async () => Promise.reject(Object.create(null)),
  "returns a thenable that rejects": () => ({
    then: (_: unknown, reject: (cause: unknown) => void) => reject(new Error("refused")),
  }),
  "returns a thenable that throws": () => ({
    then: () => {
      throw new Error("then");
    },
  }),
  "returns a value whose then cannot be read": () => ({
    get then(): never {
      throw new Error("getter");
    },
  }),
};

const event = '<suspended file="a" line="1" threadId="1" frames="1"/>';
const stop = {
  element: "suspended",
  body: { file: "a", line: 1, threadId: 1, frames: 1 },
} as const;

const lines: string[] = [];

function textOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : typeof thrown;
  } catch {
    return "unreadable";
  }
}

async function outcome(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "answered",
    ({ code, name }: LaneError) => code ?? name,
  );
}

/**
 * Makes each of a client's callbacks fail. Prints the reported cause, and whether the next message
 * still arrives.
 */
async function clientCallbacks(name: string, act: () => unknown): Promise<void> {
  const inputs: Readonly<Record<string, string>> = {
    onEvent: event,
    onNote: "<message debug='true'>x</message>",
    onUnexpected: "<threads></threads>",
    onNoise: `<suspended x>\n${event}`,
    onFault: `<suspended x>\n${event}`,
  };
  for (const [callback, input] of Object.entries(inputs)) {
    const errors: FrameFault[] = [];
    const client: Client = createClient({
      write: () => undefined,
      onFault: (error) => void errors.push(error),
      [callback]: act,
    } as ClientOptions);
    const sent = client.send("where");
    let thrown = "";
    try {
      client.push(Buffer.from(input));
    } catch (error) {
      thrown = `, push threw ${textOf(error)}`;
    }
    await nextTurn();
    client.push(Buffer.from("<frames></frames>"));
    const codes = errors
      .filter(({ code }) => code === "ERR_HANDLER")
      .map(({ cause }) => textOf(cause));
    lines.push(`${callback} ${name}: ${codes.join()}${thrown}, ${await outcome(sent)}`);
    await client.close();
  }
}

/**
 * Makes a callback fail when there is no onFault. push() rethrows the callback's exceptions and
 * ignores its rejections.
 */
async function silentCallback(name: string, act: () => unknown): Promise<void> {
  const client = createClient({ write: () => undefined, onEvent: act });
  let thrown = "nothing";
  try {
    client.push(Buffer.from(event));
  } catch (error) {
    thrown = textOf(error);
  }
  await nextTurn();
  lines.push(`alone ${name}: push threw ${thrown}`);
  await client.close();
}

/** Makes a client's transport fail. */
async function clientTransport(name: string, act: () => unknown): Promise<void> {
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
  lines.push(
    `write ${name}: ${results.join()}, ${problem}, ${await outcome(client.send("where"))}`,
  );
  const closed = createClient({ ...settings, write: () => undefined, onClose: act });
  const waiting = outcome(closed.send("where"));
  await closed.close();
  lines.push(`close ${name}: ${await waiting}`);
}

/** Makes a handler fail, both in a lane that waits for stops and in one that does not. */
async function handlers(name: string, act: () => unknown): Promise<void> {
  for (const [command, line] of [
    ["where", "where\n"],
    ["info break", "info break\n"],
  ] as const) {
    const written: string[] = [];
    let problem = "open";
    const server: Server = createServer({
      write: (bytes) => void written.push(Buffer.from(bytes).toString()),
      onBreakdown: act,
      onClose: (given) => {
        problem = given?.code ?? "none";
        return act();
      },
      handlers: { [command]: act },
    } as ServerOptions);
    server.stop(stop);
    server.push(Buffer.from(line));
    await nextTurn();
    lines.push(`${command} ${name}: ${written.slice(1).join("").replaceAll("\n", "")} ${problem}`);
    await server.close();
  }
}

/** Makes handlers return results that cannot be written or are not answers. */
async function answers(): Promise<void> {
  const cycle: { element: string; body: object } = { element: "frames", body: {} };
  cycle.body = { frames: [cycle] };
  const given: Readonly<Record<string, () => unknown>> = {
    "a field that is missing": () => ({ element: "eval", body: {} }),
    "a BigInt": () => ({ element: "eval", body: { expression: 1n, value: "" } }),
    "a cycle": () => cycle,
    null: () => null,
    "a number": () => 5,
    "no answer": () => undefined,
    "no answers": () => [],
    "one that can be written and one that cannot": () => [
      { element: "frames", body: { frames: [] } },
      { element: "frames", body: { frames: 5 } },
    ],
    "one in a thenable": () => ({
      then: (settle: (answer: object) => void) =>
        settle({ element: "frames", body: { frames: [] } }),
    }),
    "one that cannot be read": () => unreadable,
  };
  for (const [name, handler] of Object.entries(given)) {
    const written: string[] = [];
    const server: Server = createServer({
      write: (bytes) => void written.push(Buffer.from(bytes).toString()),
      handlers: { where: handler } as ServerOptions["handlers"],
    });
    server.stop(stop);
    server.push(Buffer.from("where\n"));
    await nextTurn();
    lines.push(`answer, ${name}: ${written.slice(1).join("").replaceAll("\n", "")}`);
    await server.close();
  }
}

/**
 * Makes a check fail. The side then writes nothing, and ends the connection if it cannot inform the
 * other side.
 */
async function checks(name: string, act: () => unknown): Promise<void> {
  const validate = act as () => void;
  const client = createClient({ write: () => lines.push("written!"), validate });
  lines.push(`check of a client ${name}: ${await client.send("where").then(String, textOf)}`);
  await client.close();
  let problem = "";
  const server = createServer({
    write: () => lines.push("written!"),
    validate,
    onClose: (given) => void (problem = given?.code ?? "none"),
    handlers: {},
  });
  server.push(Buffer.from("where;foo\ninfo break\n"));
  await server.closed;
  lines.push(`check of a server ${name}: ${problem}`);
}

/** Makes the callbacks of the process listener fail. */
async function dispatcher(name: string, act: () => unknown): Promise<void> {
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
  lines.push(`dispatcher ${name}: ${errors.join()}`);
}

for (const [name, act] of Object.entries(misbehaviours)) {
  await clientCallbacks(name, act);
  await silentCallback(name, act);
  await clientTransport(name, act);
  await handlers(name, act);
  await checks(name, act);
  await dispatcher(name, act);
}
await answers();
console.log(lines.join("\n"));
