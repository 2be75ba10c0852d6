import { getHeapStatistics } from "node:v8";

/**
 * Maximum size of a message in a recording or a session, in bytes.
 *
 * V8 ends the process when its heap is full, and a parsed message takes up to 24 times the bytes of
 * its text. So messages that could fill the heap are refused before they are parsed. The limit is
 * 128 MiB, as in the decoders, for a heap of 4 GiB or more; smaller heaps lower it.
 */
export const maxMessageBytes: number = Math.min(
  128 * 1024 * 1024,
  Math.floor(getHeapStatistics().heap_size_limit / 32),
);

/** Deepest nesting of a message: the limit of the decoders. */
export const maxMessageDepth = 4_096;
