import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";

/** Path to a file or folder, or the URL of a bundled file or folder. */
export type FileName = string | URL;

/** Properties of a file that can be determined without reading it. */
interface FileState {
  /** Whether this is a file of known size, as opposed to a folder or a pipe. */
  readonly isRegular: boolean;
  /** Size in bytes. */
  readonly size: number;
  /** A string that changes when the file changes. */
  readonly mark: string;
}

/**
 * Reads the files that the tool needs. In environments without Node, this module is replaced by one
 * that keeps files in memory, so all other library code must read files only through it.
 */
export interface Files {
  exists(name: FileName): boolean;
  /**
   * Returns the state of a file or folder, or undefined if it does not exist or cannot be accessed.
   */
  stateOf(name: FileName): FileState | undefined;
  /** Resolves all symbolic links in the path to a file or folder. Fails if it does not exist. */
  withoutLinks(name: string): string;
  /** Returns the names of the files and folders in a folder. */
  list(folder: FileName): readonly string[];
  read(name: FileName): Uint8Array;
  readText(name: FileName): string;
  /** Reads a file's content in chunks. The name `-` means standard input. */
  chunks(name: string): AsyncIterable<Uint8Array>;
}

export const files: Files = {
  exists: existsSync,
  stateOf(name) {
    try {
      const state = statSync(name, { bigint: true });
      const { size, mtimeNs } = state;
      return { isRegular: state.isFile(), size: Number(size), mark: `${mtimeNs} ${size}` };
    } catch {
      return undefined;
    }
  },
  withoutLinks: (name) => realpathSync(name),
  list: (folder) => readdirSync(folder),
  read: (name) => readFileSync(name),
  readText: (name) => readFileSync(name, "utf8"),
  chunks: (name) =>
    name === "-" ? process.stdin : createReadStream(name, { highWaterMark: 256 * 1024 }),
};
