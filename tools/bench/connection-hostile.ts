/**
 * Measures how much a request costs when the peer does not respond, does not read, or keeps sending
 * requests: time and memory per request, for growing numbers of requests. The cost is flat if the
 * last column is close to the first.
 */
import { createEncoder } from "@wirewright/dap";
import { connect, type Transport } from "@wirewright/dap/connection";
import { processorTime } from "./measure.js";
import { selects, type Bench } from "./report.js";
import type { Figure } from "./results.js";

const collect = (globalThis as { gc?: () => void }).gc;

const counts = [1_000, 10_000, 100_000];
const encoder = createEncoder();

/**
 * A simulated peer that sends scripted messages. If `reads` is false, writes to it never complete.
 */
class Peer implements Transport {
  onBytes: (bytes: Uint8Array) => void | Promise<void> = () => undefined;
  readonly reads: boolean;

  constructor(reads = true) {
    this.reads = reads;
  }

  read(onBytes: Peer["onBytes"]): void {
    this.onBytes = onBytes;
  }

  write(): void | Promise<void> {
    if (!this.reads) return new Promise(() => undefined);
  }

  close(): void {}

  /** Sends `count` messages in chunks of about 64 KiB, as a socket would. */
  async say(count: number, message: (number: number) => object): Promise<void> {
    let chunk: Uint8Array[] = [];
    let length = 0;
    for (let number = 1; number <= count; number++) {
      const frame = encoder.encode(message(number) as never);
      chunk.push(frame);
      length += frame.length;
      if (length < 65_536 && number < count) continue;
      await this.onBytes(Buffer.concat(chunk));
      chunk = [];
      length = 0;
    }
  }
}

interface Work {
  readonly name: string;
  /**
   * Prepares the case and returns the function to measure. The function's result must stay alive
   * while memory is measured.
   */
  prepare(count: number): Promise<() => Promise<unknown>>;
}

const forever = (): Promise<never> => new Promise(() => undefined);
const threads = { threads: [] };

function ask(
  client: ReturnType<typeof connect<"client">>,
  count: number,
  options?: Parameters<typeof client.request<"threads">>[2],
): Promise<unknown>[] {
  return Array.from({ length: count }, () => {
    const asked = client.request("threads", undefined, options);
    asked.catch(() => undefined);
    return asked;
  });
}

const works: readonly Work[] = [
  {
    name: "asked, never answered",
    prepare: async (count) => {
      const client = connect("client", new Peer());
      return async () => [client, ask(client, count)];
    },
  },
  {
    name: "the same with a signal and a time",
    prepare: async (count) => {
      const client = connect("client", new Peer());
      const { signal } = new AbortController();
      return async () => [client, ask(client, count, { signal, timeoutMs: 3_600_000 })];
    },
  },
  {
    name: "asked, aborted all at once",
    prepare: async (count) => {
      const peer = new Peer();
      const client = connect("client", peer);
      const initialized = client.request("initialize", { adapterID: "a" });
      await peer.say(1, () => ({
        seq: 1,
        type: "response",
        request_seq: 1,
        command: "initialize",
        success: true,
        body: { supportsCancelRequest: true },
      }));
      await initialized;
      const controller = new AbortController();
      const { signal } = controller;
      return async () => {
        void ask(client, count, { signal });
        controller.abort();
        return client;
      };
    },
  },
  {
    name: "asked, answered from the last to the first",
    prepare: async (count) => {
      const peer = new Peer();
      const client = connect("client", peer);
      const { signal } = new AbortController();
      return async () => {
        const asked = ask(client, count, { signal, timeoutMs: 3_600_000 });
        await peer.say(count, (number) => ({
          seq: number,
          type: "response",
          request_seq: count + 1 - number,
          command: "threads",
          success: true,
          body: threads,
        }));
        await Promise.all(asked);
        return client;
      };
    },
  },
  {
    name: "outgoing requests, the peer does not read",
    prepare: async (count) => {
      const client = connect("client", new Peer(false));
      return async () => [client, ask(client, count)];
    },
  },
  {
    name: "incoming requests, no handler finishes",
    prepare: async (count) => {
      const peer = new Peer();
      const adapter = connect("adapter", peer, {
        handlers: { threads: forever },
        maxQueuedBytes: 2 ** 40,
      });
      return async () => {
        await peer.say(count, (seq) => ({ seq, type: "request", command: "threads" }));
        return adapter;
      };
    },
  },
  {
    name: "incoming requests, the peer does not read",
    prepare: async (count) => {
      const peer = new Peer(false);
      const adapter = connect("adapter", peer, {
        handlers: { threads: () => threads },
        maxQueuedBytes: 2 ** 40,
      });
      return async () => {
        await peer.say(count, (seq) => ({ seq, type: "request", command: "threads" }));
        return adapter;
      };
    },
  },
];

/** Returns the memory in use after a garbage collection, in bytes. */
function memoryUsed(): number {
  for (let round = 0; round < 3; round++) collect!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Measures the cost of one request, in microseconds of processor time and in bytes. */
async function measure(work: Work, count: number): Promise<readonly [number, number]> {
  const act = await work.prepare(count);
  const before = memoryUsed();
  const from = processorTime();
  const kept = await act();
  const took = (processorTime() - from) / 1_000;
  await new Promise((resolve) => setTimeout(resolve));
  const grown = memoryUsed() - before;
  if (kept === undefined) throw new Error("nothing was kept");
  return [took / count, Math.max(0, grown / count)];
}

export const bench: Bench = async (report, options) => {
  const table = report.table("cost of a request", ["requests", "count"], {
    time: "us",
    memory: "B",
  });
  for (const work of works) {
    if (!selects(options, [work.name])) continue;
    await measure(work, 5_000); // The first measurement is a warm-up.
    for (const count of options.isQuick ? counts.slice(0, 1) : counts) {
      const [micros, bytes] = await measure(work, count);
      const figure = (value: number): Figure => [Number(value.toPrecision(3)), 0];
      const labels = [work.name, count.toLocaleString("en")];
      table.row(labels, { time: figure(micros), memory: figure(Math.round(bytes)) });
    }
  }
};
