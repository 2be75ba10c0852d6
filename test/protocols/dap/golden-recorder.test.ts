/** Tests recordings that are identical in every run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordGolden } from "@wirewright/dap/testing";
import { LintSession, readProtocol, readRecording } from "../../../cli/index.js";
import { dapEvent, dapRequest, dapResponse } from "../../support/dap-messages.js";

type Sent = readonly ["client" | "adapter", object];

function record(messages: readonly Sent[], options: Parameters<typeof recordGolden>[0]): string {
  const recorder = recordGolden(options);
  const { beforeSend, afterReceive } = recorder.middleware;
  for (const [from, message] of messages) {
    const before = structuredClone(message);
    const returned =
      from === "client"
        ? beforeSend!(message as never)
        : afterReceive!(message as never, new Uint8Array());
    // The recorder must not change messages.
    assert.deepEqual([returned, message], [undefined, before]);
  }
  return recorder.text;
}

/** Creates a session whose ids, paths and addresses depend on a number. */
function session(by: number): readonly Sent[] {
  const folder = `/tmp/test ${by}`;
  const path = `${folder}/a.c`;
  const output = (category: string, text: string): Sent => [
    "adapter",
    dapEvent(0, "output", { category, output: text }),
  ];
  const scopes = [
    { name: "Locals", variablesReference: by * 100, expensive: false },
    { name: "Globals", variablesReference: by, expensive: false, source: { path } },
  ];
  const pointer = {
    name: "p",
    value: `0x00007FFE${by}00`,
    variablesReference: 0,
    memoryReference: `0x7ffe${by}00`,
  };
  return [
    ["client", dapRequest(by, "scopes", { frameId: by + 7 })],
    output("stdout", folder.slice(0, 6)),
    output("stdout", `${path.slice(6)} 0x7ffe${by}00 0x10`),
    output("stderr", `file:///tmp/test%20${by}/a.c`),
    ["adapter", dapResponse(by * 3, by, "scopes", { scopes })],
    ["client", dapRequest(by + 1, "variables", { variablesReference: by })],
    ["client", dapRequest(by + 2, "cancel", { requestId: by + 1 })],
    ["adapter", dapResponse(by * 4, by + 1, "variables", { variables: [pointer] })],
    ["adapter", dapEvent(by * 4, "process", { name: path, systemProcessId: by })],
    ["adapter", dapEvent(by * 4, "thread", { reason: "started", threadId: by })],
    ["adapter", dapRequest(by * 5, "runInTerminal", { cwd: folder, args: [path] })],
    ["client", dapResponse(by + 9, by * 5, "runInTerminal", { processId: by })],
  ];
}

const options = (by: number): Parameters<typeof recordGolden>[0] => ({
  paths: { [`/tmp/test ${by}`]: "/work", [`/tmp/test ${by}/none`]: "/none" },
  replace: [[/Globals/g, "Statics"]],
  skip: ({ event }) => event === "thread",
});

test("ids, paths, addresses and processes are the same in every recording of a session", () => {
  const text = record(session(4711), options(4711));
  assert.equal(record(session(8150), options(8150)), text);
  const scopes = [
    { name: "Locals", variablesReference: 1, expensive: false },
    { name: "Statics", variablesReference: 2, expensive: false, source: { path: "/work/a.c" } },
  ];
  const pointer = { name: "p", value: "0x00000001", variablesReference: 0 };
  const variables = [{ ...pointer, memoryReference: "memory-1" }];
  const first = { category: "stdout", output: "/work/a.c 0x00000001 0x10" };
  assert.deepEqual(
    text
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => {
        const { from, message } = JSON.parse(line) as { from: string; message: object };
        return [from, message];
      }),
    [
      ["client", dapRequest(1, "scopes", { frameId: 1 })],
      ["adapter", dapEvent(1, "output", first)],
      ["adapter", dapEvent(2, "output", { category: "stderr", output: "file:///work/a.c" })],
      ["adapter", dapResponse(3, 1, "scopes", { scopes })],
      ["client", dapRequest(2, "variables", { variablesReference: 2 })],
      ["client", dapRequest(3, "cancel", { requestId: 2 })],
      ["adapter", dapResponse(4, 2, "variables", { variables })],
      ["adapter", dapEvent(5, "process", { name: "/work/a.c", systemProcessId: 1 })],
      ["adapter", dapRequest(6, "runInTerminal", { cwd: "/work", args: ["/work/a.c"] })],
      ["client", dapResponse(4, 6, "runInTerminal", { processId: 1 })],
    ],
  );
});

test("lint reads a golden recording", async () => {
  const protocol = await readProtocol("dap");
  const bytes = new TextEncoder().encode(record(session(4711), options(4711)));
  const entries = readRecording([{ name: "golden.jsonl", bytes }], protocol);
  assert.equal(entries.filter(({ message }) => message !== undefined).length, 10);
  const findings: unknown[] = [];
  const lint = new LintSession(protocol, {
    rules: "none",
    onFinding: (finding) => void findings.push(finding),
  });
  for (const entry of entries) lint.push(entry);
  lint.end();
  assert.doesNotMatch(JSON.stringify(findings), /seq/);
});
