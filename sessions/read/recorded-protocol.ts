import { bundledProtocols, defaultProtocol } from "../../generator/base/bundled.js";
import { files } from "../../generator/base/files.js";
import { InputError } from "../../generator/base/input-error.js";

/** Maximum length of a recording's first line, in bytes. */
const maxHead = 4096;

/**
 * Returns the protocol to assume for a recording: the bundled protocol named in the recording's
 * first line or, if none is named there, the usual default. Pipes are not read here, because they
 * can be read only once.
 * @param file Path to the recording, or to one that is read together with it. `-` for standard
 * input.
 * @throws InputError `ERR_ARGUMENT` if the protocol is not bundled.
 */
export async function recordedProtocol(file: string | undefined): Promise<string> {
  if (file === undefined || file === "-" || files.stateOf(file)?.isRegular !== true)
    return defaultProtocol();
  const named = namedProtocol(await beginningOf(file));
  if (named === undefined || bundledProtocols().includes(named)) return named ?? defaultProtocol();
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot read a recording of "${named}" without a description of that protocol`,
    { file },
    "Pass the path to its protocol.json with --protocol",
  );
}

/**
 * Reads the first characters of a file. Returns an empty string if the file cannot be read; the
 * error is reported later, when the recording is read.
 */
async function beginningOf(file: string): Promise<string> {
  try {
    for await (const chunk of files.chunks(file))
      return new TextDecoder().decode(chunk.subarray(0, maxHead));
  } catch {
    return "";
  }
  return "";
}

function namedProtocol(text: string): string | undefined {
  try {
    const head: unknown = JSON.parse(text.split("\n", 1)[0]!);
    if (typeof head !== "object" || head === null) return undefined;
    const { recording, protocol } = head as Readonly<Record<string, unknown>>;
    return recording === "wirewright" && typeof protocol === "string" ? protocol : undefined;
  } catch {
    return undefined;
  }
}
