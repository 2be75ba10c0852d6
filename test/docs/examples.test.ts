import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { readPage } from "../support/markdown-page.js";
import { newestDap } from "../../tools/shared/dap-versions.js";
import { fromRoot } from "../../tools/shared/paths.js";

test("the example of a client debugs the example of an adapter", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fromRoot("build/examples/client.js")],
    { encoding: "utf8", timeout: 60_000 },
  );
  assert.deepEqual(
    { status, stderr, stdout: stdout.split("\n") },
    {
      status: 0,
      stderr: "",
      stdout: [
        "set, The program has no such line",
        "stopped: breakpoint, line 2",
        "total = 10",
        "evaluate: There is no nonsense",
        "AbortError",
        "Σ = 100 😀",
        "exit 0",
        "",
      ],
    },
  );
});

test("the example of a session debugs the example of an adapter", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fromRoot("build/examples/session.js")],
    { encoding: "utf8", timeout: 60_000 },
  );
  assert.deepEqual(
    { status, stderr, stdout: stdout.split("\n") },
    {
      status: 0,
      stderr: "",
      stdout: [
        ...["set", "The program has no such line", "stopped: breakpoint, line 2"],
        ...["total = 10", "Σ = 100", ""],
      ],
    },
  );
});

test("the example of a session with mistakes shows what is wrong", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fromRoot("build/examples/what-is-wrong.js")],
    { encoding: "utf8", timeout: 60_000 },
  );
  const lines = stdout.split("\n");
  assert.deepEqual(
    [status, stderr, lines.slice(0, 3)],
    [
      0,
      "",
      [
        "The client noticed: ERR_NOISE",
        "The client noticed: ERR_RESPONSE_DOUBLE",
        `session.jsonl   dap ${newestDap}, wire profile   15 messages   5 errors · 8 warnings · 2 info`,
      ],
    ],
  );
  assert.deepEqual(
    lines
      .filter((line) => /^(error|warning) /.test(line))
      .map((line) => line.replaceAll(/ +/g, " ")),
    [
      "error VS-BP3 #7 adapter: response 3 setBreakpoints /body/breakpoints/0",
      "error response.double #10 adapter: response 4 configurationDone /request_seq",
      "error VS-X2 #10 adapter: response 4 configurationDone",
      "error schema.issue #12 adapter: response 5 threads /body/threads/0/id",
      "error VS-G7 #15 adapter: event exited /body/exitCode",
      "warning stream.noise #1 adapter: bytes",
      "warning VS-X6 #2 adapter: response 1 initialize /body",
      "warning VS-X6 #2 adapter: response 1 initialize /body",
      "warning VS-X6 #2 adapter: response 1 initialize /body",
      "warning VS-BP1 #7 adapter: response 3 setBreakpoints /body/breakpoints/0",
      "warning schema.deviation #15 adapter: event exited /body/exitCode",
      "warning disconnect.after #15 adapter: event exited",
      "warning VS-G4 #15 adapter: event exited",
    ],
  );
  const { blocks } = readPage("docs/reference/cli.md");
  const shown = blocks.find(({ text }) => text.startsWith("session.jsonl "))!;
  const shownLines = shown.text
    .trimEnd()
    .replace(/ dap [\d.]+,/, ` dap ${newestDap},`)
    .split("\n");
  for (const line of shownLines) assert.ok(lines.includes(line), line);
});
