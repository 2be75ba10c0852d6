/** Tests recordings that are identical in every run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordGolden } from "@wirewright/dap/testing";
import { LintSession, readProtocol, readRecording } from "../../../cli/index.js";

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
  return [
    ["client", { seq: by, type: "request", command: "scopes", arguments: { frameId: by + 7 } }],
    [
      "adapter",
      {
        seq: 0,
        type: "event",
        event: "output",
        body: { category: "stdout", output: `${folder.slice(0, 6)}` },
      },
    ],
    [
      "adapter",
      {
        seq: 0,
        type: "event",
        event: "output",
        body: { category: "stdout", output: `${path.slice(6)} 0x7ffe${by}00 0x10` },
      },
    ],
    [
      "adapter",
      {
        seq: 0,
        type: "event",
        event: "output",
        body: { category: "stderr", output: `file:///tmp/test%20${by}/a.c` },
      },
    ],
    [
      "adapter",
      {
        seq: by * 3,
        type: "response",
        request_seq: by,
        command: "scopes",
        success: true,
        body: {
          scopes: [
            { name: "Locals", variablesReference: by * 100, expensive: false },
            { name: "Globals", variablesReference: by, expensive: false, source: { path } },
          ],
        },
      },
    ],
    [
      "client",
      { seq: by + 1, type: "request", command: "variables", arguments: { variablesReference: by } },
    ],
    [
      "client",
      { seq: by + 2, type: "request", command: "cancel", arguments: { requestId: by + 1 } },
    ],
    [
      "adapter",
      {
        seq: by * 4,
        type: "response",
        request_seq: by + 1,
        command: "variables",
        success: true,
        body: {
          variables: [
            {
              name: "p",
              value: `0x00007FFE${by}00`,
              variablesReference: 0,
              memoryReference: `0x7ffe${by}00`,
            },
          ],
        },
      },
    ],
    [
      "adapter",
      { seq: by * 4, type: "event", event: "process", body: { name: path, systemProcessId: by } },
    ],
    [
      "adapter",
      { seq: by * 4, type: "event", event: "thread", body: { reason: "started", threadId: by } },
    ],
    [
      "adapter",
      {
        seq: by * 5,
        type: "request",
        command: "runInTerminal",
        arguments: { cwd: folder, args: [path] },
      },
    ],
    [
      "client",
      {
        seq: by + 9,
        type: "response",
        request_seq: by * 5,
        command: "runInTerminal",
        success: true,
        body: { processId: by },
      },
    ],
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
  assert.deepEqual(
    text
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => {
        const { from, message } = JSON.parse(line) as {
          from: string;
          message: Record<string, any>;
        };
        const { seq, request_seq, command, event, body, arguments: given } = message;
        return [
          from,
          seq,
          ...(request_seq === undefined ? [] : [request_seq]),
          command ?? event,
          body ?? given,
        ];
      }),
    [
      ["client", 1, "scopes", { frameId: 1 }],
      ["adapter", 1, "output", { category: "stdout", output: "/work/a.c 0x00000001 0x10" }],
      ["adapter", 2, "output", { category: "stderr", output: "file:///work/a.c" }],
      [
        "adapter",
        3,
        1,
        "scopes",
        {
          scopes: [
            { name: "Locals", variablesReference: 1, expensive: false },
            {
              name: "Statics",
              variablesReference: 2,
              expensive: false,
              source: { path: "/work/a.c" },
            },
          ],
        },
      ],
      ["client", 2, "variables", { variablesReference: 2 }],
      ["client", 3, "cancel", { requestId: 2 }],
      [
        "adapter",
        4,
        2,
        "variables",
        {
          variables: [
            { name: "p", value: "0x00000001", variablesReference: 0, memoryReference: "memory-1" },
          ],
        },
      ],
      ["adapter", 5, "process", { name: "/work/a.c", systemProcessId: 1 }],
      ["adapter", 6, "runInTerminal", { cwd: "/work", args: ["/work/a.c"] }],
      ["client", 4, 6, "runInTerminal", { processId: 1 }],
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
