import { spawn, type ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { InputError, systemReason } from "../../generator/base/input-error.js";
import { ProcessStartError } from "../../runtime/node.js";
import type { Endpoint } from "./forward.js";

/** A server that was opened for one client. */
export interface Server extends Endpoint {
  /** The server's standard error, if it is read. */
  readonly printed?: Readable;
  /** Resolves when the server has ended. `how` is the reason in words, `status` the exit status. */
  readonly over: Promise<{ readonly how: string; readonly status: number }>;
}

/** Signals that end a tap. */
export const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The server processes that are running. Any signals that this process receives are passed on to
 * them.
 */
const running = new Set<ChildProcess>();

function passSignal(signal: NodeJS.Signals): void {
  for (const child of running) child.kill(signal);
}

function follow(child: ChildProcess): void {
  if (running.size === 0) for (const signal of endingSignals) process.on(signal, passSignal);
  running.add(child);
  child.on("exit", () => {
    running.delete(child);
    if (running.size === 0) for (const signal of endingSignals) process.off(signal, passSignal);
  });
}

/**
 * Starts the server as a process.
 *
 * @param readsErrors Whether to read its standard error. If not, the server writes to this
 * process's standard error.
 * @throws InputError `ERR_ARGUMENT` if the server cannot be started.
 */
export function startProcess(
  command: string,
  args: readonly string[],
  readsErrors: boolean,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      const { message } = new ProcessStartError(command, { cwd: undefined, env: undefined }, cause);
      reject(new InputError("ERR_ARGUMENT", message));
    };
    let child: ChildProcess;
    try {
      child = spawn(command, [...args], {
        stdio: ["pipe", "pipe", readsErrors ? "pipe" : "inherit"],
      });
    } catch (error) {
      fail(error);
      return;
    }
    const over = new Promise<{ how: string; status: number }>((settle) =>
      child.on("exit", (code, signal) =>
        settle(
          signal === null
            ? { how: `exited with ${code ?? 0}`, status: code ?? 0 }
            : { how: `was ended by ${signal}`, status: statusOf(signal) },
        ),
      ),
    );
    child.on("error", fail);
    child.on("spawn", () => {
      follow(child);
      const { stdin, stdout, stderr } = child;
      resolve({
        input: stdout!,
        output: stdin!,
        over,
        ...(stderr === null ? {} : { printed: stderr }),
      });
    });
  });
}

/** A host name and a port. */
export interface Address {
  readonly host: string;
  readonly port: number;
  /** The address as the user wrote it. */
  readonly text: string;
}

/**
 * Connects to the server.
 *
 * @throws InputError `ERR_ARGUMENT` if the connection fails.
 */
export function openSocket({ host, port, text }: Address): Promise<Server> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.setNoDelay(true);
    socket.on("error", (error) =>
      reject(new InputError("ERR_ARGUMENT", `Cannot connect to ${text}: ${systemReason(error)}`)),
    );
    const over = new Promise<{ how: string; status: number }>((settle) =>
      socket.on("close", () => settle({ how: "closed", status: 0 })),
    );
    socket.on("connect", () => resolve({ input: socket, output: socket, over }));
  });
}

/** Returns the exit status that shells report for a process terminated by a signal. */
export function statusOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
