import { Transform, type TransformCallback, type Writable } from "node:stream";
import type { CreateDecoder } from "./decoder-options.js";
import type { FrameEncoderOptions } from "./content-length-encoder.js";
import { FrameEncoder } from "./frame-encoder.js";
import type { StreamOptions } from "./async-streams.js";

/**
 * Creates a Node transform stream from bytes to messages: `socket.pipe(createDecoderTransform())`.
 *
 * @param map Maps each message. Results that are null or undefined are dropped. If `map`, `onFault`
 * or `onNoise` throws, the transform is destroyed with that error.
 */
export function createDecoderTransform(
  decode: CreateDecoder,
  options: StreamOptions = {},
  map: (message: object) => unknown = (message) => message,
): Transform {
  const decoder = decode({
    ...options,
    onMessage: (message) => {
      const mapped = map(message);
      if (mapped !== null && mapped !== undefined) transform.push(mapped);
    },
  });
  // Pass exceptions to the callback: thrown here, they would reach the writer or crash the process.
  const run = (read: () => void, done: TransformCallback): void => {
    try {
      read();
    } catch (error) {
      done(error instanceof Error ? error : new Error("A handler threw", { cause: error }));
      return;
    }
    done();
  };
  const transform = new Transform({
    readableObjectMode: true,
    transform(chunk: Uint8Array, _encoding, done) {
      run(() => {
        decoder.push(chunk);
        if (decoder.failed) transform.push(null);
      }, done);
    },
    flush(done) {
      run(() => decoder.end(), done);
    },
  });
  return transform;
}

/** Writes messages to a Node stream, each with a single call. */
export interface MessageWriter {
  /**
   * Writes a message. Resolves when the stream is ready for more data. Rejects if the stream fails
   * or the message cannot be encoded.
   */
  write(message: object): Promise<void>;
}

/**
 * Creates a writer for a Node stream, such as a socket, a child process's stdin, or our own stdout.
 */
export function createFrameWriter(
  stream: Writable,
  options: FrameEncoderOptions = {},
): MessageWriter {
  const encoder = new FrameEncoder(options);
  return {
    async write(message) {
      const frame = encoder.encode(message);
      await new Promise<void>((resolve, reject) => {
        const ready: boolean = stream.write(frame, (error) => {
          if (error) reject(error);
          else resolve();
        });
        if (ready) resolve();
      });
    },
  };
}
