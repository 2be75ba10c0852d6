import type { Random } from "./random.js";

/** What is fuzzed: code that takes foreign input, and what must hold whatever it is given. */
export interface Target {
  readonly name: string;
  /** What reads the input, in a few words. */
  readonly about: string;
  /** How inputs are changed: as bytes, mostly as the JSON that they hold, or both. */
  readonly format: Format;
  /** Share of a run over all targets. Default: 1. */
  readonly weight?: number;
  /** Most bytes of an input. Default: 2,048. */
  readonly maxLength?: number;
  /** Texts that mean something to the reader. */
  readonly tokens?: readonly string[];
  /** Values that mean something as a whole, for mutations of JSON. */
  readonly values?: readonly unknown[];
  /** Inputs to begin with; a text is its UTF-8. */
  seeds(): readonly (string | Uint8Array)[];
  /** Most steps that an execution may take: so many, and so many more for each byte of the input. */
  readonly work: { readonly base: number; readonly perByte: number };
  /** Milliseconds that an execution may take, besides 50 a kilobyte. Default: 100. */
  readonly mostMs?: number;
  /** Loads the code. */
  open(modules: Modules): Promise<Checks>;
}

export type Format = "bytes" | "json" | "mixed";

/** What is run with an input. */
export interface Checks {
  readonly check: Check;
  /** What takes too long to be run each time. Neither steps nor time are bounded. */
  readonly soak?: Check;
}

/** Loads a module of the project, from the instrumented copy or as it is. */
export type Modules = <Module>(path: string) => Promise<Module>;

/**
 * Runs an input and asserts what must hold; throws an `OracleFailure` if it does not.
 *
 * @param random What there is to choose: cuts, options. The same choice for the same input and salt.
 */
export type Check = (input: Uint8Array, random: Random) => void | Promise<void>;

/** Something that must hold and does not. */
export class OracleFailure extends Error {
  override readonly name = "OracleFailure";
  readonly oracle: Oracle;
  /** Failures with the same key are taken for the same fault. */
  readonly key: string;

  constructor(oracle: Oracle, detail: string, key = "") {
    super(detail);
    this.oracle = oracle;
    this.key = key;
  }
}

/** What must hold, each in one sentence. */
export const oracles = {
  throws: "Nothing that arrives makes a public function throw anything but its documented error.",
  hangs: "Every call returns.",
  work: "The steps that a call takes are bounded by a linear function of the input's length.",
  time: "The time that a call takes is bounded by a linear function of the input's length.",
  cuts: "However a stream is cut, the same messages, faults and noise come out at the same offsets.",
  tiles:
    "The ranges of messages, faults and noise lie one behind the other and leave nothing out but blanks and line ends.",
  survivors: "Undamaged messages behind a damaged one arrive.",
  memory: "What a decoder keeps of an endless stream stays within its limits.",
  parse: "What is delivered is what the reference parser makes of the same bytes.",
  strict: "What strict recovery delivers, tolerant recovery delivers as well.",
  agree: "`isValid(x) === validate(x).ok`.",
  profiles: "What the strict profile accepts, the wire profile accepts.",
  classify: "`classify` answers for every value, and calls no valid message malformed.",
  roundTrip: "What was encoded decodes to the same message.",
  sentence: "An input that is refused is refused with a sentence that names its place.",
  same: "The same input gives the same answer, and a protocol does not differ from itself.",
  readable: "What a reader accepts can be worked with: it can be printed, compared and emitted.",
  visible: "Reports hold no control characters but line ends.",
  settles: "Every request is settled and every request of the peer is answered once.",
} as const;

export type Oracle = keyof typeof oracles;
