import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { option, setAsyncDispose, type HostAsyncDisposable } from "@wirewright/runtime";

/** A process started by the program. It can be debugged on a port of its own. */
export interface SubProcess {
  /** Port of the process's debugger, which is waiting for `start`. */
  readonly port: number;
  /** Address that the process connected from. */
  readonly host: string | undefined;
}

/** Options for a dispatcher. */
export interface DispatcherOptions {
  /** Called with each process that has reported its port. */
  readonly onProcess: (process: SubProcess) => unknown;
  /** Called with invalid reports, and with exceptions thrown by `onProcess`. */
  readonly onError?: (error: Error) => unknown;
  /** Whether a process may choose a different port from the one assigned to it. Default: true. */
  readonly choosePort?: boolean;
  /**
   * Milliseconds to wait for a process to report its port. 0 and Infinity disable the timeout.
   * Default: 10,000.
   */
  readonly timeoutMs?: number;
}

const checks: option.OptionChecks<DispatcherOptions> = {
  onProcess: option.callback,
  onError: option.callback,
  choosePort: option.flag,
  timeoutMs: option.milliseconds,
};

/** Listens for processes. With `await using`, the dispatcher is closed at the end of the block. */
export type Dispatcher = DispatcherMembers & HostAsyncDisposable;

/** A dispatcher's methods and properties. */
export interface DispatcherMembers {
  /** The port that the dispatcher listens on. */
  readonly port: number;
  /** Stops listening, and disconnects processes that have not reported their port yet. */
  close(): Promise<void>;
}

/** Maximum length of a report. A port has at most five digits. */
const maxAnswerLength = 16;

/**
 * Maximum number of processes that have not reported their port yet. Any further processes are
 * rejected.
 */
const maxCallers = 256;

/** Maximum delay of `setTimeout`. Longer delays would fire immediately. */
const longestMs = 2 ** 31 - 1;

/**
 * Listens for processes started by the debugged program. Each process connects, receives an
 * instruction on whether to choose a port, and reports its port as decimal digits without a line
 * ending.
 *
 * @param port Port to listen on, as given to `--dispatcher-port`, or 0 for any.
 * @throws Rejects with TypeError for an unknown or invalid option, or with the system error if the
 * port cannot be used.
 */
export function listenForSubProcesses(
  port: number,
  options: DispatcherOptions,
  host = "127.0.0.1",
): Promise<Dispatcher> {
  const { timeoutMs = 10_000 } = options ?? {};
  const callers = new Set<Socket>();
  const server = createServer((socket) => {
    callers.add(socket);
    socket.on("close", () => callers.delete(socket));
    greet(socket, options, timeoutMs);
  });
  server.maxConnections = maxCallers;
  return new Promise((resolve, reject) => {
    option.checkOptions("listenForSubProcesses", options, checks);
    if (options?.onProcess === undefined)
      throw new TypeError('listenForSubProcesses: the option "onProcess" is missing');
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      server.on("error", (error) => tell(options, error));
      const dispatcher: DispatcherMembers = {
        port: (server.address() as AddressInfo).port,
        close: () => closeServer(server, callers),
      };
      setAsyncDispose(dispatcher, () => dispatcher.close());
      resolve(dispatcher as Dispatcher);
    });
  });
}

function closeServer(server: Server, callers: ReadonlySet<Socket>): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    for (const socket of callers) socket.destroy();
  });
}

function greet(socket: Socket, options: DispatcherOptions, timeoutMs: number): void {
  const { onProcess, choosePort = true } = options;
  let answer = "";
  let isDone = false;
  const finish = (): boolean => {
    if (isDone) return false;
    isDone = true;
    clearTimeout(timer);
    return true;
  };
  const fail = (why: string): void => {
    if (!finish()) return;
    socket.destroy();
    tell(options, new Error(`Cannot read the port of a process: ${why}`));
  };
  const hasBound = timeoutMs > 0 && timeoutMs < Infinity;
  const timer = hasBound
    ? setTimeout(() => fail(`no answer within ${timeoutMs} ms`), Math.min(timeoutMs, longestMs))
    : undefined;
  socket.on("error", (error) => fail(error.message));
  socket.on("close", () => finish());
  socket.on("data", (chunk: Uint8Array) => {
    if (isDone) return;
    answer += String.fromCharCode(...chunk.subarray(0, maxAnswerLength + 1));
    if (answer.length > maxAnswerLength) fail("the answer is too long");
  });
  socket.on("end", () => {
    const port = Number(/^\s*(\d{1,5})\s*$/.exec(answer)?.[1] ?? NaN);
    if (!(port > 0 && port < 65_536)) {
      fail(`"${visible(answer)}" is not a port`);
      return;
    }
    if (!finish()) return;
    const host = socket.remoteAddress;
    socket.destroySoon();
    call(
      () => onProcess({ port, host }),
      (cause) => tell(options, new Error("onProcess threw", { cause })),
    );
  });
  socket.write(`${choosePort}\n`);
}

function tell({ onError }: DispatcherOptions, error: Error): void {
  if (onError !== undefined)
    call(
      () => onError(error),
      () => undefined,
    );
}

/** Calls a user's callback and reports its exceptions and rejections to `onThrown`. */
function call(callback: () => unknown, onThrown: (error: unknown) => void): void {
  new Promise((settle) => settle(callback())).catch(onThrown);
}

/** Replaces unprintable characters. */
function visible(text: string): string {
  return text.replace(/[^ -~]/g, ".");
}
