import { spawn } from "node:child_process";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { InputError, systemReason } from "../../../generator/base/input-error.js";

/** Responds to a request. The part of the path after the token selects the handler. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A page's URLs. */
export interface PageAddresses {
  /** The URL, including the token. */
  readonly address: string;
  /**
   * A URL without the token that opens the page once. It is passed to the browser as an argument,
   * where other users of the machine might see it.
   */
  readonly once: string;
}

interface PageServer extends PageAddresses {
  close(): void;
}

const host = "127.0.0.1";

/**
 * Headers sent with every response. They prevent caching, framing and access from other origins,
 * and keep the URL out of referrers.
 */
const headers = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/**
 * Serves a page on the loopback address.
 * Because other users' programs and pages from other sites can reach the port too, the URL contains
 * a token that cannot be guessed. Requests for a different host name are rejected, because that
 * name might resolve to this address. Requests from other origins are rejected too.
 * @param port 0 for any free port.
 * @param handlers By path after the token, such as `""` for the page itself.
 * @throws InputError `ERR_ARGUMENT` if the port cannot be used.
 */
export async function servePage(
  port: number,
  handlers: ReadonlyMap<string, PageHandler>,
): Promise<PageServer> {
  const token = randomBytes(24).toString("base64url");
  const once = randomBytes(24).toString("base64url");
  let isOpened = false;
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const refusal = refusalOf(request, server);
    if (refusal !== undefined) return refuse(response, ...refusal);
    const [, given = "", path = ""] = /^\/([^/?]*)\/([^?]*)/.exec(request.url ?? "") ?? [];
    if (!isOpened && path === "" && isToken(given, once)) {
      isOpened = true;
      response.writeHead(303, { location: `/${token}/` });
      response.end();
      return;
    }
    const handle = isToken(given, token) ? handlers.get(path) : undefined;
    if (handle === undefined) return refuse(response, 404, "There is no such page");
    handle(request, response);
  });
  await listen(server, port);
  const addressOf = (path: string): string => `http://${host}:${portOf(server)}/${path}/`;
  return {
    address: addressOf(token),
    once: addressOf(once),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Creates a handler that responds with the given text. */
export function textHandler(
  type: "text/html" | "application/json",
  text: () => string,
): PageHandler {
  return (_, response) => {
    response.setHeader("content-type", `${type}; charset=utf-8`);
    response.end(text());
  };
}

function refusalOf(
  { method, headers: { host: named, origin, ...others } }: IncomingMessage,
  server: Server,
): [status: number, text: string] | undefined {
  const hosts = [host, "localhost"].map((each) => `${each}:${portOf(server)}`);
  if (named === undefined || !hosts.includes(named)) return [421, "The host name is wrong"];
  if (origin !== undefined && !hosts.some((each) => origin === `http://${each}`))
    return [403, "Requests from other origins are not allowed"];
  // Browsers say where a request comes from; `none` is the address bar.
  const site = others["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    return [403, "Requests from other sites are not allowed"];
  return method === "GET" || method === "HEAD" ? undefined : [405, "Only GET and HEAD are allowed"];
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(`${text}\n`);
}

function isToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new InputError(
          "ERR_ARGUMENT",
          `Cannot serve the page on port ${port}: ${systemReason(error)}`,
          {},
          "Use --port 0 for any free port",
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
}

/** The command that opens a URL or a file, by platform. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};

/**
 * Opens a URL or a file in the user's browser.
 *
 * @param onFailed Called if no command can open it.
 */
export function openBrowser(address: string, onFailed: () => void): void {
  const [command, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(command, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", onFailed);
  child.unref();
}
