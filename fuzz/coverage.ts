/** The counters of one instrumented file. */
export interface FileProbes {
  /** How often each place was passed in this execution. */
  readonly counters: Uint8Array;
  readonly work: Work;
}

/** What an execution has done: calls and rounds of loops. The same for the same input. */
export interface Work {
  done: number;
  most: number;
  /** Called when `done` exceeds `most`; throws. */
  stop(): void;
}

/** Thrown inside code that does more work than it may, so that an endless loop ends. */
export class WorkLimitError extends Error {
  override readonly name = "WorkLimitError";
}

/** Where instrumented files find their counters. */
export const globalName = "__fuzzCoverage";

const capacity = 1 << 19;

/** Counts of passes that make a difference, as bits. */
const buckets = Uint8Array.from({ length: 256 }, (_, count) =>
  count === 0
    ? 0
    : count <= 3
      ? 1 << (count - 1)
      : count < 8
        ? 8
        : count < 16
          ? 16
          : count < 32
            ? 32
            : count < 128
              ? 64
              : 128,
);

/** Which edges of instrumented code executions reach, and how often. */
export class Coverage {
  readonly #counters = new Uint8Array(capacity);
  /** The counters four by four: most are zero. */
  readonly #words = new Uint32Array(this.#counters.buffer);
  /** Buckets of each edge that were reached before. */
  readonly #seen = new Uint8Array(capacity);
  #used = 0;
  #reached = 0;
  /** Texts and numbers that stand in the instrumented code. */
  readonly literals = new Set<string>();
  /** Numbers that can be bytes. */
  readonly bytes = new Set<number>();
  readonly work: Work = {
    done: 0,
    most: Infinity,
    stop: () => {
      this.isStopped = true;
      throw new WorkLimitError(`more than ${this.work.most} steps`);
    },
  };
  /** Whether the last execution did more work than it may. */
  isStopped = false;

  /** Makes this what instrumented files that are loaded from now on report to. */
  install(): void {
    (globalThis as Record<string, unknown>)[globalName] = this;
  }

  /** Called by each instrumented file when it is loaded. */
  open(edges: number, literals: readonly string[], bytes: readonly number[]): FileProbes {
    const start = this.#used;
    if (start + edges > capacity) throw new Error("Cannot count so many edges");
    this.#used += edges;
    for (const literal of literals) this.literals.add(literal);
    for (const byte of bytes) this.bytes.add(byte);
    return { counters: this.#counters.subarray(start, this.#used), work: this.work };
  }

  /** Edges there are. */
  get total(): number {
    return this.#used;
  }

  /** Edges that any execution has reached. */
  get reached(): number {
    return this.#reached;
  }

  /** Before an execution. */
  begin(mostWork: number): void {
    this.#counters.fill(0, 0, this.#used);
    this.work.done = 0;
    this.work.most = mostWork;
    this.isStopped = false;
  }

  /** Behind an execution: how many edges it reached for the first time, and in how many new counts. */
  end(): { readonly edges: number; readonly counts: number } {
    this.work.most = Infinity;
    let edges = 0;
    let counts = 0;
    const words = this.#words;
    const counters = this.#counters;
    const seen = this.#seen;
    const length = (this.#used + 3) >> 2;
    for (let word = 0; word < length; word++) {
      if (words[word] === 0) continue;
      for (let at = word * 4; at < word * 4 + 4; at++) {
        const bucket = buckets[counters[at]!]!;
        const before = seen[at]!;
        if ((before & bucket) === bucket) continue;
        if (before === 0) edges++;
        else counts++;
        seen[at] = before | bucket;
      }
    }
    this.#reached += edges;
    return { edges, counts };
  }

  /** The edges that the last execution passed. */
  passed(): number[] {
    const passed: number[] = [];
    for (let at = 0; at < this.#used; at++) if (this.#counters[at] !== 0) passed.push(at);
    return passed;
  }
}
