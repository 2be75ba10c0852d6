/**
 * Compares this checkout with another, built one: `npm run bench:revisions -- FOLDER`. Decoding,
 * encoding and validating in one process, interleaved; results are compared first. Above 1 means
 * that the other checkout is slower.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Dap from "../generated/dap/index.js";
import type * as Validators from "../generated/dap/validate.js";
import { bodyOf, chunksOf, workloads } from "./codec-corpus.js";
import { measure, type Work } from "./measure.js";
import { median, medianRatio, printTable } from "./table.js";
import { invalid, large, medium, mixed, small, tiny, type Case } from "./validator-corpus.js";

const rounds = Number(process.env["ROUNDS"] ?? 25);
const folder = process.argv[2];
if (folder === undefined) {
  console.error("Usage: npm run bench:revisions -- FOLDER, of a checkout that is built");
  process.exit(2);
}
type Revision = typeof Dap & typeof Validators;
const load = async (base: string): Promise<Revision> => {
  const module = (name: string): Promise<object> =>
    import(pathToFileURL(resolve(base, `build/generated/dap/${name}.js`)).href);
  return { ...(await module("index")), ...(await module("validate")) } as Revision;
};
const [ours, theirs] = await Promise.all([load("."), load(folder)]);

const rows: string[][] = [];

/** Measures both and adds the ratio of the other one to ours. */
async function compare(what: string, works: readonly [Work, Work]): Promise<void> {
  const [own, theirs] = await measure(works, { rounds, turnMs: 10, warmMs: 200 });
  rows.push([what, `${median(own!).toFixed(0)} ns`, medianRatio(theirs!, own!).toFixed(2)]);
}

const numberOf = (message: object): number => (message as { seq: number }).seq;

function decode({ FrameDecoder }: typeof Dap, chunks: readonly Uint8Array[]): number[] {
  const numbers: number[] = [];
  const decoder = new FrameDecoder({ onMessage: (message) => numbers.push(numberOf(message)) });
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return numbers;
}

for (const workload of [...Object.values(workloads), bodyOf(1_000_000)])
  for (const size of [65_536, 1_460]) {
    const chunks = chunksOf(workload.framed, size);
    assert.deepEqual(decode(ours, chunks), decode(theirs, chunks));
    const work = (dap: Revision): Work => {
      return () => {
        let sum = 0;
        const decoder = new dap.FrameDecoder({
          onMessage: (message) => (sum += numberOf(message)),
        });
        for (let at = 0; at < chunks.length; at++) decoder.push(chunks[at]!);
        decoder.end();
        return sum;
      };
    };
    await compare(`decode ${workload.name}, ${size} B`, [work(ours), work(theirs)]);
  }

for (const workload of [...Object.values(workloads), bodyOf(1_000_000)]) {
  const messages = workload.messages.slice(0, 200) as Parameters<Dap.Encoder["encode"]>[0][];
  const work = (dap: Revision): Work => {
    const encoder = dap.createEncoder();
    return () => {
      let length = 0;
      for (let at = 0; at < messages.length; at++) length += encoder.encode(messages[at]!).length;
      return length;
    };
  };
  const works = [work(ours), work(theirs)] as const;
  assert.equal(works[0](), works[1]());
  await compare(`encode ${workload.name}`, works);
}

const sets: readonly (readonly [name: string, cases: readonly Case[], isRight: boolean])[] = [
  ["tiny", [tiny], true],
  ["small", [small], true],
  ["medium", [medium], true],
  ["large", [large], true],
  ["mixed", mixed, true],
  ["invalid", invalid, false],
];
for (const [name, cases, isRight] of sets)
  for (const verb of ["isValid", "validate"] as const) {
    const values = cases.map(({ value }) => value);
    const work = (dap: Revision): Work => {
      const answer =
        verb === "isValid" ? dap.isValid : (value: unknown): boolean => dap.validate(value).ok;
      return () => {
        let count = 0;
        for (let at = 0; at < values.length; at++) if (answer(values[at]) === isRight) count++;
        return count;
      };
    };
    const works = [work(ours), work(theirs)] as const;
    assert.deepEqual([works[0](), works[1]()], [values.length, values.length], name);
    await compare(`${verb} ${name}`, works);
  }

console.log(`Node ${process.version}; medians of ${rounds} interleaved rounds`);
printTable(["work", "ours", "other / ours"], rows);
