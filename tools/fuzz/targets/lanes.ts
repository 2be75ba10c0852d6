import { parseJson } from "../mutate-json.js";
import { OracleFailure, type Target } from "../target.js";

type Ruby = typeof import("@wirewright/ruby-debug-ide/connection");

/**
 * A step in the script for a connection without ids.
 *
 * - `send` sends a command, and `line` sends an arbitrary line (client side).
 * - `push` delivers bytes from the peer.
 * - `stop` reports that the program has stopped (server side).
 * - `stall` and `flow` pause and resume writing.
 * - `wait` waits for one turn of the event loop. `end` and `close` end the connection.
 */
interface Step {
  readonly do: string;
  readonly with?: unknown;
}

const answers = [
  '<breakpointAdded no="1" location="a.rb:1"/>',
  '<suspended file="a" line="1" threadId="1" frames="1"/>',
  "<variables></variables>",
  '<eval expression="1" value="2" />',
  "<frames></frames>",
  "text\n",
  "<error>no</error>",
  "<message>yes</message>",
  "<threads></threads>",
  "<breakpoints></breakpoints>",
  '<conditionSet bp_id="1"/>',
  '<processingException type="a" message="b"/>',
  "(rdb:1) ",
  "<a",
];
const commands = [
  "break a.rb:1",
  "next",
  "var local",
  "p 1",
  "where",
  "cont",
  "exit",
  "foo",
  "frame 1",
  "list",
  "b 1; n",
];
const behaviours = [
  "return",
  "throw",
  "reject",
  "null-prototype",
  "never",
  "list",
  "wrong",
  "cycle",
];

/** Milliseconds within which everything must settle, and the timeout for closing a connection. */
const mostWait = 4_000;
const closeMs = 20;

/** Runs scripted in-memory conversations between both sides of a protocol without ids. */
export const lanes: Target = {
  name: "lanes",
  about: "connections without ids: the frontend's and the debugger's, whatever arrives",
  format: "json",
  mostMs: 2_000,
  work: { base: 1_000_000, perByte: 50_000 },
  tokens: [
    "do",
    "with",
    "send",
    "line",
    "push",
    "stop",
    "stall",
    "flow",
    "wait",
    "end",
    "close",
    "name",
    ...answers,
    ...commands,
    ...behaviours,
    "\n",
    "<",
    '"',
    "&",
  ],
  values: [
    ...answers.map((each) => ({ do: "push", with: each })),
    ...commands.map((each) => ({ do: "push", with: `${each}\n` })),
    ...commands.map((each) => ({ do: "line", with: each })),
    ...["stop", "stall", "flow", "wait", "end", "close", "write-fails"].map((each) => ({
      do: each,
    })),
    { do: "send", with: "next" },
    { do: "send", with: "var local" },
  ],
  seeds: () => [
    JSON.stringify([
      ...commands.map((each) => ({ do: "line", with: each })),
      ...answers.map((each) => ({ do: "push", with: each })),
    ]),
    ...behaviours.map((behaviour) =>
      JSON.stringify([
        { do: "push", with: "next\nbreak a:1\n" },
        { do: "behave", with: behaviour },
        { do: "stop" },
        { do: "push", with: "where\n" },
      ]),
    ),
  ],
  async open(modules) {
    const ruby = await modules<Ruby>("generated/ruby-debug-ide/connection.js");
    let rejected: unknown[] = [];
    process.on("unhandledRejection", (reason) => rejected.push(reason));
    return {
      async check(input, random) {
        const steps: unknown = parseJson(input);
        if (!Array.isArray(steps)) return;
        rejected = [];
        const taken = steps.filter(isStep).slice(0, 40);
        await (random.oneIn(2) ? runClient(ruby, taken) : runServer(ruby, taken));
        await turn();
        if (rejected.length === 0) return;
        const [reason] = rejected;
        const shown = reason instanceof Error ? reason.stack : typeof reason;
        throw new OracleFailure("settles", `nobody handles ${shown}`, "unhandled");
      },
    };
  },
};

function isStep(value: unknown): value is Step {
  return typeof value === "object" && value !== null && "do" in value;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits for a condition, up to a time limit. */
async function becomesTrue(isTrue: () => boolean): Promise<boolean> {
  const end = performance.now() + mostWait;
  while (!isTrue() && performance.now() < end) await turn();
  return isTrue();
}

/** A write function that stalls or fails on request. */
class Output {
  isStalled = false;
  fails = false;
  #waiting: (() => void)[] = [];

  readonly write = (): unknown => {
    if (this.fails) throw new Error("cannot write");
    return this.isStalled ? new Promise<void>((resolve) => this.#waiting.push(resolve)) : undefined;
  };

  flow(): void {
    this.isStalled = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Runs a step that changes how writing behaves. */
  take(what: string): void {
    if (what === "stall") this.isStalled = true;
    else if (what === "flow") this.flow();
    else if (what === "write-fails") this.fails = true;
  }
}

/** State shared by both sides. */
interface Side {
  push(chunk: Uint8Array): void;
  end(): void;
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

async function finish(side: Side, open: ReadonlySet<string>): Promise<void> {
  let isClosed = false;
  void side.close({ graceMs: closeMs }).then(() => (isClosed = true));
  if (!(await becomesTrue(() => isClosed)))
    throw new OracleFailure("settles", "close() does not settle", "close");
  if (!(await becomesTrue(() => open.size === 0)))
    throw new OracleFailure("settles", `${[...open].join()} never settles`, "command");
}

async function takeShared(
  side: Side,
  output: Output,
  { do: what, with: value }: Step,
): Promise<void> {
  if (what === "push") {
    if (typeof value === "string") side.push(Buffer.from(value));
  } else if (what === "end") side.end();
  else if (what === "close") void side.close({ graceMs: closeMs });
  else if (what === "wait") await turn();
  else output.take(what);
}

async function runClient(ruby: Ruby, steps: readonly Step[]): Promise<void> {
  const output = new Output();
  const open = new Set<string>();
  const client = ruby.createClient({ write: output.write, textSilenceMs: 1 });
  for (const [index, step] of steps.entries()) {
    const { do: what, with: value } = step;
    if ((what === "line" || what === "send") && typeof value === "string") {
      const label = `command ${index + 1}`;
      open.add(label);
      const settle = (): void => void open.delete(label);
      const sent = what === "line" ? client.sendLine(value) : client.send(value as "next");
      sent.then(settle, settle);
    } else await takeShared(client, output, step);
  }
  await finish(client, open);
}

async function runServer(ruby: Ruby, steps: readonly Step[]): Promise<void> {
  const output = new Output();
  let behaviour = "return";
  const cyclic: Record<string, unknown> = { element: "frames" };
  cyclic["body"] = cyclic;
  const handle = (): unknown => {
    switch (behaviour) {
      case "throw":
        throw new Error("thrown");
      case "reject":
        return Promise.reject(new Error("rejected"));
      case "null-prototype":
        return Promise.reject(Object.create(null) as Error);
      case "never":
        return new Promise(() => undefined);
      case "list":
        return [{ element: "breakpointAdded", body: { no: 1, location: "a:1" } }];
      case "wrong":
        return { element: 5, body: "no" };
      case "cycle":
        return Promise.resolve(cyclic);
      default:
        return undefined;
    }
  };
  const names = ["break", "next", "where", "var local", "frame", "list", "exit", "p"];
  const server = ruby.createServer({
    write: output.write,
    handlers: Object.fromEntries(names.map((name) => [name, handle])) as never,
  });
  for (const step of steps) {
    if (step.do === "behave") behaviour = typeof step.with === "string" ? step.with : "";
    else if (step.do === "stop") {
      try {
        server.stop({ element: "suspended", body: { file: "a", line: 1, threadId: 1, frames: 1 } });
      } catch (error) {
        // An error with a code is expected, for example once the connection has ended.
        if (!(error instanceof Error) || !("code" in error)) throw error;
      }
    } else await takeShared(server, output, step);
  }
  await finish(server, new Set());
}
