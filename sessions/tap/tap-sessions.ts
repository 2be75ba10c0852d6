import { createServer, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { InputError } from "../../generator/base/input-error.js";
import { visible } from "../../generator/base/visible-text.js";
import { forward, type Endpoint } from "./forward.js";
import { type Server, endingSignals, type Address } from "./servers.js";
import type { ByteSink } from "./tapped-bytes.js";
import { within } from "./within.js";

/** Forwards sessions and passes their bytes to a sink. */
export class TapSessions {
  readonly #sink: ByteSink | undefined;
  readonly #roles: readonly [string, string];
  #sessions = 0;

  constructor(roles: readonly [string, string], sink: ByteSink | undefined) {
    this.#roles = roles;
    this.#sink = sink;
  }

  /**
   * Forwards between a client and a server. Resolves to the exit status when both have ended.
   *
   * @param isNumbered Whether the tap handles several sessions, which therefore need ids.
   */
  async tap(client: Endpoint, server: Server, isNumbered: boolean): Promise<number> {
    const sink = this.#sink;
    const [asking, answering] = this.#roles;
    const began = performance.now();
    const now = (): number => Math.round((performance.now() - began) * 1_000) / 1_000;
    const place = isNumbered ? { session: ++this.#sessions } : {};
    let isOver = false;
    const end = (from: string, how: string): void => {
      if (!isOver) void sink?.take({ kind: "end", time: now(), from, ...place, how });
    };
    const ended = (from: string, source: Endpoint, target: Endpoint): Promise<void> =>
      new Promise((resolve) =>
        forward(source, target, {
          onBytes: (bytes) =>
            isOver ? undefined : sink?.take({ kind: "bytes", time: now(), from, ...place }, bytes),
          onEnd: (error) => {
            if (from === asking) end(from, error === undefined ? "closed" : "failed");
            resolve();
          },
        }),
      );
    void ended(asking, client, server);
    const { printed } = server;
    const allPrinted =
      printed &&
      passErrors(printed, (bytes) =>
        sink?.take({ kind: "stderr", time: now(), from: answering, ...place }, bytes),
      );
    await ended(answering, server, client);
    const { how, status } = await server.over;
    if (allPrinted !== undefined) await within(allPrinted, leftOpenMs, undefined);
    printed?.destroy();
    end(answering, how);
    isOver = true;
    return status;
  }
}

/**
 * Milliseconds for which the server's standard error may stay open after the server has ended,
 * because a child process may be keeping it open.
 */
const leftOpenMs = 200;

/** Copies the server's standard error to that of this process. Resolves when it ends. */
function passErrors(
  input: Readable,
  onBytes: (bytes: Uint8Array) => Promise<void> | undefined,
): Promise<void> {
  const output = process.stderr;
  return new Promise((resolve) =>
    forward({ input }, { output }, { onBytes, onEnd: () => resolve() }, { keepsOpen: true }),
  );
}

/**
 * Listens for clients until the process is interrupted. For each client, opens a new server and
 * taps the session between the two.
 *
 * @param say Called with messages for the user.
 * @throws InputError `ERR_ARGUMENT` if it cannot listen on the address.
 */
export function tapClients(
  { host, port, text }: Address,
  open: () => Promise<Server>,
  sessions: TapSessions,
  say: (text: string) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sockets = new Set<Socket>();
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("error", () => undefined);
      socket.setNoDelay(true);
      open().then(
        (target) => {
          const tapped = sessions.tap({ input: socket, output: socket }, target, true);
          socket.resume();
          return tapped;
        },
        (error: Error) => {
          say(visible(error.message));
          socket.destroy();
        },
      );
    });
    const stop = (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
      for (const signal of endingSignals) process.off(signal, stop);
      resolve(0);
    };
    for (const signal of endingSignals) process.on(signal, stop);
    server.on("error", ({ message }) =>
      reject(new InputError("ERR_ARGUMENT", `Cannot listen on ${text}: ${message}`)),
    );
    server.listen(port, host, () => {
      const bound = server.address();
      const where = typeof bound === "object" && bound !== null ? bound.port : port;
      say(`listening on ${visible(host)}:${where}`);
    });
  });
}
