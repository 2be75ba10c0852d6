import { createServer, type AddressInfo, type Socket } from "node:net";

/** A process that the program has started, ready to be debugged on a port of its own. */
export interface SubProcess {
  /** Port on which its debugger listens; it waits for `start` there. */
  readonly port: number;
  /** Address that it called from. */
  readonly host: string | undefined;
}

export interface DispatcherOptions {
  /** Called with each process that has said where it listens. */
  readonly onProcess: (process: SubProcess) => void;
  /** Called with a process that said nothing of use. */
  readonly onError?: (error: Error) => void;
  /** Whether a process is to look for another port than the one that it was given. Default: true. */
  readonly choosePort?: boolean;
  /** Milliseconds that a process has to answer. Default: 10,000. */
  readonly timeoutMs?: number;
}

/** What waits for processes. */
export interface Dispatcher {
  /** Port on which it listens. */
  readonly port: number;
  /** Waits no longer. */
  close(): Promise<void>;
}

/** Bytes of an answer at most: a port has five digits. */
const maxAnswerLength = 16;

/**
 * Waits for processes that the debugged program starts. Each calls, is told whether to choose a port, and
 * answers with its port: decimal digits without a line end.
 *
 * @param port Port to listen on, the one given as `--dispatcher-port`; 0 for any.
 */
export function listenForSubProcesses(
  port: number,
  options: DispatcherOptions,
  host = "127.0.0.1",
): Promise<Dispatcher> {
  const server = createServer((socket) => greet(socket, options));
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () => new Promise((done) => server.close(() => done())),
      });
    });
  });
}

function greet(socket: Socket, options: DispatcherOptions): void {
  const { onProcess, onError, choosePort = true, timeoutMs = 10_000 } = options;
  let answer = "";
  let isDone = false;
  const fail = (why: string): void => {
    if (isDone) return;
    isDone = true;
    socket.destroy();
    onError?.(new Error(`Cannot learn the port of a process: ${why}`));
  };
  socket.setTimeout(timeoutMs, () => fail(`no answer within ${timeoutMs} ms`));
  socket.on("error", (error) => fail(error.message));
  socket.on("data", (chunk: Uint8Array) => {
    answer += String.fromCharCode(...chunk.subarray(0, maxAnswerLength + 1));
    if (answer.length > maxAnswerLength) fail("the answer is too long");
  });
  socket.on("end", () => {
    const port = Number(/^\s*(\d{1,5})\s*$/.exec(answer)?.[1] ?? NaN);
    if (!(port > 0 && port < 65_536)) {
      fail(`"${answer}" is none`);
      return;
    }
    isDone = true;
    onProcess({ port, host: socket.remoteAddress });
    socket.end();
  });
  socket.write(`${choosePort}\n`);
}
