import type { Random } from "./random.js";
import { bytesOf } from "./literal.js";

/** Returns a randomly changed copy of an input. */
export type Mutate = (input: Uint8Array, random: Random) => Uint8Array;

/** The values that mutations insert, and the maximum length of an input. */
export interface Material {
  /** Maximum length of an input. */
  readonly maxLength: number;
  /** Strings that are meaningful to the target. */
  readonly tokens: readonly Uint8Array[];
  /** Bytes that the target branches on. */
  readonly bytes: readonly number[];
  /** Returns another input from the corpus. */
  anotherInput(random: Random): Uint8Array;
}

/** Bytes that text parsers branch on. */
export const decisiveBytes: readonly number[] = [
  ...bytesOf("\r\n\t \"<>/{}[]:,\\&;=!?-#'0129aZ.e+\x00\x1f\x7f\x80\xbf\xc0\xed\xef\xf4\xff"),
];

/** Numbers at the limits of common number types. */
const edges = [
  0,
  1,
  2,
  7,
  9,
  10,
  63,
  64,
  99,
  127,
  128,
  255,
  256,
  1023,
  1024,
  4095,
  4096,
  65535,
  65536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  1e21,
].map((number) => bytesOf(String(number)));

/** Creates a mutation that makes a few changes at a time. */
export function mutateBytes(material: Material): Mutate {
  return (input, random) => {
    let bytes = input;
    for (let rounds = 1 + random.below(1 << random.below(4)); rounds > 0; rounds--)
      bytes = changeOnce(bytes, random, material);
    return bytes.length > material.maxLength ? bytes.subarray(0, material.maxLength) : bytes;
  };
}

function changeOnce(bytes: Uint8Array, random: Random, material: Material): Uint8Array {
  const at = random.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + random.length(Math.max(1, bytes.length - at)));
  switch (random.below(16)) {
    case 0:
      return replaced(bytes, at, at + 1, Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.below(8))));
    case 1:
      return replaced(bytes, at, at + 1, Uint8Array.of(random.below(256)));
    case 2:
      return replaced(bytes, at, at + 1, Uint8Array.of(random.pick(material.bytes)));
    case 3:
      return replaced(bytes, at, at, Uint8Array.of(random.pick(material.bytes)));
    case 4:
    case 5:
      return replaced(bytes, at, end, new Uint8Array(0));
    case 6:
    case 7: {
      const token = tokenOf(random, material);
      return replaced(bytes, at, random.oneIn(3) ? at + token.length : at, token);
    }
    case 8: {
      // Repeats a random range of the input, once or many times.
      const part = bytes.subarray(at, end);
      const times = random.oneIn(4) ? 2 + random.below(64) : 1;
      return replaced(bytes, end, end, repeated(part, times, material.maxLength - bytes.length));
    }
    case 9: {
      const to = random.below(bytes.length + 1);
      return replaced(bytes, to, random.oneIn(2) ? to : to + end - at, bytes.slice(at, end));
    }
    case 10:
      return numberChanged(bytes, at, random);
    case 11:
      return linesChanged(bytes, random);
    case 12: {
      const anotherInput = material.anotherInput(random);
      const from = random.below(anotherInput.length);
      const part = anotherInput.subarray(from, from + random.length(anotherInput.length));
      return replaced(bytes, at, random.oneIn(2) ? at : end, part);
    }
    case 13: {
      const anotherInput = material.anotherInput(random);
      return replaced(
        bytes,
        at,
        bytes.length,
        anotherInput.subarray(random.below(anotherInput.length)),
      );
    }
    case 14:
      return random.oneIn(3)
        ? bytes.slice(0, at)
        : replaced(bytes, 0, random.oneIn(2) ? at : 0, new Uint8Array(0));
    default: {
      const anotherInput = material.anotherInput(random);
      return random.oneIn(2)
        ? replaced(bytes, bytes.length, bytes.length, anotherInput)
        : replaced(bytes, 0, 0, anotherInput);
    }
  }
}

function tokenOf(random: Random, { tokens }: Material): Uint8Array {
  return random.oneIn(8) || tokens.length === 0 ? random.pick(edges) : random.pick(tokens);
}

/** Replaces the first number found after an index. */
function numberChanged(bytes: Uint8Array, from: number, random: Random): Uint8Array {
  const isDigit = (at: number): boolean => bytes[at]! >= 0x30 && bytes[at]! <= 0x39;
  let start = from;
  while (start < bytes.length && !isDigit(start)) start++;
  let end = start;
  while (end < bytes.length && isDigit(end)) end++;
  if (start === end) return bytes;
  const value = Number(Buffer.from(bytes.subarray(start, Math.min(end, start + 15))).toString());
  const near = [value + 1, Math.max(0, value - 1), value + random.below(40), value * 2];
  const text = random.oneIn(3)
    ? random.pick(edges)
    : bytesOf(String(Math.max(0, random.oneIn(4) ? value - random.below(40) : random.pick(near))));
  return replaced(bytes, start, end, text);
}

/** Moves, duplicates or removes a random line. */
function linesChanged(bytes: Uint8Array, random: Random): Uint8Array {
  const starts = [0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0x0a) starts.push(at + 1);
  const line = (index: number): Uint8Array => bytes.subarray(starts[index]!, starts[index + 1]);
  const chosen = random.below(starts.length);
  const place = starts[random.below(starts.length)]!;
  if (random.oneIn(2)) return replaced(bytes, place, place, line(chosen).slice());
  return replaced(bytes, starts[chosen]!, starts[chosen]! + line(chosen).length, new Uint8Array(0));
}

/** Returns a copy of some bytes with one range replaced. */
export function replaced(
  bytes: Uint8Array,
  start: number,
  end: number,
  part: Uint8Array,
): Uint8Array {
  const rest = Math.min(end, bytes.length);
  const result = new Uint8Array(start + part.length + bytes.length - rest);
  result.set(bytes.subarray(0, start));
  result.set(part, start);
  result.set(bytes.subarray(rest), start + part.length);
  return result;
}

/** Repeats bytes up to a maximum length. */
export function repeated(part: Uint8Array, times: number, room: number): Uint8Array {
  const count = Math.max(0, Math.min(times, Math.floor(room / Math.max(1, part.length))));
  const result = new Uint8Array(part.length * count);
  for (let at = 0; at < count; at++) result.set(part, at * part.length);
  return result;
}

/** Creates an input that repeats a short string many times, to expose superlinear work. */
export function stretchBytes(
  input: Uint8Array,
  random: Random,
  material: Material,
  length: number,
): Uint8Array {
  const unit = random.oneIn(2)
    ? tokenOf(random, material)
    : input.slice(random.below(input.length)).subarray(0, 1 + random.below(24));
  const joined = random.oneIn(2)
    ? unit
    : replaced(unit, unit.length, unit.length, Uint8Array.of(random.pick(material.bytes)));
  const at = random.below(input.length + 1);
  return replaced(input, at, at, repeated(joined, length, length - input.length));
}
