import { maxMessageBytes } from "../../base/memory-limits.js";
import type { RecordedEntry } from "./recorded-entry.js";

/**
 * The fault of bytes that are not a message. Its code is `ERR_LOST` if a part of the file cannot be read: then nobody
 * sent these bytes, and a message may be missing.
 */
export type EntryFault = NonNullable<RecordedEntry["fault"]>;

/** The fault of a line that is longer than a message may be. */
export function tooLongLine(length: number): EntryFault {
  return {
    code: "ERR_BODY_TOO_LONG",
    message: `Cannot read a line of ${length} bytes: the limit is ${maxMessageBytes}`,
  };
}
