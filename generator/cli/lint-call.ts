import { lintFormats } from "../lint/report.js";
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
    "Judges a recorded session: each message by the schema, and the messages of the session together. The second form judges many recordings in parallel, and prints a table by adapter and rule. The third form judges launch configurations, the fourth lists the rules.",
  operands: [
    [
      "FILE",
      'a recording of wirewright tap, framed bytes of one direction or of both, lines with a JSON message each, or a log in one of the formats of wirewright convert formats; "-" for standard input. Two files are the two directions',
    ],
    [
      "DIR|PATTERN",
      "a folder with all that is below it, or a quoted pattern such as 'runs/**/*.jsonl'. Each recording is judged by itself, as are three files and more",
    ],
  ],
  options: {
    protocol: recordedProtocolOption,
    dialect: dialectOption,
    schema: schemaOption,
    version: { type: "string", value: "VERSION", help: "bundled version to judge by" },
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
      help: "also judge by the behaviour of a host of the other side: visual-studio, or the path of a file in the format of schema/host.schema.json",
    },
    configuration: {
      type: "string",
      value: "FILE",
      help: "judge a launch.json instead, or the debuggers of the package.json of an extension",
    },
    against: {
      type: "string",
      multiple: true,
      value: "FILE",
      help: "judge configurations by this package.json of an extension, schema or interfaces",
      otherwise: "those of the project file, or ./package.json",
    },
    format: {
      type: "string",
      value: "FORMAT",
      help: "{choices}; html is the page of wirewright view",
      choices: lintFormats,
      default: "text",
    },
    severity: {
      type: "string",
      multiple: true,
      value: "RULE=SEVERITY",
      help: "set a rule to error, warning, info or off",
    },
    "fail-on": {
      type: "string",
      value: "SEVERITY",
      help: "least severity that fails",
      choices: ["error", "warning", "info", "never"],
      default: "error",
    },
    session: {
      type: "string",
      value: "NUMBER",
      help: "judge only this session of a recording that has several, as the report numbers them",
    },
    each: { type: "boolean", help: "judge one or two files as many are" },
    baseline: {
      type: "string",
      value: "FILE",
      help: "of many recordings, list and fail on only findings that this file of --write-baseline does not contain",
    },
    "write-baseline": {
      type: "string",
      value: "FILE",
      help: "write the findings of many recordings to a file",
    },
    threads: {
      type: "string",
      value: "NUMBER",
      help: "threads for many recordings",
      otherwise: "one a core",
    },
    all: { type: "boolean", help: "list each finding in text, also those that say the same" },
    explain: {
      type: "string",
      value: "RULE",
      help: "explain a rule, with an example, and show where the specification states it",
    },
  },
  examples: [
    ["lint session.jsonl", "a recording of wirewright tap"],
    ["lint to-adapter.bin to-client.bin --profile strict", "the bytes of both directions"],
    ["lint debugpy.adapter.log --fail-on warning", "the log of an adapter"],
    ["lint runs --baseline known.json", "all recordings in a folder: fails on new findings"],
    ["lint --configuration .vscode/launch.json", "launch configurations"],
  ],
  status:
    "0 nothing of that severity was found, 1 something was, 2 the call or the input is wrong.",
});

export type Values = OptionValues<typeof lintCommand.options>;
