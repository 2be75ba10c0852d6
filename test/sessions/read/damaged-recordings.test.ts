import assert from "node:assert/strict";
import { test } from "node:test";
import { InputError } from "../../../generator/base/input-error.js";
import { lint } from "../../../sessions/judge/lint.js";
import { LineCutter } from "../../../sessions/read/json-lines.js";
import { openRecording, readRecording } from "../../../sessions/read/recording.js";
import { answer, ask, dap, tell } from "../../support/read-entries.js";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

const head = { recording: "wirewright", form: 1, protocol: "dap", version: "1.71.0" };

function linesOf(...lines: readonly (string | object)[]): Uint8Array {
  const texts = lines.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  return Buffer.from(texts.join("\n"));
}

/**
 * Reads the files with `readRecording` and with `openRecording`, both of which must fail with the
 * same error. Returns that error.
 */
async function refused(...files: readonly Uint8Array[]): Promise<Partial<InputError>> {
  const named = files.map((bytes, at) => ({ name: `${at}.jsonl`, bytes }));
  let thrown: unknown;
  assert.throws(
    () => readRecording(named, dap),
    (error) => ((thrown = error), true),
  );
  assert.ok(thrown instanceof InputError);
  const { code, message, place, hint } = thrown;
  const sources = named.map(({ name, bytes }) => ({ name, chunks: [bytes] }));
  await assert.rejects(
    async () => {
      for await (const entry of await openRecording(sources, dap)) void entry;
    },
    { code, message, place, hint },
  );
  return { code, message, place, ...(hint === undefined ? {} : { hint }) };
}

test("a finding about a damaged line names a sender only if the line gives one", async () => {
  const entry = (from: string, message: object): object => ({ kind: "message", from, message });
  const bytes = linesOf(
    head,
    entry("client", ask(1)),
    entry("adapter", answer(1)),
    `{"kind":"message","time":3,"from":"adapter","message":${nested(5_000)}}`,
    `{"kind":"mess`,
  );
  const faults: unknown[] = [];
  for await (const finding of lint({ name: "x.jsonl", chunks: [bytes] }, { protocol: "dap" }))
    if (finding.rule === "stream.fault") faults.push(finding);
  const fault = {
    rule: "stream.fault",
    severity: "error",
    index: 2,
    label: "bytes",
    pointer: "",
  };
  assert.deepEqual(faults, [
    {
      ...fault,
      from: "adapter",
      message: "Cannot read a line that nests more than 4096 levels deep",
      time: 3,
      line: 4,
    },
    { ...fault, message: "Cannot read a line as JSON", line: 5 },
  ]);
});

test("a fault in the stream names the readers that end, but a fault in the file does not", async () => {
  const fault = { kind: "fault", from: "adapter", offset: 9, code: "ERR_JSON", text: "Not JSON" };
  const texts: string[] = [];
  const bytes = linesOf(head, ask(1), fault, '{"kind":"message","from":"adapter","mess');
  for await (const { rule, from, message } of lint(
    { name: "x.jsonl", chunks: [bytes] },
    { protocol: "dap" },
  ))
    if (rule === "stream.fault") texts.push(`${from}: ${message}`);
  assert.match(texts[0]!, /^adapter: Not JSON\. .*Theia/);
  assert.deepEqual(texts.slice(1), ["adapter: Cannot read a line as JSON"]);
});

test("a recording that contains nothing but faults or noise is read", async () => {
  const place = { from: "client", offset: 0, length: 9 };
  for (const [line, rule] of [
    [{ kind: "fault", ...place, code: "ERR_TRUNCATED", text: "Cut" }, "stream.fault"],
    [{ kind: "noise", ...place, text: "hello" }, "stream.noise"],
  ] as const) {
    const rules: string[] = [];
    const bytes = linesOf(head, line, { kind: "end", from: "client", how: "closed" });
    for await (const found of lint({ name: "x", chunks: [bytes] }, { protocol: "dap" }))
      rules.push(found.rule);
    assert.deepEqual(rules, [rule]);
  }
  const alone = linesOf(head, { kind: "end", from: "client", how: "closed" });
  assert.equal((await refused(alone)).message, "Cannot find any message in the recording");
});

test("a recording whose only message nests too deeply is refused for that reason", async () => {
  assert.deepEqual(await refused(linesOf(head, "x")), {
    code: "ERR_JSON",
    message: "Cannot find any message in the recording",
    place: { file: "0.jsonl" },
    hint: 'It begins with "{\\"recording\\":\\"wirewright\\",\\"form\\":1,\\"protocol\\":\\"dap\\",\\"versio…". It is a recording in which no message can be read',
  });
  assert.deepEqual(await refused(linesOf(head, `{"x":${nested(5_000)}}`)), {
    code: "ERR_JSON",
    message:
      "Cannot read a line that nests more than 4096 levels deep, and there are no other messages",
    place: { file: "0.jsonl", line: 2 },
  });
});

test("lines of JSON without a protocol message are not a recording", async () => {
  assert.deepEqual(await refused(linesOf({ a: 1 }, { level: "info" })), {
    code: "ERR_JSON",
    message: "Cannot find any message in the recording",
    place: { file: "0.jsonl" },
    hint: 'It begins with "{\\"a\\":1}". It contains 2 objects, but none is a request, an event or a response. The first has the fields "a". If it is a recording of another protocol, name that protocol with --protocol',
  });
  const mixed = linesOf({ a: 1 }, ask(1));
  assert.equal(readRecording([{ name: "x", bytes: mixed }], dap).length, 2);
});

test("two files with messages from the same side are refused", async () => {
  const asked = linesOf(ask(1), ask(2));
  assert.deepEqual(await refused(asked, asked), {
    code: "ERR_MESSAGE",
    message: "Cannot join two directions: both files contain messages from the client",
    place: { file: "1.jsonl" },
    hint: "Pass one file for each side",
  });
  const told = linesOf(tell("stopped"));
  assert.equal((await refused(told, told)).code, "ERR_MESSAGE");
  const files = [asked, told].map((bytes, at) => ({ name: `${at}`, bytes }));
  assert.equal(readRecording(files, dap).length, 3);
});

test("two recordings of both sides follow each other, and a recording and a direction are refused", async () => {
  const recording = (from: string): Uint8Array =>
    linesOf(
      ...["client", from].map((role, index) => ({
        kind: "message",
        from: role,
        message: ask(index + 1),
      })),
    );
  const both = [recording("adapter"), recording("adapter")];
  const files = both.map((bytes, index) => ({ name: `${index}`, bytes }));
  assert.deepEqual(
    readRecording(files, dap).map(({ from }) => from),
    ["client", "adapter", "client", "adapter"],
  );
  const chunks = files.map(({ name, bytes }) => ({ name, chunks: [bytes] }));
  const { isOneSided, isOrderGuessed } = await openRecording(chunks, dap);
  assert.deepEqual({ isOneSided, isOrderGuessed }, { isOneSided: false, isOrderGuessed: false });
  assert.deepEqual(await refused(recording("client"), recording("adapter")), {
    code: "ERR_MESSAGE",
    message: "Cannot join two directions: the file contains messages from both sides",
    place: { file: "1.jsonl" },
    hint: "Pass one file for each side, or two recordings of both sides",
  });
});

test("a line that is too long is reported with its beginning, however the bytes are split", () => {
  const line = "x".repeat(1_500).replace(/^x{7}/, "0123456");
  for (const size of [1, 7, 1_000, 1_024, 1_025, 2_000]) {
    const found: unknown[] = [];
    const cutter = new LineCutter(1_200, {
      line: (bytes) => void found.push(bytes.length),
      tooLong: (...[number, length, beginning]) =>
        void found.push([number, length, Buffer.from(beginning).toString()]),
    });
    const bytes = Buffer.from(`${line}\n${line.slice(0, 1_200)}\n`);
    for (let at = 0; at < bytes.length; at += size) cutter.push(bytes.subarray(at, at + size));
    assert.deepEqual(found, [[1, 1_500, line.slice(0, 1_024)], 1_200], String(size));
  }
});
