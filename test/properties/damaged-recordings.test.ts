/** Readers of recordings and logs, lint and its reports, and what watches a live session. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { InputError, openProtocol, readHost, readProtocol } from "../../cli/index.js";
import { judgeRecording } from "../../sessions/judge/judge-recording.js";
import {
  printGithubReport,
  printJsonReport,
  printTextReport,
} from "../../sessions/judge/report.js";
import { openRecording } from "../../sessions/read/recording.js";
import { CapturedSessions } from "../../sessions/read/captured-sessions.js";
import { RecordingPage } from "../../sessions/show/inspector/recording-page.js";
import { LiveView } from "../../sessions/tap/live-view.js";
import { logSamples } from "../support/log-samples.js";
import { chunksOf, mutatedBytes, split, type Split } from "../support/mutated-inputs.js";
import { fromRoot } from "../support/paths.js";
import { property } from "../support/property.js";
import { sampleMessages } from "../support/sample-messages.js";
import { assertVisible } from "../support/visible-text.js";

const messages = sampleMessages("dap").map((message) => JSON.stringify(message));
const framed = messages.map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
const recorded = [
  '{"recording":"wirewright","form":1,"protocol":"dap","version":"1.71.0","roles":["client","adapter"],"began":"2026-01-01T00:00:00.000Z"}',
  ...messages.map((message, index) =>
    index % 2 === 0
      ? `{"kind":"message","time":${index},"from":"client","offset":${index},"length":9,"message":${message}}`
      : `{"session":2,"kind":"message","time":${index},"from":"adapter","message":${message}}`,
  ),
  '{"kind":"noise","time":9,"from":"adapter","offset":5,"length":4,"text":"oops"}',
  '{"kind":"fault","time":9,"from":"client","offset":5,"length":4,"code":"ERR_JSON","text":"no"}',
  '{"kind":"end","time":10,"from":"adapter","how":"closed"}',
];
const luaLog = `[START] 2026-01-01
[DEBUG] 2026-01-01 00:00:00 dap/session.lua:1 "request" {  arguments = {    adapterID = "a",
    linesStartAt1 = true  },
  command = "initialize",
  seq = 1,
  type = "request"
}
[ DEBUG ] 2026-01-01 00:00:00 dap/session.lua:2 1 { body = vim.empty_dict(), [1] = vim.NIL, x = <1>{ "a", 'b\\n' }, command = "initialize", request_seq = 1, seq = 1, success = true, type = "response" }
`;
/** Starts of entries in logs, and parts of messages, separated by bars. */
const parts = `{"recording":"wirewright"}|
|\r\n|"kind":"message"|"kind":"noise"|"kind":"fault"|"kind":"end"|"session":1|"text":5|"from":"client"|"from":"adapter"|"from":5|"time":1e9|"offset":-1|"message":{}|[10:00:00.000 UTC] From client: initialize(|[10:00:00.000 UTC] To client: |), timeout: 5000|(undefined)|D+00000.028: Client[1] --> {|\n             Client[1] <-- {|1795346577.337441444 --> \n|<-- \n|[11:05:26.859] (stdio) --> |2026-11-22T11:06:53Z debug layer=dap [<- from client]|READ: <<<|WROTE: <<<|#1:[>] |#2:[<] |{"tag":"dap.send","timestamp":1,|--> R (x): |[jsonrpc] e[11:26:09.972] <-- x |// Receive:\n|onDidSendMessage |> |[Trace - 10:00:00 AM] Sending request 'x - (0)'.\n|Params: |{"isLSPMessage":true,|\0\0\0\0|[DEBUG] |[ TRACE ] |{ | }|seq = 1,|["a"] = |[1] = |vim.NIL|<1>|<table 1>|"msg":|"body":|\u001b[31m|\u202e|\\u001b|"::error::x"|<script>|Content-Length: 7`;

const dap = await readProtocol("dap", { version: "1.65.0" });
const ticker = await readProtocol(fromRoot("test/fixtures/ticker/protocol.json"));
const ruby = await readProtocol("ruby-debug-ide");
const host = await readHost("visual-studio", "dap");
const { sessionRules: rules } = await openProtocol("dap");

/** Reads all entries. Returns them as text, or the reason why the recording is refused. */
async function read(
  bytes: Uint8Array<ArrayBuffer>,
  split: Split,
  protocol: typeof dap,
): Promise<string> {
  try {
    const entries: unknown[] = [];
    const files = [{ name: "a recording", chunks: chunksOf(bytes, split) }];
    for await (const entry of await openRecording(files, protocol)) entries.push(entry);
    return JSON.stringify(entries);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message;
  }
}

property(
  "recordings are read whatever they contain, and reports show no control characters",
  fc.record({
    bytes: mutatedBytes({
      seeds: [
        ...[framed.join(""), messages.join("\n"), recorded.join("\n"), luaLog],
        ...logSamples.map(({ log }) => log),
        '{"msg":{"seq":1,"type":"event","event":"initialized"}}\n{"message":{"type":"request"}}\n',
      ].map((log) => log.slice(0, 2_500)),
      tokens: [...parts.split("|"), ...messages, ...recorded],
      maxLength: 2_500,
    }),
    split,
    protocol: fc.constantFrom(dap, dap, dap, ticker),
    profile: fc.constantFrom("strict" as const, "wire" as const),
    isHosted: fc.boolean(),
  }),
  async ({ bytes, split, protocol, profile, isHosted }) => {
    assert.equal(await read(bytes, split, protocol), await read(bytes, "whole", protocol));
    const page = new RecordingPage(protocol);
    try {
      const files = [{ name: "a recording", chunks: chunksOf(bytes, split) }];
      const report = await judgeRecording(await openRecording(files, protocol), protocol, {
        name: "a recording",
        profile,
        rules: protocol === dap ? rules : undefined,
        host: protocol === dap && isHosted ? host : undefined,
        severities: new Map(),
        viewer: page,
      });
      assertVisible(printTextReport(report, { paint: (_, text) => text }));
      assertVisible(printGithubReport(report));
      assertVisible(printJsonReport(report));
      assertVisible(page.print(report, new Map()));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  },
  60,
);

property(
  "a session is watched whatever it contains, and no line shows control characters",
  fc.record({
    bytes: mutatedBytes({
      seeds: [framed.slice(0, 7).join(""), ...framed, "oops\r\n"],
      tokens: [
        ...`Content-Length: 2\r\n\r\n{}|\r\n|"seq":|"command":|"request_seq":1|::error::x|\\u001b[31m|\\u202e|\\n::stop-commands::x|\u001b[2J|"event":["a"]|"success":false`.split(
          "|",
        ),
        ...framed,
      ],
      maxLength: 1_500,
    }),
    split,
    protocol: fc.constantFrom(dap, dap, ruby, ticker),
    senders: fc.array(fc.nat(1), { minLength: 1, maxLength: 8 }),
    bodyLines: fc.constantFrom(0, 10),
    columns: fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
  }),
  ({ bytes, split, protocol, senders, bodyLines, columns }) => {
    const lines: string[] = [];
    const view = new LiveView(protocol, (line) => lines.push(line), {
      colours: false,
      bodyLines,
      columns,
    });
    const thrown: unknown[] = [];
    // Errors of the listener are ignored.
    const sessions = new CapturedSessions(protocol, (observed) => {
      try {
        view.observe(observed);
      } catch (error) {
        thrown.push(error);
      }
    });
    for (const [index, chunk] of chunksOf(bytes, split).entries()) {
      const from = protocol.roles[senders[index % senders.length]!]!;
      sessions.take({ kind: "bytes", from, time: 0 }, chunk);
    }
    for (const from of protocol.roles) sessions.take({ kind: "end", from, time: 0, how: "closed" });
    assert.deepEqual(thrown, []);
    for (const line of lines) {
      assertVisible(line);
      assert.doesNotMatch(line, /\n|^::/);
    }
  },
  100,
);
