/** Every fault has an error message, a range and a sample, however the stream is split. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { notations } from "@wirewright/ruby-debug-ide";
import { CaseList, readInput } from "../../support/case-list.js";
import { everyCut } from "../../support/frame-cases.js";
import { recordStream, type StreamOptions } from "../../support/stream-oracles.js";

/** Decodes a stream and returns the messages and the faults, without noise. */
function reportsOf(
  bytes: Uint8Array,
  cuts: readonly number[],
  options: StreamOptions,
): readonly string[] {
  return recordStream(bytes, cuts, options).flatMap((record) => {
    if (record.kind === "message") return [record.json!];
    if (record.kind === "noise") return [];
    const { code, offset, length, message, recovered, sample } = record;
    // The JavaScript engine's error messages vary between versions.
    const text = message.replace(/^(Cannot parse the body: ).+$/, "$1…");
    return [
      `${code} ${offset}+${length}: ${text}${recovered ? " (recovered)" : ""}: \`${sample}\``,
    ];
  });
}

/** The names in cases. */
const names = {
  strict: { recovery: "strict" },
  short: { limits: { maxHeaderBytes: 40 } },
  few: { limits: { maxHeaderCount: 2 } },
  deleted: '<breakpointDeleted no="1"/>',
};

/** The framings of sections. Default: `Content-Length` frames. */
const framings = new Map<string, StreamOptions["framing"]>([
  ["JSON lines", "lines"],
  ["commands", notations.frontend],
  ["elements", notations.debugger],
]);

const cases = new CaseList("test/cases/decoder-faults.md");
for (const name of cases.names)
  test(`the faults in a stream are reported, however it is split: ${name}`, () =>
    cases.check(name, (input) => {
      const [stream, stated] = readInput(input, names) as readonly [string, StreamOptions?];
      const framing = framings.get(name) ?? stated?.framing;
      const options = { ...stated, ...(framing !== undefined && { framing }) };
      // Each character of the stream is a byte.
      const bytes = Buffer.from(stream, "latin1");
      const [whole, ...others] = everyCut(bytes.length);
      const reports = reportsOf(bytes, whole!.cuts, options);
      for (const { name: cut, cuts } of others)
        assert.deepEqual(reportsOf(bytes, cuts, options), reports, `${input}, ${cut}`);
      return reports;
    }));
