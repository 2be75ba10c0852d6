import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { mostFindings } from "./engine.js";
import { type Stats } from "./stats.js";
import { type Finding } from "./outcome.js";
import { minimise } from "./minimise.js";
import { SharedInput } from "./shared-input.js";

/** The task given to a worker thread at startup. */
export interface WorkerTask {
  readonly target: string;
  /** URL of the module that exports `targets`. */
  readonly targetsModule: string;
  readonly memory: SharedArrayBuffer;
  /** The settings for a run. Absent if inputs are sent one by one. */
  readonly run?: {
    readonly seed: number;
    /** The time at which the run ends. */
    readonly end: number;
    readonly executions: number;
    readonly maxFindings: number;
    readonly inputs: readonly Uint8Array[];
  };
}

/** Messages from a worker. */
export type WorkerMessage =
  | { readonly kind: "new"; readonly input: Uint8Array }
  | { readonly kind: "finding"; readonly finding: Finding }
  | { readonly kind: "stats"; readonly stats: Stats }
  | { readonly kind: "done"; readonly stats: Stats; readonly smallest: readonly Uint8Array[] }
  /**
   * Messages from a worker that is given its inputs one by one: `ready` asks for the next input,
   * and `returned` reports that the current one is done.
   */
  | { readonly kind: "ready" }
  | { readonly kind: "returned" };

export interface SessionOptions {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly executions?: number;
  /** The run ends after this many findings. Default: 25. */
  readonly maxFindings?: number;
  readonly inputs: readonly Uint8Array[];
  readonly onFinding: (finding: Finding) => void;
  readonly onStats?: (stats: Stats) => void;
  readonly targetsModule?: string;
  /** Milliseconds of CPU time after which a call is considered hung. Default: 30,000. */
  readonly hangMs?: number;
}

/** The result of fuzzing one target. */
export interface SessionResult {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly stats: Stats;
  /** A minimal set of inputs that reaches every edge reached by the run. */
  readonly smallest: readonly Uint8Array[];
}

/** Maximum number of times to restart a worker after an input has ended it. */
const mostRestarts = 5;

/**
 * A call is considered hung once it has run for `hangMs` and used as much CPU time. A call that
 * only waits uses no CPU time; it is considered hung after this multiple of `hangMs`.
 */
const maxLoad = 10;

/** The number of running workers, which share this process's CPU time. */
let running = 0;

/** A worker's heap limit in megabytes. */
const mostMemory = 1_024;

const ownTargets: string = new URL("./targets/index.js", import.meta.url).href;

/**
 * Fuzzes a target in a separate thread and watches that thread. An input that never returns, or
 * that ends the thread, is a finding, and the run continues without it.
 */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const start = performance.now();
  const end = Date.now() + options.seconds * 1000;
  let inputs = [...options.inputs];
  let before: Stats | undefined;
  for (let restart = 0; ; restart++) {
    const round = await runRound(options, inputs, end, options.seed + restart, before);
    before = round.stats;
    const { ended } = round;
    if (ended !== undefined) {
      options.onFinding(await smallestOf(ended, options));
      before = { ...before, findings: before.findings + 1 };
      const text = ended.input.join();
      inputs = [...inputs, ...round.inputs].filter((each) => each.join() !== text);
    }
    if (ended === undefined || Date.now() > end || restart === mostRestarts)
      return {
        target: options.target,
        seed: options.seed,
        seconds: (performance.now() - start) / 1000,
        stats: before,
        smallest: round.smallest,
      };
  }
}

/** The result of one worker, which runs until it is done or an input ends it. */
interface Round {
  readonly stats: Stats;
  readonly inputs: readonly Uint8Array[];
  readonly smallest: readonly Uint8Array[];
  readonly ended: Finding | undefined;
}

function runRound(
  options: SessionOptions,
  inputs: readonly Uint8Array[],
  end: number,
  seed: number,
  before: Stats | undefined,
): Promise<Round> {
  const { target, hangMs = 30_000, targetsModule = ownTargets } = options;
  const { executions = Infinity, maxFindings = mostFindings } = options;
  const shared = new SharedInput();
  const worker = startWorker({
    target,
    targetsModule,
    memory: shared.memory,
    run: { seed, end, executions, maxFindings, inputs },
  });
  return new Promise((resolve, reject) => {
    const fresh: Uint8Array[] = [];
    let stats = noStats;
    let lastCount = shared.count;
    let lastChange = performance.now();
    let lastUsage = process.cpuUsage();
    let isOver = false;
    running++;
    const stop = (): void => {
      if (!isOver) running--;
      isOver = true;
      clearInterval(watch);
    };
    const finish = (smallest: readonly Uint8Array[], ended?: Finding): void => {
      stop();
      void worker.terminate();
      resolve({ stats: added(before, stats), inputs: fresh, smallest, ended });
    };
    const endedBy = (oracle: Finding["oracle"], detail: string): Finding => {
      const { input, salt } = shared.read();
      return { target, oracle, detail, key: `${oracle} ${detail}`, input, salt };
    };
    const watch = setInterval(() => {
      if (shared.count !== lastCount || shared.count === 0) {
        lastCount = shared.count;
        lastChange = performance.now();
        lastUsage = process.cpuUsage();
      } else {
        const waited = performance.now() - lastChange;
        const { user, system } = process.cpuUsage(lastUsage);
        const worked = (user + system) / 1000 / running;
        if (waited > hangMs * maxLoad || (waited > hangMs && worked > hangMs))
          finish([], endedBy("hangs", `It has not returned after ${hangMs} ms`));
      }
    }, 100);
    worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "new") fresh.push(message.input);
      else if (message.kind === "finding") options.onFinding(message.finding);
      else if (message.kind === "stats") {
        stats = message.stats;
        options.onStats?.(added(before, stats));
      } else if (message.kind === "done") {
        stats = message.stats;
        finish(message.smallest);
      }
    });
    worker.on("error", (error: NodeJS.ErrnoException) => {
      if (shared.count === 0) {
        stop();
        reject(error);
      } else if (error.code === "ERR_WORKER_OUT_OF_MEMORY")
        finish([], endedBy("memory", `It takes more than ${mostMemory} MB`));
      else
        finish(
          [],
          endedBy("throws", `Nobody caught ${String(error.stack ?? error).slice(0, 400)}`),
        );
    });
  });
}

function startWorker(task: WorkerTask): Worker {
  return new Worker(new URL("./worker.js", import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory, maxYoungGenerationSizeMb: 64 },
  });
}

/** Finds a smaller input that ends its worker in the same way. Each candidate gets a new worker. */
async function smallestOf(found: Finding, options: SessionOptions): Promise<Finding> {
  const { targetsModule = ownTargets } = options;
  const shared = new SharedInput();
  let worker: Worker | undefined;
  const ends = async (input: Uint8Array): Promise<boolean> => {
    if (worker === undefined) {
      worker = startWorker({ target: found.target, targetsModule, memory: shared.memory });
      // Wait until the worker has loaded, because loading time does not count.
      await once(worker, "message");
    }
    const running = worker;
    running.postMessage({ input, salt: found.salt });
    if (await hasReturned(running)) return false;
    worker = undefined;
    await running.terminate();
    return true;
  };
  const input = (await ends(found.input)) ? await minimise(found.input, ends) : found.input;
  await worker?.terminate();
  return { ...found, input };
}

/** Returns whether a worker responds in time. */
async function hasReturned(worker: Worker): Promise<boolean> {
  try {
    await once(worker, "message", { signal: AbortSignal.timeout(3_000) });
    return true;
  } catch {
    return false;
  }
}

const noStats: Stats = {
  executions: 0,
  edges: 0,
  totalEdges: 0,
  corpus: 0,
  findings: 0,
  slowest: { perByte: 0, length: 0, input: "" },
};

/** Adds a worker's statistics to those of the worker that it replaces. */
function added(before: Stats | undefined, stats: Stats): Stats {
  if (before === undefined) return stats;
  return {
    executions: before.executions + stats.executions,
    edges: Math.max(before.edges, stats.edges),
    totalEdges: Math.max(before.totalEdges, stats.totalEdges),
    corpus: Math.max(before.corpus, stats.corpus),
    findings: before.findings + stats.findings,
    slowest: stats.slowest.perByte > before.slowest.perByte ? stats.slowest : before.slowest,
  };
}
