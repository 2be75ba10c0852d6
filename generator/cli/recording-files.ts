import { InputError } from "../base/input-error.js";
import type { Protocol } from "../model/protocol.js";
import { readChunks } from "../read/source/input-source.js";
import { openRecording, type OpenRecording } from "../session/recording.js";

/** The names of the files of a recording, as reports show them. */
export function namesOf(files: readonly string[]): readonly string[] {
  return files.map((file) => (file === "-" ? "<stdin>" : file));
}

/**
 * Opens a recording: one file, or one for each direction.
 *
 * @throws InputError `ERR_ARGUMENT` if the messages of the protocol are no JSON; what a file cannot be read for.
 */
export async function openRecordingFiles(
  files: readonly string[],
  protocol: Protocol,
): Promise<OpenRecording> {
  if (protocol.notations !== undefined)
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot read recordings of the ${protocol.title}: its messages are no JSON`,
    );
  const names = namesOf(files);
  return openRecording(
    files.map((file, index) => ({ name: names[index]!, chunks: readChunks(file, "recording") })),
    protocol,
  );
}
