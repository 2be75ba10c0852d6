import { maxMessageBytes } from "../../base/memory-limits.js";
import type { RecordedEntry } from "./recorded-entry.js";

/**
 * Why bytes are not a message. The code `ERR_LOST` means that a part of the file cannot be read. In
 * that case, no role sent these bytes, and a message may be missing.
 */
export type EntryFault = NonNullable<RecordedEntry["fault"]>;

/** The fault of a line that exceeds the maximum length of a message. */
export function tooLongLine(length: number): EntryFault {
  return {
    code: "ERR_BODY_TOO_LONG",
    message: `Cannot read a line of ${length} bytes: the limit is ${maxMessageBytes}`,
  };
}
