import { readFile } from "node:fs/promises";
import { InputError } from "../input-error.js";
import { maxInputLength, readJsonText, type JsonFile } from "./json-text.js";

/** Gets an `https:` URL as text; replaceable for tests and proxies. */
export type FetchText = (url: string) => Promise<string>;

export interface InputOptions {
  /** Reads standard input to its end. Default: the process's own. */
  readonly readStdin?: () => Promise<string>;
  readonly fetchText?: FetchText;
}

/**
 * Reads JSON from a path, an `https:` URL or `-` for standard input, as the user named it.
 *
 * @throws InputError `ERR_READ` if it cannot be had, or what `readJsonText` throws.
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
  return readJsonText(await readTextFile(name), name);
}

/** Reads a file. @throws InputError `ERR_READ`. */
export async function readTextFile(name: string): Promise<string> {
  try {
    return await readFile(name, "utf8");
  } catch (error) {
    throw new InputError("ERR_READ", `Cannot read the file: ${reason(error)}`, { file: name });
  }
}

async function readStdin(): Promise<string> {
  process.stdin.setEncoding("utf8");
  let text = "";
  for await (const chunk of process.stdin) text += chunk as string;
  return text;
}

async function fetchText(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    if (Number(response.headers.get("content-length") ?? 0) > maxInputLength)
      throw new Error("the answer is too large");
    return await response.text();
  } catch (error) {
    throw new InputError("ERR_READ", `Cannot fetch the URL: ${reason(error)}`, { file: url });
  }
}

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const known: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file",
    EACCES: "permission denied",
    EISDIR: "it is a folder",
  };
  if (code !== undefined && known[code] !== undefined) return known[code];
  const cause = (error as Error).cause;
  return cause instanceof Error ? cause.message : (error as Error).message;
}
