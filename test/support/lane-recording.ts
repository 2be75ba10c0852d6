import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LaneClient, type ClientCallbacks } from "../../runtime/lanes/lane-client.js";
import type { LaneError } from "../../runtime/lanes/lane-error.js";
import type { LaneTable } from "../../runtime/lanes/lane-table.js";

const fields = {
  command: { name: "command", payload: "arguments" },
  message: { name: "element", payload: "body" },
} as const;

/** Two lanes, with one command of each kind. Unknown and failed commands are not answered. */
export const plain: LaneTable = {
  lanes: { run: { waits: true }, quick: { waits: false } },
  commands: {
    where: { lane: "run", answers: ["frames"], failures: [{ name: "error" }] },
    vars: { lane: "run", answers: ["variables"], failures: [{ name: "error", says: "/why" }] },
    print: {
      lane: "run",
      answers: ["#text"],
      failures: [
        { name: "#text", begins: ["ERROR"] },
        { name: "#text", begins: ["SORRY", "FATAL"] },
      ],
      isText: true,
    },
    go: { lane: "run", answers: [], failures: [{ name: "error", begins: ["Cannot go"] }] },
    list: {
      lane: "quick",
      answers: ["files"],
      failures: [{ name: "error", where: { "/kind": "list" } }],
    },
    many: {
      lane: "quick",
      answers: ["ok"],
      failures: [{ name: "error", begins: ["No item"] }],
      each: "items",
    },
    quiet: { lane: "quick", answers: ["ok"], failures: [], silentWithout: "items" },
    mute: { lane: "quick", answers: ["ok"], failures: [], silentWith: { off: true } },
  },
  stops: ["stopped"],
  notes: [{ name: "note" }, { name: "hint" }],
};

export const table: LaneTable = {
  ...plain,
  breakdown: { name: "error", begins: ["BROKEN"] },
  unknown: { name: "error", begins: ["Unknown: "], lane: "quick" },
};

const textSilenceMs = 1;

export type Run = (command: string, values?: object) => void;

/** Creates a client that logs the results of its commands and records the bytes it writes. */
export function recording(
  lanes: LaneTable,
  options: Partial<ClientCallbacks> = {},
): {
  client: LaneClient;
  log: string[];
  written: string[];
  run: Run;
  say: (...elements: SentElement[]) => Promise<string[]>;
} {
  const log: string[] = [];
  const written: string[] = [];
  const client = new LaneClient(lanes, fields, {
    encode: (command) => {
      const { command: line } = command as { command: string };
      return { line, bytes: Buffer.from(JSON.stringify(command)) };
    },
    write: (bytes) => void written.push(Buffer.from(bytes).toString()),
    whenWritten: () => undefined,
    refuse: () => undefined,
    onProblem: ({ message }) => void log.push(message),
    nameOf: (line) => line.split(" ")[0],
    onEvent: (event) => void log.push(`event ${JSON.stringify(event)}`),
    onNote: (note) => void log.push(`note ${JSON.stringify(note)}`),
    onUnexpected: (message, command) =>
      void log.push(`unexpected ${JSON.stringify(message)} after ${command}`),
    timeoutMs: Infinity,
    textSilenceMs,
    maxTextLength: 20,
    maxWaiting: 4,
    ...options,
  });
  return {
    client,
    log,
    written,
    run: (command, values) =>
      void client.send(command, values).then(
        (answers) => log.push(`${command}: ${JSON.stringify(answers)}`),
        ({ code, message, answers }: LaneError) =>
          log.push(
            [
              `${command}: ${code} ${message}`,
              ...(answers ?? []).map((each) => JSON.stringify(each)),
            ].join(" "),
          ),
      ),
    /** Receives messages and waits for the promises that they settle. */
    async say(...elements) {
      for (const [element, body] of elements) {
        const isText = typeof body === "string";
        client.receive({ element, body: isText ? { text: body } : body }, () =>
          isText ? body : `<${element}>`,
        );
      }
      mock.timers.tick(textSilenceMs);
      await nextTurn();
      return log.splice(0);
    },
  };
}

export type SentElement = readonly [element: string, body?: unknown];

export const frames = '[{"element":"frames"}]';
