/**
 * The codec may not become slower than it was by a quarter. Its time is compared with that of the
 * floor in the same process, because machines and their loads differ.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createEncoder } from "@wirewright/dap";
import { wirewright } from "../../tools/bench/decoders.js";
import { chunksOf, workloads } from "../../tools/bench/workloads.js";

/** Short rounds, so that few of them are interrupted. */
const rounds = 41;
/** A machine under load may spoil all rounds of a measurement. */
const attempts = 3;

const { messages, framed } = workloads.find(({ name }) => name === "mixed session")!;
const texts = messages.map((message) => JSON.stringify(message));
const bodies = texts.map((text) => Buffer.from(text));
let sink: unknown;

const decodeFloor = (): void => {
  for (const body of bodies) sink = JSON.parse(body.toString());
};
const encodeFloor = (): void => {
  for (const message of messages) sink = Buffer.from(JSON.stringify(message));
};
const decode = (bytes: number, stream = framed): (() => void) => {
  const chunks = chunksOf(stream, bytes);
  return () => void wirewright(chunks, (message) => void (sink = message));
};
const encoder = createEncoder();

/** The usual ratio to the floor, measured on an idle machine. */
const cases: readonly (readonly [
  what: string,
  usual: number,
  run: () => void,
  floor: () => void,
])[] = [
  ["decoding chunks of 64 KiB", 1.12, decode(65_536), decodeFloor],
  ["decoding chunks of 1,460 B", 1.14, decode(1_460), decodeFloor],
  ["decoding chunks of 64 B", 1.43, decode(64), decodeFloor],
  [
    "encoding",
    1,
    () => {
      for (const message of messages) sink = encoder.encode(message as never);
    },
    encodeFloor,
  ],
];

/** A fall of a quarter makes the ratio a third higher. */
const tolerated = 1.2;

for (const [what, usual, run, floor] of cases)
  test(`${what} is no more than a quarter slower than usual`, () => {
    assert.equal(slowRatios(run, floor, usual), undefined, `usual: ${usual} × the floor`);
    assert.ok(sink !== undefined);
  });

test("a decoder that takes twice the time is noticed", () => {
  const [, usual, run, floor] = cases[0]!;
  const twice = (): void => {
    run();
    run();
  };
  assert.notEqual(slowRatios(twice, floor, usual), undefined);
});

/** Returns the measured ratios to the floor, or undefined if one of them is as usual. */
function slowRatios(run: () => void, floor: () => void, usual: number): string | undefined {
  // Let the engine compile both first.
  ratioOf(run, floor);
  const ratios: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt++) {
    const ratio = ratioOf(run, floor);
    if (ratio <= usual * tolerated) return undefined;
    ratios.push(ratio);
  }
  return ratios.map((each) => each.toFixed(2)).join(", ");
}

/** Runs both in turn, and compares their quickest rounds, which nothing has interrupted. */
function ratioOf(run: () => void, floor: () => void): number {
  let quickestRun = Infinity;
  let quickestFloor = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    floor();
    const middle = performance.now();
    run();
    quickestRun = Math.min(quickestRun, performance.now() - middle);
    quickestFloor = Math.min(quickestFloor, middle - start);
  }
  return quickestRun / quickestFloor;
}
