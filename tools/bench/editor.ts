/**
 * Measures how long a user waits for the editor in a program that uses our package or other common
 * declarations: the processor time that TypeScript's language server takes to open the file, to
 * return the first completion, a hover and a definition, and to report the errors after an edit.
 * Each round starts a new server. Requires Linux, because the processor time is read from `/proc`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packPackage } from "../release/pack-package.js";
import { fromRoot } from "../../test/support/paths.js";
import { inBenchPeers } from "./bench-peers.js";
import { LanguageServer } from "./language-server.js";
import { turnsOf } from "./measure.js";
import { figureOf, selects, type Bench } from "./report.js";

const folder = fromRoot("build/tools/bench/editor");

/**
 * A program, and a name that must be among the completions. In the text, `|` marks the cursor; `^`
 * marks the position for the hover and the definition if that differs from the cursor.
 */
interface Program {
  readonly name: string;
  readonly text: string;
  readonly offered: string;
}

const programs: readonly Program[] = [
  {
    name: "a type of @wirewright/dap",
    text: 'import type { StoppedEvent } from "@wirewright/dap";\nexport const use = (value: StoppedEvent): unknown => value.body.|reason;\n',
    offered: "hitBreakpointIds",
  },
  {
    name: "a type of @vscode/debugprotocol",
    text: 'import type { DebugProtocol } from "@vscode/debugprotocol";\nexport const use = (value: DebugProtocol.StoppedEvent): unknown => value.body.|reason;\n',
    offered: "hitBreakpointIds",
  },
  {
    name: "a type of vscode-languageserver-protocol",
    text: 'import type { Diagnostic } from "vscode-languageserver-protocol";\nexport const use = (value: Diagnostic): unknown => value.range.|start;\n',
    offered: "end",
  },
  {
    name: "a connection of @wirewright/dap",
    text: 'import { connect, type Transport } from "@wirewright/dap/connection";\nexport const use = (transport: Transport): unknown => connect("client", transport).|request;\n',
    offered: "requestCustom",
  },
  {
    name: "the names of requests of @wirewright/dap",
    text: 'import { connect, type Transport } from "@wirewright/dap/connection";\nexport const use = (transport: Transport): unknown => connect("client", transport).^request("|threads");\n',
    offered: "stackTrace",
  },
  {
    name: "the names of requests of vscode-languageserver-protocol",
    text: 'import { createProtocolConnection, HoverRequest, type HoverParams, type MessageReader, type MessageWriter } from "vscode-languageserver-protocol/node";\nexport const use = (reader: MessageReader, writer: MessageWriter, params: HoverParams): unknown => createProtocolConnection(reader, writer).sendRequest(HoverRequest.|type, params);\n',
    offered: "method",
  },
  {
    name: "a connection of vscode-languageserver-protocol",
    text: 'import { createProtocolConnection, type MessageReader, type MessageWriter } from "vscode-languageserver-protocol/node";\nexport const use = (reader: MessageReader, writer: MessageWriter): unknown => createProtocolConnection(reader, writer).|sendRequest;\n',
    offered: "sendNotification",
  },
];

const steps = ["open", "first completion", "hover", "definition", "errors after an edit"] as const;
type Times = Record<(typeof steps)[number], number>;

export const bench: Bench = async (report, options) => {
  await install();
  const chosen = programs.filter(({ name }) => selects(options, [name]));
  const times = chosen.map((): Times[] => []);
  for (let round = 0; round < options.rounds; round++)
    for (const index of turnsOf(chosen.length, round))
      times[index]!.push(await edit(chosen[index]!));
  const units = Object.fromEntries(steps.map((step) => [step, "ns"]));
  const table = report.table("editing", ["program"], units);
  for (const [index, { name }] of chosen.entries())
    table.row(
      [name],
      Object.fromEntries(
        steps.map((step) => [step, figureOf(times[index]!.map((each) => each[step]))]),
      ),
    );
};

/** Creates a project that has the packages installed. */
async function install(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const modules = join(folder, "node_modules");
  const own = join(modules, "@wirewright/dap");
  mkdirSync(own, { recursive: true });
  const { tarball } = await packPackage("dap", join(folder, "dap"));
  execFileSync("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
  for (const [from, name] of [
    [fromRoot("node_modules"), "@vscode/debugprotocol"],
    [inBenchPeers(""), "vscode-languageserver-protocol"],
    [inBenchPeers(""), "vscode-languageserver-types"],
    [inBenchPeers(""), "vscode-jsonrpc"],
  ] as const) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    cpSync(join(from, name), join(modules, name), { recursive: true });
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022"],
    strict: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts"] }),
  );
}

/**
 * Returns a mark's line and offset, counted from 1, in the program once all marks have been
 * removed.
 */
function placeOf(text: string, mark: string): { readonly line: number; readonly offset: number } {
  const lines = text.slice(0, text.indexOf(mark)).replace(/[|^]/g, "").split("\n");
  return { line: lines.length, offset: lines.at(-1)!.length + 1 };
}

/** Runs a server for one program and measures its responses. */
async function edit({ text, offered }: Program): Promise<Times> {
  const file = join(folder, "program.ts");
  writeFileSync(file, text.replace(/[|^]/g, ""));
  const server = new LanguageServer(inBenchPeers("typescript/lib/tsserver.js"));
  const place = { file, ...placeOf(text, "|") };
  const hovered = text.includes("^") ? { file, ...placeOf(text, "^") } : place;
  try {
    // Let the server finish the work that does not depend on the file.
    await server.request("configure", { hostInfo: "bench" });
    let last = server.time;
    const lap = (): number => {
      const now = server.time;
      const time = now - last;
      last = now;
      return time;
    };
    server.notify("open", { file });
    await server.request("projectInfo", { file, needFileNameList: false });
    const open = lap();
    const completion = (await server.request("completionInfo", place)) as {
      readonly entries: readonly { readonly name: string }[];
    };
    if (!completion.entries.some(({ name }) => name === offered))
      throw new Error(`${offered} is not offered`);
    const firstCompletion = lap();
    await server.request("quickinfo", hovered);
    const hover = lap();
    await server.request("definition", hovered);
    const definition = lap();
    const insertString = "missing.";
    await server.request("updateOpen", {
      changedFiles: [
        {
          fileName: file,
          textChanges: [
            {
              start: { line: place.line, offset: place.offset },
              end: { line: place.line, offset: place.offset },
              newText: insertString,
            },
          ],
        },
      ],
    });
    const found = (await server.request("semanticDiagnosticsSync", { file })) as readonly unknown[];
    if (found.length === 0) throw new Error("The error is not found");
    const errors = lap();
    return {
      open,
      "first completion": firstCompletion,
      hover,
      definition,
      "errors after an edit": errors,
    };
  } finally {
    await server.end();
  }
}
