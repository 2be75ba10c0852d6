/**
 * Judges recordings with `wirewright lint`, from start to end of the process, and parses them with a
 * script, which shows how much of the time reading takes. Each stop comes with what clients usually
 * request: a stack of twenty frames, a scope with ten variables, a watch expression, and a step.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromRoot } from "../../test/support/paths.js";
import { Bench, isQuick } from "./comparison.js";

/** Yields the lines of an endless session. */
function* session(): Generator<string> {
  const seq = { client: 1, adapter: 1 };
  const line = (from: "client" | "adapter", fields: object): string =>
    `${JSON.stringify({ kind: "message", from, message: { seq: seq[from]++, ...fields } })}\n`;
  const event = (event: string, body?: object): string =>
    line("adapter", { type: "event", event, ...(body && { body }) });
  function* exchange(command: string, args: object, body: object): Generator<string> {
    const request_seq = seq.client;
    yield line("client", { type: "request", command, arguments: args });
    yield line("adapter", { type: "response", request_seq, success: true, command, body });
  }
  yield `${JSON.stringify({ recording: "wirewright", form: 1, protocol: "dap" })}\n`;
  yield* exchange(
    "initialize",
    { adapterID: "bench", supportsVariableType: true },
    { supportsDelayedStackTraceLoading: true },
  );
  yield event("initialized");
  yield* exchange("launch", {}, {});
  let reference = 1;
  for (let stop = 0; ; stop++) {
    const frameId = stop * 20 + 1;
    const variablesReference = reference++;
    yield event("stopped", { reason: "step", threadId: 1, allThreadsStopped: true });
    yield* exchange("threads", {}, { threads: [{ id: 1, name: "main" }] });
    const stackFrames = Array.from({ length: 20 }, (_, index) => ({
      id: frameId + index,
      name: `function number ${index}`,
      line: index * 7 + 1,
      column: 3,
      source: { name: `module${index}.ts`, path: `/home/user/project/module${index}.ts` },
    }));
    const levels = { threadId: 1, startFrame: 0, levels: 20 };
    yield* exchange("stackTrace", levels, { stackFrames, totalFrames: 20 });
    const scopes = [{ name: "Locals", variablesReference, expensive: false }];
    yield* exchange("scopes", { frameId }, { scopes });
    const variables = Array.from({ length: 10 }, (_, index) => ({
      name: `local ${index}`,
      value: String(index * stop),
      type: "number",
      variablesReference: index % 3 === 0 ? reference++ : 0,
    }));
    yield* exchange("variables", { variablesReference }, { variables });
    const watch = { expression: "a + b", frameId, context: "watch" };
    yield* exchange("evaluate", watch, { result: "3", variablesReference: 0 });
    yield event("output", { category: "stdout", output: "step by step\n" });
    yield* exchange("next", { threadId: 1 }, {});
  }
}

const parse = `const lines = require("node:readline").createInterface({
  input: require("node:fs").createReadStream(process.argv[1]),
});
lines.on("line", JSON.parse);`;

const bench = new Bench("lint");
const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
try {
  for (const count of isQuick ? [1_000] : [10_000, 100_000, 1_000_000]) {
    const recording = join(folder, `${count}.jsonl`);
    const file = openSync(recording, "w");
    let written = 0;
    for (const line of session()) {
      writeSync(file, line);
      // The first line is the recording's head.
      if (written++ === count) break;
    }
    closeSync(file);
    const run = (...args: readonly string[]) => {
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      return { status, stderr };
    };
    await bench.compare("judging a recording", {
      work: `${count.toLocaleString("en")} messages`,
      count,
      expected: { status: 0, stderr: "" },
      competitors: {
        "wirewright lint": () => run(fromRoot("build/cli/main.js"), "lint", recording),
        "parsing each line": () => run("-e", parse, recording),
      },
      rounds: count === 1_000_000 ? 1 : 5,
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
await bench.finish();
