import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** A process that the program has started, ready to be debugged on a port of its own. */
export interface SubProcess {
  /** Port on which its debugger listens; it waits for `start` there. */
  readonly port: number;
  /** Address that it called from. */
  readonly host: string | undefined;
}

export interface DispatcherOptions {
  /** Called with each process that has said where it listens. */
  readonly onProcess: (process: SubProcess) => unknown;
  /** Called with a process that said nothing of use, and with what `onProcess` threw. */
  readonly onError?: (error: Error) => unknown;
  /** Whether a process is to look for another port than the one that it was given. Default: true. */
  readonly choosePort?: boolean;
  /** Milliseconds that a process has to answer. 0 and Infinity: no bound. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** What waits for processes. */
export interface Dispatcher {
  /** Port on which it listens. */
  readonly port: number;
  /** Waits no longer; processes that have not answered yet are cut off. */
  close(): Promise<void>;
}

/** Bytes of an answer at most: a port has five digits. */
const maxAnswerLength = 16;

/** Processes that may be about to answer, at most; others are not let in. */
const maxCallers = 256;

/** Longest time that a timer takes; given a longer one it would fire at once. */
const longestMs = 2 ** 31 - 1;

/**
 * Waits for processes that the debugged program starts. Each calls, is told whether to choose a port, and
 * answers with its port: decimal digits without a line end.
 *
 * @param port Port to listen on, the one given as `--dispatcher-port`; 0 for any.
 * @throws RangeError for a time that is none, the system's error if it cannot listen; both as a rejection.
 */
export function listenForSubProcesses(
  port: number,
  options: DispatcherOptions,
  host = "127.0.0.1",
): Promise<Dispatcher> {
  const { timeoutMs = 10_000 } = options;
  const callers = new Set<Socket>();
  const server = createServer((socket) => {
    callers.add(socket);
    socket.on("close", () => callers.delete(socket));
    greet(socket, options, timeoutMs);
  });
  server.maxConnections = maxCallers;
  return new Promise((resolve, reject) => {
    if (!(timeoutMs >= 0))
      throw new RangeError(`Cannot use timeoutMs ${timeoutMs}: it is a number of milliseconds`);
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      server.on("error", (error) => tell(options, error));
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () => closeServer(server, callers),
      });
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
    tell(options, new Error(`Cannot learn the port of a process: ${why}`));
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
      fail(`"${visible(answer)}" is none`);
      return;
    }
    if (!finish()) return;
    const host = socket.remoteAddress;
    socket.destroySoon();
    call(
      () => onProcess({ port, host }),
      (cause) => tell(options, new Error("The listener to a process threw", { cause })),
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

/** Calls what a user has given; what it throws, at once or later, ends nothing. */
function call(callback: () => unknown, onThrown: (error: unknown) => void): void {
  new Promise((settle) => settle(callback())).catch(onThrown);
}

/** A text of one byte a character, so that it is safe to print. */
function visible(text: string): string {
  return text.replace(/[^ -~]/g, ".");
}
