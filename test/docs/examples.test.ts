import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { python, skipWithoutDebugpy } from "../support/debugpy.js";
import { withFolder } from "../support/compile.js";
import { readPage } from "../support/markdown-page.js";
import { newestDap } from "../support/dap-versions.js";
import { fromRoot } from "../support/paths.js";

test("the example client debugs with the example adapter", () => {
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

test("the example session debugs with the example adapter", () => {
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
        "set",
        "The program has no such line",
        "stopped: breakpoint, line 2",
        "total = 10",
        "Σ = 100",
        "",
      ],
    },
  );
});

test("the example adapter with mistakes reports its mistakes, and leaves a recording", async () => {
  const { status, stdout, stderr, recording } = await withFolder((folder) => {
    const result = spawnSync(process.execPath, [fromRoot("build/examples/what-is-wrong.js")], {
      encoding: "utf8",
      timeout: 60_000,
      env: { ...process.env, TMPDIR: folder, TEMP: folder },
    });
    const [, path] = /^npx wirewright view (\S+) --open$/m.exec(result.stdout)!;
    return { ...result, recording: readFileSync(path!, "utf8").trimEnd().split("\n") };
  });
  assert.equal(recording.filter((line) => /^\{"kind":"message"/.test(line)).length, 15);
  // On a busy machine, a response can take longer than the second that Visual Studio waits.
  const slow = stdout.split("\n").filter((line) => /^warning\s+VS-X5 /.test(line)).length;
  const lines = stdout
    .replace(`${7 + slow} warnings`, "7 warnings")
    .split("\n")
    .filter((line) => !/^warning\s+VS-X5 /.test(line));
  assert.deepEqual(
    [status, stderr, lines.slice(0, 4)],
    [
      0,
      "",
      [
        "The client noticed: ERR_NOISE",
        "The client noticed: ERR_RESPONSE_DOUBLE",
        "The client noticed: ERR_RESULT",
        `session.jsonl   dap ${newestDap}, wire profile   15 messages   5 errors · 7 warnings · 2 info`,
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
      "warning disconnect.after #15 adapter: event exited",
      "warning VS-G4 #15 adapter: event exited",
    ],
  );
  for (const page of ["docs/reference/cli.md", "README.md"]) {
    const { blocks } = readPage(page);
    const shown = blocks.find(({ text }) => text.startsWith("session.jsonl "))!;
    const shownLines = shown.text
      .trimEnd()
      .replace(/ dap [\d.]+,/, ` dap ${newestDap},`)
      .split("\n");
    for (const line of shownLines) assert.ok(lines.includes(line), line);
  }
});

const sum = "total = 0\nfor number in range(3):\n    total += number\nprint(total)\n";

/** Runs the agent and the editor from the guide on a file, and returns what each prints. */
async function debugWithAgent(line: number, ...adapter: readonly string[]): Promise<object> {
  return withFolder((folder) => {
    const file = join(folder, "sum.py");
    writeFileSync(file, sum);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [fromRoot("build/examples/breakpoint-editor.js"), file, String(line), ...adapter],
      { encoding: "utf8", timeout: 60_000 },
    );
    return { status, stderr, ...bySpeaker(stdout) };
  });
}

/**
 * Separates the output of the two programs, because only the order of each program's own lines is
 * fixed.
 */
function bySpeaker(text: string): object {
  const lines = text.split("\n");
  const isAgent = (line: string): boolean => line.startsWith("agent: ");
  return { agent: lines.filter(isAgent), editor: lines.filter((line) => !isAgent(line)) };
}

const saidOfLine = (line: number, program: string): string =>
  [
    "agent: breakpoint 1: There is no debug session",
    `agent: breakpoint 1, line ${line}: verified`,
    `stopped: breakpoint, line ${line}`,
    `program: ${program}`,
    `agent: breakpoint 1, line ${line}: There is no debug session`,
    "",
  ].join("\n");

test("an agent sets a breakpoint in an editor that debugs with our adapter", async () => {
  assert.deepEqual(
    await debugWithAgent(2, process.execPath, fromRoot("build/examples/adapter.js")),
    { status: 0, stderr: "", ...bySpeaker(saidOfLine(2, "Σ = 100 😀")) },
  );
});

test(
  "an agent sets a breakpoint in an editor that debugs with debugpy, as the guide shows",
  { skip: skipWithoutDebugpy },
  async () => {
    const shown = readFileSync(fromRoot("docs/guides/agent-breakpoints.md"), "utf8");
    const expected = saidOfLine(4, "3");
    assert.ok(shown.includes(sum) && shown.includes(expected));
    assert.deepEqual(await debugWithAgent(4, python!, "-m", "debugpy.adapter"), {
      status: 0,
      stderr: "",
      ...bySpeaker(expected),
    });
  },
);
