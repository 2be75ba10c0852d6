import assert from "node:assert/strict";
import { test } from "node:test";
import { createEncoder } from "@wirewright/dap";
import { readRecording } from "../../../sessions/read/recording.js";
import type { LintFinding } from "../../../sessions/judge/rules.js";
import { newestDap } from "../../support/dap-versions.js";
import { dap, lint, session, lines, run } from "../../support/linted-session.js";

const framed = (from?: string): Uint8Array =>
  createEncoder().encodeAll(
    session
      .filter(([side]) => from === undefined || side === from)
      .map(([, message]) => message as never),
  );

const head = {
  recording: "wirewright",
  form: 1,
  protocol: "dap",
  version: newestDap,
  roles: ["client", "adapter"],
  began: "2026-01-01T00:00:00.000Z",
};

/** Formats a value as a table, the way Lua programs print it. */
function inspect(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const fields = Object.entries(value).map(
    ([key, each]) => `${inner}${/^\w+$/.test(key) ? key : `["${key}"]`} = ${inspect(each, inner)}`,
  );
  if (Array.isArray(value)) return `{ ${value.map((each) => inspect(each, inner)).join(", ")} }`;
  return fields.length === 0 ? "vim.empty_dict()" : `{\n${fields.join(",\n")}\n${indent}}`;
}

const forms: readonly (readonly [form: string, files: readonly Uint8Array[]])[] = [
  ["framed bytes in both directions", [framed()]],
  ["framed bytes, one file per direction", [framed("adapter"), framed("client")]],
  ["one message per line", [lines(session.map(([, message]) => message))]],
  [
    "one message per line, wrapped in another object",
    [lines(session.map(([, message]) => ({ ts: 1, message })))],
  ],
  [
    "a wirewright recording",
    [
      lines([
        head,
        ...session.map(([from, message], index) => ({
          kind: "message",
          time: index,
          from,
          offset: 0,
          length: 1,
          message,
        })),
        { kind: "end", time: 9, from: "adapter", how: "exited with 0" },
      ]),
    ],
  ],
  [
    "an nvim-dap log",
    [
      Buffer.from(
        session
          .map(
            ([, message], index) =>
              `[DEBUG] 2026-01-01 10:00:0${index} dap/session.lua:1057\t1\t${inspect(message)}\n[ INFO ] 2026-01-01T10:00:00Z+0100 ] .../dap/session.lua:9 ]\t"not { this"\t{ 1, 2 }`,
          )
          .join("\n"),
      ),
    ],
  ],
  [
    "a log written by the official library",
    [
      Buffer.from(
        session
          .map(
            ([from, message]) =>
              `${from === "client" ? "From" : "To"} client: ${JSON.stringify(message)}`,
          )
          .join("\n"),
      ),
    ],
  ],
];

for (const [form, files] of forms) {
  test(`lint reads ${form}`, () => {
    const entries = readRecording(
      files.map((bytes) => ({ name: "x", bytes })),
      dap,
    ).filter(({ ended, printed }) => (ended ?? printed) === undefined);
    assert.deepEqual(
      entries.map(({ from, message }) => [from, message]),
      session,
    );
    assert.deepEqual(
      lint(entries, "wire").map(({ rule, index }) => `${rule} #${index}`),
      ["request.capability #3"],
    );
  });
}

test("each message in a one-way recording is judged only on its own", () => {
  assert.deepEqual(run(["-", "--fail-on", "info"], framed("adapter")).status, 0);
  assert.deepEqual(run(["-", "--fail-on", "info"], framed("client")).status, 0);
  const request = { jsonrpc: "2.0", id: 1, method: "initialize", params: { processId: null } };
  const response = { jsonrpc: "2.0", id: "s-1", result: null };
  const bytes = Buffer.concat(
    [request, response].map((each) => {
      const body = JSON.stringify(each);
      return Buffer.from(`Content-Length: ${body.length}\r\n\r\n${body}`);
    }),
  );
  const sqltools = ["-", "--protocol", "sqltools", "--format", "json"];
  const { findings } = JSON.parse(run(sqltools, bytes).stdout) as { findings: LintFinding[] };
  assert.deepEqual(
    findings.filter(({ rule }) => !rule.startsWith("schema.")),
    [],
  );
});
