import { InputError } from "../../../generator/base/input-error.js";
import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { type EntryFault, LineCutter, parseJsonLine, tooDeep } from "../../read/json-lines.js";
import type { Redactor } from "./redactor.js";

/** Maximum size of a line of a recording, in bytes, not counting its message. */
const wrapperBytes = 64 * 1024;

/**
 * Reads a recording twice: first to find its secrets, then to replace them. That way, a secret
 * found at the end is also replaced at the beginning.
 *
 * @param open Opens the recording. It is called twice.
 * @param write Called with lines of the redacted recording.
 * @throws InputError `ERR_JSON` if the input is not a recording.
 */
export async function redactRecording(
  name: string,
  open: () => AsyncIterable<Uint8Array>,
  redactor: Redactor,
  write: (text: string) => Promise<void>,
): Promise<void> {
  let hasObject = false;
  const finder = cutterOf(
    (value) => {
      if (isObject(value)) {
        if (!hasObject && value["recording"] === "wirewright" && value["form"] === 2)
          throw new InputError(
            "ERR_JSON",
            "Cannot redact raw bytes",
            { file: name },
            "Convert them to a recording first: wirewright convert",
          );
        hasObject = true;
      }
      redactor.find(value);
    },
    () => undefined,
  );
  for await (const chunk of open()) finder.push(chunk);
  finder.end();
  if (!hasObject)
    throw new InputError(
      "ERR_JSON",
      "Cannot find any lines of JSON in the recording",
      { file: name },
      "Convert a log to a recording first: wirewright convert",
    );
  let lines: string[] = [];
  const flush = async (): Promise<void> => {
    const text = lines.join("");
    lines = [];
    if (text !== "") await write(text);
  };
  const replacer = cutterOf(
    (value) =>
      lines.push(
        typeof value === "string"
          ? `${redactor.redactedText(value)}\n`
          : `${JSON.stringify(redactor.redacted(value))}\n`,
      ),
    ({ code, message }) =>
      lines.push(`${JSON.stringify({ kind: "fault", code, text: message })}\n`),
  );
  for await (const chunk of open()) {
    replacer.push(chunk);
    await flush();
  }
  replacer.end();
  await flush();
}

/**
 * Splits the input into lines and parses each of them. A line that is not an object is passed on as
 * text. Blank lines are skipped.
 */
function cutterOf(take: (value: unknown) => void, drop: (fault: EntryFault) => void): LineCutter {
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
