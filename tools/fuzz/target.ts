import type { Random } from "./random.js";

/** A fuzz target: code that reads untrusted input, and the checks that apply the oracles to it. */
export interface Target {
  readonly name: string;
  /** A short description of the code under test. */
  readonly about: string;
  /** Whether to mutate bytes, the JSON in them, or both. */
  readonly format: Format;
  /** Relative share of the time when all targets are run. Default: 1. */
  readonly weight?: number;
  /** Maximum length of an input. Default: 2,048. */
  readonly maxLength?: number;
  /** Strings that are meaningful to the code under test. */
  readonly tokens?: readonly string[];
  /** Complete values that are meaningful to the code, for JSON mutations. */
  readonly values?: readonly unknown[];
  /** Initial inputs. Strings are encoded as UTF-8. */
  seeds(): readonly (string | Uint8Array)[];
  /** Maximum number of steps per execution: a base, plus a number for each byte of input. */
  readonly work: { readonly base: number; readonly perByte: number };
  /** Maximum time in milliseconds, to which 50 are added per kilobyte of input. Default: 100. */
  readonly mostMs?: number;
  /** Loads the code under test and returns the checks to run on it. */
  open(modules: Modules): Promise<Checks>;
}

export type Format = "bytes" | "json" | "mixed";

/** A target's checks, which are run on an input. */
export interface Checks {
  readonly check: Check;
  /** A check that is too slow to run on every input. It has no step or time limit. */
  readonly soak?: Check;
}

/** Loads a module of the project, instrumented or not. */
export type Modules = <Module>(path: string) => Promise<Module>;

/**
 * Runs an input and checks the oracles.
 *
 * @param random Chooses the chunk sizes, options and so on. It is deterministic for a given input
 * and salt.
 * @throws OracleFailure
 */
export type Check = (input: Uint8Array, random: Random) => void | Promise<void>;

/** Thrown if an input violates an oracle. */
export class OracleFailure extends Error {
  override readonly name = "OracleFailure";
  readonly oracle: Oracle;
  /** Failures with the same key count as one fault. */
  readonly key: string;

  constructor(oracle: Oracle, detail: string, key = "") {
    super(detail);
    this.oracle = oracle;
    this.key = key;
  }
}

/** The oracles, each described in one sentence. */
export const oracles = {
  throws: "No input makes a public function throw anything but its documented error.",
  hangs: "Every call returns.",
  work: "The number of steps is linear in the length of the input.",
  time: "The time is linear in the length of the input.",
  cuts: "Messages, faults and noise, and their offsets, do not depend on how a stream is split into chunks.",
  tiles:
    "The ranges of messages, faults and noise are consecutive and cover everything except blanks and line endings.",
  survivors: "Intact messages that follow a damaged one are delivered.",
  memory: "The memory that a decoder fed an endless stream retains stays within its limits.",
  headers:
    "The delivered messages are those that a slow, obvious header parser finds, with the same headers and bodies.",
  parse: "The delivered messages equal the reference parser's result.",
  strict: "Tolerant recovery delivers everything that strict recovery delivers.",
  agree: "`isValid(x) === validate(x).ok`.",
  profiles: "The wire profile accepts everything that the strict profile accepts.",
  classify: "`classify` handles every value and never calls a valid message malformed.",
  roundTrip: "An encoded message decodes to the same message.",
  sentence: "An input is rejected with a sentence that names the location.",
  same: "The same input always gives the same result, and a protocol does not differ from itself.",
  levels: "The results of comparing two schemas agree with their validators.",
  readable: "Any input that is accepted can be printed, compared and emitted.",
  visible: "Reports contain no control characters other than line endings.",
  handled: "No promise rejection goes unhandled.",
  state: "A session's state follows from the messages that have arrived.",
  cut: "The shown and the cut parts of a snapshot add up to the whole tree.",
  settles:
    "Every outgoing request settles, and every incoming request is answered exactly once. Session calls settle by their deadline.",
} as const;

export type Oracle = keyof typeof oracles;
