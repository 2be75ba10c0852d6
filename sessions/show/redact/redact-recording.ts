import { InputError } from "../../../generator/base/input-error.js";
import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { type EntryFault, LineCutter, parseJsonLine, tooDeep } from "../../read/json-lines.js";
import type { Fields } from "../../read/message-reader.js";
import type { Redaction } from "./redactor.js";

/** Maximum size of a line of a recording, in bytes, not counting its message. */
const wrapperBytes = 64 * 1024;

/**
 * Copies a recording without what identifies a person, machine or project.
 *
 * @param open Opens the recording. Called twice if the redaction must read all of it first.
 * @param write Called with lines of the redacted recording.
 * @throws InputError `ERR_JSON` if the input is not a recording.
 */
export async function redactRecording(
  name: string,
  open: () => AsyncIterable<Uint8Array>,
  redaction: Redaction,
  write: (text: string) => Promise<void>,
): Promise<void> {
  if (redaction.find !== undefined) {
    const finder = cutterOf(
      (value) => redaction.find!(value),
      () => undefined,
    );
    for await (const chunk of open()) finder.push(chunk);
    finder.end();
  }
  let hasObject = false;
  let lines: string[] = [];
  const flush = async (): Promise<void> => {
    const text = lines.join("");
    lines = [];
    if (text !== "") await write(text);
  };
  const replacer = cutterOf(
    (value) => {
      if (typeof value === "string") {
        lines.push(`${redaction.redactedText(value)}\n`);
        return;
      }
      if (!hasObject && value["recording"] === "wirewright" && value["form"] === 2)
        throw new InputError(
          "ERR_JSON",
          "Cannot redact raw bytes",
          { file: name },
          "Convert them to a recording first: wirewright convert",
        );
      hasObject = true;
      lines.push(`${JSON.stringify(redaction.redacted(value))}\n`);
    },
    ({ code, message }) =>
      lines.push(`${JSON.stringify({ kind: "fault", code, text: message })}\n`),
  );
  for await (const chunk of open()) {
    replacer.push(chunk);
    await flush();
  }
  replacer.end();
  await flush();
  if (!hasObject)
    throw new InputError(
      "ERR_JSON",
      "Cannot find any lines of JSON in the recording",
      { file: name },
      "Convert a log to a recording first: wirewright convert",
    );
}

/**
 * Splits the input into lines and parses each of them. A line that is not an object is passed on as
 * text. Blank lines are skipped.
 */
function cutterOf(
  take: (value: Fields | string) => void,
  drop: (fault: EntryFault) => void,
): LineCutter {
  return new LineCutter(maxMessageBytes + wrapperBytes, {
    line(bytes) {
      const text = utf8.decode(bytes);
      const value = parseJsonLine(text, bytes);
      if (value === tooDeep) drop(tooDeep);
      else if (/\S/.test(text)) take(isObject(value) ? value : text);
    },
    tooLong: (_, length) =>
      drop({ code: "ERR_BODY_TOO_LONG", message: `Cannot redact a line of ${length} bytes` }),
  });
}

const utf8 = new TextDecoder();
