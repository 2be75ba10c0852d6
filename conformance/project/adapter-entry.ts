import { readFileSync } from "node:fs";
import { languages, openSuite, type SuiteOptions } from "../run/open-suite.js";
import type { Suite } from "../run/run-case.js";
import type { AttachSettings } from "../session/case-session.js";

/** An adapter of a project file. In texts, `${env:NAME}` is replaced by an environment variable. */
export interface AdapterEntry {
  /** Language of the programs to debug. */
  readonly language: string;
  /** Command and arguments. `${port}` is replaced by a free port. */
  readonly command?: readonly string[];
  /** `host:port` of an adapter that is running. */
  readonly connect?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Arguments of `launch` or `attach`. Default: those of the language. */
  readonly launch?: object;
  readonly request?: "launch" | "attach";
  /** Further arguments of `launch` with which the adapter asks the client for a terminal. */
  readonly terminal?: object;
  readonly attach?: AttachSettings;
  /** Whether the adapter debugs the program in a child session. */
  readonly child?: boolean;
  /** Whether the adapter always stops at the beginning of the program, whatever reason it gives. */
  readonly stopsFirst?: boolean;
  readonly adapterId?: string;
  /** Milliseconds for a step. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Cases at a time. Default: 2. */
  readonly parallel?: number;
  /** Checks that are expected to fail, with reasons. */
  readonly expected?: Readonly<Record<string, string>>;
  /** Name, version and month of release, for reports. */
  readonly title?: string;
  readonly version?: string;
  readonly released?: string;
  /** How to get the adapter, as a sentence for reports. */
  readonly source?: string;
}

const types: Readonly<Record<keyof AdapterEntry, "text" | "texts" | "object" | "flag" | "count">> =
  {
    language: "text",
    command: "texts",
    connect: "text",
    env: "object",
    cwd: "text",
    launch: "object",
    request: "text",
    terminal: "object",
    attach: "object",
    child: "flag",
    stopsFirst: "flag",
    adapterId: "text",
    timeoutMs: "count",
    parallel: "count",
    expected: "object",
    title: "text",
    version: "text",
    released: "text",
    source: "text",
  };

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const tests = {
  text: (value: unknown) => typeof value === "string",
  texts: (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string"),
  object: isObject,
  flag: (value: unknown) => typeof value === "boolean",
  count: (value: unknown) => Number.isInteger(value) && (value as number) > 0,
};

const described = {
  text: "a string",
  texts: "an array of strings",
  object: "an object",
  flag: "true or false",
  count: "a whole number from 1",
};

/**
 * The adapters of a project file, by name: `{ "adapters": { NAME: … } }`.
 *
 * @throws TypeError that names the file, the adapter and the property
 */
export function readProject(path: string): ReadonlyMap<string, AdapterEntry> {
  const { adapters } = readObject(path) as { readonly adapters?: unknown };
  if (!isObject(adapters)) throw new TypeError(`${path}: "adapters" is missing, an object by name`);
  return new Map(
    Object.entries(adapters).map(([name, entry]) => [name, readEntry(entry, `${path}: ${name}`)]),
  );
}

function readEntry(entry: unknown, place: string): AdapterEntry {
  if (!isObject(entry)) throw new TypeError(`${place} is not an object`);
  for (const [name, value] of Object.entries(entry)) {
    const type = types[name as keyof AdapterEntry];
    if (type === undefined) throw new TypeError(`${place}: there is no property "${name}"`);
    if (!tests[type](value)) throw new TypeError(`${place}: "${name}" is not ${described[type]}`);
  }
  const { language, command, connect, request } = entry as AdapterEntry;
  if (!languages().has(language))
    throw new TypeError(`${place}: "language" is not one of ${[...languages().keys()].join(", ")}`);
  if ((command === undefined) === (connect === undefined))
    throw new TypeError(`${place}: give either "command" or "connect"`);
  if (request !== undefined && request !== "launch" && request !== "attach")
    throw new TypeError(`${place}: "request" is neither "launch" nor "attach"`);
  return entry as AdapterEntry;
}

/** @throws TypeError if the file does not have a JSON object */
export function readObject(path: string): object {
  const text = readFileSync(path, "utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new TypeError(`${path} is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new TypeError(`${path} does not have a JSON object`);
  return value;
}

/** Replaces `${env:NAME}` in all texts. @throws TypeError if a variable is not set */
function withEnvironment<Value>(value: Value): Value {
  const text = JSON.stringify(value).replace(/\$\{env:(\w+)\}/g, (_, name: string) => {
    const found = process.env[name];
    if (found === undefined) throw new TypeError(`the environment variable ${name} is not set`);
    return JSON.stringify(found).slice(1, -1);
  });
  return JSON.parse(text) as Value;
}

/** The suite for an adapter. @throws TypeError if an environment variable is not set */
export async function suiteOf(given: AdapterEntry, more: Partial<SuiteOptions>): Promise<Suite> {
  const entry = withEnvironment(given);
  const { language, command, connect, env, cwd, launch, request, terminal, attach } = entry;
  const { child, stopsFirst, adapterId, timeoutMs } = entry;
  return openSuite({
    language,
    target: {
      ...(command === undefined ? {} : { command }),
      ...(connect === undefined ? {} : { connect }),
      ...(env === undefined ? {} : { env }),
      ...(cwd === undefined ? {} : { cwd }),
    },
    ...(launch === undefined ? {} : { launch }),
    ...(request === undefined ? {} : { request }),
    ...(terminal === undefined ? {} : { terminal }),
    ...(attach === undefined ? {} : { attach }),
    ...(child === undefined ? {} : { isInChild: child }),
    ...(stopsFirst === undefined ? {} : { stopsFirst }),
    ...(adapterId === undefined ? {} : { adapterId }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...more,
  });
}
