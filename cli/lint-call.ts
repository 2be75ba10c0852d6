import { lintFormats } from "../sessions/judge/report.js";
import {
  describeCommand,
  dialectOption,
  recordedProtocolOption,
  schemaOption,
  type OptionValues,
} from "./command-line.js";

export const lintCommand = describeCommand({
  name: "lint",
  forms: [
    "FILE [FILE] [options]",
    "DIR|PATTERN|FILE… [options]",
    "--configuration FILE [--against FILE] [options]",
    "rules",
  ],
  about:
    "Checks a recorded session: each message against the schema, and the order of the messages. The second form checks many recordings in parallel, and prints a table of findings by adapter and rule. The third form checks launch configurations. The fourth form lists the rules.",
  operands: [
    [
      "FILE",
      'a recording made with wirewright tap, framed bytes from one or both directions, one JSON message per line, or a log in a format listed by wirewright convert formats; "-" for standard input. Give two files if each contains one direction',
    ],
    [
      "DIR|PATTERN",
      "a folder, including its subfolders, or a quoted pattern such as 'runs/**/*.jsonl'. Each recording is checked independently, as are three or more files",
    ],
  ],
  options: {
    protocol: recordedProtocolOption,
    dialect: dialectOption,
    schema: schemaOption,
    version: {
      type: "string",
      value: "VERSION",
      help: "bundled version of the protocol to check against",
    },
    profile: {
      type: "string",
      value: "PROFILE",
      help: '"wire" reports an error if no reader can use a value, and a warning if tolerant readers accept it; "strict" reports every deviation from the schema as an error',
      choices: ["wire", "strict"],
      default: "wire",
    },
    host: {
      type: "string",
      value: "NAME",
      help: "also check against the known behaviour of a host on the other side: visual-studio, or the path of a file in the format of schema/formats/host.schema.json",
    },
    configuration: {
      type: "string",
      value: "FILE",
      help: "check a launch.json instead, or the debuggers in the package.json of a VS Code extension",
    },
    against: {
      type: "string",
      multiple: true,
      value: "FILE",
      help: "source to check the configurations against: the package.json of a VS Code extension, a schema, or interfaces",
      otherwise: "the source in the project file, or ./package.json",
    },
    format: {
      type: "string",
      value: "FORMAT",
      help: "{choices}; html writes the wirewright view page",
      choices: lintFormats,
      default: "text",
    },
    severity: {
      type: "string",
      multiple: true,
      value: "RULE=SEVERITY",
      help: "set the severity of a rule: error, warning, info or off",
    },
    "fail-on": {
      type: "string",
      value: "SEVERITY",
      help: "lowest severity that makes the command fail",
      choices: ["error", "warning", "info", "never"],
      default: "error",
    },
    session: {
      type: "string",
      value: "NUMBER",
      help: "check only this session in a recording that contains several, as numbered in the report",
    },
    each: {
      type: "boolean",
      help: "check each file independently, even if there are only one or two",
    },
    baseline: {
      type: "string",
      value: "FILE",
      help: "for many recordings: list, and fail on, only findings that are not in this file, which --write-baseline writes",
    },
    "write-baseline": {
      type: "string",
      value: "FILE",
      help: "for many recordings: write the findings to a file",
    },
    threads: {
      type: "string",
      value: "NUMBER",
      help: "for many recordings: number of threads",
      otherwise: "one for each core",
    },
    all: { type: "boolean", help: "list every finding as text, even if several are similar" },
    explain: {
      type: "string",
      value: "RULE",
      help: "explain a rule with an example, and show where the specification defines it",
    },
  },
  examples: [
    ["lint session.jsonl", "a recording made with wirewright tap"],
    ["lint to-adapter.bin to-client.bin --profile strict", "the bytes sent in each direction"],
    ["lint debugpy.adapter.log --fail-on warning", "the log of an adapter"],
    ["lint runs --baseline known.json", "all recordings in a folder: fails on new findings"],
    ["lint --configuration .vscode/launch.json", "launch configurations"],
  ],
  status:
    "0 if no finding reaches --fail-on, 1 if one does, 2 if the arguments or the input are invalid.",
});

export type Values = OptionValues<typeof lintCommand.options>;
