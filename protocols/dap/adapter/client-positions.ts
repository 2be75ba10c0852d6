import { visitFields } from "../../../generated/dap/fields.js";
import { isBranded, option, setBrand, type UrlClass } from "@wirewright/runtime";
import type { Source } from "../../../generated/dap/types.js";
import type { Positions } from "./adapter-definition.js";

declare const URL: UrlClass;

const brand = /* @__PURE__ */ Symbol.for("wirewright.ClientPositions");

/**
 * Converts lines, columns and paths between an adapter and its client.
 *
 * @example
 *   const positions = new ClientPositions(connection.capabilities, { linesStartAt1: false });
 *   positions.lineToClient(0); // 1
 */
export class ClientPositions {
  readonly #lines: number;
  readonly #columns: number;
  readonly #toUri: boolean;
  readonly #fromUri: boolean;

  /**
   * @param client The arguments of the client's `initialize` request.
   * @param adapter How the adapter counts lines and columns, and writes paths.
   * @throws TypeError for unknown options and invalid values in `adapter`.
   */
  constructor(client: Positions = {}, adapter: Positions = {}) {
    option.checkOptions("ClientPositions", adapter, positionChecks);
    this.#lines = first(client.linesStartAt1) - first(adapter.linesStartAt1);
    this.#columns = first(client.columnsStartAt1) - first(adapter.columnsStartAt1);
    this.#toUri = client.pathFormat === "uri" && adapter.pathFormat !== "uri";
    this.#fromUri = client.pathFormat !== "uri" && adapter.pathFormat === "uri";
    setBrand(this, brand);
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return isBranded(this, ClientPositions, brand, value);
  }

  /** Whether both sides agree, so that nothing has to be converted. */
  get areEqual(): boolean {
    return this.#lines === 0 && this.#columns === 0 && !this.#toUri && !this.#fromUri;
  }

  /**
   * Converts a line for the client. The result is never negative: a stack frame without a source
   * has line 0.
   */
  lineToClient(line: number): number {
    return Math.max(0, line + this.#lines);
  }

  lineFromClient(line: number): number {
    return Math.max(0, line - this.#lines);
  }

  columnToClient(column: number): number {
    return Math.max(0, column + this.#columns);
  }

  columnFromClient(column: number): number {
    return Math.max(0, column - this.#columns);
  }

  /**
   * Converts a path for the client. URIs whose scheme is not `file`, and identifiers that are not
   * paths, are left unchanged.
   */
  pathToClient(path: string): string {
    return this.#toUri ? uriOf(path) : this.#fromUri ? pathOf(path) : path;
  }

  pathFromClient(path: string): string {
    return this.#toUri ? pathOf(path) : this.#fromUri ? uriOf(path) : path;
  }

  /** Converts a whole message for the client. Copies only the parts that change. */
  toClient<Message extends object>(message: Message): Message {
    if (this.areEqual) return message;
    return visitFields(message, {
      line: (line) => this.lineToClient(line),
      column: (column) => this.columnToClient(column),
      source: (source) => withPath(source, (path) => this.pathToClient(path)),
    });
  }

  /** Converts a whole message from the client. */
  fromClient<Message extends object>(message: Message): Message {
    if (this.areEqual) return message;
    return visitFields(message, {
      line: (line) => this.lineFromClient(line),
      column: (column) => this.columnFromClient(column),
      source: (source) => withPath(source, (path) => this.pathFromClient(path)),
    });
  }
}

function first(startsAt1: boolean | undefined): 0 | 1 {
  return startsAt1 === false ? 0 : 1;
}

function withPath(source: Source, convert: (path: string) => string): Source {
  return typeof source.path === "string" ? { ...source, path: convert(source.path) } : source;
}

/** Returns the URI of an absolute path, which may be a Windows path. */
function uriOf(path: string): string {
  const isWindows = /^([a-z]:)?[\\/]{1,2}/i.test(path) && path.includes("\\");
  const isDrive = /^[a-z]:[\\/]/i.test(path);
  if (!isDrive && !isWindows && !path.startsWith("/")) return path;
  const segments = (isWindows || isDrive ? path.replaceAll("\\", "/") : path).split("/");
  const encoded = segments.map((segment, index) =>
    index === 0 && isDrive ? segment : encodeURIComponent(segment),
  );
  const joined = encoded.join("/");
  if (isDrive) return `file:///${joined}`;
  return joined.startsWith("//") ? `file:${joined}` : `file://${joined}`;
}

/** Returns the path of a `file` URI. */
function pathOf(uri: string): string {
  if (!/^file:/i.test(uri)) return uri;
  try {
    const { host, pathname } = new URL(uri);
    const path = decodeURIComponent(pathname);
    if (host !== "") return `\\\\${host}${path.replaceAll("/", "\\")}`;
    return /^\/[a-z]:/i.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
  } catch {
    return uri;
  }
}

export const positionChecks: option.OptionChecks<Positions> = {
  linesStartAt1: option.flag,
  columnsStartAt1: option.flag,
  pathFormat: /* @__PURE__ */ option.oneOf("path", "uri"),
};
