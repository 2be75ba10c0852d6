import { connect, type Socket } from "node:net";
import { nodeTransport } from "./node-transports.js";
import type { Transport } from "./transport.js";
import { TimeoutError } from "./call-errors.js";
import * as option from "../base/check-options.js";
import { abortReason, limitOf, onAbort, startTimer } from "../base/waiting-limits.js";
import type { Signal } from "../base/web-standards.js";

/** Milliseconds between connection attempts. */
const retryMs = 50;

/** Options for a TCP connection. */
export interface TcpOptions {
  /** Host name or IP address. Default: `127.0.0.1`. */
  readonly host?: string;
  /**
   * Milliseconds during which failed attempts are repeated, because a program that has just been
   * started might not be listening yet. With 0, there is a single attempt, which may take as long
   * as the system allows. With Infinity, attempts are repeated until one succeeds. Default: 0.
   */
  readonly retryForMs?: number;
  /** Aborting this signal ends the attempts. */
  readonly signal?: Signal;
}

const tcpChecks: option.OptionChecks<TcpOptions> = {
  host: option.text,
  retryForMs: option.milliseconds,
  signal: option.signal,
};

/**
 * Connects to a TCP port. Resolves to a transport.
 *
 * @throws Rejects with the system error from the last attempt, a `TimeoutError`, or the signal's
 * abort reason; or with TypeError for unknown options and invalid values.
 */
export async function tcpTransport(
  port: number,
  options: TcpOptions = {},
): Promise<Transport & { readonly socket: Socket }> {
  option.checkOptions("tcpTransport", options, tcpChecks);
  const { host = "127.0.0.1", retryForMs = 0, signal } = options;
  const limit = limitOf(retryForMs);
  const deadline = retryForMs === 0 ? 0 : performance.now() + retryForMs;
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

/** Makes a single connection attempt, limited to a number of milliseconds. */
function connectOnce(
  address: { readonly port: number; readonly host: string },
  milliseconds: number,
  signal: Signal | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(abortReason(signal));
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
      fail(new TimeoutError(text));
    });
    const stopWatching =
      signal === undefined ? () => undefined : onAbort(signal, () => fail(abortReason(signal)));
    socket.on("error", fail).on("connect", succeed);
  });
}
