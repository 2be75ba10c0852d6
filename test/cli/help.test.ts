import assert from "node:assert/strict";
import { test } from "node:test";
import {
  describeCommand,
  helpText,
  readCommandLine,
  type CommandDescription,
  type OptionDescriptions,
} from "../../cli/command-line.js";
import { convertCommand } from "../../cli/convert-command.js";
import { diffCommand } from "../../cli/diff-command.js";
import { generateCommand } from "../../cli/generate-command.js";
import { lintCommand } from "../../cli/lint-command.js";
import { modelCommand } from "../../cli/model-command.js";
import { redactCommand } from "../../cli/redact-command.js";
import { exportCommand } from "../../cli/export-command.js";
import { statsCommand } from "../../cli/stats-command.js";
import { tapCommand } from "../../cli/tap-command.js";
import { viewCommand } from "../../cli/view-command.js";
import type { Terminal } from "../../generator/base/terminal.js";

const printed: string[] = [];
const terminal: Terminal = {
  out: (text) => void printed.push(text),
  error: () => undefined,
  progress: () => undefined,
  colours: false,
  errorColours: false,
  columns: 100,
};

const sample = describeCommand({
  name: "sample",
  forms: ["FILE [options]", "list"],
  about: "Does something.",
  operands: [["FILE", "what to read"]],
  options: {
    format: { value: "FORMAT", help: "form", choices: ["a", "b"], default: "a" },
    out: { value: "FILE", help: "file to write", otherwise: "standard output" },
    name: {
      multiple: true,
      value: "NAME",
      help: "a name that is so long that its help does not fit into a line of help, and continues",
    },
    all: { help: "everything" },
  },
  examples: [["sample a.txt", "the whole file"]],
  status: "0 done.",
});

test("the help lists exactly the options that the commands parse", () => {
  assert.equal(
    helpText(sample),
    `Usage: wirewright sample FILE [options]
       wirewright sample list

Does something.

  FILE             what to read

Options:
  --format FORMAT  form: a, b (default: a)
  --out FILE       file to write (default: standard output)
  --name NAME      a name that is so long that its help does not fit into a line of help, and continues; may
                   be given several times
  --all            everything
  --help           show this text

Examples:
  wirewright sample a.txt  the whole file

Exit status: 0 done.`,
  );
});

test("option values have defaults, and invalid choices are refused", () => {
  const read = (...args: string[]): unknown => readCommandLine(sample, args, terminal)?.values;
  assert.deepEqual(read(), { format: "a" });
  assert.deepEqual(read("--format", "b", "--name", "x", "--name=y", "--all"), {
    format: "b",
    name: ["x", "y"],
    all: true,
  });
  assert.throws(() => read("--format", "c"), {
    code: "ERR_ARGUMENT",
    message: 'Cannot use --format "c"',
    hint: "Allowed: a, b",
  });
  assert.throws(() => read("--nothing"), { code: "ERR_ARGUMENT" });
  assert.equal(read("-h", "--format", "c"), undefined);
  assert.deepEqual(printed, [helpText(sample)]);
});

const commands: readonly CommandDescription<OptionDescriptions>[] = [
  convertCommand,
  diffCommand,
  generateCommand,
  lintCommand,
  modelCommand,
  redactCommand,
  statsCommand,
  exportCommand,
  tapCommand,
  viewCommand,
];

for (const command of commands)
  test(`the examples for wirewright ${command.name} can be parsed, and its help fits into 110 columns`, () => {
    for (const [example] of command.examples) {
      const [call = ""] = example.split(" | ");
      const words = [...call.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
        ([, double, single, word]) => double ?? single ?? word!,
      );
      assert.equal(words[0], command.name);
      assert.ok(readCommandLine(command, words.slice(1), terminal) !== undefined);
    }
    for (const line of helpText(command).split("\n"))
      assert.ok(line.length <= 110 || line.startsWith("  wirewright"), line);
  });
