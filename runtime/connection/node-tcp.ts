import { connect, type Socket } from "node:net";
import { nodeTransport } from "./node-transports.js";
import type { Transport } from "./transport.js";
import { onAbort, readTimeout, startTimer } from "../base/waiting-limits.js";
import type { Signal } from "../base/web-standards.js";

/** Milliseconds between two attempts to connect. */
const retryMs = 50;

export interface TcpOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * Milliseconds in which to connect. Until then, a failed attempt is repeated, because a program
   * that has just been started may not listen yet. 0 and Infinity: one attempt, for as long as the
   * system allows. Default: 0.
   */
  readonly timeoutMs?: number;
  /** Gives up when it is aborted. */
  readonly signal?: Signal;
}

/**
 * Connects to a TCP port.
 *
 * @param options A string is the host.
 * @throws The system error of the last attempt, an error with the code `ETIMEDOUT`, or the reason of
 *   the signal, as a rejection.
 */
export async function connectTcp(
  port: number,
  options: TcpOptions | string = {},
): Promise<Transport & { readonly socket: Socket }> {
  const {
    host = "127.0.0.1",
    timeoutMs,
    signal,
  }: TcpOptions = typeof options === "string" ? { host: options } : options;
  const limit = readTimeout(timeoutMs);
  const deadline = performance.now() + (limit ?? 0);
  for (;;) {
    const left = limit === undefined ? Infinity : Math.max(1, deadline - performance.now());
    try {
      const socket = await connectOnce({ port, host }, left, signal);
      return { ...nodeTransport(socket, socket), socket };
    } catch (error) {
      if (signal?.aborted === true || performance.now() + retryMs >= deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** One attempt, which may take a number of milliseconds. */
function connectOnce(
  address: { readonly port: number; readonly host: string },
  milliseconds: number,
  signal: Signal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const socket = connect(address);
    const stop = (): void => {
      stopTimer();
      stopWatching();
      socket.off("error", fail).off("connect", succeed);
    };
    const fail = (error: unknown): void => {
      stop();
      socket.on("error", () => undefined).destroy();
      reject(error);
    };
    const succeed = (): void => {
      stop();
      resolve(socket);
    };
    const stopTimer = startTimer(milliseconds, () => {
      const text = `Cannot connect to ${address.host}:${address.port}: timed out`;
      fail(Object.assign(new Error(text), { code: "ETIMEDOUT" }));
    });
    const stopWatching =
      signal === undefined ? () => undefined : onAbort(signal, () => fail(signal.reason));
    socket.on("error", fail).on("connect", succeed);
  });
}
