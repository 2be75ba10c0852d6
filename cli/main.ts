#!/usr/bin/env node
// Imports nothing, so that the help is printed at once.
import type { Commands } from "./run-command.js";

const commands: Commands = new Map(
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

const { args, isDebug } = withoutDebug(process.argv.slice(2));
const [name, explained = ""] = args;
const isHelp = name === undefined || ["--help", "-h", "help"].includes(name);
if (isHelp && !commands.has(explained)) {
  process.stdout.write(`${help()}\n`);
  process.exitCode = name === undefined ? 2 : 0;
} else {
  const { runCommand } = await import("./run-command.js");
  await runCommand(commands, isHelp ? [explained, "--help"] : args, isDebug);
}
