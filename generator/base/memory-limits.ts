import { getHeapStatistics } from "node:v8";

/**
 * Maximum size of a message in a recording or a session, in bytes.
 *
 * V8 terminates the process when its heap is full, and a parsed message takes up to 24 times as
 * much memory as its text. Messages large enough to fill the heap are therefore rejected before
 * they are parsed. With a heap of 4 GiB or more, the limit is 128 MiB, as in the decoders; with a
 * smaller heap, it is lower.
 */
export const maxMessageBytes: number = Math.min(
  128 * 1024 * 1024,
  Math.floor(getHeapStatistics().heap_size_limit / 32),
);

/** Maximum nesting depth of a message; the decoders use the same limit. */
export const maxMessageDepth = 4_096;
