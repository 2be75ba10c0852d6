import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { mostFindings } from "./engine.js";
import { type Stats } from "./stats.js";
import { type Finding } from "./outcome.js";
import { minimise } from "./minimise.js";
import { SharedInput } from "./shared-input.js";

/** The task that a worker thread gets when it starts. */
export interface WorkerTask {
  readonly target: string;
  /** URL of the module that exports `targets`. */
  readonly targetsModule: string;
  readonly memory: SharedArrayBuffer;
  /** Settings of a run. Absent if inputs are sent one by one. */
  readonly run?: {
    readonly seed: number;
    /** Time at which the run ends. */
    readonly end: number;
    readonly executions: number;
    readonly maxFindings: number;
    readonly inputs: readonly Uint8Array[];
  };
}

/** Messages that a worker sends. */
export type WorkerMessage =
  | { readonly kind: "new"; readonly input: Uint8Array }
  | { readonly kind: "finding"; readonly finding: Finding }
  | { readonly kind: "stats"; readonly stats: Stats }
  | { readonly kind: "done"; readonly stats: Stats; readonly smallest: readonly Uint8Array[] }
  /**
   * Messages of a worker that gets its inputs one by one: `ready` asks for the next input, and
   * `returned` reports that the current input is done.
   */
  | { readonly kind: "ready" }
  | { readonly kind: "returned" };

export interface SessionOptions {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly executions?: number;
  /** Number of findings after which the run ends. Default: 25. */
  readonly maxFindings?: number;
  readonly inputs: readonly Uint8Array[];
  readonly onFinding: (finding: Finding) => void;
  readonly onStats?: (stats: Stats) => void;
  readonly targetsModule?: string;
  /** Milliseconds of CPU time after which a call counts as hanging. Default: 30,000. */
  readonly hangMs?: number;
}

/** The result of fuzzing one target. */
export interface SessionResult {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  readonly stats: Stats;
  /** A minimal selection of inputs that reaches every edge that the run reached. */
  readonly smallest: readonly Uint8Array[];
}

/** The maximum number of times that a worker is restarted after an input has ended it. */
const mostRestarts = 5;

/**
 * A call hangs if it has run for `hangMs` and has used as much CPU time. A call that only waits
 * uses no CPU time: it hangs after this multiple of `hangMs`.
 */
const maxLoad = 10;

/** The number of running workers, which share the CPU time of this process. */
let running = 0;

/** Heap limit of a worker in megabytes. */
const mostMemory = 1_024;

const ownTargets: string = new URL("./targets/index.js", import.meta.url).href;

/**
 * Fuzzes a target in a separate thread and watches the thread. An input that never returns, or that
 * ends the thread, is a finding; the run continues without it.
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

/** The result of one worker, which runs until it has finished or until an input ends it. */
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

/**
 * Finds a smaller input that ends its worker in the same way. Each candidate runs in a new worker.
 */
async function smallestOf(found: Finding, options: SessionOptions): Promise<Finding> {
  const { targetsModule = ownTargets } = options;
  const shared = new SharedInput();
  let worker: Worker | undefined;
  const ends = async (input: Uint8Array): Promise<boolean> => {
    if (worker === undefined) {
      worker = startWorker({ target: found.target, targetsModule, memory: shared.memory });
      // Wait for the worker to load, because loading time does not count.
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

/** Whether a worker responds in time. */
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

/** Adds the statistics of a worker to the statistics of the worker that it replaces. */
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
