import { readFileSync } from "node:fs";
import { checkFormat, InputError, readJsonText, type JsonFile } from "wirewright";
import { pointerStep } from "@wirewright/runtime/internal/base/json-pointer.js";
import { isObject } from "@wirewright/runtime";
import type { AdapterTarget } from "../session/adapter-target.js";
import type { Suite, SuiteOptions } from "../session/suite.js";
import { languages, openSuite } from "./open-suite.js";

/**
 * An adapter in a project file. `${env:NAME}` in its strings is replaced by an environment
 * variable.
 */
export interface AdapterEntry
  extends
    Omit<AdapterTarget, "open">,
    Omit<SuiteOptions, "target" | "isInChild" | "recordings" | "own"> {
  /** Whether the adapter debugs the program in a child session, as js-debug does. */
  readonly child?: boolean;
  /** Number of cases to run at the same time. Default: 2. */
  readonly parallel?: number;
  /** Reasons for expected failures, by check id. */
  readonly expected?: Readonly<Record<string, string>>;
  /** The adapter's name, version and release month, for reports. */
  readonly title?: string;
  readonly version?: string;
  readonly released?: string;
  /** Where the adapter comes from, as shown in reports. */
  readonly source?: string;
}

/**
 * Reads the adapters in a project file, by name: `{ "adapters": { NAME: … } }`.
 * `schema/formats/conformance-project.schema.json` describes the file.
 *
 * @throws InputError with the location of the error.
 */
export function readProject(path: string): ReadonlyMap<string, AdapterEntry> {
  const file = readJsonFile(path);
  checkFormat(file, "conformance-project", "ERR_CONFIG");
  const { adapters } = file.value as unknown as {
    readonly adapters: Readonly<Record<string, AdapterEntry>>;
  };
  for (const [name, entry] of Object.entries(adapters)) checkEntry(entry, name, file);
  return new Map(Object.entries(adapters));
}

/** Rejects property combinations that the schema cannot rule out. */
function checkEntry(
  { language, command, connect }: AdapterEntry,
  name: string,
  file: JsonFile,
): void {
  const entryPointer = `/adapters${pointerStep(name)}`;
  const refuse = (message: string, pointer: string, hint: string): never => {
    throw new InputError("ERR_CONFIG", message, file.locate(pointer), hint);
  };
  if (!languages().has(language))
    refuse(
      `Cannot use the language "${language}"`,
      `${entryPointer}/language`,
      `Known: ${[...languages().keys()].join(", ")}`,
    );
  if ((command === undefined) === (connect === undefined))
    refuse(
      command === undefined
        ? "Cannot start the adapter"
        : "Cannot start an adapter and also connect to one",
      entryPointer,
      'Give either "command" or "connect"',
    );
}

/** @throws InputError if the file cannot be read. */
export function readJsonFile(path: string): JsonFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new InputError("ERR_READ", `Cannot read the file: ${(error as Error).message}`, {
      file: path,
    });
  }
  return readJsonText(text, path);
}

/** @throws InputError if the file contains something other than a JSON object. */
export function readObject(path: string): object {
  const file = readJsonFile(path);
  if (isObject(file.value)) return file.value;
  throw new InputError(
    "ERR_CONFIG",
    "Cannot use the file: it does not contain a JSON object",
    file.locate(""),
  );
}

/** Replaces `${env:NAME}` in every string. @throws TypeError if a variable is not set. */
function withEnvironment<Value>(value: Value): Value {
  const text = JSON.stringify(value).replace(/\$\{env:(\w+)\}/g, (_, name: string) => {
    const variable = process.env[name];
    if (variable === undefined) throw new TypeError(`the environment variable ${name} is not set`);
    return JSON.stringify(variable).slice(1, -1);
  });
  return JSON.parse(text) as Value;
}

/** Opens the suite for an adapter. @throws TypeError if an environment variable is not set. */
export async function suiteOf(given: AdapterEntry, more: Partial<SuiteOptions>): Promise<Suite> {
  const { command, ready, connect, env, cwd, child, ...options } = withEnvironment(given);
  const target = { command, ready, connect, env, cwd };
  return openSuite({ ...options, target, isInChild: child, ...more });
}
