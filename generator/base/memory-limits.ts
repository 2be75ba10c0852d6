import { getHeapStatistics } from "node:v8";

/**
 * Maximum size of a message in a recording or a session, in bytes.
 *
 * V8 ends the process when its heap is full, and a parsed message takes up to 24 times as much
 * memory as its text. Messages that could fill the heap are therefore rejected before they are
 * parsed. The limit is 128 MiB, as in the decoders, if the heap is 4 GiB or larger. It is lower for
 * a smaller heap.
 */
export const maxMessageBytes: number = Math.min(
  128 * 1024 * 1024,
  Math.floor(getHeapStatistics().heap_size_limit / 32),
);

/** Maximum nesting of a message. It is the same as in the decoders. */
export const maxMessageDepth = 4_096;
