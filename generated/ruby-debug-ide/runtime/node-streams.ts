import { Transform, type TransformCallback, type Writable } from "node:stream";
import { FrameDecoder } from "./frame-decoder.js";
import { FrameEncoder, type FrameEncoderOptions } from "./frame-encoder.js";
import type { StreamOptions } from "./byte-streams.js";

/**
 * A Node transform from bytes to messages: `socket.pipe(createDecoderTransform())`.
 *
 * @param map What to make of each message before it goes on.
 */
export function createDecoderTransform(
  options: StreamOptions = {},
  map: (message: object) => unknown = (message) => message,
): Transform {
  let transform: Transform;
  const decoder = new FrameDecoder({
    ...options,
    onMessage: (message) => void transform.push(map(message)),
  });
  transform = new Transform({
    readableObjectMode: true,
    transform(chunk: Uint8Array, _encoding, done: TransformCallback) {
      decoder.push(chunk);
      if (decoder.failed) transform.push(null);
      done();
    },
    flush(done) {
      decoder.end();
      done();
    },
  });
  return transform;
}

/** Writes messages to a Node stream, one write each. */
export interface MessageWriter {
  /** Resolves when the stream can take more; rejects if it fails. */
  write(message: object): Promise<void>;
}

/** A writer of messages for a socket, a child's standard input or the process's own output. */
export function createMessageWriter(
  stream: Writable,
  options: FrameEncoderOptions = {},
): MessageWriter {
  const encoder = new FrameEncoder(options);
  return {
    write(message) {
      const frame = encoder.encode(message);
      return new Promise((resolve, reject) => {
        const ready: boolean = stream.write(frame, (error) => {
          if (error) reject(error);
          else resolve();
        });
        if (ready) resolve();
      });
    },
  };
}
