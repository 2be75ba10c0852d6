import type { Random } from "./random.js";

/** A fuzz target: code that reads untrusted input, and the checks of its oracles. */
export interface Target {
  readonly name: string;
  /** A short description of the code. */
  readonly about: string;
  /** Whether to mutate bytes, the JSON in them, or both. */
  readonly format: Format;
  /** Relative share of the time when all targets run. Default: 1. */
  readonly weight?: number;
  /** Maximum length of an input. Default: 2,048. */
  readonly maxLength?: number;
  /** Strings that are meaningful to the code. */
  readonly tokens?: readonly string[];
  /** Complete values that are meaningful to the code, for JSON mutations. */
  readonly values?: readonly unknown[];
  /** Initial inputs. Strings are encoded as UTF-8. */
  seeds(): readonly (string | Uint8Array)[];
  /** Maximum number of steps in an execution: a base, and a number for each byte of input. */
  readonly work: { readonly base: number; readonly perByte: number };
  /** Maximum time in milliseconds, plus 50 for each kilobyte of input. Default: 100. */
  readonly mostMs?: number;
  /** Loads the code under test, and returns its checks. */
  open(modules: Modules): Promise<Checks>;
}

export type Format = "bytes" | "json" | "mixed";

/** The checks of a target, which run for an input. */
export interface Checks {
  readonly check: Check;
  /** A check that is too slow to run for each input. It has no limit on steps or time. */
  readonly soak?: Check;
}

/** Loads a module of the project, instrumented or not. */
export type Modules = <Module>(path: string) => Promise<Module>;

/**
 * Runs an input and checks the oracles.
 *
 * @param random Chooses the size of chunks, options and the like. It is deterministic for the input
 * and salt.
 * @throws OracleFailure
 */
export type Check = (input: Uint8Array, random: Random) => void | Promise<void>;

/** Thrown if an input violates an oracle. */
export class OracleFailure extends Error {
  override readonly name = "OracleFailure";
  readonly oracle: Oracle;
  /** Failures with the same key count as the same fault. */
  readonly key: string;

  constructor(oracle: Oracle, detail: string, key = "") {
    super(detail);
    this.oracle = oracle;
    this.key = key;
  }
}

/** The oracles, each described by a sentence. */
export const oracles = {
  throws: "No input makes a public function throw anything but its documented error.",
  hangs: "Every call returns.",
  work: "The number of steps is linear in the length of the input.",
  time: "The time is linear in the length of the input.",
  cuts: "The messages, faults and noise, with their offsets, do not depend on the chunks of a stream.",
  tiles:
    "The ranges of messages, faults and noise are consecutive and cover everything but blanks and line ends.",
  survivors: "Undamaged messages after a damaged one are delivered.",
  memory: "The memory that a decoder retains of an endless stream stays within its limits.",
  headers:
    "Delivered messages are those that a slow, obvious parser of headers finds, with the same headers and bodies.",
  parse: "Delivered messages equal the result of the reference parser.",
  strict: "Tolerant recovery delivers everything that strict recovery delivers.",
  agree: "`isValid(x) === validate(x).ok`.",
  profiles: "The wire profile accepts everything that the strict profile accepts.",
  classify: "`classify` handles every value, and calls no valid message malformed.",
  roundTrip: "An encoded message decodes to the same message.",
  sentence: "An input is rejected with a sentence that names the location.",
  same: "The same input gives the same result, and a protocol does not differ from itself.",
  levels: "The results of comparing two schemas agree with their validators.",
  readable: "Accepted input can be printed, compared and emitted.",
  visible: "Reports contain no control characters except line ends.",
  handled: "No promise is rejected without somebody who handles it.",
  state: "The state of a session follows from the messages that have arrived.",
  cut: "The shown and the cut parts of a snapshot form the whole tree.",
  settles:
    "Every outgoing request settles, and every incoming request is answered once. Calls of a session settle by their deadline.",
} as const;

export type Oracle = keyof typeof oracles;
