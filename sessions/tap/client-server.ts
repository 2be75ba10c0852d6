import { createServer, type Socket } from "node:net";
import { InputError } from "../../generator/base/input-error.js";
import { visible } from "../../generator/base/visible-text.js";
import { endingSignals, type Address, type Server } from "./servers.js";
import type { TapSessions } from "./tap-sessions.js";

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
