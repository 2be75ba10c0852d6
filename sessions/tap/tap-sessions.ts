import { createServer, type Socket } from "node:net";
import type { Readable } from "node:stream";
import { InputError, systemReason } from "../../generator/base/input-error.js";
import { visible } from "../../generator/base/visible-text.js";
import type { CaptureRecord } from "../read/capture-format.js";
import { forward, type Endpoint } from "./forward.js";
import type { Recorder } from "./recording-file.js";
import { type Server, endingSignals, type Address } from "./servers.js";
import { within } from "./within.js";

/** Forwards sessions, and passes their bytes to recorders. */
export class TapSessions {
  readonly #recorders: readonly Recorder[];
  readonly #roles: readonly [string, string];
  #sessions = 0;

  constructor(roles: readonly [string, string], recorders: readonly Recorder[]) {
    this.#roles = roles;
    this.#recorders = recorders;
  }

  /**
   * Forwards between a client and a server. Resolves to the exit status when both have ended.
   *
   * @param isNumbered Whether the tap handles several sessions, which therefore need ids.
   */
  async tap(client: Endpoint, server: Server, isNumbered: boolean): Promise<number> {
    const [asking, answering] = this.#roles;
    const began = performance.now();
    const now = (): number => Math.round((performance.now() - began) * 1_000) / 1_000;
    const place = isNumbered ? { session: ++this.#sessions } : {};
    let isOver = false;
    const record = (
      part: Pick<CaptureRecord, "kind" | "from" | "how">,
      bytes?: Uint8Array,
    ): void => {
      if (isOver) return;
      for (const recorder of this.#recorders)
        recorder.take({ ...part, time: now(), ...place }, bytes);
    };
    const ended = (from: string, source: Endpoint, target: Endpoint): Promise<void> =>
      new Promise((resolve) =>
        forward(source, target, {
          onBytes: (bytes) => record({ kind: "bytes", from }, bytes),
          onEnd: (error) => {
            const how = error === undefined ? "closed" : "failed";
            if (from === asking) record({ kind: "end", from, how });
            resolve();
          },
        }),
      );
    void ended(asking, client, server);
    const { printed } = server;
    const allPrinted =
      printed && passErrors(printed, (bytes) => record({ kind: "stderr", from: answering }, bytes));
    await ended(answering, server, client);
    const { how, status } = await server.over;
    if (allPrinted !== undefined) await within(allPrinted, leftOpenMs, undefined);
    printed?.destroy();
    record({ kind: "end", from: answering, how });
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
function passErrors(input: Readable, onBytes: (bytes: Uint8Array) => void): Promise<void> {
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
    server.on("error", (error) =>
      reject(new InputError("ERR_ARGUMENT", `Cannot listen on ${text}: ${systemReason(error)}`)),
    );
    server.listen(port, host, () => {
      const bound = server.address();
      const where = typeof bound === "object" && bound !== null ? bound.port : port;
      say(`listening on ${visible(host)}:${where}`);
    });
  });
}
