import { readStrictUtf8, readUtf8 } from "../base/buffer-methods.js";
import type { BodyFault } from "./body-reader.js";
import type { ResolvedOptions } from "./decoder-options.js";
import type { DeliverBody } from "./decoder-output.js";
import type { BodyFormat } from "./spelling.js";

/** Delivers the messages in bodies that are not JSON. */
export function deliverFormatted(
  { onMessage, onFrame, utf8 }: ResolvedOptions,
  format: BodyFormat,
): DeliverBody {
  const read = utf8 === "error" ? readStrictUtf8 : readUtf8;
  return (output, bytes, start, end) => {
    if (onMessage === undefined) {
      output.flushNoise();
      output.call(() => onFrame!(output.frame));
      return true;
    }
    const body = read(bytes, start, end);
    if (body === undefined) {
      output.reader.fault = { code: "ERR_UTF8", message: "Cannot read a body that is not UTF-8" };
      return false;
    }
    const messages = format.read(body);
    if (!Array.isArray(messages)) {
      output.reader.fault = messages as BodyFault;
      return false;
    }
    if (messages.length > 0) output.flushNoise();
    for (const message of messages as readonly object[])
      output.call(() => onMessage(message, output.frame));
    return true;
  };
}
