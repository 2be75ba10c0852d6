/** The counters of one instrumented file. */
export interface FileProbes {
  /** For each instrumented location, how often the current execution has reached it. */
  readonly counters: Uint8Array;
  readonly work: Work;
}

/**
 * The work that an execution has done, counted in calls and loop iterations. The count is always
 * the same for the same input.
 */
export interface Work {
  done: number;
  most: number;
  /** Called when `done` exceeds `most`. Throws an error. */
  stop(): void;
}

/** Thrown inside code that exceeds its work limit, to break out of endless loops. */
export class WorkLimitError extends Error {
  override readonly name = "WorkLimitError";
}

/** Name of the global variable through which instrumented files find their counters. */
export const globalName = "__fuzzCoverage";

const capacity = 1 << 19;

/** For each execution count, the range that contains it, as a single bit. */
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

/** Records which edges of the instrumented code are reached and how often. */
export class Coverage {
  readonly #counters = new Uint8Array(capacity);
  /** The counters as 32-bit words. Most counters are zero, so they are skipped four at a time. */
  readonly #words = new Uint32Array(this.#counters.buffer);
  /** For each edge, the ranges of counts reached so far. */
  readonly #seen = new Uint8Array(capacity);
  #used = 0;
  #reached = 0;
  /** Strings and numbers in the instrumented code. */
  readonly literals = new Set<string>();
  /** Those numbers in the instrumented code that fit in a byte. */
  readonly bytes = new Set<number>();
  readonly work: Work = {
    done: 0,
    most: Infinity,
    stop: () => {
      this.isStopped = true;
      throw new WorkLimitError(`more than ${this.work.most} steps`);
    },
  };
  /** Whether the last execution exceeded its work limit. */
  isStopped = false;

  /** Makes all instrumented files loaded from now on report to this object. */
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

  /** Number of edges in the instrumented code. */
  get total(): number {
    return this.#used;
  }

  /** Number of edges reached by at least one execution. */
  get reached(): number {
    return this.#reached;
  }

  /** Prepares for an execution by resetting the counters and setting the work limit. */
  begin(mostWork: number): void {
    this.#counters.fill(0, 0, this.#used);
    this.work.done = 0;
    this.work.most = mostWork;
    this.isStopped = false;
  }

  /**
   * Ends an execution. Returns how many edges it was the first to reach, and how many edges reached
   * a new range of counts.
   */
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

  /** Returns the edges that the last execution reached. */
  passed(): number[] {
    const passed: number[] = [];
    for (let at = 0; at < this.#used; at++) if (this.#counters[at] !== 0) passed.push(at);
    return passed;
  }
}
