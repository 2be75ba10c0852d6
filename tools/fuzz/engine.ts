import type { Coverage } from "./coverage.js";
import { InputRunner, salts } from "./input-runner.js";
import { escapeBytes } from "./literal.js";
import {
  decisiveBytes,
  mutateBytes,
  stretchBytes,
  type Material,
  type Mutate,
} from "./mutate-bytes.js";
import { mutateJson } from "./mutate-json.js";
import { Random } from "./random.js";
import { type Checks, type Target } from "./target.js";
import type { Finding, Outcome } from "./outcome.js";
import { type Stats } from "./stats.js";

interface Entry {
  readonly input: Uint8Array;
  /** The number of edges that this input was the first to reach. */
  readonly edges: number;
  picked: number;
  /** How many new inputs have been derived from this one. */
  children: number;
}

/** Steps per byte are measured only for inputs of at least this length. */
const measurableLength = 64;

/** By default, a run ends after this many findings. */
export const mostFindings = 25;

/** Number of executions between soak tests. */
const soakEvery = 2_000;

/** Length of the inputs that are meant to expose superlinear work. */
const stretchedLength = 32 * 1024;

/**
 * The fuzzing loop: takes an input from the corpus, mutates it, runs it, and keeps it if it reached
 * a new edge or reached an edge a new number of times.
 * The same seed creates the same inputs as long as the code under test does not change.
 */
export class Engine {
  readonly #target: Target;
  readonly #runner: InputRunner;
  readonly #coverage: Coverage;
  readonly #random: Random;
  readonly #mutate: Mutate;
  readonly #material: Material;
  readonly #entries: Entry[] = [];
  readonly #found = new Set<string>();
  readonly #onFinding: (finding: Finding) => void;
  readonly #onNew: (input: Uint8Array) => void;
  readonly stats: Stats;
  readonly #maxFindings: number;

  constructor(
    target: Target,
    checks: Checks,
    coverage: Coverage,
    seed: number,
    {
      onFinding,
      onNew = () => undefined,
      onInput = () => undefined,
      maxFindings = mostFindings,
    }: {
      readonly onFinding: (finding: Finding) => void;
      /** Called with each input when it is added to the corpus. */
      readonly onNew?: (input: Uint8Array) => void;
      /** Called with each input before it runs. */
      readonly onInput?: (input: Uint8Array, salt: number) => void;
      readonly maxFindings?: number;
    },
  ) {
    this.#maxFindings = maxFindings;
    this.#target = target;
    this.#runner = new InputRunner(target, checks, coverage, onInput);
    this.#coverage = coverage;
    this.#random = new Random(seed);
    this.#onFinding = onFinding;
    this.#onNew = onNew;
    const names = [...new Set([...(target.tokens ?? []), ...coverage.literals])];
    this.#material = {
      maxLength: target.maxLength ?? 2_048,
      tokens: names.map((token) => new Uint8Array(Buffer.from(token))),
      bytes: [...decisiveBytes, ...coverage.bytes],
      anotherInput: (random) =>
        this.#entries.length === 0 ? new Uint8Array(0) : random.pick(this.#entries).input,
    };
    const changeBytes = mutateBytes(this.#material);
    this.#mutate =
      target.format === "bytes"
        ? changeBytes
        : mutateJson(this.#material, changeBytes, names, target);
    this.stats = {
      executions: 0,
      edges: 0,
      totalEdges: 0,
      corpus: 0,
      findings: 0,
      slowest: { perByte: 0, length: 0, input: "" },
    };
  }

  /** Whether the run has enough findings and should stop. */
  get isDone(): boolean {
    return this.stats.findings >= this.#maxFindings;
  }

  /** The inputs in the corpus. */
  get corpus(): readonly Uint8Array[] {
    return this.#entries.map(({ input }) => input);
  }

  /** Runs the given inputs without mutating them. */
  async begin(inputs: readonly Uint8Array[]): Promise<void> {
    for (const input of inputs) if (!this.isDone) await this.#try(input, undefined);
  }

  /** Creates one input and runs it. */
  async step(): Promise<void> {
    const random = this.#random;
    const parent = this.#choose();
    const input =
      parent !== undefined && random.oneIn(400)
        ? stretchBytes(parent.input, random, this.#material, random.below(stretchedLength))
        : this.#mutate(parent?.input ?? new Uint8Array(0), random);
    await this.#try(input, parent);
  }

  /** Picks the best of three random entries, preferring productive and short ones. */
  #choose(): Entry | undefined {
    const entries = this.#entries;
    if (entries.length === 0) return undefined;
    let best: Entry | undefined;
    let most = -1;
    for (let round = 0; round < 3; round++) {
      const each = entries[this.#random.below(entries.length)]!;
      const length = 1 + each.input.length / this.#material.maxLength;
      const score = (1 + each.edges + 4 * each.children) / (1 + each.picked) / length;
      if (score > most) [best, most] = [each, score];
    }
    best!.picked++;
    return best;
  }

  async #try(input: Uint8Array, parent: Entry | undefined): Promise<void> {
    const { stats } = this;
    const coverage = this.#coverage;
    const salt = this.#random.below(salts);
    const outcome = await this.#runner.run(input, salt);
    const isStretched = input.length > this.#material.maxLength;
    if (outcome.failure !== undefined) {
      await this.#report(input, salt, outcome.failure);
    } else {
      // Ignore the coverage of an input with a finding, so that other inputs can still be the first
      // to reach these edges.
      const { edges, counts } = coverage.end();
      if ((edges > 0 || counts > 0) && !isStretched) {
        this.#entries.push({ input, edges: edges * 4 + counts, picked: 0, children: 0 });
        if (parent !== undefined) parent.children++;
        this.#onNew(input);
      }
      const perByte = outcome.work / input.length;
      if (input.length >= measurableLength && perByte > stats.slowest.perByte)
        stats.slowest = {
          perByte: Math.round(perByte),
          length: input.length,
          input: escapeBytes(input.subarray(0, 120)),
        };
    }
    if (outcome.failure === undefined && stats.executions % soakEvery === soakEvery - 1) {
      const soaked = await this.#runner.soak(input, salt);
      if (soaked !== undefined) await this.#report(input, salt, soaked);
    }
    stats.executions++;
    stats.edges = coverage.reached;
    stats.totalEdges = coverage.total;
    stats.corpus = this.#entries.length;
  }

  async #report(
    input: Uint8Array,
    salt: number,
    failure: NonNullable<Outcome["failure"]>,
  ): Promise<void> {
    if (this.isDone || this.#found.has(failure.key)) return;
    const smallest = await this.#runner.minimise(input, salt, failure.key);
    // Timing varies, so a slow input is reported only if it is slow a second time.
    if (smallest === undefined && failure.oracle === "time") return;
    this.#found.add(failure.key);
    this.stats.findings++;
    const unsteady = { ...failure, detail: `once in several runs: ${failure.detail}`, input, salt };
    this.#onFinding({ target: this.#target.name, ...(smallest ?? unsteady) });
  }
}
