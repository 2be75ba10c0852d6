import { parentPort, workerData } from "node:worker_threads";
import { Coverage } from "./coverage.js";
import { Engine } from "./engine.js";
import { choiceOf } from "./input-runner.js";
import { type Stats } from "./stats.js";
import { modulesOf } from "./modules.js";
import { instrumentedFolder } from "./instrumented-copy.js";
import { countNativeWork } from "./native-work.js";
import type { WorkerMessage, WorkerTask } from "./session.js";
import { SharedInput } from "./shared-input.js";
import { smallestCorpus } from "./smallest-corpus.js";
import type { Check, Checks, Target } from "./target.js";

const task = workerData as WorkerTask;
const port = parentPort!;
const say = (message: WorkerMessage): void => port.postMessage(message);
const shared = new SharedInput(task.memory);

const coverage = new Coverage();
coverage.install();
const { targets } = (await import(task.targetsModule)) as { targets: readonly Target[] };
const target = targets.find(({ name }) => name === task.target)!;
const checks = await target.open(modulesOf(instrumentedFolder));
countNativeWork(coverage.work);

if (task.run === undefined) {
  say({ kind: "ready" });
  port.on("message", ({ input, salt }: { input: Uint8Array; salt: number }) => {
    void runAlone(checks.check, input, salt).then(() => say({ kind: "returned" }));
  });
} else await runAll(target, checks, task.run);

async function runAlone(run: Check, input: Uint8Array, salt: number): Promise<void> {
  try {
    await run(input, choiceOf(input, salt));
  } catch {
    // Ignore the result: all that matters is whether the call returns.
  }
}

async function runAll(
  target: Target,
  checks: Checks,
  { seed, end, executions, maxFindings, inputs }: NonNullable<WorkerTask["run"]>,
): Promise<void> {
  const engine = new Engine(target, checks, coverage, seed, {
    onFinding: (finding) => say({ kind: "finding", finding }),
    onNew: (input) => say({ kind: "new", input }),
    onInput: (input, salt) => shared.write(input, salt),
    maxFindings,
  });
  const stats = (): Stats => ({ ...engine.stats });
  await engine.begin(inputs);
  let lastReport = Date.now();
  for (let round = 1; engine.stats.executions < executions && !engine.isDone; round++) {
    await engine.step();
    if (round % 32 !== 0) continue;
    const now = Date.now();
    if (now >= end) break;
    if (now - lastReport > 500) {
      say({ kind: "stats", stats: stats() });
      lastReport = now;
    }
    // Wait one turn of the event loop, during which unhandled rejections are reported.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const watched: Check = (input, random) => {
    shared.write(input, 0);
    return checks.check(input, random);
  };
  const smallest = await smallestCorpus(engine.corpus, watched, coverage);
  say({ kind: "done", stats: stats(), smallest });
}
