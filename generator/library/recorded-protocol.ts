import { bundledProtocols, defaultProtocol } from "../base/bundled.js";
import { files } from "../base/files.js";
import { InputError } from "../base/input-error.js";

/** Maximum length of the first line of a recording. */
const maxHead = 4096;

/**
 * The default protocol for a recording. This is the bundled protocol that its first line names. If
 * the line names none, it is the usual default. Pipes are not read, because they can be read only
 * once.
 *
 * @param file Path of the recording, or of a recording that is read together with it. `-` for
 * standard input.
 * @throws InputError `ERR_ARGUMENT` if the protocol is not bundled.
 */
export async function recordedProtocol(file: string | undefined): Promise<string> {
  if (file === undefined || file === "-" || files.stateOf(file)?.isRegular !== true)
    return defaultProtocol();
  const named = namedProtocol(await beginningOf(file));
  if (named === undefined || bundledProtocols().includes(named)) return named ?? defaultProtocol();
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot read a recording of "${named}" without the description of this protocol`,
    { file },
    "Give the path of its protocol.json with --protocol",
  );
}

/**
 * The first characters of a file. Empty if the file cannot be read. That error is reported later,
 * when the recording is read.
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
