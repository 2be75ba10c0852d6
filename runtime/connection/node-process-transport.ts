import { spawn, type ChildProcess, type SpawnOptions, type StdioOptions } from "node:child_process";
import type { Socket } from "node:net";
import { killOnExit } from "./node-children.js";
import { LastLines, forwardToStderr } from "./node-error-output.js";
import { nodeTransport } from "./node-transports.js";
import { describeEnd, ProcessEndedError } from "./process-ended-error.js";
import { plainTransport, type Transport } from "./transport.js";
import { readMilliseconds, startTimer } from "../base/waiting-limits.js";

/** Milliseconds that a process whose streams have ended has to end itself, and so to say why. */
const exitWaitMs = 500;

/** Milliseconds for which the output of a process that has ended may be held open by one that it started. */
const heldOpenMs = 250;

/**
 * How a process is started, and how it is ended: its input is closed; if it does not exit, it gets a signal; then
 * it is killed, at the latest when the time that `close()` of the connection has is over. Its first two streams
 * are pipes, whatever `stdio` says.
 */
export interface SpawnTransportOptions extends SpawnOptions {
  /** Milliseconds between closing its input and the signal, `killSignal` or SIGTERM. Default: 2,000. */
  readonly exitGraceMs?: number;
  /** Milliseconds between the signal and SIGKILL. Default: 1,000. */
  readonly killGraceMs?: number;
}

/** A child process, and a transport over its standard input and output. */
export interface SpawnedProcess {
  /**
   * When the process ends other than with exit code 0, the transport fails with a `ProcessEndedError`. Closing
   * it ends the process.
   */
  readonly transport: Transport;
  readonly process: ChildProcess;
  /** Resolves to the exit code when the process has ended; null if a signal ended it. */
  readonly exited: Promise<number | null>;
}

/**
 * Starts a process that speaks on its standard input and output. Its error output is passed on to ours, unless
 * `stdio` says otherwise. It ends with our process, unless it is `detached`.
 *
 * @throws the system's error, as a rejection, if it cannot be started.
 */
export function spawnTransport(
  command: string,
  args: readonly string[] = [],
  options: SpawnTransportOptions = {},
): Promise<SpawnedProcess> {
  return new Promise((resolve, reject) => {
    const { exitGraceMs = 2_000, killGraceMs = 1_000, stdio, ...rest } = options;
    const ending: Ending = {
      exitGraceMs: readMilliseconds("exitGraceMs", exitGraceMs),
      killGraceMs: readMilliseconds("killGraceMs", killGraceMs),
      signal: options.killSignal ?? "SIGTERM",
    };
    const child = spawn(command, [...args], { ...rest, stdio: withPipes(stdio) });
    const exited = new Promise<number | null>((settle) => child.once("exit", settle));
    child.once("error", reject);
    child.once("spawn", () => {
      child.off("error", reject);
      child.on("error", () => undefined);
      if (options.detached !== true) killOnExit(child, ending.signal);
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
  readonly #streams: Required<Transport>;
  readonly #stderrLines: LastLines | undefined;
  /** Settles when the process has ended and its output was read. */
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
      // The process says more about its end than its streams do.
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

  /** Ends the process, in steps. Settles when it has ended. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Kills the process. Settles when it has ended. */
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

  /** Writing has failed: says how the process ended, if it did. */
  async #explain(cause: unknown): Promise<never> {
    await this.#endsWithin(exitWaitMs);
    throw this.#error() ?? cause;
  }

  /** Why the process is of no use any more; undefined if it runs, or has ended as it should. */
  #error(): ProcessEndedError | undefined {
    const { exitCode, signalCode } = this.#child;
    if (!this.#hasEnded || exitCode === 0) return undefined;
    return new ProcessEndedError({ exitCode, signal: signalCode }, this.#stderrLines?.text ?? "");
  }

  #describeEnd(): string {
    return describeEnd({ exitCode: this.#child.exitCode, signal: this.#child.signalCode });
  }

  /** Processes that it started may live on with its streams. They shall not keep ours alive. */
  #release(): void {
    this.#hasEnded = true;
    this.#child.stdin!.destroy();
    this.#child.stdout!.destroy();
    (this.#child.stderr as Socket | null)?.unref();
  }
}

/** What a process inherits: its first two streams are pipes. */
function withPipes(stdio: StdioOptions | undefined): StdioOptions {
  if (stdio === undefined) return "pipe";
  const [input, output, ...more] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  const pipe = (given: unknown): "pipe" | "overlapped" =>
    given === "overlapped" ? "overlapped" : "pipe";
  return [pipe(input), pipe(output), ...more];
}
