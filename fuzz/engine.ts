import type { Coverage } from "./coverage.js";
import { WorkLimitError } from "./coverage.js";
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
import { OracleFailure, type Checks, type Oracle, type Target } from "./target.js";

/** Choices that an input is run with: all of them when it is run alone. */
export const salts = 32;

/** An input that something does not hold for. */
export interface Finding {
  readonly target: string;
  readonly oracle: Oracle;
  /** What was seen. */
  readonly detail: string;
  /** The same for inputs that show the same fault. */
  readonly key: string;
  readonly input: Uint8Array;
  /** The choice that shows it. */
  readonly salt: number;
}

/** How an input behaves. */
interface Outcome {
  readonly failure: Omit<Finding, "target" | "input" | "salt"> | undefined;
  readonly work: number;
}

interface Entry {
  readonly input: Uint8Array;
  /** Edges that it was the first to reach. */
  readonly edges: number;
  picked: number;
  /** Inputs made of it that reached something new. */
  children: number;
}

/** Figures of a run. */
export interface Stats {
  executions: number;
  edges: number;
  totalEdges: number;
  corpus: number;
  findings: number;
  /** The most steps that an execution took by byte, and its input. */
  slowest: { readonly perByte: number; readonly length: number; readonly input: string };
}

/** Inputs shorter than this are no measure of work by byte. */
const measurableLength = 64;

/** Most findings of a target; a run that has found so many is of no use until they are mended. */
const mostFindings = 25;

/** Executions between two inputs that are soaked, and choices to soak an input with that is run alone. */
const soakEvery = 2_000;
const soakedSalts = 2;

/** Length of inputs that are to show what is worse than linear. */
const stretchedLength = 32 * 1024;

/**
 * The loop: takes an input of the corpus, changes it, runs it, and keeps it if it reached something new.
 *
 * The same seed gives the same inputs, as long as the code under test is the same.
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

  constructor(
    target: Target,
    checks: Checks,
    coverage: Coverage,
    seed: number,
    {
      onFinding,
      onNew = () => undefined,
      onInput = () => undefined,
    }: {
      readonly onFinding: (finding: Finding) => void;
      /** Called with each input that reached something new. */
      readonly onNew?: (input: Uint8Array) => void;
      /** Called with each input before it is run. */
      readonly onInput?: (input: Uint8Array, salt: number) => void;
    },
  ) {
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

  /** Whether there is no use in going on. */
  get isDone(): boolean {
    return this.stats.findings >= mostFindings;
  }

  /** The inputs that reached something new. */
  get corpus(): readonly Uint8Array[] {
    return this.#entries.map(({ input }) => input);
  }

  /** Runs inputs as they are, before those that are made of them. */
  async begin(inputs: readonly Uint8Array[]): Promise<void> {
    for (const input of inputs) if (!this.isDone) await this.#try(input, undefined);
  }

  /** Makes and runs one input. */
  async step(): Promise<void> {
    const random = this.#random;
    const parent = this.#choose();
    const input =
      parent !== undefined && random.oneIn(400)
        ? stretchBytes(parent.input, random, this.#material, random.below(stretchedLength))
        : this.#mutate(parent?.input ?? new Uint8Array(0), random);
    await this.#try(input, parent);
  }

  /** One of three that has found most for how often it was picked; short ones are easier to change. */
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
      // What only damaging inputs reach stays new.
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
    // Others use this machine, too: only what takes the processor long each time is slow.
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
    // A long stream takes more steps than its seed may.
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
    // Time is not the same each time.
    if (smallest === undefined && failure.oracle === "time") return;
    this.#found.add(failure.key);
    this.stats.findings++;
    const unsteady = { ...failure, detail: `once in several runs: ${failure.detail}`, input, salt };
    this.#onFinding({ target: this.#target.name, ...(smallest ?? unsteady) });
  }

  /** Soaks where that is what shows a fault. */
  #soakFor(key: string, input: Uint8Array, salt: number): Promise<Outcome["failure"]> {
    const isSoaked = key === "" ? salt < soakedSalts : key.startsWith("memory");
    return isSoaked ? this.#soak(input, salt) : Promise.resolve(undefined);
  }

  /** A smaller input that shows the same fault; undefined if the input itself does not. */
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

  /** Runs an input with every choice. Returns what does not hold. */
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

/** What an input leaves open: the same for the same input and salt. */
export function choiceOf(input: Uint8Array, salt: number): Random {
  return new Random(hashOf(input), salt);
}

/** What an exception out of a check says. */
export function failureOf(error: unknown): NonNullable<Outcome["failure"]> {
  if (error instanceof OracleFailure) {
    const { oracle, message, key } = error;
    return { oracle, detail: message, key: `${oracle} ${key}` };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // Lines of instrumented files are those of the files.
  const places = [...(stack ?? "").matchAll(/\/((?:runtime|generator|generated)\/[^:)]+:\d+)/g)];
  const place = places[0]?.[1] ?? "";
  const detail = `${name}: ${message.slice(0, 200)}${place === "" ? "" : ` (${place})`}`;
  const where = error instanceof RangeError && message.includes("call stack") ? "" : place;
  return {
    oracle: "throws",
    detail: error instanceof WorkLimitError ? "more steps than it may take" : detail,
    key: `throws ${name} ${where === "" ? message.replaceAll(/\d+/g, "N").slice(0, 60) : where}`,
  };
}
