#!/usr/bin/env node
import nodeModule from "node:module";
import { inspect } from "node:util";
import { toolVersion } from "../generator/base/bundled.js";
import { formatInputError, InputError, nearest } from "../generator/base/input-error.js";
import { processTerminal, type Terminal } from "../generator/base/terminal.js";
import { visible } from "../generator/base/visible-text.js";
import { argumentError } from "./argument-error.js";

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** The commands, each with a short summary and a function that loads its code when called. */
const commands = new Map<string, { readonly about: string; readonly load: () => Promise<Command> }>(
  Object.entries({
    generate: {
      about: "write a typed package for a protocol",
      load: async () => (await import("./generate-command.js")).runGenerate,
    },
    tap: {
      about: "sit between a client and a server to show and record their messages",
      load: async () => (await import("./tap-command.js")).runTap,
    },
    lint: {
      about: "check a recorded session against the protocol",
      load: async () => (await import("./lint-command.js")).runLint,
    },
    view: {
      about: "show a recorded session as a page",
      load: async () => (await import("./view-command.js")).runView,
    },
    stats: {
      about: "count the messages in recordings and measure response times",
      load: async () => (await import("./stats-command.js")).runStats,
    },
    export: {
      about: "export a recorded session to Perfetto, OpenTelemetry or SQLite",
      load: async () => (await import("./export-command.js")).runExport,
    },
    convert: {
      about: "turn a client's or an adapter's log into a recording",
      load: async () => (await import("./convert-command.js")).runConvert,
    },
    redact: {
      about: "replace personal data in a recording",
      load: async () => (await import("./redact-command.js")).runRedact,
    },
    model: {
      about: "print a protocol's model as JSON for other programs",
      load: async () => (await import("./model-command.js")).runModel,
    },
    diff: {
      about:
        "compare two versions of a protocol: the breaking changes, the affected sides, and example messages",
      load: async () => (await import("./diff-command.js")).runDiff,
    },
  }),
);

const help = (): string => `Usage: wirewright <command> [options]

Commands:
${[...commands].map(([name, { about }]) => `  ${name.padEnd(10)}  ${about}`).join("\n")}

  wirewright <command> --help explains a command. wirewright --version prints the version.
  --debug, after any command, prints the stack trace if wirewright fails because of a bug.

Exit status: 0 success, 1 something was found, 2 failure.`;

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const explained = commands.get(rest[0] ?? "");
    if (explained !== undefined) return (await explained.load())(["--help"], terminal);
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
    throw argumentError(
      `Cannot find the command "${name}"`,
      guess === undefined
        ? `Commands: ${[...commands.keys()].join(", ")}`
        : `Did you mean "${guess}"?`,
    );
  }
  return (await command.load())(rest, terminal);
}

/** Removes `--debug` from the arguments before `--`. Every command accepts this option. */
function withoutDebug(given: readonly string[]): {
  readonly args: readonly string[];
  readonly isDebug: boolean;
} {
  const end = given.indexOf("--");
  const ours = end < 0 ? given : given.slice(0, end);
  const args = [...ours.filter((arg) => arg !== "--debug"), ...given.slice(ours.length)];
  return {
    args,
    isDebug: args.length < given.length || (process.env["WIREWRIGHT_DEBUG"] ?? "") !== "",
  };
}

/** Node's exit status when a top-level `await` never settles. */
const neverSettled = 13;

/**
 * Reports bugs in wirewright itself as a readable message, and exits with status 2. Status 1 is
 * reserved for findings.
 *
 * @param isDebug Whether to print the stack as well.
 */
function reportCrashes(terminal: Terminal, isDebug: boolean): void {
  process.on("uncaughtException", (error: unknown) => {
    terminal.error(crashText(error, isDebug));
    process.exit(2);
  });
  process.on("exit", (status) => {
    if (status !== neverSettled && process.exitCode !== neverSettled) return;
    terminal.error(crashText("Stuck: a promise never settled", isDebug));
    process.exitCode = 2;
  });
}

function crashText(error: unknown, isDebug: boolean): string {
  const isError = error instanceof Error;
  const what = isError ? `${error.name}: ${error.message}` : inspect(error);
  const [line = ""] = what.split("\n");
  const advice = isDebug
    ? "Please report it with this output and, if possible, the input"
    : "Please report it with the output of --debug and, if possible, the input";
  return [
    `wirewright stopped because of a bug: ${visible(line.slice(0, 500))} [ERR_INTERNAL]`,
    `  ${advice}`,
    ...(isDebug && isError ? (error.stack ?? "").split("\n").map(visible) : []),
  ].join("\n");
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
