import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { connect, type Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { Transport } from "./transport.js";

/** A transport over Node streams: a socket is both. */
export function nodeTransport(readable: Readable, writable: Writable): Transport {
  let failed: Error | undefined;
  // Small frames must not wait for each other.
  if ("setNoDelay" in writable) (writable as Socket).setNoDelay(true);
  writable.on("error", (error) => (failed = error));
  return {
    read(onBytes, onEnd) {
      let isOver = false;
      const end = (error?: unknown): void => {
        if (isOver) return;
        isOver = true;
        onEnd(error);
      };
      readable.on("data", (chunk: Uint8Array) => {
        const taken = onBytes(chunk);
        if (taken === undefined) return;
        readable.pause();
        void taken.finally(() => readable.resume());
      });
      readable.on("error", end);
      readable.on("end", () => end());
      // A stream that is destroyed before it has ended is over all the same.
      readable.on("close", () => end());
    },
    write(bytes) {
      if (failed !== undefined || writable.destroyed || writable.writableEnded)
        throw failed ?? new Error("Cannot write: the stream is closed");
      if (writable.write(bytes)) return;
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          writable.off("drain", settle);
          writable.off("close", settle);
          if (failed === undefined) resolve();
          else reject(failed);
        };
        writable.on("drain", settle);
        writable.on("close", settle);
      });
    },
    close() {
      if (!writable.destroyed) writable.end();
      if (readable !== (writable as unknown)) readable.destroy();
    },
  };
}

/** A connected socket as a transport. */
export function connectTcp(
  port: number,
  host = "127.0.0.1",
): Promise<Transport & { readonly socket: Socket }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve({ ...nodeTransport(socket, socket), socket });
    });
  });
}

/** A child process, and a transport over its standard input and output. */
export interface SpawnedProcess {
  readonly transport: Transport;
  readonly process: ChildProcess;
  /** Resolves to the exit code when the process has ended; null if a signal ended it. */
  readonly exited: Promise<number | null>;
}

/**
 * Starts a process that speaks on its standard input and output. Its errors go to ours, unless `stdio` says
 * otherwise.
 *
 * @throws the system's error, as a rejection, if it cannot be started.
 */
export function spawnTransport(
  command: string,
  args: readonly string[] = [],
  options: SpawnOptions = {},
): Promise<SpawnedProcess> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], {
      ...options,
      stdio: ["pipe", "pipe", Array.isArray(options.stdio) ? options.stdio[2] : "inherit"],
    });
    const exited = new Promise<number | null>((settle) => child.once("exit", settle));
    child.once("error", reject);
    child.once("spawn", () => {
      child.off("error", reject);
      child.on("error", () => undefined);
      resolve({ transport: nodeTransport(child.stdout!, child.stdin!), process: child, exited });
    });
  });
}
