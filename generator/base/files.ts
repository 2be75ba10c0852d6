import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";

/** Path of a file or folder, or the URL of one that comes with the tool. */
export type FileName = string | URL;

/** Facts about a file, without reading it. */
export interface FileState {
  /** Whether the path leads to a file of known size, not to a folder or a pipe. */
  readonly isRegular: boolean;
  /** In bytes. */
  readonly size: number;
  /** A string that changes when the file does. */
  readonly mark: string;
}

/**
 * The files that the tool reads. In environments without Node, a module with files in memory
 * replaces this one, so all other code of the library reads files only through it.
 */
export interface Files {
  exists(name: FileName): boolean;
  /** Undefined if the file does not exist or cannot be accessed. */
  stateOf(name: FileName): FileState | undefined;
  /** The path of a file or folder without links. Fails if it does not exist. */
  withoutLinks(name: string): string;
  /** Names of the files and folders in a folder. */
  list(folder: FileName): readonly string[];
  read(name: FileName): Uint8Array;
  readText(name: FileName): string;
  /** The content of a file, or of standard input for the name `-`. */
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
