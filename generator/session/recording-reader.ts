import { maxMessageBytes } from "../base/memory-limits.js";
import type { Protocol } from "../model/protocol.js";
import { FrameDecoder } from "../../runtime/index.js";
import { isLuaLog, LuaLog } from "./lua-log.js";
import type { EntryHandler, EntryReader } from "./recorded-entry.js";
import { RecordedLines } from "./recorded-lines.js";
import { isMessage } from "./senders.js";

/** Number of bytes from which the format of a recording is recognised. */
const prefixBytes = 4_096;

/** Reads a recording in any of the known formats. */
export class RecordingReader implements EntryReader {
  readonly #name: string;
  readonly #protocol: Protocol;
  readonly #handle: EntryHandler;
  #reader: EntryReader | undefined;
  #prefix = Buffer.alloc(0);
  #isFramed = false;

  /** @param name Name of the file. */
  constructor(name: string, protocol: Protocol, handle: EntryHandler) {
    this.#name = name;
    this.#protocol = protocol;
    this.#handle = handle;
  }

  /** Whether the file contains framed bytes as on the wire, which do not tell who sent them. */
  get isFramed(): boolean {
    return this.#isFramed;
  }

  /** The first bytes of the file. */
  get start(): Uint8Array {
    return this.#prefix;
  }

  push(bytes: Uint8Array): void {
    if (this.#reader !== undefined) return this.#reader.push(bytes);
    const missing = prefixBytes - this.#prefix.length;
    this.#prefix = Buffer.concat([this.#prefix, bytes.subarray(0, missing)]);
    if (this.#prefix.length < prefixBytes) return;
    this.#open().push(bytes.subarray(missing));
  }

  end(): void {
    (this.#reader ?? this.#open()).end();
  }

  #open(): EntryReader {
    const start = new TextDecoder().decode(this.#prefix);
    const isLines = /^\s*[{[]/.test(start) || /^(From|To) client:/m.test(start);
    const reader = isLuaLog(start)
      ? readLuaTables(this.#protocol, this.#handle)
      : isLines
        ? new RecordedLines(this.#name, this.#protocol, this.#handle)
        : readFrames(this.#handle);
    this.#isFramed = reader instanceof FrameDecoder;
    this.#reader = reader;
    reader.push(this.#prefix);
    return reader;
  }
}

function readFrames(handle: EntryHandler): FrameDecoder {
  return new FrameDecoder({
    limits: { maxBodyBytes: maxMessageBytes },
    onMessage: (message, { offset, headerLength, bodyLength }) =>
      handle({ offset, message }, headerLength + bodyLength),
    onError: ({ code, message: text, offset, length }) =>
      handle({ offset, fault: { code, text } }, length),
  });
}

function readLuaTables(protocol: Protocol, handle: EntryHandler): EntryReader {
  return new LuaLog({
    table: ({ line, value }, bytes) => {
      if (isMessage(value, protocol)) handle({ line, message: value }, bytes);
    },
    tooLong: (line, length) =>
      handle(
        {
          line,
          fault: {
            code: "ERR_BODY_TOO_LONG",
            text: `Cannot read an entry of ${length} bytes: the limit is ${maxMessageBytes}`,
          },
        },
        length,
      ),
  });
}
