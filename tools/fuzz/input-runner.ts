import type { Coverage } from "./coverage.js";
import { minimise } from "./minimise.js";
import { failureOf, type Finding, type Outcome } from "./outcome.js";
import { hashOf, Random } from "./random.js";
import { type Checks, type Target } from "./target.js";

/** How often a single input runs, with a different salt each time. */
export const salts = 32;

/** How often a single input's soak test runs, with a different salt each time. */
const soakedSalts = 2;

/** Runs single inputs, and finds smaller inputs that show the same fault. */
export class InputRunner {
  readonly #target: Target;
  readonly #checks: Checks;
  readonly #coverage: Coverage;
  readonly #onInput: (input: Uint8Array, salt: number) => void;

  /** @param onInput Called with each input before it runs. */
  constructor(
    target: Target,
    checks: Checks,
    coverage: Coverage,
    onInput: (input: Uint8Array, salt: number) => void = () => undefined,
  ) {
    this.#target = target;
    this.#checks = checks;
    this.#coverage = coverage;
    this.#onInput = onInput;
  }

  async run(input: Uint8Array, salt: number): Promise<Outcome> {
    const start = performance.now();
    const outcome = await this.#runOnce(input, salt);
    const most = (this.#target.mostMs ?? 100) + input.length / 20;
    if (outcome.failure !== undefined || performance.now() - start <= most) return outcome;
    // Other processes use this machine too, so count an input as slow only if it repeatedly takes
    // too much CPU time.
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

  async soak(input: Uint8Array, salt: number): Promise<Outcome["failure"]> {
    const { soak } = this.#checks;
    if (soak === undefined) return undefined;
    this.#onInput(input, salt);
    // Do not limit the steps: a soak test derives a long input, which takes more steps than its
    // seed.
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

  /** Runs the soak test if that is where the finding came from. */
  #soakFor(key: string, input: Uint8Array, salt: number): Promise<Outcome["failure"]> {
    const isSoaked = key === "" ? salt < soakedSalts : key.startsWith("memory");
    return isSoaked ? this.soak(input, salt) : Promise.resolve(undefined);
  }

  /**
   * Finds a smaller input with the same finding. Returns undefined if the input itself does not
   * reproduce it.
   */
  async minimise(
    input: Uint8Array,
    salt: number,
    key: string,
  ): Promise<Omit<Finding, "target"> | undefined> {
    let found: Omit<Finding, "target"> | undefined;
    const fails = async (candidate: Uint8Array): Promise<boolean> => {
      for (const each of [found?.salt ?? salt, ...(candidate === input ? [] : [0, 1, 2, 3])]) {
        const { failure = await this.#soakFor(key, candidate, each) } = await this.run(
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

  /** Runs an input with all salts and returns the findings. */
  async runAll(input: Uint8Array): Promise<readonly Finding[]> {
    const found = new Map<string, Finding>();
    for (let salt = 0; salt < salts; salt++) {
      const { failure = await this.#soakFor("", input, salt) } = await this.run(input, salt);
      if (failure !== undefined && !found.has(failure.key))
        found.set(failure.key, { target: this.#target.name, ...failure, input, salt });
    }
    return [...found.values()];
  }
}

/** Creates the random source for a given input and salt. */
export function choiceOf(input: Uint8Array, salt: number): Random {
  return new Random(hashOf(input), salt);
}
