/**
 * Measures how much `wirewright lint` costs by session length. The session is piped in, in the
 * format that `wirewright tap` writes. `npm run bench -- lint 10000,1000000` checks sessions with
 * these numbers of messages.
 * Each stop comes with the messages that clients usually request: a stack of twenty frames, a scope
 * with ten variables, a watch expression, output and a step. Memory must not grow with the session
 * length. A script that only parses each line shows how much reading alone costs.
 */
import { once } from "node:events";
import type { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { startMetered, type Usage } from "./metered-process.js";
import { figureOf, type Bench } from "./report.js";

const cli = fileURLToPath(new URL("../../cli/main.js", import.meta.url));
const parse = `let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) JSON.parse(line);
});`;

/** Yields the lines of an endless session, a few at a time. */
function* session(): Generator<readonly string[]> {
  const numbers = { client: 1, adapter: 1 };
  const line = (from: keyof typeof numbers, fields: object): string =>
    `${JSON.stringify({ kind: "message", from, message: { seq: numbers[from]++, ...fields } })}\n`;
  const say = (event: string, body?: object): string =>
    line("adapter", { type: "event", event, ...(body === undefined ? {} : { body }) });
  const ask = (command: string, args: object, body: object): readonly string[] => {
    const asked = { request_seq: numbers.client, command };
    const request = line("client", { type: "request", command, arguments: args });
    return [request, line("adapter", { type: "response", ...asked, success: true, body })];
  };
  const client = { adapterID: "bench", supportsVariableType: true };
  yield ask("initialize", client, { supportsDelayedStackTraceLoading: true });
  yield [say("initialized"), ...ask("launch", {}, {})];
  let reference = 1;
  for (let stop = 0; ; stop++) {
    const frame = stop * 20 + 1;
    const locals = reference++;
    yield [
      say("stopped", { reason: "step", threadId: 1, allThreadsStopped: true }),
      ...ask("threads", {}, { threads: [{ id: 1, name: "main" }] }),
      ...ask(
        "stackTrace",
        { threadId: 1, startFrame: 0, levels: 20 },
        {
          stackFrames: Array.from({ length: 20 }, (_, index) => ({
            id: frame + index,
            name: `function number ${index}`,
            line: index * 7 + 1,
            column: 3,
            source: { name: `module${index}.ts`, path: `/home/user/project/module${index}.ts` },
          })),
          totalFrames: 20,
        },
      ),
      ...ask(
        "scopes",
        { frameId: frame },
        { scopes: [{ name: "Locals", variablesReference: locals, expensive: false }] },
      ),
      ...ask(
        "variables",
        { variablesReference: locals },
        {
          variables: Array.from({ length: 10 }, (_, index) => ({
            name: `local ${index}`,
            value: String(index * stop),
            type: "number",
            variablesReference: index % 3 === 0 ? reference++ : 0,
          })),
        },
      ),
      ...ask(
        "evaluate",
        { expression: "a + b", frameId: frame, context: "watch" },
        { result: "3", variablesReference: 0 },
      ),
      say("output", { category: "stdout", output: "step by step\n" }),
      ...ask("next", { threadId: 1 }, {}),
    ];
  }
}

/** Writes a recording of `count` messages. */
async function feed(input: Writable, count: number): Promise<void> {
  const head = { recording: "wirewright", form: 1, protocol: "dap" };
  let text = `${JSON.stringify(head)}\n`;
  let left = count;
  for (const lines of session()) {
    text += lines.slice(0, left).join("");
    left -= lines.length;
    if (text.length > 1 << 18 || left <= 0) {
      if (!input.write(text)) await once(input, "drain");
      text = "";
    }
    if (left <= 0) break;
  }
  input.end();
}

async function run(args: readonly string[], count: number): Promise<Usage> {
  const { child, usage } = startMetered(args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdout!.resume();
  await feed(child.stdin!, count);
  return usage;
}

export const bench: Bench = async (report, options) => {
  const table = report.table("sessions", ["messages"], {
    "per message": "ns",
    "messages per second": "",
    peak: "MB",
    "parsing, per message": "ns",
  });
  const counts = (options.args[0] ?? "10000,100000,1000000,10000000").split(",").map(Number);
  for (const count of counts) {
    const rounds = count > 1_000_000 ? 1 : Math.min(options.rounds, 3);
    const usages: Usage[] = [];
    const floors: Usage[] = [];
    for (let round = 0; round < rounds; round++) {
      usages.push(await run([cli, "lint", "-"], count));
      floors.push(await run(["-e", parse], count));
    }
    table.row([count.toLocaleString("en")], {
      "per message": figureOf(usages.map(({ time }) => time / count)),
      "messages per second": figureOf(usages.map(({ time }) => (count / time) * 1e9)),
      peak: figureOf(usages.map(({ peak }) => peak)),
      "parsing, per message": figureOf(floors.map(({ time }) => time / count)),
    });
  }
};
