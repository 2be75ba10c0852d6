import { spawn, type ChildProcess, type SpawnOptions, type StdioOptions } from "node:child_process";
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import type { Socket } from "node:net";
import { basename, delimiter, dirname, join } from "node:path";
import type { Readable } from "node:stream";
import * as option from "../base/check-options.js";
import { isBranded, setBrand } from "../base/errors.js";
import { startTimer } from "../base/waiting-limits.js";
import { nodeTransport } from "./node-transports.js";
import { plainTransport, type FullTransport, type Transport } from "./transport.js";

/**
 * Milliseconds to wait for a process to exit once its streams have ended, because its exit code
 * explains the end better than the closed streams do.
 */
const exitWaitMs = 500;

/**
 * Milliseconds to wait for the output of a process that has exited. A child of that process may be
 * keeping it open.
 */
const heldOpenMs = 250;

/**
 * How a process is started and ended. To end the process, its input is closed. If it does not exit,
 * it is sent a signal, and later SIGKILL, which follows no later than when the connection's
 * `close()` times out. stdin and stdout are always pipes, regardless of `stdio`.
 */
export interface SpawnTransportOptions {
  /**
   * Milliseconds between closing the process's input and sending the signal (`killSignal`, or
   * SIGTERM). Default: 2,000.
   */
  readonly exitGraceMs?: number;
  /** Milliseconds between the signal and SIGKILL. Default: 1,000. */
  readonly killGraceMs?: number;
  /**
   * Options for Node's `spawn`, such as `cwd` and `env`. The options `timeout` and `signal` are
   * excluded, because they would kill the process.
   */
  readonly process?: Omit<SpawnOptions, "timeout" | "signal">;
}

const processOptions: Readonly<Record<keyof NonNullable<SpawnTransportOptions["process"]>, true>> =
  {
    argv0: true,
    cwd: true,
    detached: true,
    env: true,
    gid: true,
    killSignal: true,
    serialization: true,
    shell: true,
    stdio: true,
    uid: true,
    windowsHide: true,
    windowsVerbatimArguments: true,
  };

/** The checks for `SpawnTransportOptions`. */
export const spawnChecks: option.OptionChecks<SpawnTransportOptions> = {
  exitGraceMs: option.milliseconds,
  killGraceMs: option.milliseconds,
  process: /* @__PURE__ */ option.recordOf(
    option.anything,
    new Map(Object.entries(processOptions)),
  ),
};

/** A child process and a transport over its stdin and stdout. */
export interface SpawnedProcess {
  /**
   * The transport. It fails with a `ProcessEndedError` unless the process ends with exit code 0.
   * Closing it ends the process.
   */
  readonly transport: Transport;
  readonly process: ChildProcess;
  /** Resolves when the process has ended: to its exit code, or to null if a signal ended it. */
  readonly exited: Promise<number | null>;
}

/**
 * Starts a process and connects to its stdin and stdout. Its stderr is forwarded to ours unless
 * `stdio` specifies otherwise. It ends when our process does, unless it is `detached`.
 *
 * @throws Rejects with ProcessStartError if the process cannot be started, or with TypeError for
 * unknown options and invalid values.
 */
export function spawnTransport(
  command: string,
  args: readonly string[] = [],
  options: SpawnTransportOptions = {},
): Promise<SpawnedProcess> {
  return new Promise((resolve, reject) => {
    option.checkOptions("spawnTransport", options, spawnChecks);
    const { exitGraceMs = 2_000, killGraceMs = 1_000, process: given = {} } = options;
    const { stdio, ...rest } = given;
    const ending: Ending = { exitGraceMs, killGraceMs, signal: given.killSignal ?? "SIGTERM" };
    const fail = (cause: unknown): void =>
      reject(new ProcessStartError(command, { cwd: rest.cwd, env: rest.env }, cause));
    let child: ChildProcess;
    try {
      child = spawn(command, [...args], { ...rest, stdio: withPipes(stdio) });
    } catch (cause) {
      // `spawn` throws some system errors, for example if a file is not a valid program.
      if (!(cause instanceof Error) || !("syscall" in cause)) throw cause;
      fail(cause);
      return;
    }
    const exited = new Promise<number | null>((settle) => child.once("exit", settle));
    child.once("error", fail);
    child.once("spawn", () => {
      child.off("error", fail);
      child.on("error", () => undefined);
      if (given.detached !== true) killOnExit(child, ending.signal);
      const transport = new ProcessTransport(child, ending);
      if (stdio === undefined) forwardToStderr(child.stderr!);
      resolve({ transport: plainTransport(transport), process: child, exited });
    });
  });
}

interface Ending {
  readonly exitGraceMs: number;
  readonly killGraceMs: number;
  readonly signal: NodeJS.Signals | number;
}

class ProcessTransport implements Transport {
  readonly #child: ChildProcess;
  readonly #ending: Ending;
  readonly #streams: FullTransport;
  readonly #stderrLines: LastLines | undefined;
  /** Settles once the process has ended and its output has been read. */
  readonly #ended: Promise<void>;
  #hasEnded = false;
  #closing: Promise<void> | undefined;

  constructor(child: ChildProcess, ending: Ending) {
    this.#child = child;
    this.#ending = ending;
    this.#streams = nodeTransport(child.stdout!, child.stdin!);
    this.#stderrLines = child.stderr === null ? undefined : new LastLines(child.stderr);
    this.#ended = new Promise((resolve) => {
      child.once("close", resolve);
      child.once("exit", () => {
        this.#stderrLines?.read(child.stderr!);
        child.once(
          "close",
          startTimer(heldOpenMs, () => resolve()),
        );
      });
    });
    void this.#ended.then(() => this.#release());
  }

  read(
    onBytes: (bytes: Uint8Array) => void | Promise<void>,
    onEnd: (error?: unknown, detail?: string) => void,
  ): void {
    let isOver = false;
    const end = (error: unknown, detail: string): void => {
      if (!isOver) onEnd(error, detail);
      isOver = true;
    };
    void this.#ended.then(() => end(this.#error(), this.#describeEnd()));
    this.#streams.read(onBytes, (error) => {
      // Wait for the process to exit, because its exit code explains why its streams ended.
      const stop = startTimer(exitWaitMs, () => end(error, "the process has closed its output"));
      void this.#ended.then(stop);
    });
  }

  write(bytes: Uint8Array): void | Promise<void> {
    try {
      const writing = this.#streams.write(bytes);
      return writing?.catch((cause: unknown) => this.#explain(cause));
    } catch (cause) {
      return this.#explain(cause);
    }
  }

  /** Ends the process step by step. Settles once it has ended. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Kills the process. Settles once it has ended. */
  destroy(): Promise<void> {
    this.#child.kill("SIGKILL");
    this.#child.stdin!.destroy();
    this.#child.stdout!.resume();
    return this.#ended;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    const { exitGraceMs, killGraceMs, signal } = this.#ending;
    child.stdin!.end();
    child.stdout!.resume();
    if (await this.#endsWithin(exitGraceMs)) return;
    child.kill(signal);
    if (await this.#endsWithin(killGraceMs)) return;
    await this.destroy();
  }

  #endsWithin(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = startTimer(milliseconds, () => resolve(false));
      void this.#ended.then(() => {
        stop();
        resolve(true);
      });
    });
  }

  /** Called after a failed write. If the process has ended, throws the error that describes how. */
  async #explain(cause: unknown): Promise<never> {
    await this.#endsWithin(exitWaitMs);
    throw this.#error() ?? cause;
  }

  /**
   * Returns the error for a process that ended abnormally, or undefined if the process is running
   * or exited with code 0.
   */
  #error(): ProcessEndedError | undefined {
    const { exitCode, signalCode } = this.#child;
    if (!this.#hasEnded || exitCode === 0) return undefined;
    return new ProcessEndedError({ exitCode, signal: signalCode }, this.#errorOutput);
  }

  #describeEnd(): string {
    const { exitCode, signalCode } = this.#child;
    return describeEnd({ exitCode, signal: signalCode }, this.#errorOutput);
  }

  get #errorOutput(): string {
    return this.#stderrLines?.text ?? "";
  }

  /**
   * Releases the process's streams: descendants may keep them open, but must not keep our process
   * alive.
   */
  #release(): void {
    this.#hasEnded = true;
    this.#child.stdin!.destroy();
    this.#child.stdout!.destroy();
    (this.#child.stderr as Socket | null)?.unref();
  }
}

/** Returns the `stdio` option with pipes for stdin and stdout. */
function withPipes(stdio: StdioOptions | undefined): StdioOptions {
  if (stdio === undefined) return "pipe";
  const [input, output, ...more] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  const pipe = (given: unknown): "pipe" | "overlapped" =>
    given === "overlapped" ? "overlapped" : "pipe";
  return [pipe(input), pipe(output), ...more];
}

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
  if (isPath(command) && isFolder(command)) return "it is a folder";
  if ((cause as NodeJS.ErrnoException | null)?.code === "EACCES")
    return "it is not an executable file";
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
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return (key === undefined ? undefined : env[key]) ?? "";
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
  const programs = new Set<string>();
  for (const folder of name.length < 2 ? [] : folders)
    for (const file of entriesOf(folder)) {
      const isSimilar = file.startsWith(name) && /^(?:$|[-.\d])/.test(file.slice(name.length));
      if (isSimilar && isProgram(join(folder, file)))
        programs.add(isPath(command) ? join(folder, file) : file);
    }
  return [...programs].sort().slice(0, maxInstalled);
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

const brand = /* @__PURE__ */ Symbol.for("wirewright.ProcessEndedError");

/** How a process ended. */
export interface ProcessEnd {
  /** The exit code, or null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** Thrown when a process ends in any way other than with exit code 0. */
export class ProcessEndedError extends Error implements ProcessEnd {
  override readonly name = "ProcessEndedError";
  readonly code = "ERR_PROCESS_ENDED";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The last lines of stderr, if stderr was read. */
  readonly errorOutput: string;

  constructor(end: ProcessEnd, errorOutput: string) {
    super(describeEnd(end, errorOutput));
    this.exitCode = end.exitCode;
    this.signal = end.signal;
    this.errorOutput = errorOutput;
    setBrand(this, brand);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, ProcessEndedError, brand, value);
  }
}

/** Describes how a process ended, as a sentence without a full stop. */
function describeEnd({ exitCode, signal }: ProcessEnd, errorOutput: string): string {
  const end =
    signal === null
      ? `the process ended with exit code ${exitCode}`
      : `the process was ended by ${signal}`;
  const last = makeVisible(errorOutput);
  return last === "" ? end : `${end}; its error output ends with:\n${last.replace(/^/gm, "  ")}`;
}

/** Escapes control characters and characters that change the text direction. */
function makeVisible(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

/** Maximum number of bytes kept from the end of an output. */
const keptErrorBytes = 0x2000;
const keptLines = 10;

/** Keeps the last lines of an output. */
export class LastLines {
  #bytes: Uint8Array = new Uint8Array(0);
  #isCut = false;
  #isReading = false;

  constructor(output: Readable) {
    // A consumer that subscribes later still receives everything, because the stream does not flow
    // until then.
    output.on("newListener", (event) => {
      if (event === "data" || event === "readable") this.read(output);
    });
  }

  /** Starts reading the output. */
  read(output: Readable): void {
    if (this.#isReading) return;
    this.#isReading = true;
    output.on("data", (chunk: Uint8Array | string) =>
      this.#keep(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk),
    );
  }

  /** The last lines, without a trailing line feed. */
  get text(): string {
    const lines = new TextDecoder().decode(this.#bytes).trimEnd().split(/\r?\n/);
    // The first line is incomplete if bytes were dropped.
    if (this.#isCut && lines.length > 1) lines.shift();
    return lines.slice(-keptLines).join("\n");
  }

  #keep(chunk: Uint8Array): void {
    const length = this.#bytes.length + chunk.length;
    const last = chunk.subarray(Math.max(0, chunk.length - keptErrorBytes));
    const bytes = new Uint8Array(Math.min(length, keptErrorBytes));
    const rest = bytes.length - last.length;
    bytes.set(this.#bytes.subarray(this.#bytes.length - rest));
    bytes.set(last, rest);
    this.#bytes = bytes;
    this.#isCut ||= length > keptErrorBytes;
  }
}

/** Outputs being forwarded to our stderr. */
const forwarded = new Set<Readable>();

function resumeForwarded(): void {
  for (const output of forwarded) output.resume();
}

/**
 * Forwards an output to our stderr, as if the process had inherited it. If stderr fails, the output
 * is still consumed so that the process does not block.
 */
export function forwardToStderr(output: Readable): void {
  const { stderr } = process;
  if (forwarded.size === 0) stderr.on("error", resumeForwarded).on("drain", resumeForwarded);
  forwarded.add(output);
  output.on("data", (chunk: Uint8Array | string) => {
    if (!stderr.write(chunk) && stderr.writableNeedDrain) output.pause();
  });
  output.once("close", () => {
    forwarded.delete(output);
    if (forwarded.size === 0) stderr.off("error", resumeForwarded).off("drain", resumeForwarded);
  });
}

/** Milliseconds between the signal and SIGKILL when our process exits. */
const exitMs = 100;

const children = new Map<ChildProcess, NodeJS.Signals | number>();

/** Ends a child process when our process exits. */
function killOnExit(child: ChildProcess, signal: NodeJS.Signals | number): void {
  if (children.size === 0) process.on("exit", killChildren);
  children.set(child, signal);
  child.once("exit", () => {
    children.delete(child);
    if (children.size === 0) process.off("exit", killChildren);
  });
}

/** Block until the children exit, because nothing asynchronous runs in an exit listener. */
function killChildren(): void {
  for (const [child, signal] of children) child.kill(signal);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitMs);
  for (const child of children.keys()) child.kill("SIGKILL");
}
