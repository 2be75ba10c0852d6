import {
  findTilingFault,
  isSeparator,
  recordStream,
  type StreamOptions,
  type StreamRecord,
} from "../../../test/support/stream-oracles.js";
import type { FrameDecoder, FrameLimits } from "../../../runtime/index.js";
import { escapeBytes } from "../literal.js";
import { replaced } from "../mutate-bytes.js";
import type { Random } from "../random.js";
import { OracleFailure, type Checks, type Modules, type Target } from "../target.js";
import { keptBytes } from "./memory.js";
import { framesIn, type SeedFile } from "./seeds.js";

/** A framing, and the expected results of decoding it. */
interface Framing {
  readonly name: string;
  readonly about: string;
  readonly seeds: SeedFile;
  readonly tokens: readonly string[];
  /** Loads the decoder's `framing` option. */
  framing(modules: Modules): Promise<StreamOptions["framing"]>;
  /** Whether bodies are JSON. */
  readonly isJson: boolean;
  /** A valid message and its expected value. */
  readonly good: { readonly bytes: string; readonly json: string };
  /** Bytes that end whatever part of a stream is unfinished, without a valid message. */
  readonly between: string;
  readonly isGap?: (bytes: Uint8Array, start: number, end: number) => boolean;
  readonly work: Target["work"];
  /** Maximum length of an input. Default: 600. */
  readonly maxLength?: number;
}

/** The limits for a run: either the defaults, or limits small enough for an input to reach. */
const limits: readonly Partial<FrameLimits>[] = [
  {},
  {},
  { maxBodyBytes: 100, maxHeaderBytes: 100, maxHeaderCount: 4, maxDepth: 4 },
  { maxBodyBytes: 64, maxHeaderBytes: 40, maxHeaderCount: 2, maxDepth: 2 },
  { maxBodyBytes: 1_000, maxHeaderBytes: 200, maxHeaderCount: 8, maxDepth: 16 },
];

/** The limits for reading an endless stream, of which `endlessBytes` bytes are read. */
const narrow: FrameLimits = {
  maxBodyBytes: 1_024,
  maxHeaderBytes: 512,
  maxHeaderCount: 16,
  maxDepth: 32,
};
const endlessBytes = 256 * 1024;

/**
 * Maximum number of bytes that the decoder may retain: far more than the limits, and far less than the
 * length of the stream.
 */
const mostKept = 128 * 1024;

export function streamTarget(framing: Framing): Target {
  const { name, about, tokens, work, maxLength = 600 } = framing;
  return {
    name,
    about,
    format: "bytes",
    tokens,
    work,
    maxLength,
    weight: 2,
    seeds: () => [...framesIn(framing.seeds), framing.good.bytes],
    async open(modules) {
      const runtime = await modules<typeof import("../../../runtime/index.js")>("runtime/index.js");
      return checkStream(framing, runtime.FrameDecoder, await framing.framing(modules));
    },
  };
}

function checkStream(
  { isJson, good, between, isGap = isSeparator }: Framing,
  Decoder: typeof FrameDecoder,
  framing: StreamOptions["framing"],
): Checks {
  const goodBytes = new Uint8Array(Buffer.from(between + good.bytes));

  const base: StreamOptions = framing === undefined ? {} : { framing };

  const check: Checks["check"] = (input, random) => {
    const options: StreamOptions = {
      ...base,
      limits: random.pick(limits),
      ...(random.oneIn(4) ? { invalidUtf8: "error" as const } : {}),
      ...(random.oneIn(3) ? { recovery: "strict" as const } : {}),
    };
    const isParsed = !random.oneIn(4);
    const isStrict = options.recovery === "strict";
    const settings = { isParsed, Decoder };
    const shown = (cuts: readonly number[]): string => {
      const { framing: _, ...rest } = options;
      return `${isParsed ? "messages" : "frames"}, ${JSON.stringify(rest)}, split at [${cuts.slice(0, 40).join()}]`;
    };

    const record = (bytes: Uint8Array, cuts: readonly number[]): readonly StreamRecord[] =>
      recordStream(bytes, cuts, options, settings);
    const cuts = cutsOf(input.length, random);
    const records = record(input, cuts);

    const gap = findTilingFault(input, records, { isStrict, isGap });
    if (gap !== undefined)
      throw new OracleFailure("tiles", `${gap}\n${shown(cuts)}`, `${isStrict} ${kindOf(gap)}`);

    const others = cutsOf(input.length, random);
    const again = record(input, others);
    const difference = firstDifference(records, again);
    if (difference !== undefined)
      throw new OracleFailure(
        "cuts",
        `${difference}\n${shown(cuts)}\nand split at [${others.slice(0, 40).join()}]`,
        `${isStrict} ${kindOf(difference)}`,
      );

    if (isParsed && isJson) assertParsed(records, () => shown(cuts));

    if (isStrict) {
      const tolerant = recordStream(input, cuts, { ...options, recovery: "tolerant" }, settings);
      assertContains(tolerant, records, input, () => shown(cuts));
    } else if (random.oneIn(2)) {
      // Append the message twice: the first copy may complete an unfinished frame and be lost with
      // it.
      const extended = replaced(input, input.length, input.length, twice(goodBytes));
      const all = record(extended, cutsOf(extended.length, random));
      assertSurvives(all, extended.length - Buffer.byteLength(good.bytes), good, () => shown([]));
    }
  };
  const soak: Checks["check"] = (input, random) =>
    assertBounded(input, random, { ...base, limits: narrow }, Decoder);
  return { check, soak };
}

function twice(bytes: Uint8Array): Uint8Array {
  return replaced(bytes, 0, 0, bytes);
}

/** Chooses where to split the stream: nowhere, after every byte, or at random. */
function cutsOf(length: number, random: Random): readonly number[] {
  if (random.oneIn(4)) return [];
  if (random.oneIn(6) && length < 3_000)
    return Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1);
  const largest = random.length(Math.max(1, length));
  const cuts: number[] = [];
  for (let at = 1 + random.below(largest); at < length; at += 1 + random.below(largest))
    cuts.push(at);
  return cuts;
}

/** Returns the first difference between two recordings. */
function firstDifference(
  before: readonly StreamRecord[],
  after: readonly StreamRecord[],
): string | undefined {
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [a, b] = [before[index], after[index]];
    if (a !== undefined && b !== undefined && isSame(a, b)) continue;
    const shown = [a, b].map((each) => (JSON.stringify(each) ?? "nothing").slice(0, 300));
    return shown.join("\nbecomes ");
  }
  return undefined;
}

function isSame(before: StreamRecord, after: StreamRecord): boolean {
  const [a, b] = [before, after] as unknown as readonly Record<string, unknown>[];
  for (const name in a) {
    const same = name === "headers" ? String(a[name]) === String(b![name]) : a[name] === b![name];
    if (!same) return false;
  }
  return true;
}

/** Returns the text of a difference without its variable parts. */
function kindOf(text: string): string {
  const codes = text.match(/ERR_[A-Z0-9_]+|"kind":"\w+"|overlaps|gap|noise|message|nothing/g) ?? [];
  return codes.slice(0, 6).join(" ");
}

const reference = new TextDecoder();

/** Checks that each message equals the result of `JSON.parse`. */
function assertParsed(records: readonly StreamRecord[], shown: () => string): void {
  for (const record of records) {
    if (record.kind !== "message") continue;
    const text = reference.decode(Buffer.from(record.body, "latin1"));
    let expected: string | undefined;
    try {
      expected = JSON.stringify(JSON.parse(text));
    } catch (error) {
      expected = String(error);
    }
    if (expected !== record.json)
      throw new OracleFailure("parse", `${record.json} of ${JSON.stringify(text)}\n${shown()}`);
  }
}

function assertContains(
  tolerant: readonly StreamRecord[],
  strict: readonly StreamRecord[],
  input: Uint8Array,
  shown: () => string,
): void {
  let at = 0;
  for (const each of strict) {
    if (each.kind !== "message") continue;
    // Tolerant recovery treats text that precedes `Content-Length` on the same line as a truncated
    // header, so the frames may differ.
    const header = Buffer.from(input).toString(
      "latin1",
      each.offset,
      each.offset + each.headerLength,
    );
    if (/[^-\n]content-length\s*:/i.test(header)) return;
    while (at < tolerant.length && !isSame(each, tolerant[at]!)) at++;
    if (at === tolerant.length)
      throw new OracleFailure("strict", `${JSON.stringify(each).slice(0, 300)}\n${shown()}`);
  }
}

function assertSurvives(
  records: readonly StreamRecord[],
  offset: number,
  good: Framing["good"],
  shown: () => string,
): void {
  const survived = records.some(
    (each) =>
      each.kind === "message" &&
      each.offset === offset &&
      (each.json === undefined || each.json === good.json),
  );
  if (survived) return;
  const seen = records
    .slice(-3)
    .map((each) => JSON.stringify(each).slice(0, 200))
    .join("\n");
  const last = records.at(-1);
  const code = last?.kind === "error" ? last.code : last?.kind;
  throw new OracleFailure(
    "survivors",
    `two of ${escapeBytes(Buffer.from(good.bytes))} after it: no message at ${offset}\n${seen}\n${shown()}`,
    String(code),
  );
}

/** Reads an endless repetitive stream and measures the memory retained. */
function assertBounded(
  input: Uint8Array,
  random: Random,
  options: StreamOptions,
  Decoder: typeof FrameDecoder,
): void {
  const from = random.below(input.length);
  const unit = input.slice(from, from + random.length(64));
  if (unit.length === 0) return;
  const numbered = random.oneIn(2);
  const read = (): number => {
    const decoder = new Decoder({
      ...options,
      onMessage: () => undefined,
      onFault: () => undefined,
    });
    decoder.push(input);
    const before = keptBytes();
    for (let pushed = 0, round = 0; pushed < endlessBytes; round++) {
      const number = numbered ? round.toString(36) : "";
      const chunk = Buffer.from(
        Array.from({ length: 64 }, () => Buffer.from(unit).toString("latin1")).join(number),
        "latin1",
      );
      decoder.push(chunk);
      pushed += chunk.length;
    }
    const after = keptBytes();
    // Use the decoder here so that it stays alive until memory has been measured.
    decoder.end();
    return after - before;
  };
  // The engine may hold memory of its own for a while, so repeat the measurement.
  let kept = read();
  for (let round = 0; round < 16 && kept > mostKept; round++) kept = Math.min(kept, read());
  if (kept > mostKept)
    throw new OracleFailure(
      "memory",
      `${kept} bytes are retained of ${endlessBytes} bytes of "${escapeBytes(unit)}"${numbered ? " with numbers" : ""} after it`,
    );
}
