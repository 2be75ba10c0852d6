import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { readProtocol, type InputError } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { EntryBatch, RecordedEntry } from "../../../sessions/read/recorded-entry.js";
import type { LogSummary } from "../../../sessions/read/log/log-summary.js";
import { loggingPrograms } from "../../../sessions/read/log/logging-programs.js";
import { openRecordedProtocol } from "../../../sessions/judge/open-protocol.js";
import { RecordingInput } from "../../../sessions/read/recording-input.js";
import { logSamples } from "../../support/log-samples.js";
import { loggedSessions, truthOf } from "../../support/logged-sessions.js";
import { shared, skipWithout } from "../../support/paths.js";

const dap = await readProtocol("dap");
const protocols: Readonly<Record<string, Protocol>> = {
  dap,
  acp: await readProtocol("acp"),
  cdp: await openRecordedProtocol("cdp"),
};

interface Reading {
  readonly format: string | undefined;
  readonly log: LogSummary | undefined;
  /** The messages, and the faults in their place. */
  readonly entries: readonly RecordedEntry[];
  /** The text that is not part of a message. */
  readonly texts: readonly RecordedEntry[];
  /** The total size of the entries. */
  readonly bytes: number;
}

function read(chunks: Iterable<Uint8Array>, protocol: Protocol = dap): Reading {
  const readAhead = { bytes: Infinity, entries: Infinity };
  const input = new RecordingInput("x", protocol, { isDirection: false, readAhead });
  for (const chunk of chunks) input.push(chunk);
  try {
    input.end();
  } catch (error) {
    // Some of the files contain no messages.
    assert.equal((error as InputError).code, "ERR_JSON");
  }
  const { entries = [], bytes = 0 } = (input.next().next().value as EntryBatch | undefined) ?? {};
  return {
    format: input.format,
    log: input.reader?.log,
    entries: entries.filter(({ printed }) => printed === undefined),
    texts: entries.filter(({ printed }) => printed !== undefined),
    bytes,
  };
}

for (const { writer, about, protocol = "dap", log, entries } of logSamples) {
  test(`logs of ${writer} are read however they are split: ${about}`, () => {
    const spoken = protocols[protocol];
    const bytes = Buffer.from(log);
    const whole = read([bytes], spoken);
    assert.deepEqual([whole.format, whole.entries], ["log", entries]);
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

test("each program that needs special treatment has a sample and a unique name", () => {
  const names = loggingPrograms.map(({ name }) => name);
  const writers = new Set(logSamples.map(({ writer }) => writer));
  assert.deepEqual(
    names.filter((name) => !writers.has(name)),
    [],
  );
  assert.equal(new Set(names).size, names.length);
});

test("a log that lacks its beginning is read, and incomplete entries become faults", () => {
  for (const { protocol = "dap", log } of logSamples)
    for (let at = 1; at < log.length; at += 7) {
      const spoken = protocols[protocol];
      const { entries } = read([Buffer.from(log.slice(at))], spoken);
      for (const { message, fault } of entries)
        assert.ok((message === undefined) !== (fault === undefined));
    }
});

const frames = Buffer.from('Content-Length: 32\r\n\r\n{"seq":1,"type":"event","event":1}');
const others: readonly (readonly [about: string, bytes: Uint8Array, format: string])[] = [
  ["frames", frames, "frames"],
  ["frames after output", Buffer.concat([Buffer.from("ready: {\n"), frames]), "frames"],
  [
    "lines of JSON",
    Buffer.from('{"seq":1,"type":"event","event":"stopped"}\n> {"seq":1}\n'),
    "lines",
  ],
  ["a long line of JSON", Buffer.from(`{"seq":1,"x":"${"y".repeat(3_000_000)}"}\n`), "lines"],
  ["a message and a list", Buffer.from("[1]\n"), "log"],
  ["text", Buffer.from("Hello\n--> x\nFrom here: {}\n# 1:[>] {}\n"), "log"],
];

for (const [about, bytes, format] of others)
  test(`a log is distinguished from ${about}`, () => {
    assert.equal(read([bytes]).format, format);
  });

test("the depth of a logged message is limited", () => {
  const nested = (levels: number): string =>
    `READ: <<<{"type":"event","event":"stopped","seq":1,"x":${"[".repeat(levels)}${"]".repeat(levels)}}>>>\n`;
  const start = `READ: <<<{"type":"event","event":"stopped","seq":1}>>>\n`;
  const faultOf = (log: string): string | undefined =>
    read([Buffer.from(start + log)]).entries[1]?.fault?.code;
  assert.deepEqual([faultOf(nested(4_095)), faultOf(nested(4_096))], [undefined, "ERR_DEPTH"]);
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
  for (const { name, file, missing } of loggedSessions)
    test(`the log ${name} contains the messages that were on the wire`, () => {
      const found = read([readFileSync(shared(`logs/${name}/${file}`)!)]);
      assert.equal(found.format, "log");
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
