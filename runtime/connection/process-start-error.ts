import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { isBranded, setBrand } from "../base/branded-class.js";

const startBrand = /* @__PURE__ */ Symbol.for("wirewright.ProcessStartError");

/** Maximum number of programs listed in a hint. */
const maxInstalled = 5;

/** Thrown when a process cannot be started. */
export class ProcessStartError extends Error {
  override readonly name = "ProcessStartError";
  readonly code = "ERR_PROCESS_START";
  readonly command: string;
  /**
   * The file names that were searched for. On Windows, they include names with executable
   * extensions.
   */
  readonly tried: readonly string[];
  /**
   * Names of programs in `PATH`, or in the command's folder, that start with the command's name.
   */
  readonly installed: readonly string[];

  /** @param cause The system error. */
  constructor(command: string, start: ProcessStart, cause: unknown) {
    const tried = namesOf(command, start.env);
    const isFolderMissing = start.cwd !== undefined && !isFolder(start.cwd);
    const isProgramMissing = isMissing(cause) && !isFolderMissing;
    const installed = isProgramMissing ? similarPrograms(command, start.env) : [];
    const why = reasonOf(command, start, cause, tried);
    const hint =
      installed.length === 0 ? "" : `. ${installed.join(", ")} ${verb(installed)} installed`;
    super(`Cannot start "${command}": ${why}${hint}`, { cause });
    this.command = command;
    this.tried = tried;
    this.installed = installed;
    setBrand(this, startBrand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, ProcessStartError, startBrand, value);
  }
}

/** Environment variables. Declared here so that programs without Node's types compile. */
type Environment = { readonly [name: string]: string | undefined };

/** The folder and environment in which a process was to be started. */
export interface ProcessStart {
  /** The working directory, as a path or a `file:` URL. */
  readonly cwd: string | { readonly href: string } | undefined;
  readonly env: Environment | undefined;
}

function isMissing(cause: unknown): boolean {
  return (cause as { readonly code?: unknown } | null)?.code === "ENOENT";
}

function reasonOf(
  command: string,
  { cwd }: ProcessStart,
  cause: unknown,
  tried: readonly string[],
): string {
  // If the folder does not exist, Node reports that the program does not exist.
  if (isMissing(cause) && cwd !== undefined && !isFolder(cwd))
    return `the folder "${String(cwd)}" does not exist`;
  if (isMissing(cause) && isPath(command)) return "there is no such file";
  if (isMissing(cause))
    return `there is no such program in PATH${tried.length > 1 ? ` (${tried.join(", ")})` : ""}`;
  return cause instanceof Error ? cause.message : String(cause);
}

function isFolder(path: string | { readonly href: string }): boolean {
  return (
    statSync(typeof path === "string" ? path : new URL(path.href), {
      throwIfNoEntry: false,
    })?.isDirectory() === true
  );
}

function isPath(command: string): boolean {
  return basename(command) !== command;
}

function verb(installed: readonly string[]): string {
  return installed.length === 1 ? "is" : "are";
}

/** Returns an environment variable. On Windows, its name is case-insensitive. */
function variable(name: string, env: Environment = process.env): string {
  const own = Object.keys(env).find((each) => each.toUpperCase() === name);
  return (own === undefined ? undefined : env[own]) ?? "";
}

function namesOf(command: string, env: Environment | undefined): readonly string[] {
  if (process.platform !== "win32") return [command];
  const endings = (variable("PATHEXT", env) || ".COM;.EXE;.BAT;.CMD").toLowerCase().split(";");
  return [command, ...endings.filter((each) => each !== "").map((ending) => command + ending)];
}

/** Returns programs whose names start with the command's name, such as `lldb-dap-19`. */
function similarPrograms(command: string, env: Environment | undefined): readonly string[] {
  const folders = isPath(command) ? [dirname(command)] : variable("PATH", env).split(delimiter);
  const name = basename(command).replace(/(?:[-.]?\d+)+$/, "");
  const found = new Set<string>();
  for (const folder of name.length < 2 ? [] : folders)
    for (const each of entriesOf(folder)) {
      const isSimilar = each.startsWith(name) && /^(?:$|[-.\d])/.test(each.slice(name.length));
      if (isSimilar && isProgram(join(folder, each)))
        found.add(isPath(command) ? join(folder, each) : each);
    }
  return [...found].sort().slice(0, maxInstalled);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return folder === "" ? [] : readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
