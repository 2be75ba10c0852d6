import { visitFields } from "../../../generated/dap/fields.js";
import type { BridgeMiddleware } from "../../../generated/dap/connection.js";
import { option, parsePointer, type Middleware } from "@wirewright/runtime";

/** Options for `PathMapper`. */
export interface PathMapperOptions {
  /**
   * JSON Pointers to paths in the arguments of `launch` and `attach`, such as `/program`. Each
   * adapter defines these arguments itself. If a pointer refers to an array or an object, all
   * strings in it are mapped.
   */
  readonly launchPaths?: readonly string[];
}

const pathMapperChecks = (): option.OptionChecks<PathMapperOptions> => ({
  launchPaths: option.listOf(option.text),
});

interface Pair {
  readonly from: Folder;
  readonly to: Folder;
}

/**
 * Maps paths between a client and an adapter that see the same files in different folders.
 *
 * All sources, modules, process names, the folder and arguments of `runInTerminal`, and the paths
 * listed in `launchPaths` are mapped. Windows paths, POSIX paths and `file` URIs are recognised by
 * their form. Windows paths are compared case-insensitively. Everything else is left unchanged:
 * paths outside the listed folders, sources without a path, and strings that merely contain a path.
 *
 * @example
 *   const paths = new PathMapper({ "/src/app": "/app" }, { launchPaths: ["/program"] });
 *   bridge(client, adapter, { middleware: [paths.bridgeMiddleware] });
 */
export class PathMapper {
  readonly #toAdapter: readonly Pair[];
  readonly #toClient: readonly Pair[];
  readonly #launchPaths: readonly (readonly string[])[];

  /**
   * @param folders Maps the client's folders to the adapter's. If a path is inside several of these
   * folders, the innermost one applies.
   * @throws TypeError for a relative folder, two folders with the same counterpart, an invalid
   * pointer or an unknown option.
   */
  constructor(folders: { readonly [client: string]: string }, options: PathMapperOptions = {}) {
    option.checkOptions("PathMapper", options, pathMapperChecks());
    const { launchPaths = [] } = options;
    const pairs = Object.entries(folders).map(([client, adapter]) => ({
      from: readFolder(client),
      to: readFolder(adapter),
    }));
    this.#toAdapter = innermostFirst(pairs);
    this.#toClient = innermostFirst(pairs.map(({ from, to }) => ({ from: to, to: from })));
    this.#launchPaths = launchPaths.map(readPointer);
  }

  pathToAdapter(path: string): string {
    return mapped(path, this.#toAdapter);
  }

  pathToClient(path: string): string {
    return mapped(path, this.#toClient);
  }

  /**
   * Maps the paths in a message from the client. Copies only the parts that change. If nothing
   * changes, returns the message itself.
   */
  toAdapter<Message extends object>(message: Message): Message {
    return this.#map(message, (path) => this.pathToAdapter(path));
  }

  /** Maps the paths in a message from the adapter. */
  toClient<Message extends object>(message: Message): Message {
    return this.#map(message, (path) => this.pathToClient(path));
  }

  /** Middleware for `bridge`. */
  get bridgeMiddleware(): BridgeMiddleware {
    return {
      fromClient: (message) => this.toAdapter(message),
      fromAdapter: (message) => this.toClient(message),
    };
  }

  /** Middleware for a client's connection. */
  get clientMiddleware(): Middleware {
    return {
      beforeSend: (message) => this.toAdapter(message),
      afterReceive: (message) => this.toClient(message),
    };
  }

  #map<Message extends object>(message: Message, map: (path: string) => string): Message {
    const mapText = (value: unknown): unknown => (typeof value === "string" ? map(value) : value);
    return visitFields(message, {
      path: (path) => mapText(path) as string,
      configuration: (given) =>
        this.#launchPaths.reduce(
          (value: unknown, pointer) => changeAt(value, pointer, (part) => mapItems(part, mapText)),
          given,
        ) as typeof given,
    });
  }
}

function mapped(path: string, pairs: readonly Pair[]): string {
  const parsed = parsePath(path);
  if (parsed === undefined) return path;
  for (const { from, to } of pairs) {
    const rest = segmentsIn(from, parsed);
    if (rest !== undefined) return writePath(to, rest, parsed.isUri);
  }
  return path;
}

/**
 * Sorts pairs of folders so that inner folders come first. @throws TypeError if two pairs start
 * with the same folder.
 */
function innermostFirst(pairs: readonly Pair[]): readonly Pair[] {
  for (const [index, { from }] of pairs.entries()) {
    const isSame = ({ from: { root, segments } }: Pair): boolean =>
      segments.length === from.segments.length &&
      segmentsIn(from, { root, segments, isUri: false }) !== undefined;
    if (pairs.findIndex(isSame) !== index)
      throw new TypeError(`Cannot map the folder ${JSON.stringify(from.text)} twice`);
  }
  return [...pairs].sort((a, b) => b.from.segments.length - a.from.segments.length);
}

/** @throws TypeError for an invalid pointer. */
function readPointer(pointer: string): readonly string[] {
  if (!pointer.startsWith("/"))
    throw new TypeError(`Cannot use ${JSON.stringify(pointer)}: expected a JSON Pointer`);
  return parsePointer(pointer);
}

/** Replaces part of a value. Returns a copy, or the value itself if nothing changes. */
function changeAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  change: (part: unknown) => unknown,
): unknown {
  if (name === undefined) return change(value);
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return value;
  const before = (value as Record<string, unknown>)[name];
  const after = changeAt(before, rest, change);
  if (after === before) return value;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? after : item));
  return copyOf(Object.entries(value).map(([key, field]) => [key, key === name ? after : field]));
}

/** Maps a string, or all strings in an array or an object. */
function mapItems(value: unknown, map: (value: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null) return map(value);
  const entries = Object.entries(value).map(([key, item]) => [key, map(item)] as const);
  if (entries.every(([key, item]) => item === (value as Record<string, unknown>)[key]))
    return value;
  return Array.isArray(value) ? value.map(map) : copyOf(entries);
}

/** Returns an object whose entries are own properties, even "__proto__". */
function copyOf(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}

/** The parts of an absolute path or a `file` URI. */
interface ParsedPath {
  /** `posix`, a drive such as `c:`, or a host such as `\\server`, in lower case. */
  readonly root: string;
  /** The path after the root. In a URI, the segments are still encoded. */
  readonly segments: readonly string[];
  readonly isUri: boolean;
}

/** A folder as written by the user. */
interface Folder {
  readonly text: string;
  readonly root: string;
  /** The folder's segments, without URI encoding. */
  readonly segments: readonly string[];
  readonly isUri: boolean;
}

/**
 * Splits an absolute path or a `file` URI. Returns undefined for relative paths and all other
 * strings.
 */
function parsePath(text: string): ParsedPath | undefined {
  const uri = /^file:\/\/([^/\\?#]*)\/(.*)$/is.exec(text);
  if (uri !== null) {
    const [, host = "", path = ""] = uri;
    const [first = "", ...rest] = path.split("/");
    const drive = /^([a-z])(?::|%3a)$/i.exec(first)?.[1];
    if (drive !== undefined)
      return { root: `${drive.toLowerCase()}:`, segments: rest, isUri: true };
    const root = host === "" ? "posix" : `\\\\${host.toLowerCase()}`;
    return { root, segments: [first, ...rest], isUri: true };
  }
  const windows = /^([a-z]:|\\\\[^\\/]+)[\\/](.*)$/is.exec(text);
  if (windows !== null) {
    const [, root = "", path = ""] = windows;
    return { root: root.toLowerCase(), segments: path.split(/[\\/]/), isUri: false };
  }
  if (!text.startsWith("/")) return undefined;
  return { root: "posix", segments: text.slice(1).split("/"), isUri: false };
}

/** Reads a folder. @throws TypeError if it is neither an absolute path nor a `file` URI. */
function readFolder(text: string): Folder {
  const path = parsePath(/^[a-z]:$/i.test(text) ? `${text}\\` : text);
  const segments = path?.segments.filter((segment) => segment !== "").map(decoded);
  if (path === undefined || segments === undefined || segments.includes(undefined))
    throw new TypeError(
      `Cannot map the folder ${JSON.stringify(text)}: expected an absolute path or a file URI`,
    );
  const { root, isUri } = path;
  return { text, root, segments: segments as readonly string[], isUri };

  function decoded(segment: string): string | undefined {
    return path!.isUri ? decodedSegment(segment) : segment;
  }
}

/** Returns the segments of a path below a folder, or undefined if the path is not in the folder. */
function segmentsIn({ root, segments }: Folder, path: ParsedPath): readonly string[] | undefined {
  if (root !== path.root || path.segments.length < segments.length) return undefined;
  // File names on Windows are case-insensitive.
  const same = (a: string, b: string): boolean =>
    a === b || (root !== "posix" && a.toLowerCase() === b.toLowerCase());
  for (const [index, segment] of segments.entries()) {
    const written = path.segments[index]!;
    const other = path.isUri ? decodedSegment(written) : written;
    if (other === undefined || !same(segment, other)) return undefined;
  }
  return path.segments.slice(segments.length);
}

/** Writes a path in a folder, either in the folder's notation or as a URI. */
function writePath(folder: Folder, rest: readonly string[], isUri: boolean): string {
  const { root, segments, text } = folder;
  if (isUri) {
    const start = folder.isUri ? text.replace(/\/+$/, "") : uriOf(folder);
    return [start, ...rest].join("/") + (rest.length === 0 && segments.length === 0 ? "/" : "");
  }
  if (root === "posix") return `/${[...segments, ...rest].join("/")}`;
  const separator = !folder.isUri && /^[^\\]*\/[^\\]*$/.test(text) ? "/" : "\\";
  const start = folder.isUri ? root : text.slice(0, root.length);
  return `${start}${separator}${[...segments, ...rest].join(separator)}`;
}

/** Returns a folder's URI, without a trailing slash. */
function uriOf({ root, segments, text }: Folder): string {
  const start =
    root === "posix"
      ? "file://"
      : root.startsWith("\\")
        ? `file://${root.slice(2)}`
        : `file:///${text.slice(0, 2)}`;
  return [start, ...segments.map(encodeURIComponent)].join("/");
}

function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
