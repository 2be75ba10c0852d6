/** The parts of an absolute path or a `file` URI. */
export interface PathPlace {
  /** `posix`, a drive such as `c:`, or a host such as `\\server`, in lower case. */
  readonly root: string;
  /** The path after the root. In a URI, the segments are still encoded. */
  readonly segments: readonly string[];
  readonly isUri: boolean;
}

/** A folder as written by the user. */
export interface Folder {
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
export function readPlace(text: string): PathPlace | undefined {
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
export function readFolder(text: string): Folder {
  const place = readPlace(/^[a-z]:$/i.test(text) ? `${text}\\` : text);
  const segments = place?.segments.filter((each) => each !== "").map(decoded);
  if (place === undefined || segments === undefined || segments.includes(undefined))
    throw new TypeError(
      `Cannot map the folder ${JSON.stringify(text)}: expected an absolute path or a file URI`,
    );
  const { root, isUri } = place;
  return { text, root, segments: segments as readonly string[], isUri };

  function decoded(segment: string): string | undefined {
    return place!.isUri ? decodedSegment(segment) : segment;
  }
}

/** Returns the segments of a path below a folder, or undefined if the path is not in the folder. */
export function segmentsIn(
  { root, segments }: Folder,
  place: PathPlace,
): readonly string[] | undefined {
  if (root !== place.root || place.segments.length < segments.length) return undefined;
  // File names on Windows are case-insensitive.
  const same = (a: string, b: string): boolean =>
    a === b || (root !== "posix" && a.toLowerCase() === b.toLowerCase());
  for (const [index, segment] of segments.entries()) {
    const given = place.segments[index]!;
    const other = place.isUri ? decodedSegment(given) : given;
    if (other === undefined || !same(segment, other)) return undefined;
  }
  return place.segments.slice(segments.length);
}

/** Writes a path in a folder, either in the folder's notation or as a URI. */
export function writePath(folder: Folder, rest: readonly string[], isUri: boolean): string {
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
