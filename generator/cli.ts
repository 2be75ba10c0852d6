#!/usr/bin/env node
import nodeModule from "node:module";
import { reportCrashes, withoutDebug } from "./cli/crash-report.js";
import { processTerminal, type Terminal } from "./base/terminal.js";
import { formatInputError, InputError, nearest } from "./base/input-error.js";
import { toolVersion } from "./base/bundled.js";
import { visible } from "./base/visible-text.js";

const help = `Usage: wirewright <command> [options]

Commands:
  generate    write the typed package of a protocol
  tap         stand between a client and a server, and say what goes over the wire
  lint        judge a recorded session
  view        show a recorded session as a page
  convert     turn the log of a client or an adapter into a recording
  redact      replace what a recording tells of persons and machines
  model       print what is known of a protocol as data, for other programs
  diff        say what a new version breaks, for whom, and with which message

  wirewright <command> --help says more about each. wirewright --version prints the version.
  --debug, after any command, prints the stack of a defect of wirewright.

Exit status: 0 nothing was found, or it is done; 1 something was found; 2 there is no answer.`;

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

/** Each command is loaded when it is called. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["generate", async () => (await import("./cli/generate-command.js")).runGenerate],
  ["tap", async () => (await import("./cli/tap-command.js")).runTap],
  ["lint", async () => (await import("./cli/lint-command.js")).runLint],
  ["view", async () => (await import("./cli/view-command.js")).runView],
  ["convert", async () => (await import("./cli/convert-command.js")).runConvert],
  ["redact", async () => (await import("./cli/redact-command.js")).runRedact],
  ["model", async () => (await import("./cli/model-command.js")).runModel],
  ["diff", async () => (await import("./cli/diff-command.js")).runDiff],
]);

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const asked = commands.get(rest[0] ?? "");
    if (asked !== undefined) return (await asked())(["--help"], terminal);
    terminal.out(help);
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
  return (await command())(rest, terminal);
}

// Commands start faster with code that Node, from 22.8 on, has compiled before.
(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
const terminal = processTerminal();
const { args, isDebug } = withoutDebug(process.argv.slice(2));
reportCrashes(terminal, isDebug);
try {
  process.exitCode = await run(args, terminal);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof InputError) terminal.error(formatInputError(error));
  else if (code?.startsWith("ERR_PARSE_ARGS") === true)
    terminal.error(
      `${visible(message.split(". ")[0]!)} [ERR_ARGUMENT]\n  See wirewright ${args[0]} --help`,
    );
  else throw error;
  process.exitCode = 2;
}
