import { closeSync, openSync, readSync } from "node:fs";
import { basename, extname } from "node:path";
import { InputError } from "../generator/base/input-error.js";
import { argumentError } from "./argument-error.js";

/** Matches the names of interpreters and launchers, whose first argument is the adapter. */
const interpreters = /^(?:node|deno|bun|python[\d.]*|ruby|dotnet|java)$/;

/** Derives an adapter's name from its command or address. */
export function adapterName(address: string | undefined, command: readonly string[]): string {
  const [program = "", ...args] = command;
  const name = basename(program.replaceAll("\\", "/")).replace(/\.exe$/i, "");
  const run = interpreters.test(name) ? scriptOf(args) : undefined;
  const text = address ?? run ?? name;
  return text.replaceAll(/[^\w.-]+/g, "-").slice(0, 80) || "adapter";
}

/** Returns the script or module that an interpreter runs. */
function scriptOf(args: readonly string[]): string | undefined {
  const module = args.indexOf("-m");
  const first = args.findIndex((arg) => !arg.startsWith("-"));
  if (module >= 0 && module < (first < 0 ? Infinity : first)) return args[module + 1];
  // With an option such as `-e` or `-c`, the next argument is code, not a file name.
  const script = args.slice(0, first).some((arg) => /^(?:-e|-c|-p|--eval|--print)$/.test(arg))
    ? undefined
    : args[first];
  return script === undefined ? undefined : basename(script, extname(script));
}

/**
 * Replaces the placeholders in a recording's name. @throws InputError `ERR_ARGUMENT` for an unknown
 * placeholder.
 */
export function recordingName(
  pattern: string,
  { began, adapter }: { readonly began: Date; readonly adapter: string },
): string {
  const values: Readonly<Record<string, string>> = {
    pid: String(process.pid),
    // Remove colons, because Windows does not allow them in file names.
    time: began.toISOString().replaceAll(/[-:]|\.\d+/g, ""),
    adapter,
  };
  return pattern.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value !== undefined) return value;
    throw argumentError(
      `Cannot use ${placeholder} in the name of a recording`,
      `Known: ${Object.keys(values)
        .map((known) => `{${known}}`)
        .join(", ")}`,
    );
  });
}

/**
 * @throws InputError `ERR_ARGUMENT` if a recording of the protocol cannot be appended to the file.
 */
export function checkAppended(path: string | undefined, protocol: string): void {
  if (path === undefined) throw argumentError("Cannot use --append without --out");
  const first = firstLineOf(path);
  if (first === undefined || first === "") return;
  let head: { recording?: unknown; protocol?: unknown } | undefined;
  try {
    head = JSON.parse(first) as typeof head;
  } catch {
    // The file is not a recording, so the code below rejects it.
  }
  const [name] = protocol.split("@");
  if (head?.recording === "wirewright" && head.protocol === basename(name ?? "")) return;
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot append to the file: it is not a recording of ${name}`,
    { file: path },
    "Give another name, or omit --append",
  );
}

/** Reads the first line of a file. Returns undefined if the file is empty. */
function firstLineOf(path: string): string | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(4_096);
      const length = readSync(file, bytes, 0, bytes.length, 0);
      return bytes.toString("utf8", 0, length).split("\n")[0];
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
