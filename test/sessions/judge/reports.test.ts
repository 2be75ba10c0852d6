import assert from "node:assert/strict";
import { severityCounts } from "../../../generator/print/printed-finding.js";
import { test } from "node:test";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import { KeptFindings } from "../../../sessions/judge/kept-findings.js";
import { printGithubReport, printTextReport } from "../../../sessions/judge/report.js";
import type { LintFinding } from "../../../sessions/judge/rules.js";
import { newestDap } from "../../support/dap-versions.js";
import { dap, ask, answer, tell, judgedLines, recorded } from "../../support/judged-entries.js";

test("a report lists findings up to a limit, but counts all of them", () => {
  const finding = (rule: string, message = ""): LintFinding => ({
    rule,
    severity: "error",
    index: 1,
    from: "client",
    label: "12345",
    pointer: "123",
    message,
  });
  const kept = new KeptFindings();
  for (let count = 0; count < 10_000; count++) assert.equal(kept.add(finding("a")), true);
  assert.equal(kept.add(finding("a")), false);
  assert.equal(kept.add(finding("a")), false);
  assert.equal(kept.add({ ...finding("b"), severity: "info" }), true);
  assert.deepEqual(
    [kept.list.length, kept.counts, [...kept.unlisted]],
    [10_001, { error: 10_002, warning: 0, info: 1 }, [["a", 2]]],
  );
  const large = new KeptFindings();
  const room = 16 * 1024 * 1024 - 208;
  assert.equal(large.add(finding("a", "x".repeat(room + 1))), false);
  assert.equal(large.add(finding("a", "x".repeat(room - 208))), true);
  assert.equal(large.add({ ...finding("a"), label: "123456" }), false);
  assert.equal(large.add({ ...finding("a"), pointer: "1234" }), false);
  assert.equal(large.add(finding("a", "1")), false);
  assert.equal(large.add(finding("a")), true);
  assert.equal(large.add({ ...finding("b"), label: "", pointer: "" }), false);
  assert.deepEqual(
    [large.list.length, [...large.unlisted]],
    [
      2,
      [
        ["a", 4],
        ["b", 1],
      ],
    ],
  );
});

test("a report names the severities that occur, in the singular or the plural", () => {
  assert.equal(severityCounts({ error: 1, warning: 2, info: 3 }), "1 error · 2 warnings · 3 info");
  assert.equal(severityCounts({ error: 0, warning: 1, info: 1 }), "1 warning · 1 info");
  assert.equal(severityCounts({ error: 0, warning: 0, info: 0 }), "no findings");
});

test("a report counts its unlisted findings and its messages", async () => {
  const progress: (readonly number[])[] = [];
  const noise = { kind: "noise", from: "adapter", text: "oops" };
  const lines = [
    recorded(1, ask(1, "initialize", { adapterID: "a" })),
    noise,
    recorded(1, answer(1, 1, "initialize")),
  ];
  const shown: unknown[] = [];
  const report = await judgedLines(lines, {
    viewer: {
      onEntry: ({ fault }, message) => shown.push(message?.label ?? fault?.message),
      onFinding: ({ rule, severity }) => shown.push([rule, severity]),
    },
    onProgress: (...done) => void progress.push(done),
    severities: new Map([["stream.noise", "info"]]),
  });
  const first: LintFinding = {
    rule: "stream.noise",
    severity: "info",
    index: 0,
    from: "adapter",
    label: "bytes",
    pointer: "",
    message: "oops",
    line: 2,
  };
  assert.deepEqual(report, {
    file: "x",
    protocol: "dap",
    version: dap.version,
    profile: "wire",
    messages: 2,
    roles: ["client", "adapter"],
    counts: { error: 0, warning: 0, info: 1 },
    findings: [first],
    groups: [{ first, last: first, count: 1, pointer: "", isVaried: false }],
  });
  assert.deepEqual(shown, [
    "request 1 initialize",
    "oops",
    ["stream.noise", "info"],
    "response 1 initialize",
  ]);
  const bytes = Buffer.byteLength(lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
  assert.deepEqual(progress.at(-1), [2, bytes]);
  const off = await judgedLines([...lines, noise], {
    severities: new Map([["stream.noise", "off"]]),
  });
  assert.deepEqual([off.findings, off.counts], [[], { error: 0, warning: 0, info: 0 }]);
  const many = await judgedLines([...lines, ...Array.from({ length: 10_001 }, () => noise)]);
  assert.deepEqual(
    [
      many.findings.length,
      many.counts.warning,
      many.unlisted,
      many.groups.map(({ count }) => count),
    ],
    [10_000, 10_002, { "stream.noise": 2 }, [10_002]],
  );
});

test("findings that differ only in names are reported as one", async () => {
  const lines = [
    recorded(1, ask(1, "initialize", { adapterID: "a" })),
    recorded(1, answer(1, 1, "initialize")),
    ...[2, 3, 4].map((threadId, at) => recorded(1, ask(at + 2, "pause", { threadId }))),
    recorded(1, ask(5, "stepBack", { threadId: 2 })),
    recorded(1, ask(5, "setVariable", { variablesReference: 1, name: "a", value: "b" })),
    recorded(1, tell(2, "stopped", { reason: "pause", theadId: 1, threadId: 1 })),
    recorded(1, tell(3, "stopped", { reason: "entry", theadId: 1 })),
    recorded(1, tell(4, "stoped", { reason: "step" })),
  ];
  const rules = await readSessionRules("dap");
  const severities = new Map<string, "off">([["request.unanswered", "off"]]);
  const report = await judgedLines(lines, { rules, severities });
  assert.equal(
    printTextReport(report, { paint: (_, text) => text }),
    `x   dap ${newestDap}, wire profile   10 messages   3 errors · 9 warnings · 1 info
error    request.capability    #1.6 client: request 5 stepBack /command
  The adapter has not announced supportsStepBack
error    request.capability    #1.7 client: request 5 setVariable /command
  The adapter has not announced supportsSetVariable
error    initialized.missing   #1.8 adapter: event stopped
  The program runs, but \`initialized\` was never sent. Clients wait for this event before they send the configuration.
warning  thread.unknown        4 × #1.3 … #1.6 client: request 2 pause … request 5 stepBack /arguments/threadId
  The adapter has not reported thread 2, and similar findings
warning  number.order          #1.7 client: request 5 setVariable /seq
  5 is repeated
warning  variables.unknown     #1.7 client: request 5 setVariable /arguments/variablesReference
  The adapter has not returned variables reference 1
warning  stopped.before-pause  #1.8 adapter: event stopped
  A \`stopped\` event with reason \`pause\` precedes the \`pause\` response.
warning  schema.misspelt       #1.9 adapter: event stopped /body/theadId
  The schema does not define this property: did you mean "threadId"?
warning  stopped.nothing       #1.9 adapter: event stopped /body
  The event names no thread and does not set \`allThreadsStopped\`, so clients cannot show any thread.
info     message.custom        #1.10 adapter: event stoped /event
  The protocol does not define this message: did you mean "stopped"?`,
  );
  assert.equal(
    printGithubReport(report).split("\n")[0],
    "::error file=x,line=6,title=request.capability::message 6, request 5 stepBack /command: The adapter has not announced supportsStepBack (and 1 more from request.capability)",
  );
});
