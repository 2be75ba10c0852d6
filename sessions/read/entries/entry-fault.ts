import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import type { RecordedEntry } from "./recorded-entry.js";

/**
 * The reason why bytes are not a message. The code `ERR_LOST` means that part of the file cannot be
 * read. In that case, the bytes were not sent by any role, and a message may be missing.
 */
export type EntryFault = NonNullable<RecordedEntry["fault"]>;

/** Returns the fault for a line that exceeds the maximum length of a message. */
export function tooLongLine(length: number): EntryFault {
  return {
    code: "ERR_BODY_TOO_LONG",
    message: `Cannot read a line of ${length} bytes: the limit is ${maxMessageBytes}`,
  };
}
