import { captureSign } from "./capture-format.js";
import { LineCutter } from "./json-lines.js";
import type { LogFormat } from "./logs/log-format.js";
import { logFormats } from "./logs/log-formats.js";

/** The format of a recording: frames, lines of JSON, a capture, or a log format. */
export type RecordingFormat = "frames" | "lines" | "capture" | LogFormat;

/** Maximum length of a line to examine. */
const mostLine = 1024 * 1024;

/** Number of bytes at the start of a file that suffice to recognise lines of JSON. */
const startBytes = 4_096;

const header = /^Content-(?:Length|Type)\s*:/i;
const object = /^\s*[{[]/;

/** Detects the format of a recording from its first lines. */
export class FormatDetector {
  readonly #lines: LineCutter;
  #hasText = false;
  #start = new Uint8Array(0);
  #found: RecordingFormat | undefined;

  constructor() {
    this.#lines = new LineCutter(mostLine, {
      line: (bytes) => this.#inspect(utf8.decode(bytes)),
      tooLong: () => undefined,
    });
  }

  /** The format. Undefined until a line has revealed it. */
  get found(): RecordingFormat | undefined {
    return this.#found;
  }

  push(bytes: Uint8Array): void {
    if (this.#found !== undefined) return;
    if (this.#start.length < startBytes)
      this.#start = Buffer.concat([
        this.#start,
        bytes.subarray(0, startBytes - this.#start.length),
      ]);
    this.#lines.push(bytes);
  }

  /** Returns the format once the input has ended. */
  end(): RecordingFormat {
    if (this.#found === undefined) this.#lines.end();
    // If no line was examined because the first line is too long, go by the beginning of the file.
    return this.#found ?? (object.test(utf8.decode(this.#start)) ? "lines" : "frames");
  }

  #inspect(line: string): void {
    if (this.#found !== undefined) return;
    // A log that was truncated while it was being written begins with NUL bytes.
    const text = line.replace(/^[\0\s]+/, "");
    if (text === "") return;
    const isFirst = !this.#hasText;
    this.#hasText = true;
    if (header.test(text)) this.#found = "frames";
    else if (isFirst && captureSign.test(text)) this.#found = "capture";
    else this.#found = logFormats.find(({ sign }) => sign.test(line.replace(/^\0+/, "")));
    if (this.#found === undefined && isFirst && text.startsWith("{")) this.#found = "lines";
  }
}

/** A shared decoder, whose `decode` removes any byte order mark. */
const utf8 = new TextDecoder();
