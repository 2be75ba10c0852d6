/**
 * Replaces Node's modules in the bundle. Implements the functions that the tool uses, with the help
 * of browser packages.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { Buffer } from "buffer/index.js";
import equal from "fast-deep-equal";
import { deflateSync } from "fflate";

export { Buffer };

/** Relative paths are resolved in the folder with the visitor's files. */
export const process = {
  cwd: () => "/given",
  env: {},
  platform: "linux",
  argv: [],
  versions: {},
};

export const isDeepStrictEqual = equal;
export const format = (...parts) => parts.map(String).join(" ");

export const fileURLToPath = (url) => decodeURIComponent(new URL(url).pathname);
export const pathToFileURL = (path) => new URL(`file://${encodeURI(path)}`);

const utf8 = new TextDecoder("utf-8", { fatal: true });
export function isUtf8(bytes) {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The tool only uses SHA-256 with hexadecimal output. */
export function createHash() {
  const parts = [];
  const hash = {
    update: (text) => (parts.push(text), hash),
    digest: () => bytesToHex(sha256(utf8ToBytes(parts.join("")))),
  };
  return hash;
}

export const deflateRawSync = (bytes) => Buffer.from(deflateSync(bytes));

export const getHeapStatistics = () => ({ heap_size_limit: 4 * 1024 ** 3 });

const noFiles = () => {
  throw new Error("there are no files in a browser");
};
export const readFileSync = noFiles;
export const statSync = noFiles;
export const realpathSync = noFiles;
export const existsSync = () => false;
export const promisify = () => noFiles;
export const execFile = noFiles;
