/**
 * Runs sessions with debuggers for compiled programs: lldb and delve. A test is skipped if its
 * debugger is missing.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tcpTransport, spawnAdapter } from "@wirewright/dap/node";
import { launch, type AdapterAccess, type DebugSession } from "@wirewright/dap/session";
import { LintSession, readProtocol } from "../../../cli/index.js";
import { withFolder } from "../../support/compile.js";

const limits = { timeoutMs: 60_000 };

function runs(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { timeout: 30_000 }).status === 0;
}

/** Finds lldb's adapter under its old or new name, with or without a version suffix. */
function findLldb(): string | undefined {
  const pattern = /^lldb-(dap|vscode)(-\d+)?$/;
  const folders = (process.env["PATH"] ?? "").split(":").filter((each) => each.startsWith("/"));
  for (const folder of folders) {
    try {
      const name = readdirSync(folder)
        .sort()
        .find((each) => pattern.test(each));
      if (name !== undefined) return join(folder, name);
    } catch {
      // Not every folder in PATH needs to exist.
    }
  }
  return undefined;
}

const lldb = findLldb();
const skipLldb =
  lldb === undefined
    ? "needs lldb-dap or lldb-vscode"
    : runs("cc", "--version")
      ? false
      : "needs a C compiler";
const skipDelve = !runs("dlv", "version")
  ? "needs delve"
  : runs("go", "version")
    ? false
    : "needs go";

/** A program that calls a function three times. */
interface Program {
  readonly name: string;
  readonly text: string;
  /** The breakpoint's line, which is inside the function. */
  readonly line: number;
  readonly functionName: string;
}

/** Returns lint's findings about our client. */
type Findings = () => readonly string[];

async function lint(): Promise<readonly [seen: object, findings: Findings]> {
  const findings: string[] = [];
  const judge = new LintSession(await readProtocol("dap"), {
    rules: "none",
    onFinding: ({ from, rule, message }) => {
      if (from === "client") findings.push(`${rule}: ${message}`);
    },
  });
  const middleware = {
    beforeSend: (message: object) => (judge.push({ from: "client", message }), message),
    afterReceive: (message: object) => (judge.push({ from: "adapter", message }), message),
  };
  return [middleware, () => (judge.end(), findings)];
}

/** Runs a whole session: launch, breakpoint, stop, snapshot, step, continue, end. */
async function debug(
  open: (settings: object) => Promise<AdapterAccess>,
  { text, line, functionName }: Program,
  path: string,
  parameters: object,
): Promise<DebugSession> {
  const [middleware, findings] = await lint();
  const problems: string[] = [];
  const settings = {
    ...limits,
    middleware: [middleware],
    onProblem({ code, message: what }: { readonly code: string; readonly message: string }) {
      // lldb-vscode 14 sometimes aborts at its end.
      if (!what.endsWith("the process was ended by SIGABRT")) problems.push(`${code}: ${what}`);
    },
  };
  const session = await launch(await open(settings), {
    arguments: parameters,
    breakpoints: { [path]: [line] },
    connection: settings,
  });
  assert.deepEqual(
    session.breakpoints.of(path).map(({ verified, line: at }) => [verified, at]),
    [[true, line]],
  );
  for (const [a, b] of [
    [0, 0],
    [0, 1],
    [1, 2],
  ] as const) {
    const stop = await session.waitForStop();
    assert.equal(stop.kind === "stopped" && stop.reason, "breakpoint", text);
    const { frames } = await session.snapshot({ items: 50 });
    const [frame] = frames;
    assert.deepEqual([frame!.name, frame!.path, frame!.line], [functionName, path, line]);
    const variables = new Map(
      frame!.scopes.flatMap((scope) => scope.variables.map(({ name, value }) => [name, value])),
    );
    assert.deepEqual(
      ["a", "b", "sum"].map((name) => variables.get(name)),
      [a, b, a + b].map(String),
    );
    const step = await session.stepOut();
    assert.equal(step.kind, "stopped");
    await session.continue();
  }
  const end = await session.waitForEnd();
  assert.equal(end.kind, "ended");
  await assert.rejects(session.next(), { code: "ERR_SESSION_ENDED" });
  await session.terminate();
  assert.deepEqual([problems, findings()], [[], []]);
  return session;
}

const inC: Program = {
  name: "program.c",
  line: 5,
  functionName: "add",
  text: `#include <stdio.h>

static int add(int a, int b) {
  int sum = a + b;
  return sum;
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 3; i++) {
    total = add(total, i);
    total = total + 0;
  }
  printf("total %d\\n", total);
  return 3;
}
`,
};

const inGo: Program = {
  name: "program.go",
  line: 7,
  functionName: "main.add",
  text: `package main

import "fmt"

func add(a, b int) int {
	sum := a + b
	return sum
}

func main() {
	total := 0
	for i := 0; i < 3; i++ {
		total = add(total, i)
		total = total + 0
	}
	fmt.Println("total", total)
}
`,
};

test("a session debugs a C program with lldb", { skip: skipLldb, timeout: 240_000 }, () =>
  withFolder(async (folder) => {
    const path = join(folder, inC.name);
    const program = join(folder, "program");
    writeFileSync(path, inC.text);
    assert.equal(spawnSync("cc", ["-g", "-O0", path, "-o", program]).status, 0);
    const session = await debug((settings) => spawnAdapter(lldb!, [], settings), inC, path, {
      program,
    });
    assert.equal(session.exitCode, 3);
    assert.match(session.output.text(), /total 3\r?\n/);
  }),
);

test("a session debugs a Go program with delve", { skip: skipDelve, timeout: 240_000 }, () =>
  withFolder(async (folder) => {
    const path = join(folder, inGo.name);
    writeFileSync(path, inGo.text);
    const server = spawn("dlv", ["dap", "--listen", "127.0.0.1:0"], {
      cwd: folder,
      env: {
        ...process.env,
        GOCACHE: join(folder, "cache"),
        GOFLAGS: "-mod=mod",
        GO111MODULE: "off",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(server, "exit");
    try {
      const [output] = (await once(server.stdout, "data")) as [Buffer];
      server.stdout.resume();
      const port = /^DAP server listening at: 127\.0\.0\.1:(\d+)/.exec(output.toString())![1]!;
      await debug(() => tcpTransport(Number(port)), inGo, path, { mode: "debug", program: path });
    } finally {
      server.kill();
      await exited;
    }
  }),
);
