import type { Coverage } from "./coverage.js";
import { escapeBytes } from "./literal.js";
import { minimise } from "./minimise.js";
import {
  decisiveBytes,
  mutateBytes,
  stretchBytes,
  type Material,
  type Mutate,
} from "./mutate-bytes.js";
import { mutateJson } from "./mutate-json.js";
import { hashOf, Random } from "./random.js";
import { type Checks, type Target } from "./target.js";
import { failureOf, type Finding, type Outcome } from "./outcome.js";
import { type Stats } from "./stats.js";

/** Number of salts that a single input is run with. */
export const salts = 32;

interface Entry {
  readonly input: Uint8Array;
  /** Number of edges that it was the first to reach. */
  readonly edges: number;
  picked: number;
  /** Number of new inputs derived from it. */
  children: number;
}

/** Shorter inputs are ignored when steps per byte are measured. */
const measurableLength = 64;

/** Findings after which a run ends by default: it is of no use until they are fixed. */
export const mostFindings = 25;

/**
 * Number of executions between two soak tests, and number of salts when a single input is soaked.
 */
const soakEvery = 2_000;
const soakedSalts = 2;

/** Length of inputs that are meant to expose superlinear work. */
const stretchedLength = 32 * 1024;

/**
 * The fuzzing loop: takes an input from the corpus, mutates it, runs it, and keeps it if it reached
 * something new.
 *
 * The same seed creates the same inputs as long as the code under test is the same.
 */
export class Engine {
  readonly #target: Target;
  readonly #checks: Checks;
  readonly #coverage: Coverage;
  readonly #random: Random;
  readonly #mutate: Mutate;
  readonly #material: Material;
  readonly #entries: Entry[] = [];
  readonly #found = new Set<string>();
  readonly #onFinding: (finding: Finding) => void;
  readonly #onNew: (input: Uint8Array) => void;
  readonly #onInput: (input: Uint8Array, salt: number) => void;
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
      /** Called with each input that reached something new. */
      readonly onNew?: (input: Uint8Array) => void;
      /** Called with each input before it runs. */
      readonly onInput?: (input: Uint8Array, salt: number) => void;
      readonly maxFindings?: number;
    },
  ) {
    this.#maxFindings = maxFindings;
    this.#target = target;
    this.#checks = checks;
    this.#coverage = coverage;
    this.#random = new Random(seed);
    this.#onFinding = onFinding;
    this.#onNew = onNew;
    this.#onInput = onInput;
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

  /** Whether to stop. */
  get isDone(): boolean {
    return this.stats.findings >= this.#maxFindings;
  }

  /** The inputs that reached something new. */
  get corpus(): readonly Uint8Array[] {
    return this.#entries.map(({ input }) => input);
  }

  /** Runs inputs unchanged, before mutations of them. */
  async begin(inputs: readonly Uint8Array[]): Promise<void> {
    for (const input of inputs) if (!this.isDone) await this.#try(input, undefined);
  }

  /** Creates and runs one input. */
  async step(): Promise<void> {
    const random = this.#random;
    const parent = this.#choose();
    const input =
      parent !== undefined && random.oneIn(400)
        ? stretchBytes(parent.input, random, this.#material, random.below(stretchedLength))
        : this.#mutate(parent?.input ?? new Uint8Array(0), random);
    await this.#try(input, parent);
  }

  /** The best of three random entries, by productivity and length. */
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
    const outcome = await this.#run(input, salt);
    const isStretched = input.length > this.#material.maxLength;
    if (outcome.failure !== undefined) {
      await this.#report(input, salt, outcome.failure);
    } else {
      // Coverage of inputs with findings does not count, so that it stays new for others.
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
      const soaked = await this.#soak(input, salt);
      if (soaked !== undefined) await this.#report(input, salt, soaked);
    }
    stats.executions++;
    stats.edges = coverage.reached;
    stats.totalEdges = coverage.total;
    stats.corpus = this.#entries.length;
  }

  async #run(input: Uint8Array, salt: number): Promise<Outcome> {
    const start = performance.now();
    const outcome = await this.#runOnce(input, salt);
    const most = (this.#target.mostMs ?? 100) + input.length / 20;
    if (outcome.failure !== undefined || performance.now() - start <= most) return outcome;
    // Other processes use this machine, too, so an input counts as slow only if it takes much CPU
    // time repeatedly.
    let took = Infinity;
    for (let round = 0; round < 4 && took > most; round++) {
      const before = process.cpuUsage();
      await this.#runOnce(input, salt);
      const { user, system } = process.cpuUsage(before);
      took = Math.min(took, (user + system) / 1000);
    }
    if (took <= most) return outcome;
    const detail = `${Math.round(took)} ms for ${input.length} bytes`;
    return { ...outcome, failure: { oracle: "time", detail, key: "time" } };
  }

  async #soak(input: Uint8Array, salt: number): Promise<Outcome["failure"]> {
    const { soak } = this.#checks;
    if (soak === undefined) return undefined;
    this.#onInput(input, salt);
    // A long input takes more steps than its seed may.
    this.#coverage.begin(Infinity);
    try {
      await soak(input, choiceOf(input, salt));
      return undefined;
    } catch (error) {
      return failureOf(error);
    }
  }

  async #runOnce(input: Uint8Array, salt: number): Promise<Outcome> {
    const coverage = this.#coverage;
    const { base, perByte } = this.#target.work;
    const most = base + perByte * input.length;
    let failure: Outcome["failure"];
    this.#onInput(input, salt);
    coverage.begin(most * 8);
    try {
      const checked = this.#checks.check(input, choiceOf(input, salt));
      if (checked !== undefined) await checked;
    } catch (error) {
      failure = failureOf(error);
    }
    const work = Math.round(coverage.work.done);
    if (work > most || coverage.isStopped) {
      const detail = coverage.isStopped
        ? `more than ${work} steps for ${input.length} bytes`
        : `${work} steps for ${input.length} bytes`;
      failure = { oracle: "work", detail, key: "work" };
    }
    return { failure, work };
  }

  async #report(
    input: Uint8Array,
    salt: number,
    failure: NonNullable<Outcome["failure"]>,
  ): Promise<void> {
    if (this.isDone || this.#found.has(failure.key)) return;
    const smallest = await this.minimise(input, salt, failure.key);
    // Timing varies, so repeat it.
    if (smallest === undefined && failure.oracle === "time") return;
    this.#found.add(failure.key);
    this.stats.findings++;
    const unsteady = { ...failure, detail: `once in several runs: ${failure.detail}`, input, salt };
    this.#onFinding({ target: this.#target.name, ...(smallest ?? unsteady) });
  }

  /** Runs the soak test if the finding came from it. */
  #soakFor(key: string, input: Uint8Array, salt: number): Promise<Outcome["failure"]> {
    const isSoaked = key === "" ? salt < soakedSalts : key.startsWith("memory");
    return isSoaked ? this.#soak(input, salt) : Promise.resolve(undefined);
  }

  /** A smaller input with the same finding; undefined if the input itself does not show it. */
  async minimise(
    input: Uint8Array,
    salt: number,
    key: string,
  ): Promise<Omit<Finding, "target"> | undefined> {
    let found: Omit<Finding, "target"> | undefined;
    const fails = async (candidate: Uint8Array): Promise<boolean> => {
      for (const each of [found?.salt ?? salt, ...(candidate === input ? [] : [0, 1, 2, 3])]) {
        const { failure = await this.#soakFor(key, candidate, each) } = await this.#run(
          candidate,
          each,
        );
        if (failure === undefined || failure.key !== key) continue;
        found = { ...failure, input: candidate, salt: each };
        return true;
      }
      return false;
    };
    if (await fails(input)) await minimise(input, fails, this.#target.format);
    return found;
  }

  /** Runs an input with all salts. Returns the findings. */
  async runAll(input: Uint8Array): Promise<readonly Finding[]> {
    const found = new Map<string, Finding>();
    for (let salt = 0; salt < salts; salt++) {
      const { failure = await this.#soakFor("", input, salt) } = await this.#run(input, salt);
      if (failure !== undefined && !found.has(failure.key))
        found.set(failure.key, { target: this.#target.name, ...failure, input, salt });
    }
    return [...found.values()];
  }
}

/** The random source for an input and salt. */
export function choiceOf(input: Uint8Array, salt: number): Random {
  return new Random(hashOf(input), salt);
}
