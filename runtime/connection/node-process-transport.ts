import { spawn, type ChildProcess, type SpawnOptions, type StdioOptions } from "node:child_process";
import type { Socket } from "node:net";
import { killOnExit } from "./node-children.js";
import { LastLines, forwardToStderr } from "./node-error-output.js";
import { nodeTransport } from "./node-transports.js";
import { describeEnd, ProcessEndedError } from "./process-ended-error.js";
import { ProcessStartError } from "./process-start-error.js";
import { plainTransport, type FullTransport, type Transport } from "./transport.js";
import * as option from "../base/check-options.js";
import { startTimer } from "../base/waiting-limits.js";

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
