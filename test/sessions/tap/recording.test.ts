import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { readProtocol } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { CaptureRecord } from "../../../sessions/read/capture-format.js";
import { CapturedSessions } from "../../../sessions/read/captured-sessions.js";
import { bundledFraming } from "../../../sessions/tap/bundled-framing.js";
import { LinesRecorder } from "../../../sessions/tap/lines-recorder.js";
import { BytesRecorder, RecordingFile } from "../../../sessions/tap/recording-file.js";
import { bundledProtocols } from "../../../generator/base/bundled.js";
import { withFolder } from "../../support/compile.js";
import { everyCut, randomCuts, readFrameCases } from "../../support/frame-cases.js";
import { fuzzedFramings } from "../../support/fuzzed-framings.js";
import { cutsOf, mutatedBytes, split } from "../../support/mutated-inputs.js";
import { recordedSessions } from "../../support/recorded-sessions.js";
import { framed } from "../../support/framed-text.js";

const dap = await readProtocol("dap");
const acp = await readProtocol("acp");

const began = "2026-01-01T00:00:00.000Z";

/**
 * Records messages from the first role that arrive in pieces, once as lines and once as bytes.
 * Returns the lines, and what is observed in the bytes.
 */
function record(
  folder: string,
  protocol: Protocol,
  bytes: Uint8Array,
  cuts: readonly number[],
): { readonly lines: readonly string[]; readonly observed: readonly object[] } {
  const open = (name: string): RecordingFile => new RecordingFile(join(folder, name), assert.fail);
  const { name, version, roles } = protocol;
  const recorders = [
    new LinesRecorder(open("session.jsonl"), protocol, began),
    new BytesRecorder(open("session.bytes"), { protocol: name, version, roles, began }),
  ];
  const take = (record: CaptureRecord, piece?: Uint8Array): void =>
    recorders.forEach((recorder) => recorder.take(record, piece));
  const [from] = roles;
  let start = 0;
  for (const [time, end] of [...cuts, bytes.length].entries()) {
    take({ kind: "bytes", time: time / 8, from, session: 1 }, bytes.subarray(start, end));
    start = end;
  }
  take({ kind: "end", time: 1, from, session: 1, how: "closed" });
  const observed: object[] = [];
  const sessions = new CapturedSessions(
    protocol,
    (each, session) => observed.push({ session, ...each }),
    assert.fail,
  );
  sessions.push(readFileSync(join(folder, "session.bytes")));
  const text = readFileSync(join(folder, "session.jsonl"));
  // Invalid UTF-8 in a line would not be valid JSON.
  const lines = new TextDecoder("utf-8", { fatal: true }).decode(text).trimEnd().split("\n");
  return { lines, observed };
}

/** Asserts that the lines, whose messages are copied, contain what is read from the bytes. */
function compare(
  folder: string,
  protocol: Protocol,
  bytes: Uint8Array,
  cuts: readonly number[],
  name: string,
): void {
  const { lines, observed } = record(folder, protocol, bytes, cuts);
  const [head, ...rest] = lines.map((line) => JSON.parse(line) as object);
  const { version, roles } = protocol;
  assert.deepEqual(head, {
    recording: "wirewright",
    form: 1,
    protocol: protocol.name,
    version,
    roles,
    began,
  });
  assert.deepEqual(rest, observed, name);
}

/** Some messages that can be recorded unchanged, and some that cannot. */
const odd = Buffer.concat([
  framed(`{"seq":1,"type":"event","event":"initialized"}`),
  framed(`{"a":{"b":[1.50,"é",true]}, "c":1e5 }`),
  framed(`{"a":1,\n "b":2}`),
  framed(`\ufeff{"a":1}`),
  framed(Buffer.from(`{"a":"\xe9"}`, "latin1")),
  framed(`{"a":1,"a":2}`),
  framed(`{"\\u0061":1,"a":2}`),
  framed(`{"a":1`),
  framed(`[1]`),
  framed(``),
  framed(` {"a":3} `),
  Buffer.from("noise\ncontent-length:7\r\nX: y\r\n\r\n"),
  Buffer.from(`{"a":4}\r\n\r\n`),
  framed(`{"a":"Content-Length: 7"}`),
  Buffer.from(`Content-Length: 30\r\n\r\n{"a":5}\n`),
  framed(`{"a":6}`),
  framed(`{"a":7}`).subarray(0, -2),
]);

test("a recording contains every message unchanged, however the bytes are split", async () => {
  await withFolder((folder) => {
    for (const { name, cuts } of everyCut(odd.length)) compare(folder, dap, odd, cuts, name);
    const { lines } = record(folder, dap, odd, []);
    assert.deepEqual(lines.slice(1, 4), [
      `{"session":1,"kind":"message","time":0,"from":"client","offset":0,"length":68,"message":{"seq":1,"type":"event","event":"initialized"}}`,
      `{"session":1,"kind":"message","time":0,"from":"client","offset":68,"length":60,"message":{"a":{"b":[1.50,"é",true]}, "c":1e5 }}`,
      `{"session":1,"kind":"message","time":0,"from":"client","offset":128,"length":37,"message":{"a":1,"b":2}}`,
    ]);
  });
});

test("recordings of lines, decoder cases and hostile streams contain what their bytes contain", async () => {
  await withFolder((folder) => {
    const lines = Buffer.from(
      `{"a":1}\n{"b":1.0}\r\n \n{"a":1,"a":2}\n{"a"\n\ufeff{}\n {"c":1}\n{"d":1}`,
    );
    for (const { name, cuts } of everyCut(lines.length)) compare(folder, acp, lines, cuts, name);
    for (const file of ["schema/framing-examples.md", "test/cases/content-length.md"])
      for (const { name, bytes } of readFrameCases(file))
        for (const { name: cut, cuts } of randomCuts(bytes.length, 4, 3))
          compare(folder, dap, bytes, cuts, `${name}, ${cut}`);
    const streams = fc.tuple(mutatedBytes(fuzzedFramings[0]!), split);
    for (const [bytes, places] of fc.sample(streams, { numRuns: 500, seed: 7 }))
      compare(folder, dap, bytes, cutsOf(places, bytes.length), JSON.stringify(String(bytes)));
  });
});

for (const { name, folder: source } of recordedSessions)
  test(`the recording of a session contains what its bytes contain: ${name}`, async () => {
    await withFolder((folder) => {
      for (const file of ["in.bin", "out.bin"]) {
        const bytes = readFileSync(join(source, file));
        for (const { name: cut, cuts } of randomCuts(bytes.length, 6, 5))
          compare(folder, dap, bytes, cuts, `${file}, ${cut}`);
      }
    });
  });

test("the framing facts in bundled descriptions match the protocols read from them", async () => {
  const known: string[] = [];
  for (const name of bundledProtocols()) {
    const json = bundledFraming(name)?.json;
    if (json === undefined || name === "cdp") continue;
    const { version, roles, framing, notations } = await readProtocol(name);
    assert.deepEqual(json, { name, version, roles, framing });
    assert.equal(notations, undefined);
    known.push(name);
  }
  assert.deepEqual(known, ["acp", "dap", "sqltools"]);
  assert.equal(bundledFraming("acp-breakpoints"), undefined);
  assert.equal(bundledFraming("ruby-debug-ide")?.json, undefined);
});
