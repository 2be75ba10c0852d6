#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { diffHelp, runDiff } from "./cli/diff-command.js";
import { generateHelp, runGenerate } from "./cli/generate-command.js";
import { processTerminal, type Terminal } from "./cli/terminal.js";
import { formatInputError, InputError, nearest } from "./input-error.js";
import { toolFolder } from "./read/bundled.js";

const help = `Usage: wirewright <command> [options]

Commands:
  generate    write the typed package of a protocol
  diff        say what a new version breaks, for whom, and with which message

  wirewright <command> --help says more about each. wirewright --version prints the version.`;

const commands: ReadonlyMap<
  string,
  (args: readonly string[], terminal: Terminal) => Promise<number>
> = new Map([
  ["generate", runGenerate],
  ["diff", runDiff],
]);

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const texts: Readonly<Record<string, () => string>> = {
      generate: generateHelp,
      diff: diffHelp,
    };
    terminal.out(texts[rest[0] ?? ""]?.() ?? help);
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    terminal.out(
      (JSON.parse(readFileSync(new URL("package.json", toolFolder), "utf8")) as { version: string })
        .version,
    );
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
  return command(rest, terminal);
}

const terminal = processTerminal();
try {
  process.exitCode = await run(process.argv.slice(2), terminal);
} catch (error) {
  process.exitCode = 2;
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof InputError) terminal.error(formatInputError(error));
  else if (code?.startsWith("ERR_PARSE_ARGS") === true)
    terminal.error(
      `${message.split(". ")[0]} [ERR_ARGUMENT]\n  See wirewright ${process.argv[2]} --help`,
    );
  else throw error;
}
