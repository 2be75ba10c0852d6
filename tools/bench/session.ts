/**
 * Measures how long a session takes per message, for each event and reverse request in the protocol
 * and for growing numbers of messages. Also measures the longest time for which a session blocks
 * the event loop.
 */
import { fileURLToPath } from "node:url";
import { createEncoder, events } from "@wirewright/dap";
import { FrameDecoder } from "../../runtime/index.js";
import type { Transport } from "@wirewright/dap/connection";
import { spawnAdapter } from "@wirewright/dap/node";
import { launch, type DebugSession } from "@wirewright/dap/session";
import { chunksOf } from "./codec-corpus.js";
import { processorTime } from "./measure.js";
import {
  figureOf,
  ratioOf,
  selects,
  type Bench,
  type BenchOptions,
  type Report,
} from "./report.js";

type Fields = Readonly<Record<string, unknown>>;

/** Event bodies by event name. Each message gets new ids. */
const bodies: Readonly<Record<string, (id: number) => Fields>> = {
  breakpoint: (id) => ({ reason: "new", breakpoint: { id, verified: true, line: id } }),
  capabilities: (id) => ({ capabilities: { supportsStepBack: id % 2 === 0 } }),
  continued: (threadId) => ({ threadId }),
  exited: (exitCode) => ({ exitCode }),
  invalidated: (threadId) => ({ areas: ["variables"], threadId }),
  loadedSource: (id) => ({ reason: "new", source: { path: `/${id}.c` } }),
  memory: (id) => ({ memoryReference: String(id), offset: 0, count: 8 }),
  module: (id) => ({ reason: "new", module: { id, name: `module ${id}` } }),
  output: (id) => ({ category: "stdout", output: `line ${id}\n` }),
  process: (id) => ({ name: `program ${id}`, systemProcessId: id }),
  progressEnd: (id) => ({ progressId: String(id) }),
  progressStart: (id) => ({ progressId: String(id), title: "Loading" }),
  progressUpdate: (id) => ({ progressId: String(id), percentage: 5 }),
  stopped: (threadId) => ({ reason: "breakpoint", threadId }),
  thread: (threadId) => ({ reason: "started", threadId }),
};

const requests: Readonly<Record<string, (id: number) => Fields>> = {
  "startDebugging, refused": (id) => ({ request: `other ${id}`, configuration: {} }),
  runInTerminal: (id) => ({ args: ["program", String(id)], cwd: "/" }),
};

/** An in-process adapter that supports starting a session. */
class FedAdapter implements Transport {
  #give: (bytes: Uint8Array) => unknown = () => undefined;
  #end: () => void = () => undefined;
  readonly #encoder = createEncoder();
  readonly #decoder = new FrameDecoder({
    onMessage: (message) => this.#answer(message as unknown as Fields),
  });
  answers = 0;

  read(onBytes: (bytes: Uint8Array) => unknown, onEnd: () => void): void {
    this.#give = onBytes;
    this.#end = onEnd;
  }

  write(bytes: Uint8Array): void {
    this.#decoder.push(bytes);
  }

  close(): void {
    this.#end();
  }

  async feed(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) await this.#give(chunk);
  }

  #answer({ type, seq: request_seq, command }: Fields): void {
    if (type === "response") this.answers++;
    if (type !== "request") return;
    const frame = (message: object): Uint8Array => this.#encoder.encode(message as never);
    const frames = [frame({ seq: 1, type: "response", request_seq, success: true, command })];
    if (command === "initialize")
      frames.push(frame({ seq: 2, type: "event", event: "initialized" }));
    setImmediate(() => void this.feed(frames));
  }
}

/** Measures how long a session takes to handle each message, in nanoseconds. */
async function timeOf(messages: readonly object[], isRequest: boolean): Promise<number> {
  const adapter = new FedAdapter();
  const session = await launch(adapter, {
    arguments: {},
    connectChild: () => new FedAdapter(),
    runInTerminal: () => ({}),
    connection: { onProblem: () => undefined },
  });
  const encoder = createEncoder();
  const frames = messages.map((message) => encoder.encode(message as never));
  const chunks = chunksOf(Buffer.concat(frames), 65_536);
  const start = processorTime();
  await adapter.feed(chunks);
  while (isRequest && adapter.answers < messages.length) await turn();
  const took = processorTime() - start;
  await session.disconnect({ disconnectMs: 100, closeMs: 100 });
  return took / messages.length;
}

async function measureMessages(report: Report, options: BenchOptions): Promise<void> {
  const counts = options.isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
  const columns = Object.fromEntries(counts.map((count) => [count.toLocaleString("en"), "ns"]));
  const table = report.table("messages of the adapter", ["message"], columns);
  const rounds = Math.min(options.rounds, 5);
  const names = Object.values(events)
    .map(({ name }) => name)
    .sort();
  for (const name of [...names, ...Object.keys(requests)]) {
    if (!selects(options, ["messages", name])) continue;
    const request = requests[name];
    const messageOf = (id: number): object =>
      request === undefined
        ? { seq: id, type: "event", event: name, body: bodies[name]?.(id) ?? {} }
        : { seq: id, type: "request", command: name.split(",")[0], arguments: request(id) };
    const all = Array.from({ length: counts.at(-1)! }, (_, at) => messageOf(at + 1));
    const times = counts.map((): number[] => []);
    await timeOf(all.slice(0, 20_000), request !== undefined);
    for (let round = 0; round < rounds; round++)
      for (const [at, count] of counts.entries()) {
        // Send the same total number of messages at each count, so that small counts are measured
        // as accurately as large ones.
        const repeats = Math.min(20, counts.at(-1)! / count);
        const several: number[] = [];
        for (let turn = 0; turn < repeats; turn++)
          several.push(await timeOf(all.slice(0, count), request !== undefined));
        times[at]!.push(several.reduce((sum, each) => sum + each, 0) / repeats);
      }
    table.row([name], {
      ...Object.fromEntries(
        counts.map((count, at) => [count.toLocaleString("en"), figureOf(times[at]!)]),
      ),
      [`${counts.at(-1)!.toLocaleString("en")} to 1,000`]: ratioOf(times.at(-1)!, times[0]!),
    });
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Turns {
  /**
   * The longest turn of the event loop, in nanoseconds. `thread` is the most processor time that
   * the thread used in one turn.
   */
  readonly elapsed: number;
  readonly thread: number;
  readonly whole: number;
}

type ThreadUsage = () => { readonly user: number; readonly system: number };

/** Node 20 can measure only the whole process, including the garbage collector's threads. */
const { threadCpuUsage = process.cpuUsage } = process as {
  readonly threadCpuUsage?: ThreadUsage;
};

/** Returns the processor time that this thread has used, in nanoseconds. */
function threadTime(): number {
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) * 1e3;
}

/**
 * Runs a function and measures the turns of the event loop. On a busy machine, elapsed time mostly
 * measures other programs; the thread's processor time measures our code.
 */
async function watchLoop(run: () => Promise<unknown>): Promise<Turns> {
  const start = performance.now();
  let [last, lastUsed] = [start, threadTime()];
  let [elapsed, thread, isOver] = [0, 0, false];
  const tick = (): void => {
    const [now, used] = [performance.now(), threadTime()];
    elapsed = Math.max(elapsed, now - last);
    thread = Math.max(thread, used - lastUsed);
    [last, lastUsed] = [now, used];
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await run();
  isOver = true;
  await turn();
  return { elapsed: elapsed * 1e6, thread, whole: (performance.now() - start) * 1e6 };
}

const peer = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function outputEvents(count: number): Promise<DebugSession> {
  const adapter = await spawnAdapter(process.execPath, [peer("./session-peer.js"), String(count)]);
  return launch(adapter, { arguments: {} });
}

/** Sends a thousand requests in each turn of the event loop, then waits for all responses. */
async function requestsInFlight(count: number): Promise<void> {
  const { connection } = await spawnAdapter(process.execPath, [
    peer("./connection-peer.js"),
    "wirewright",
  ]);
  const answers: Promise<unknown>[] = [];
  while (answers.length < count) {
    for (let sent = 0; sent < 1_000; sent++)
      answers.push(connection.request("stackTrace", { threadId: 1, levels: 1 }));
    await turn();
  }
  await Promise.all(answers);
  await connection.close();
}

async function measureBlocks(report: Report, options: BenchOptions): Promise<void> {
  const columns = ["longest turn", "worst turn", "thread, longest", "thread, worst", "whole"];
  const units = Object.fromEntries(columns.map((column) => [column, "ns"]));
  const table = report.table("blocks of the event loop", ["load"], units);
  const loads: Readonly<Record<string, () => Promise<unknown>>> = {
    "1,000,000 output events before initialized": async () =>
      (await outputEvents(1_000_000)).disconnect(),
    "100,000 requests in flight": () => requestsInFlight(100_000),
  };
  for (const [name, load] of Object.entries(loads)) {
    if (!selects(options, ["blocks", name])) continue;
    const found: Turns[] = [];
    for (let round = 0; round < Math.min(options.rounds, 5); round++)
      found.push(await watchLoop(load));
    const [elapsed, thread] = [found.map((each) => each.elapsed), found.map((each) => each.thread)];
    table.row([name], {
      "longest turn": figureOf(elapsed),
      "worst turn": figureOf([Math.max(...elapsed)]),
      "thread, longest": figureOf(thread),
      "thread, worst": figureOf([Math.max(...thread)]),
      whole: figureOf(found.map(({ whole }) => whole)),
    });
  }
}

export const bench: Bench = async (report, options) => {
  await measureMessages(report, options);
  await measureBlocks(report, options);
};
