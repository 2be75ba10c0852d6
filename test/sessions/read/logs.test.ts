import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { readProtocol } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { RecordedEntry } from "../../../sessions/read/recorded-entry.js";
import type { RecordingFormat } from "../../../sessions/read/format-detector.js";
import { logFormats } from "../../../sessions/read/logs/log-formats.js";
import { RecordingReader } from "../../../sessions/read/recording-reader.js";
import { logSamples } from "../../support/log-samples.js";
import { loggedSessions, truthOf } from "../../support/logged-sessions.js";
import { shared, skipWithout } from "../../support/paths.js";

const dap = await readProtocol("dap");
const acp = await readProtocol("acp");

interface Reading {
  readonly format: string;
  readonly entries: readonly RecordedEntry[];
  /** The total size of the entries. */
  readonly bytes: number;
}

function nameOf(format: RecordingFormat | undefined): string {
  return typeof format === "object" ? format.name : (format ?? "none");
}

function read(chunks: Iterable<Uint8Array>, protocol: Protocol = dap): Reading {
  const entries: RecordedEntry[] = [];
  let bytes = 0;
  const reader = new RecordingReader("x", protocol, (entry, size) => {
    entries.push(entry);
    bytes += size;
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { format: nameOf(reader.format), entries, bytes };
}

for (const { format, about, protocol, log, entries } of logSamples) {
  test(`logs of ${format} are read however they are split: ${about}`, () => {
    const spoken = protocol === "acp" ? acp : dap;
    const bytes = Buffer.from(log);
    const whole = read([bytes], spoken);
    assert.deepEqual([whole.format, whole.entries], [format, entries]);
    assert.ok(whole.bytes <= bytes.length + 1);
    for (let at = 1; at < bytes.length; at++)
      assert.deepEqual(read([bytes.subarray(0, at), bytes.subarray(at)], spoken), whole);
    assert.deepEqual(
      read(
        Array.from(bytes, (byte) => Buffer.of(byte)),
        spoken,
      ),
      whole,
    );
    // The same log with Windows line endings.
    const windows = read([Buffer.from(log.replaceAll(/\r?\n/g, "\r\n"))], spoken);
    assert.deepEqual(windows.entries, entries);
  });
}

test("each log format has a sample, a unique name and a description", () => {
  assert.deepEqual(
    logFormats.map(({ name }) => name).sort(),
    [...new Set(logSamples.map(({ format }) => format))].sort(),
  );
  assert.equal(new Set(logFormats.map(({ name }) => name)).size, logFormats.length);
});

test("a log that lacks its beginning is read, and incomplete entries become faults", () => {
  for (const { format, protocol, log } of logSamples)
    for (let at = 1; at < log.length; at += 7) {
      const spoken = protocol === "acp" ? acp : dap;
      const found = read([Buffer.from(log.slice(at))], spoken);
      // The rest of the log may look like another format.
      if (found.format !== format) continue;
      for (const { message, fault } of found.entries)
        assert.ok((message === undefined) !== (fault === undefined));
    }
});

const frames = Buffer.from('Content-Length: 32\r\n\r\n{"seq":1,"type":"event","event":1}');
const others: readonly (readonly [about: string, bytes: Uint8Array, format: string])[] = [
  ["nothing", Buffer.alloc(0), "frames"],
  ["frames", frames, "frames"],
  ["frames after output", Buffer.concat([Buffer.from("ready: {\n"), frames]), "frames"],
  ["lines of JSON", Buffer.from('{"seq":1}\n> {"seq":1}\n'), "lines"],
  ["a long line of JSON", Buffer.from(`{"seq":1,"x":"${"y".repeat(3_000_000)}"}\n`), "lines"],
  ["a truncated line of JSON", Buffer.from('{"seq":1,"x'), "lines"],
  ["a list", Buffer.from("[1]\n"), "lines"],
  ["text", Buffer.from("Hello\n--> x\nFrom here: {}\n# 1:[>] {}\n"), "frames"],
  ["bytes", Buffer.from([0xff, 0xfe, 0, 0x80, 0x0a, 0x0a]), "frames"],
  [
    "a lot of text before a log",
    Buffer.from(`${"text\n".repeat(300_000)}READ: <<<{}>>>\n`),
    "frames",
  ],
  ["text before a log", Buffer.from(`${"text\n".repeat(100_000)}READ: <<<{}>>>\n`), "gdb"],
];

for (const [about, bytes, format] of others)
  test(`a log is distinguished from ${about}`, () => {
    assert.equal(read([bytes]).format, format);
  });

test("the depth of a logged message and the number of lines that precede it are limited", () => {
  const nested = (levels: number): string =>
    `READ: <<<{"type":"event","x":${"[".repeat(levels)}${"]".repeat(levels)}}>>>\n`;
  const lines = (count: number): string => `--> \n${"\n".repeat(count)}{"type":"event"}\n`;
  const faultOf = (log: string): string | undefined =>
    read([Buffer.from(log)]).entries[0]?.fault?.code;
  assert.deepEqual([faultOf(nested(4_095)), faultOf(nested(4_096))], [undefined, "ERR_DEPTH"]);
  assert.equal(read([Buffer.from(lines(2))]).entries.length, 1);
  assert.equal(read([Buffer.from(lines(3))]).entries.length, 0);
});

/** Copies a message without the parts at the given JSON Pointers. */
function withoutParts(message: object, pointers: readonly string[]): object {
  const copy = structuredClone(message);
  for (const pointer of pointers) {
    const steps = pointer.slice(1).split("/");
    const last = steps.pop()!;
    let at: unknown = copy;
    for (const step of steps) at = (at as Record<string, unknown> | undefined)?.[step];
    if (at !== undefined) delete (at as Record<string, unknown>)[last];
  }
  return copy;
}

suite("logs written by real tools are read", { skip: skipWithout("logs") }, () => {
  for (const { name, file, format, missing } of loggedSessions)
    test(`the log ${name} contains the messages that were on the wire`, () => {
      const found = read([readFileSync(shared(`logs/${name}/${file}`)!)]);
      assert.equal(found.format, format);
      const [count, mayMiss] = missing ?? [0, () => false];
      let lost = 0;
      assert.deepEqual(
        found.entries.filter(({ from, message }) => from === undefined || message === undefined),
        [],
      );
      for (const side of dap.roles) {
        const logged = found.entries.filter(({ from }) => from === side);
        let at = 0;
        for (const sent of truthOf(name, side)) {
          const matches = ({ message, unknown = [] }: RecordedEntry): boolean => {
            const [known, real] = [message!, sent].map((each) => withoutParts(each, unknown));
            return isDeepStrictEqual(known, real);
          };
          const next = logged[at];
          if (next !== undefined && matches(next)) at++;
          else {
            lost++;
            assert.ok(mayMiss(sent, side), `${side}: ${JSON.stringify(sent)}`);
          }
        }
        assert.equal(at, logged.length, side);
      }
      assert.equal(lost, count);
    });
});
