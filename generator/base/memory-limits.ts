import { getHeapStatistics } from "node:v8";

/**
 * Largest message that a recording or a session may hold, in bytes.
 *
 * V8 ends the process when its heap is full, and a parsed message takes up to 24 times the bytes of its text. So a
 * message is refused before it is parsed where that could be too much: the limit is that of the decoders, 128 MiB,
 * where the heap may take 4 GiB, and less below.
 */
export const maxMessageBytes: number = Math.min(
  128 * 1024 * 1024,
  Math.floor(getHeapStatistics().heap_size_limit / 32),
);

/** Deepest nesting of a message, as decoders have it. */
export const maxMessageDepth = 4_096;
