import { logSamples } from "../../../test/support/log-samples/log-samples.js";
import { fromRoot } from "../../../test/support/paths.js";
import { OracleFailure, type Target } from "../target.js";
import { refusable } from "./refusable.js";
import { assertVisible } from "./visible.js";
import { cut, framed, messages } from "./framed-messages.js";

type Generator = typeof import("../../../cli/index.js");

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

/** Reads recordings and logs, checks them, and prints reports. */
export const recordings: Target = {
  name: "recordings",
  about: "the readers for recordings and logs, lint, and its reports",
  format: "bytes",
  mostMs: 400,
  work: { base: 2_000_000, perByte: 20_000 },
  tokens: [
    '{"recording":"wirewright"}',
    "\n",
    "\r\n",
    '"kind":"message"',
    '"kind":"noise"',
    '"kind":"fault"',
    '"kind":"end"',
    '"session":1',
    '"text":5',
    '"from":"client"',
    '"from":"adapter"',
    '"from":5',
    '"time":1e9',
    '"offset":-1',
    '"message":{}',
    "[10:00:00.000 UTC] From client: initialize(",
    "[10:00:00.000 UTC] To client: ",
    "), timeout: 5000",
    "(undefined)",
    "D+00000.028: Client[1] --> {",
    "\n             Client[1] <-- {",
    "1795346577.337441444 --> \n",
    "<-- \n",
    "[11:05:26.859] (stdio) --> ",
    "2026-11-22T11:06:53Z debug layer=dap [<- from client]",
    "READ: <<<",
    "WROTE: <<<",
    "#1:[>] ",
    "#2:[<] ",
    '{"tag":"dap.send","timestamp":1,',
    "--> R (x): ",
    "[jsonrpc] e[11:26:09.972] <-- x ",
    "// Receive:\n",
    "onDidSendMessage ",
    "> ",
    "[Trace - 10:00:00 AM] Sending request 'x - (0)'.\n",
    "Params: ",
    '{"isLSPMessage":true,',
    "\0\0\0\0",
    "[DEBUG] ",
    "[ TRACE ] ",
    "{ ",
    " }",
    "seq = 1,",
    '["a"] = ',
    "[1] = ",
    "vim.NIL",
    "<1>",
    "<table 1>",
    '"msg":',
    '"body":',
    "\u001b[31m",
    "\u202e",
    "\\u001b",
    '"::error::x"',
    "<script>",
    "Content-Length: 7",
    ...messages,
    ...recorded,
  ],
  seeds: () =>
    [
      messages.map(framed).join(""),
      messages.join("\n"),
      recorded.join("\n"),
      luaLog,
      ...logSamples.map(({ log }) => log),
      '{"msg":{"seq":1,"type":"event","event":"initialized"}}\n{"message":{"type":"request"}}\n',
    ].map((each) => each.slice(0, 2_500)),
  maxLength: 2_500,
  async open(modules) {
    const generator = await modules<Generator>("cli/index.js");
    const { openRecording } = await modules<typeof import("../../../sessions/read/recording.js")>(
      "sessions/read/recording.js",
    );
    const { judgeRecording } = await modules<
      typeof import("../../../sessions/judge/judge-recording.js")
    >("sessions/judge/judge-recording.js");
    const reports = await modules<typeof import("../../../sessions/judge/report.js")>(
      "sessions/judge/report.js",
    );
    const { RecordingPage } = await modules<
      typeof import("../../../sessions/show/inspector/recording-page.js")
    >("sessions/show/inspector/recording-page.js");
    const protocol = await generator.readProtocol("dap", { version: "1.65.0" });
    const ticker = await generator.readProtocol(fromRoot("test/fixtures/ticker/protocol.json"));
    const host = await generator.readHost("visual-studio", "dap");
    const { sessionRules: rules } = await generator.openProtocol("dap");
    return {
      check: (input, random) =>
        refusable(generator, async () => {
          const by = random.oneIn(4) ? ticker : protocol;
          const place = random.oneIn(3) ? random.below(input.length) : input.length;
          const parts = [input.slice(0, place), input.slice(place)].filter(
            ({ length }) => length > 0,
          );
          const files = (): { name: string; chunks: Uint8Array[] }[] =>
            parts.map((bytes, index) => ({ name: `file ${index}`, chunks: cut(bytes, random) }));
          const read = async (): Promise<string> => {
            const entries: unknown[] = [];
            for await (const entry of await openRecording(files(), by)) entries.push(entry);
            return JSON.stringify(entries);
          };
          await assertUncut(read, generator.InputError);

          const page = new RecordingPage(by);
          const report = await judgeRecording(await openRecording(files(), by), by, {
            name: "a recording",
            profile: random.pick(["strict", "wire"] as const),
            rules: by === protocol ? rules : undefined,
            host: by === protocol && random.oneIn(2) ? host : undefined,
            severities: new Map(),
            viewer: page,
          });
          assertVisible(reports.printTextReport(report, { paint: (_, text) => text }), "lint text");
          assertVisible(reports.printGithubReport(report), "lint github");
          assertVisible(reports.printJsonReport(report), "lint json");
          assertVisible(page.print(report, new Map()), "lint html");
        }),
    };
  },
};

/** Checks that the result does not depend on how the file is split into chunks. */
async function assertUncut(
  read: () => Promise<string>,
  InputError: Generator["InputError"],
): Promise<void> {
  const results: string[] = [];
  for (let round = 0; round < 2; round++) {
    try {
      results.push(await read());
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      results.push((error as Error).message);
    }
  }
  const [first = "", second = ""] = results;
  if (first === second) return;
  let at = 0;
  while (first[at] === second[at]) at++;
  const from = Math.max(0, at - 80);
  throw new OracleFailure(
    "cuts",
    `…${first.slice(from, at + 80)}\nbecomes …${second.slice(from, at + 80)}`,
  );
}
