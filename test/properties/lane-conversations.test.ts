/** Connections without ids, on both sides, whatever arrives. */
import assert from "node:assert/strict";
import * as ruby from "@wirewright/ruby-debug-ide/connection";
import { becomesTrue, collectRejections, turn } from "../support/event-loop.js";
import { mutatedJson } from "../support/mutated-inputs.js";
import { property } from "../support/property.js";

/**
 * - `send` sends a command, and `line` any line (by the frontend).
 * - `push` delivers bytes from the peer.
 * - `behave` chooses what handlers do, and `stop` says that the program has stopped (by the
 *   debugger).
 * - `stall`, `flow` and `write-fails` change how writing goes, `wait` waits, `end` and `close` end
 *   the connection.
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
const commands = "break a.rb:1|next|var local|p 1|where|cont|exit|foo|frame 1|list|b 1; n".split(
  "|",
);
const cyclic: Record<string, unknown> = { element: "frames" };
cyclic["body"] = cyclic;
const behaviours: Readonly<Record<string, () => unknown>> = {
  return: () => undefined,
  throw() {
    throw new Error("thrown");
  },
  reject: () => Promise.reject(new Error("rejected")),
  "null-prototype": () => Promise.reject(Object.create(null) as Error),
  never: () => new Promise(() => undefined),
  list: () => [{ element: "breakpointAdded", body: { no: 1, location: "a:1" } }],
  wrong: () => ({ element: 5, body: "no" }),
  cycle: () => Promise.resolve(cyclic),
};

/** The methods of both sides. */
interface Side {
  push(chunk: Uint8Array): void;
  end(): void;
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Plays a conversation and checks that everything settles.
 *
 * @param start Starts a side with a function to write with. Returns what the side can do beyond
 * what both can.
 */
async function play(
  steps: readonly Step[],
  start: (write: () => unknown) => {
    readonly side: Side;
    readonly act: (step: Step, label: string, open: Set<string>) => void;
  },
): Promise<void> {
  let [isStalled, writeFails] = [false, false];
  const waiting: (() => void)[] = [];
  const { side, act } = start(() => {
    if (writeFails) throw new Error("cannot write");
    return isStalled ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined;
  });
  const open = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const { do: action, with: value } = step;
    if (action === "push" && typeof value === "string") side.push(Buffer.from(value));
    else if (action === "end") side.end();
    else if (action === "close") void side.close({ graceMs: 20 });
    else if (action === "wait") await turn();
    else if (action === "stall") isStalled = true;
    else if (action === "write-fails") writeFails = true;
    else if (action === "flow") {
      isStalled = false;
      for (const resolve of waiting.splice(0)) resolve();
    } else act(step, `${index}: ${String(value)}`, open);
  }
  let isClosed = false;
  void side.close({ graceMs: 20 }).then(() => (isClosed = true));
  assert.ok(await becomesTrue(() => isClosed), "close() does not settle");
  await becomesTrue(() => open.size === 0);
  assert.deepEqual([...open], []);
  await turn();
  assert.deepEqual(rejections.splice(0), []);
}

const rejections = collectRejections();

function startClient(write: () => unknown): ReturnType<Parameters<typeof play>[1]> {
  const client = ruby.createClient({ write, textSilenceMs: 1 });
  return {
    side: client,
    act({ do: action, with: value }, label, open) {
      if ((action !== "line" && action !== "send") || typeof value !== "string") return;
      open.add(label);
      const settle = (): void => void open.delete(label);
      const sent = action === "line" ? client.sendLine(value) : client.send(value as "next");
      sent.then(settle, settle);
    },
  };
}

function startServer(write: () => unknown): ReturnType<Parameters<typeof play>[1]> {
  let handle = behaviours["return"]!;
  const names = ["break", "next", "where", "var local", "frame", "list", "exit", "p"];
  const server = ruby.createServer({
    write,
    handlers: Object.fromEntries(names.map((name) => [name, () => handle()])) as never,
  });
  return {
    side: server,
    act({ do: action, with: value }) {
      if (action === "behave")
        handle = Object.entries(behaviours).find(([name]) => name === value)?.[1] ?? handle;
      if (action !== "stop") return;
      try {
        server.stop({ element: "suspended", body: { file: "a", line: 1, threadId: 1, frames: 1 } });
      } catch (error) {
        // An error with a code is expected, such as the one after the end.
        if (!(error instanceof Error) || !("code" in error)) throw error;
      }
    },
  };
}

const script = mutatedJson({
  seeds: [
    [
      ...commands.map((command) => ({ do: "line", with: command })),
      ...answers.map((answer) => ({ do: "push", with: answer })),
    ],
    ...Object.keys(behaviours).map((behaviour) => [
      { do: "push", with: "next\nbreak a:1\n" },
      { do: "behave", with: behaviour },
      { do: "stop" },
      { do: "push", with: "where\n" },
    ]),
  ],
  tokens: [
    ...[...answers, ...commands, ...Object.keys(behaviours)],
    ...'do|with|send|line|push|stop|stall|flow|wait|end|close|behave|\n|<|"|&'.split("|"),
  ],
  values: [
    ...answers.map((answer) => ({ do: "push", with: answer })),
    ...commands.flatMap((command) => [
      { do: "push", with: `${command}\n` },
      { do: "line", with: command },
    ]),
    ...Object.keys(behaviours).map((behaviour) => ({ do: "behave", with: behaviour })),
    ..."stop stall flow wait end close write-fails".split(" ").map((step) => ({ do: step })),
    { do: "send", with: "next" },
    { do: "send", with: "var local" },
  ],
}).map((value) =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [])
    .filter((step): step is Step => typeof step === "object" && step !== null && "do" in step)
    .slice(0, 40),
);

property("a client's commands settle", script, (steps) => play(steps, startClient));
property("a server closes, whatever its handlers do", script, (steps) => play(steps, startServer));
