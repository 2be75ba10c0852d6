import { Coverage } from "../../tools/fuzz/coverage.js";
import { instrument } from "../../tools/fuzz/instrument.js";
import { OracleFailure, type Check, type Target } from "../../tools/fuzz/target.js";

let opened = 0;

/** Creates a target for code that contains a bug. */
function planted(
  name: string,
  code: string,
  checkOf: (run: (bytes: Uint8Array) => unknown) => Check,
  settings: Partial<Target> = {},
): Target {
  return {
    name,
    about: "a fault that was planted",
    format: "bytes",
    maxLength: 300,
    seeds: () => ["hello"],
    work: { base: 1_000, perByte: 50 },
    async open() {
      // A comment makes each import a new module with counters of its own.
      const fresh = `${instrument(code)}\n// ${++opened}`;
      const url = `data:text/javascript,${encodeURIComponent(fresh)}`;
      const { run } = (await import(url)) as { run: (bytes: Uint8Array) => unknown };
      return { check: checkOf(run) };
    },
    ...settings,
  };
}

const justRun = (run: (bytes: Uint8Array) => unknown): Check => {
  return (input) => void run(input);
};

/** Throws on four bytes that are checked one by one. */
const magic = planted(
  "magic",
  `export function run(bytes) {
    if (bytes[0] === 0x57)
      if (bytes[1] === 0x1d)
        if (bytes[2] === 0x7a)
          if (bytes[3] === 0x3f) throw new TypeError("the magic value");
  }`,
  justRun,
);

/** Throws on a text that is compared as a whole. */
const word = planted(
  "word",
  `export function run(bytes) {
    const text = String.fromCharCode(...bytes);
    if (text.includes("open sesame:")) throw new RangeError("the word");
  }`,
  justRun,
);

/** Rereads all preceding bytes for each semicolon. */
const quadratic = planted(
  "quadratic",
  `export function run(bytes) {
    let sum = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] !== 0x3b) continue;
      for (let before = 0; before < at; before++) sum += bytes[before];
    }
    return sum;
  }`,
  justRun,
);

/** Loops forever on a tilde, in instrumented code. */
const endless = planted(
  "endless",
  `export function run(bytes) {
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x7e) at = -1;
  }`,
  justRun,
);

/** Loops forever on a tilde in code without counters. Only a watchdog can find this bug. */
const silent: Target = {
  ...endless,
  name: "silent",
  open: () =>
    Promise.resolve({
      check(input) {
        while (input.includes(0x7e));
      },
    }),
};

/**
 * A regular expression whose backtracking grows with the fourth power of the length. It has no
 * counters.
 */
const backtracking = planted(
  "backtracking",
  `export function run(bytes) {
    return /^a*a*a*a*b$/.test(String.fromCharCode(...bytes));
  }`,
  justRun,
  { seeds: () => ["aaaaaaaaaaaa"], mostMs: 5 },
);

/** Decodes lines, but loses a carriage return at the end of a chunk. */
const cuts = planted(
  "cuts",
  `export function run(chunks) {
    const lines = [];
    let line = "";
    for (const chunk of chunks) {
      const text = String.fromCharCode(...chunk);
      const rest = text.endsWith("\\r") ? text.slice(0, -1) : text;
      const parts = (line + rest).split("\\r\\n");
      line = parts.pop();
      lines.push(...parts);
    }
    return [...lines, line].join("|");
  }`,
  (run) => (input, random) => {
    const cut = random.below(input.length + 1);
    const whole = run([input] as never);
    const split = run([input.subarray(0, cut), input.subarray(cut)] as never);
    if (whole !== split)
      throw new OracleFailure("cuts", `${String(whole)} becomes ${String(split)}`);
  },
);

export const targets: readonly Target[] = [
  magic,
  word,
  quadratic,
  endless,
  silent,
  backtracking,
  cuts,
];

/** Installs a coverage object to which instrumented code in this thread reports. */
export function installedCoverage(): Coverage {
  const coverage = new Coverage();
  coverage.install();
  return coverage;
}
