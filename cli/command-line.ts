import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearest } from "../generator/base/input-error.js";
import type { Terminal } from "../generator/base/terminal.js";
import { argumentError } from "./argument-error.js";

/** A command-line option: how its value is parsed, and how the help describes it. */
interface OptionDescription {
  readonly multiple?: true;
  readonly short?: string;
  /** The value's placeholder in the help, such as `FILE`. Absent if the option takes no value. */
  readonly value?: string;
  /**
   * The help text. The choices, the default, and a note that the option may be repeated are added
   * automatically.
   */
  readonly help: string | (() => string);
  /** The permitted values. */
  readonly choices?: readonly string[];
  /** The value to use if the option is not given. */
  readonly default?: string | (() => string);
  /**
   * How the help describes the default, if the default comes from the project file or is not a
   * value.
   */
  readonly otherwise?: string | (() => string);
}

export type OptionDescriptions = Readonly<Record<string, OptionDescription>>;

/** A command, with its options and help. */
export interface CommandDescription<Options extends OptionDescriptions> {
  readonly name: string;
  /** The ways to call the command, without its name, such as `FILE [FILE] [options]`. */
  readonly forms: readonly string[];
  readonly about: string | (() => string);
  /** The positional arguments, such as `FILE`. */
  readonly operands?: readonly (readonly [name: string, help: string | (() => string)])[];
  /** A sentence that appears above the options in the help. */
  readonly note?: string;
  readonly options: Options;
  /** Example calls, each with a short explanation. */
  readonly examples: readonly (readonly [call: string, about: string])[];
  /** Text that appears below the options in the help. */
  readonly more?: string | (() => string);
  readonly status: string;
}

type ValueOf<Option extends OptionDescription> = Option extends { readonly value: string }
  ? Option extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string
  : boolean;

type Value<Option extends OptionDescription> = Option extends { readonly multiple: true }
  ? readonly ValueOf<Option>[]
  : ValueOf<Option>;

type Names<Options, Filter> = {
  [Name in keyof Options]: Options[Name] extends Filter ? Name : never;
}[keyof Options];

type WithDefault = { readonly default: string | (() => string) };

/** A call's option values. An option with a default always has a value. */
export type OptionValues<Options extends OptionDescriptions> = {
  readonly [Name in Names<Options, WithDefault>]: Value<Options[Name]>;
} & {
  readonly [Name in Exclude<keyof Options, Names<Options, WithDefault>>]?: Value<Options[Name]>;
};

/** The option that every command accepts. */
const helpOption = { short: "h", help: "show this text" } as const;

/**
 * Returns the given command unchanged. Lets the compiler check a command without widening its
 * literal types.
 */
export function describeCommand<const Options extends OptionDescriptions>(
  command: CommandDescription<Options>,
): CommandDescription<Options> {
  return command;
}

/**
 * Parses a command's arguments. With `--help`, prints the help and returns undefined.
 *
 * @throws InputError `ERR_ARGUMENT` if a value is not one of the choices, or `parseArgs` rejects
 * the arguments.
 */
export function readCommandLine<Options extends OptionDescriptions>(
  command: CommandDescription<Options>,
  args: readonly string[],
  terminal: Terminal,
): { readonly values: OptionValues<Options>; readonly positionals: readonly string[] } | undefined {
  const described: OptionDescriptions = { ...command.options, help: helpOption };
  const options: ParseArgsConfig["options"] = Object.fromEntries(
    Object.entries(described).map(([name, { value, multiple = false, short }]) => [
      name,
      {
        type: value === undefined ? "boolean" : "string",
        multiple,
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
  // Whoever asks for help has often just got an option wrong.
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (tokens.some((token) => token.kind === "option" && token.name === "help")) {
    terminal.out(helpText(command));
    return undefined;
  }
  const { values, positionals } = parse(command, args, options);
  const complete = Object.entries(command.options).flatMap(([name, option]) => {
    const value = values[name];
    if (value === undefined)
      return option.default === undefined ? [] : [[name, textOf(option.default)]];
    if (option.choices !== undefined)
      for (const choice of [value].flat()) oneOf(`--${name}`, String(choice), option.choices);
    return [[name, value]];
  });
  return { values: Object.fromEntries(complete) as OptionValues<Options>, positionals };
}

/** @throws InputError `ERR_ARGUMENT` for an unknown option, or an option that lacks its value. */
function parse(
  {
    name: command,
    operands = [],
  }: Pick<CommandDescription<OptionDescriptions>, "name" | "operands">,
  args: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
    const [text = ""] = message.split(". ");
    const unclear = /^Option '.*(--[\w-]+).*' argument (?:is ambiguous|missing)/.exec(text)?.[1];
    if (unclear !== undefined)
      throw argumentError(
        `Cannot find the value of ${unclear}`,
        `Write ${unclear}=VALUE if the value begins with a hyphen`,
      );
    const valued = /^Option '.*(--[\w-]+).*' does not take an argument/.exec(text)?.[1];
    if (valued !== undefined)
      throw argumentError(`Cannot use ${valued} with a value`, `Write ${valued} alone`);
    const [, dashes = "", unknown = ""] = /^Unknown option '(--?)(.*)'/.exec(text) ?? [];
    const near = nearest(unknown, Object.keys(options));
    const operand = operands.find(([name]) => name.toLowerCase() === unknown);
    throw argumentError(
      `Cannot find the option "${dashes}${unknown}"`,
      near !== undefined
        ? `Did you mean "--${near}"?`
        : operand !== undefined
          ? `Write only its value: wirewright ${command} ${operand[0]}`
          : `See wirewright ${command} --help`,
    );
  }
}

/** Width of the help, in columns. */
const helpWidth = 110;

/** Returns the text that `--help` prints. */
export function helpText<Options extends OptionDescriptions>({
  name,
  forms,
  about,
  operands = [],
  note,
  options,
  examples,
  more,
  status,
}: CommandDescription<Options>): string {
  const rows = Object.entries({ ...options, help: helpOption }).map(
    ([option, described]) => [optionName(option, described), optionText(described)] as const,
  );
  const named = operands.map(([operand, help]) => [operand, textOf(help)] as const);
  const column = Math.max(...[...rows, ...named].map(([term]) => term.length));
  const calls = examples.map(([call, meaning]) => [`wirewright ${call}`, meaning] as const);
  const callColumn = Math.max(...calls.map(([call]) => call.length));
  return [
    forms
      .map((form, index) => `${index === 0 ? "Usage:" : "      "} wirewright ${name} ${form}`)
      .join("\n"),
    wrap(textOf(about), 0),
    ...(named.length === 0 ? [] : [table(named, column)]),
    ...(note === undefined ? [] : [wrap(note, 0)]),
    `Options:\n${table(rows, column)}`,
    `Examples:\n${table(calls, callColumn)}`,
    ...(more === undefined ? [] : [wrap(textOf(more), 0)]),
    wrap(`Exit status: ${status}`, 0),
  ].join("\n\n");
}

function optionName(name: string, { value }: OptionDescription): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function optionText({
  help,
  choices,
  multiple,
  default: standard,
  otherwise = standard,
}: OptionDescription): string {
  return [
    withChoices(textOf(help), choices),
    multiple === true ? "; may be given several times" : "",
    otherwise === undefined ? "" : ` (default:\u00a0${textOf(otherwise)})`,
  ].join("");
}

/**
 * Adds an option's permitted values to its help text. They replace the placeholder `{choices}`. If
 * there is no placeholder, they are appended, unless the text already mentions all of them.
 */
function withChoices(text: string, choices: readonly string[] = []): string {
  const listed = choices.join(", ");
  if (text.includes("{choices}")) return text.replace("{choices}", listed);
  if (choices.every((choice) => text.includes(`"${choice}"`))) return text;
  return text === "" ? listed : `${text}: ${listed}`;
}

/** Lays out terms in one column and their meanings in a second. */
function table(rows: readonly (readonly [string, string])[], column: number): string {
  return rows
    .map(([term, text]) => `  ${term.padEnd(column)}  ${wrap(text, column + 4).trimStart()}`)
    .join("\n");
}

/** Wraps text at spaces, and indents it. Non-breaking spaces keep words together. */
function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent + line.length + 1 + word.length > helpWidth) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line]
    .map((wrapped) => " ".repeat(indent) + wrapped.replaceAll("\u00a0", " "))
    .join("\n");
}

function textOf(text: string | (() => string)): string {
  return typeof text === "string" ? text : text();
}

/**
 * Parses the value of an option that has a fixed set of choices. @throws InputError `ERR_ARGUMENT`
 * for any other value.
 */
export function oneOf<Value extends string>(
  option: string,
  value: string,
  allowed: readonly Value[],
): Value {
  const choice = allowed.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw argumentError(`Cannot use ${option} "${value}"`, `Allowed: ${allowed.join(", ")}`);
}
