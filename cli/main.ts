#!/usr/bin/env node
import nodeModule from "node:module";
import { reportCrashes, withoutDebug } from "./crash-report.js";
import { processTerminal, type Terminal } from "../generator/base/terminal.js";
import { formatInputError, InputError, nearest } from "../generator/base/input-error.js";
import { toolVersion } from "../generator/base/bundled.js";

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** The commands, each with a short summary and a function that loads its code when called. */
const commands: ReadonlyMap<string, readonly [about: string, load: () => Promise<Command>]> =
  new Map([
    [
      "generate",
      [
        "write a typed package for a protocol",
        async () => (await import("./generate-command.js")).runGenerate,
      ],
    ],
    [
      "tap",
      [
        "sit between a client and a server to show and record their messages",
        async () => (await import("./tap-command.js")).runTap,
      ],
    ],
    [
      "lint",
      [
        "check a recorded session against the protocol",
        async () => (await import("./lint-command.js")).runLint,
      ],
    ],
    [
      "view",
      [
        "show a recorded session as a page",
        async () => (await import("./view-command.js")).runView,
      ],
    ],
    [
      "stats",
      [
        "count the messages in recordings and measure response times",
        async () => (await import("./stats-command.js")).runStats,
      ],
    ],
    [
      "export",
      [
        "export a recorded session to Perfetto, OpenTelemetry or SQLite",
        async () => (await import("./export-command.js")).runExport,
      ],
    ],
    [
      "convert",
      [
        "turn a client's or an adapter's log into a recording",
        async () => (await import("./convert-command.js")).runConvert,
      ],
    ],
    [
      "redact",
      [
        "replace personal data in a recording",
        async () => (await import("./redact-command.js")).runRedact,
      ],
    ],
    [
      "model",
      [
        "print a protocol's model as JSON for other programs",
        async () => (await import("./model-command.js")).runModel,
      ],
    ],
    [
      "diff",
      [
        "compare two versions of a protocol: the breaking changes, the affected sides, and example messages",
        async () => (await import("./diff-command.js")).runDiff,
      ],
    ],
  ]);

const help = (): string => `Usage: wirewright <command> [options]

Commands:
${[...commands].map(([name, [about]]) => `  ${name.padEnd(10)}  ${about}`).join("\n")}

  wirewright <command> --help explains a command. wirewright --version prints the version.
  --debug, after any command, prints the stack trace if wirewright fails because of a bug.

Exit status: 0 success, 1 something was found, 2 failure.`;

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const asked = commands.get(rest[0] ?? "");
    if (asked !== undefined) return (await asked[1]())(["--help"], terminal);
    terminal.out(help());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v" || name === "version") {
    terminal.out(toolVersion());
    return 0;
  }
  const command = commands.get(name);
  if (command === undefined) {
    const guess = nearest(name, commands.keys());
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot find the command "${name}"`,
      {},
      guess === undefined
        ? `Commands: ${[...commands.keys()].join(", ")}`
        : `Did you mean "${guess}"?`,
    );
  }
  return (await command[1]())(rest, terminal);
}

// Commands start faster with the compile cache, which is available in Node 22.8 and later.
(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
const terminal = processTerminal();
const { args, isDebug } = withoutDebug(process.argv.slice(2));
reportCrashes(terminal, isDebug);
try {
  process.exitCode = await run(args, terminal);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  terminal.error(formatInputError(error));
  process.exitCode = 2;
}
