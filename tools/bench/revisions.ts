/**
 * Compares this checkout with another checkout that has already been built:
 * `npm run bench -- revisions FOLDER`. Measures decoding, encoding and validation in turn in one
 * process, after comparing their results. A ratio above 1 means that the other checkout is slower.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Dap from "@wirewright/dap";
import type * as Validators from "@wirewright/dap/validators";
import { bodyOf, chunksOf, workloads } from "./codec-corpus.js";
import { contest } from "./contest.js";
import type { Work } from "./measure.js";
import { selects, type Bench } from "./report.js";
import { invalid, large, medium, mixed, small, tiny, type Case } from "./validator-corpus.js";

type Revision = typeof Dap & typeof Validators;
const load = async (base: string): Promise<Revision> => {
  const module = (name: string): Promise<object> =>
    import(pathToFileURL(resolve(base, `build/generated/dap/${name}.js`)).href);
  return { ...(await module("index")), ...(await module("validate")) } as Revision;
};

const numberOf = (message: object): number => (message as { seq: number }).seq;

function decode({ createDecoder }: typeof Dap, chunks: readonly Uint8Array[]): number[] {
  const numbers: number[] = [];
  const onMessage = ({ message }: Dap.Classified): unknown => numbers.push(numberOf(message!));
  const decoder = createDecoder({ onMessage });
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return numbers;
}

function decodeWork(dap: Revision, chunks: readonly Uint8Array[]): Work {
  return () => {
    let sum = 0;
    const decoder = dap.createDecoder({ onMessage: (each) => (sum += numberOf(each.message!)) });
    for (let at = 0; at < chunks.length; at++) decoder.push(chunks[at]!);
    decoder.end();
    return sum;
  };
}

function encodeWork(dap: Revision, messages: readonly object[]): Work {
  const encoder = dap.createEncoder();
  const typed = messages as Parameters<Dap.Encoder["encode"]>[0][];
  return () => {
    let length = 0;
    for (let at = 0; at < typed.length; at++) length += encoder.encode(typed[at]!).length;
    return length;
  };
}

const sets: readonly (readonly [name: string, cases: readonly Case[], isRight: boolean])[] = [
  ["tiny", [tiny], true],
  ["small", [small], true],
  ["medium", [medium], true],
  ["large", [large], true],
  ["mixed", mixed, true],
  ["invalid", invalid, false],
];
function validateWork(
  dap: Revision,
  verb: "isValid" | "validate",
  values: readonly unknown[],
  isRight: boolean,
): Work {
  const answer =
    verb === "isValid" ? dap.isValid : (value: unknown): boolean => dap.validate(value).ok;
  return () => {
    let count = 0;
    for (let at = 0; at < values.length; at++) if (answer(values[at]) === isRight) count++;
    return count;
  };
}

export const bench: Bench = async (report, options) => {
  const [folder] = options.args;
  if (folder === undefined)
    throw new Error(
      "Usage: npm run bench -- revisions FOLDER, where FOLDER is a checkout that has been built",
    );
  const [ours, theirs] = await Promise.all([load("."), load(folder)]);
  const table = report.table("this and another checkout", ["work"], { this: "ns" });
  const compare = async (what: string, make: (dap: Revision) => Work): Promise<void> => {
    if (!selects(options, [what])) return;
    const works = { this: make(ours), other: make(theirs) };
    assert.equal(await works.this(), await works.other(), what);
    table.row([what], await contest(works, 1, { ...options, turnMs: 10, warmMs: 200 }));
  };
  const loads = [...Object.values(workloads), bodyOf(1_000_000)];
  for (const workload of loads)
    for (const size of [65_536, 1_460]) {
      const chunks = chunksOf(workload.framed, size);
      assert.deepEqual(decode(ours, chunks), decode(theirs, chunks));
      await compare(`decode ${workload.name}, ${size} B`, (dap) => decodeWork(dap, chunks));
    }
  for (const workload of loads) {
    const messages = workload.messages.slice(0, 200);
    await compare(`encode ${workload.name}`, (dap) => encodeWork(dap, messages));
  }
  for (const [name, cases, isRight] of sets)
    for (const verb of ["isValid", "validate"] as const) {
      const values = cases.map(({ value }) => value);
      await compare(`${verb} ${name}`, (dap) => validateWork(dap, verb, values, isRight));
    }
};
