import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readProtocol, readRecording } from "../../../cli/index.js";
import { readFramingRules, readersText } from "../../../sessions/judge/framing-rules.js";
import type { LintFinding } from "../../../sessions/judge/rules.js";
import { CapturedSessions, type Observed } from "../../../sessions/read/captured-sessions.js";
import type { ByteMark, RecordedEntry } from "../../../sessions/read/recorded-entry.js";
import { printRecording, recordingLine } from "../../../sessions/read/recorded-lines.js";
import { check } from "../../../generator/read/description/check-file.js";
import { readJsonInput } from "../../../generator/read/source/input-source.js";
import { everyCut, readFrameCases } from "../../support/frame-cases.js";
import { fromRoot } from "../../support/paths.js";
import { recordedSessions } from "../../support/recorded-sessions.js";
import { findingsOf } from "../../support/judged-entries.js";
import { pushPieces } from "../../support/stream-oracles.js";

const dap = await readProtocol("dap");
const acp = await readProtocol("acp");
const cases = readFrameCases("schema/framing-examples.md");

/** Observes a client's stream that arrives in chunks, split at the given offsets. */
function observe(bytes: Uint8Array, cuts: readonly number[], protocol = dap): readonly Observed[] {
  const seen: Observed[] = [];
  const sessions = new CapturedSessions(protocol, (each) => void seen.push(each));
  const push = (chunk: Uint8Array) =>
    sessions.take({ kind: "bytes", from: "client", time: 0 }, chunk);
  pushPieces({ push }, bytes, cuts);
  sessions.take({ kind: "end", from: "client", time: 0, how: "closed" });
  return seen;
}

const marksIn = (seen: readonly { readonly bytes?: readonly ByteMark[] }[]): readonly string[] =>
  seen.flatMap(({ bytes = [] }) =>
    bytes.map(({ offset, quirk, value, pointer }) =>
      [offset, quirk, value, pointer].filter((each) => each !== undefined).join(" "),
    ),
  );

for (const { name, bytes, log } of cases)
  test(`lint finds the same quirks however the bytes are split: ${name}`, () => {
    for (const { name: cut, cuts } of everyCut(bytes.length))
      assert.deepEqual(marksIn(observe(bytes, cuts) as readonly object[]), log, cut);
    assert.deepEqual(marksIn(readRecording([{ name: "a", bytes }], dap)), log, "from a file");
  });

test("for every framing rule, one stream violates it and another does not", () => {
  for (const { id, bytes: habit } of readFramingRules().rules) {
    const own = cases.filter(({ name }) => name.endsWith(`\`${id}\``));
    assert.deepEqual(
      own.map(({ log }) => log.some((line) => line.split(" ")[1] === habit)),
      [true, false],
      id,
    );
  }
});

test("the framing rules match their schema and refer only to quirks that are detected", async () => {
  const file = await readJsonInput(fromRoot("schema/framing-rules.json"));
  check(file, "framing-rules", "ERR_DESCRIPTION");
  const { rules, readers } = readFramingRules();
  const known = [...rules.map(({ bytes }) => bytes as string), "noise", "bad-json"];
  for (const { name, reads, fails } of readers)
    for (const habit of [...reads, ...Object.keys(fails)])
      assert.ok(known.includes(habit), `${name}: ${habit}`);
});

/** Judges entries, and returns only the findings about bytes. */
function judge(entries: Iterable<RecordedEntry>, protocol = dap): readonly LintFinding[] {
  const findings = findingsOf(protocol, entries, { rules: "none" });
  return findings.filter(({ rule }) => /^(bytes|stream)\./.test(rule));
}

const threads = (header: string, body = '{"seq":1,"type":"request","command":"threads"}'): Buffer =>
  Buffer.from(`${header.replace("N", String(Buffer.byteLength(body)))}${body}`);

test("a finding about bytes gives their offset and names the readers that end or wait forever", () => {
  const bytes = Buffer.concat([
    threads("content-length: N\r\n\r\n"),
    threads("Content-Length: N\r\n\r\n", '{"seq":2,"type":"request","command":"threads","seq":3}'),
  ]);
  const found = judge(readRecording([{ name: "a", bytes }], dap));
  assert.deepEqual(
    found.map(({ rule, index, pointer, offset }) => ({ rule, index, pointer, offset })),
    [
      { rule: "bytes.name-case", index: 1, pointer: "", offset: 0 },
      { rule: "bytes.duplicate-key", index: 2, pointer: "/seq", offset: 68 + 22 + 46 },
    ],
  );
  assert.equal(
    found[0]!.message,
    "The name is spelled content-length (byte 0). delve 1.20, rdbg 1.4, Perl::LanguageServer and vscDebugger (R) end; " +
      "gdb 16, cdt-gdb-adapter, debugpy 1.6, vscode-php-debug, js-debug, vscode-bash-debug, " +
      "one-small-step-for-vimkind and @vscode/debugadapter stop reading.",
  );
  assert.equal(
    found[1]!.message,
    "A property occurs twice in the same object. Readers differ in which value they use (byte 136).",
  );
});

test("a framing finding names only readers for the other side", () => {
  assert.equal(
    readersText(["name-case"], dap, "adapter"),
    "Visual Studio stops reading; Theia loses the message",
  );
  assert.equal(readersText(["line-feed"], acp), undefined);
});

test("findings about noise and invalid JSON name the readers that fail", () => {
  const bytes = Buffer.concat([
    Buffer.from("listening on 4711\r\n"),
    threads("Content-Length: N\r\n\r\n"),
    threads("Content-Length: N\r\n\r\n", '{"seq":2,'),
    threads("Content-Length: N\r\n\r\n"),
  ]);
  const found = judge(readRecording([{ name: "a", bytes }], dap));
  assert.deepEqual(
    found.map(({ rule, message }) => [rule, /[^.]*gdb 16[^.]*/.test(message)]),
    [
      ["stream.noise", true],
      ["stream.fault", true],
    ],
  );
});

test("byte quirks that tap detects are recorded, and lint judges them from the recording", () => {
  const bytes = threads("content-length:N\n\n");
  const [seen] = observe(bytes, []);
  assert.ok(seen?.kind === "message");
  const text = printRecording([seen], dap);
  const read = readRecording([{ name: "a", bytes: Buffer.from(text) }], dap);
  assert.deepEqual(read[0]!.bytes, seen.bytes);
  assert.deepEqual(
    judge(read).map(({ rule }) => rule),
    ["bytes.name-case", "bytes.no-space", "bytes.line-feed"],
  );
  for (const bad of [1, ["a"], [{ quirk: 1 }], [{ quirk: "a", offset: 0, pointer: 1 }]]) {
    const line: string = JSON.stringify({ ...JSON.parse(recordingLine(seen)), bytes: bad });
    assert.equal(
      readRecording([{ name: "a", bytes: Buffer.from(line) }], dap)[0]!.bytes,
      undefined,
    );
  }
});

test("lint does not judge bytes that are missing from a recording", () => {
  const message = '{"seq":1,"type":"request","command":"threads","seq":1}';
  for (const line of [message, `{"from":"client","message":${message}}`])
    assert.deepEqual(judge(readRecording([{ name: "a", bytes: Buffer.from(line) }], dap)), []);
});

test("a recording with line framing is judged as bytes", () => {
  const lines = Buffer.concat([
    Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"initialize"}\n{"jsonrpc":"2.0","id":2,"id":3,"method":"a"}\n',
    ),
    Buffer.from('{"jsonrpc":"2.0","id":4,"method":"b', "latin1"),
    Buffer.of(0xff),
    Buffer.from('"}\r\n'),
  ]);
  const expected = ["71 duplicate-key /id", "127 ill-formed-utf8 0xFF /method"];
  assert.deepEqual(marksIn(readRecording([{ name: "a", bytes: lines }], acp)), expected);
  for (const { cuts } of everyCut(lines.length))
    assert.deepEqual(marksIn(observe(lines, cuts, acp) as readonly object[]), expected);
});

for (const { name, folder } of recordedSessions)
  test(`the adapters and the client in ${name} write frames that all readers understand`, () => {
    for (const direction of ["in", "out"]) {
      const bytes = readFileSync(join(folder, `${direction}.bin`));
      assert.deepEqual(marksIn(readRecording([{ name: direction, bytes }], dap)), []);
    }
  });
