import assert from "node:assert/strict";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { lintFormats } from "../../../sessions/judge/report.js";
import type { LintFinding } from "../../../sessions/judge/rules.js";
import { LiveView } from "../../../sessions/tap/live-view.js";
import { ShownSessions } from "../../../sessions/tap/shown-sessions.js";
import type { Observed } from "../../../sessions/read/captured-sessions.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { assertPlain, forged, assertAnnotations } from "../../support/forged-text.js";
import { runCommand } from "../../support/run-command.js";

const live: readonly Observed[] = [
  forged,
  [forged],
  { [forged]: forged },
  [[[forged]]],
  undefined,
  null,
].flatMap((value): Observed[] => {
  const common = { time: 1, offset: 0, length: 9 };
  const messages = [
    { seq: value, type: "request", command: value, arguments: { [forged]: value } },
    { seq: 1, type: "request", command: forged, arguments: value },
    { seq: value, type: "event", event: value, body: value },
    { seq: 2, type: "event", event: "stopped", body: { reason: value, [forged]: value } },
    {
      seq: 3,
      type: "response",
      request_seq: value,
      command: value,
      success: false,
      message: value,
    },
    { seq: 4, type: "response", request_seq: 1, command: value, success: true, body: value },
    { seq: 5, type: "response", request_seq: [1], command: "next", success: value },
    { seq: value, type: value, [forged]: value },
    { [forged]: forged },
  ];
  return messages.flatMap((message): Observed[] => [
    { kind: "message", from: "client", message, ...common },
    { kind: "message", from: "adapter", message, ...common },
  ]);
});

const otherwise: readonly Observed[] = [
  {
    kind: "fault",
    from: "client",
    time: 1,
    offset: 2,
    length: 3,
    code: "ERR_HEADER_LINE",
    text: forged,
  },
  { kind: "noise", from: "adapter", time: 1, offset: 2, length: 3, text: forged },
  { kind: "end", from: "adapter", time: 1, how: "exited with 1" },
];

test("tap prints one line for each event, whatever text a peer sends", async () => {
  const protocol = await readProtocol("dap");
  const colours = /\u001b\[(31|32|33|36|2|1|0)m/g;
  for (const hasColours of [false, true]) {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const view = new LiveView(protocol, print, { colours: hasColours, bodyLines: 20 });
    const sessions = new ShownSessions(protocol, { watchers: [view], judges: {} });
    for (const each of [...live, ...otherwise]) {
      const before = lines.length;
      sessions.observe(each);
      assert.ok(each.kind === "message" || lines.length === before + 1);
    }
    sessions.end();
    assert.ok(lines.length > 150);
    for (const line of lines) {
      const text = hasColours ? line.replaceAll(colours, "") : line;
      assertPlain(text, "a line");
      assert.doesNotMatch(text, /\n/);
    }
  }
});

test("a response is matched by a numeric id, not by an array that contains the number", async () => {
  const protocol = await readProtocol("dap");
  const lines: string[] = [];
  const view = new LiveView(protocol, (line) => lines.push(line), { colours: false });
  const show = (from: string, message: object): void =>
    view.observe({ kind: "message", from, time: 0, offset: 0, length: 1, message });
  show("client", { seq: 1, type: "request", command: "next" });
  const response = { seq: 1, type: "response", command: ["a\n::stop-commands::x"], success: true };
  show("adapter", { ...response, request_seq: [1] });
  show("adapter", { ...response, request_seq: "x".repeat(1_000) });
  show("adapter", { ...response, request_seq: 1 });
  assert.deepEqual(lines, [
    "   0.000s → request 1 next  1 B",
    '   0.000s ← response [1] ["a\\n::stop-commands::x"]  ok to an unknown request  1 B',
    `   0.000s ← response ${"x".repeat(60)}… ["a\\n::stop-commands::x"]  ok to an unknown request  1 B`,
    "   0.000s ← response 1 next  ok after 0.0 ms  1 B",
  ]);
});

test("lint escapes all text from a recording, in every format", async () => {
  // Removes characters that a file name cannot contain.
  const name = `${forged.replaceAll(/[\0/\ud800-\udfff]/g, "").slice(0, 80)}.jsonl`;
  await withFolder((folder) => {
    const line = forged.replaceAll(/[\r\n]/g, "");
    const entry = (from: unknown, message: unknown): string =>
      JSON.stringify({ kind: "message", from, time: 1, offset: 0, length: 1, message });
    const recording = [
      JSON.stringify({
        recording: "wirewright",
        form: 1,
        protocol: forged,
        version: forged,
        roles: [forged, forged],
        began: forged,
      }),
      ...live.flatMap((each) => (each.kind === "message" ? [entry(each.from, each.message)] : [])),
      ...otherwise.map((each) => JSON.stringify(each)),
      JSON.stringify({ ...otherwise[0], code: forged }),
      forged.replaceAll("\n", " "),
    ].join("\n");
    writeFiles(folder, {
      [name]: recording,
      [`stranger-${name}`]: entry(forged, { seq: 1, type: "event", event: "initialized" }),
      "host.json": JSON.stringify({
        name: "host",
        title: line,
        outcomes: { [line]: { severity: "error", docs: line } },
        rules: [{ id: "A-B1", outcome: line, docs: line, state: { custom: { is: [true] } } }],
      }),
    });
    for (const format of lintFormats) {
      const { status, stdout, stderr } = runCommand(folder, [
        "lint",
        name,
        "--format",
        format,
        "--host",
        "host.json",
      ]);
      assert.deepEqual([status, stderr], [1, ""]);
      const refused = runCommand(folder, ["lint", `stranger-${name}`, "--format", format]);
      assert.deepEqual([refused.status, refused.stdout], [2, ""]);
      assertPlain(refused.stderr.replace(/\n$/, ""), "a refusal");
      const text = stdout.replace(/\n$/, "");
      if (format === "github") assertAnnotations(text, text.split("\n").length);
      else assertPlain(text, format);
      if (format === "html")
        assert.deepEqual(
          [...text.replace(/(<script>)[^]*?(<\/script>)/, "$1$2").matchAll(/<([a-z]+)/g)].map(
            ([, tag]) => tag,
          ),
          ["html", "head", "meta", "meta", "meta", "meta", "title", "style", "body", "div"].concat([
            "noscript",
            "script",
            "script",
            "script",
          ]),
        );
      if (format === "json") {
        const { file, findings } = JSON.parse(text) as { file: string; findings: LintFinding[] };
        assert.equal(file, name);
        assert.ok(findings.length > 50);
      }
    }
  });
});
