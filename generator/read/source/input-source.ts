import { isUtf8 } from "node:buffer";
import { fileURLToPath } from "node:url";
import { bundledSchemaFolder } from "../../base/bundled.js";
import { files } from "../../base/files.js";
import { InputError, systemReason } from "../../base/input-error.js";
import { once } from "../../model/once.js";
import { readGitFile, readGitName } from "./git-files.js";
import { maxInputLength, readJsonText, type JsonFile } from "./json-text.js";

/**
 * Fetches an `https:` URL as text. Tests can replace it, as can users who connect through a proxy.
 */
export type FetchText = (url: string) => Promise<string>;

/** Options for reading an input. */
export interface InputOptions {
  /** Reads standard input to its end. Default: reads the process's standard input. */
  readonly readStdin?: () => Promise<string>;
  readonly fetchText?: FetchText;
}

/**
 * Reads JSON from a path, an `https:` URL, a git revision (`REF:path`), or standard input (`-`).
 *
 * @throws InputError `ERR_READ` if the input cannot be read, or an error of `readJsonText`.
 */
export async function readJsonInput(name: string, options: InputOptions = {}): Promise<JsonFile> {
  if (name === "-") return readJsonText(await (options.readStdin ?? readStdin)(), "<stdin>");
  if (/^https:\/\//i.test(name))
    return readJsonText(await (options.fetchText ?? fetchText)(name), name);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(name)) {
    throw new InputError(
      "ERR_READ",
      "Cannot read this kind of URL",
      { file: name },
      "Use an https: URL or a file",
    );
  }
  if (name.startsWith(bundledFolder)) return openBundled(name);
  const git = readGitName(name);
  return git === undefined ? readJsonFile(name) : readJsonText(await readGitFile(git), name);
}

async function readJsonFile(name: string): Promise<JsonFile> {
  return readJsonText(await readTextFile(name), name);
}

const bundledFolder = fileURLToPath(bundledSchemaFolder);

/** Cache of bundled files, because two versions of a protocol share most of them. */
const bundled = new Map<string, { readonly mark: string; readonly file: JsonFile }>();

/** Opens a bundled file. It is read when it is needed, which it is not where a model is built. */
function openBundled(name: string): JsonFile | Promise<JsonFile> {
  const state = files.stateOf(name);
  if (state?.isRegular !== true) return readJsonFile(name);
  const cached = bundled.get(name);
  if (cached?.mark === state.mark) return cached.file;
  const read = once(() => readJsonText(decodeText(files.read(name), name), name));
  const file: JsonFile = {
    name,
    get value() {
      return read().value;
    },
    locate: (pointer) => read().locate(pointer),
  };
  bundled.set(name, { mark: state.mark, file });
  return file;
}

/** Reads a file as UTF-8. @throws InputError `ERR_READ`, `ERR_TOO_LARGE` or `ERR_ENCODING`. */
export async function readTextFile(name: string): Promise<string> {
  const bytes = readSmallFile(name) ?? (await readBounded(readChunks(name, "file"), name));
  return decodeText(bytes, name);
}

/**
 * Maximum size of a file to read in a single call. For small files, this is faster than a stream,
 * which takes milliseconds to start.
 */
const maxSmall = 1024 * 1024;

/**
 * Reads a small regular file. Returns undefined if the file is too large, not regular, or
 * unreadable.
 */
function readSmallFile(name: string): Uint8Array | undefined {
  try {
    const state = files.stateOf(name);
    return state?.isRegular === true && state.size <= maxSmall ? files.read(name) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a file chunk by chunk. The name `-` means standard input.
 *
 * @param what The kind of file, for error messages.
 * @throws InputError `ERR_READ`.
 */
export async function* readChunks(name: string, what: string): AsyncGenerator<Uint8Array, void> {
  const file = name === "-" ? "<stdin>" : name;
  try {
    for await (const chunk of files.chunks(name)) yield chunk;
  } catch (error) {
    throw new InputError("ERR_READ", `Cannot read the ${what}: ${reason(error)}`, { file });
  }
}

async function readBounded(chunks: AsyncIterable<Uint8Array>, file: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxInputLength)
      throw new InputError("ERR_TOO_LARGE", `Cannot read more than ${maxInputLength} bytes`, {
        file,
      });
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

function decodeText(bytes: Uint8Array, file: string): string {
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const [first, second] = bytes;
  const hint =
    first === 0x1f && second === 0x8b
      ? "It is compressed with gzip: decompress it first"
      : "Save it as UTF-8";
  const line = lineOfFault(bytes);
  throw new InputError("ERR_ENCODING", "Cannot read text that is not UTF-8", { file, line }, hint);
}

/** Returns the number of the first line that is not valid UTF-8. */
function lineOfFault(bytes: Uint8Array): number {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    if (!isUtf8(bytes.subarray(start, end))) return line;
    line++;
    start = end + 1;
  }
  return line;
}

async function readStdin(): Promise<string> {
  return decodeText(await readBounded(readChunks("-", "input"), "<stdin>"), "<stdin>");
}

async function fetchText(url: string): Promise<string> {
  let response: Response;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new Error(`the server responded with status ${response.status}`);
  } catch (error) {
    throw new InputError("ERR_READ", `Cannot fetch the URL: ${reason(error)}`, { file: url });
  }
  return decodeText(await readBounded(bodyOf(response, url), url), url);
}

async function* bodyOf({ body }: Response, url: string): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of body ?? []) yield chunk as Uint8Array;
  } catch (error) {
    throw new InputError("ERR_READ", `Cannot fetch the URL: ${reason(error)}`, { file: url });
  }
}

function reason(error: unknown): string {
  const { code, cause } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  return systemReason(cause instanceof Error ? cause : error);
}
