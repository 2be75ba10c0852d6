import { creationOf, tableOf } from "../../generator/model/notation-table.js";
import { maxMessageBytes } from "../../generator/base/memory-limits.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { MarkedDecoder, type MarkedHandlers } from "./byte-marks.js";
import type { ByteMark, EntryReader } from "./recorded-entry.js";
import { CommandNotation } from "../../runtime/spellings/command-notation.js";
import { DocumentNotation } from "../../runtime/spellings/document-notation.js";
import { ElementNotation } from "../../runtime/spellings/element-notation.js";
import { OptionNotation } from "../../runtime/spellings/option-notation.js";
import type { JsonFraming, Notation } from "../../runtime/index.js";
import { resolveOptions } from "../../runtime/frames/decoder-options.js";

/** The part of a protocol that is required to decode JSON messages. */
export interface JsonProtocol extends Pick<Protocol, "name" | "version" | "roles" | "framing"> {
  readonly notations?: undefined;
}

/**
 * A message or bytes sent by a role, a line printed to its standard error, or the end of its
 * direction.
 */
export type Observed = {
  /** Milliseconds since the session began. */
  readonly time: number;
  readonly from: string;
} & (
  | ({ readonly offset: number; readonly length: number } & (
      | { readonly kind: "message"; readonly bytes?: readonly ByteMark[]; readonly message: object }
      | { readonly kind: "fault"; readonly code: string; readonly text: string }
      | { readonly kind: "noise"; readonly text: string }
    ))
  | { readonly kind: "stderr"; readonly text: string }
  | { readonly kind: "end"; readonly how: string }
);

export type ObservedMessage = Extract<Observed, { readonly kind: "message" }>;

/**
 * Called with everything that is observed. For a JSON message, `body` contains its bytes, which are
 * valid only during the call.
 */
export type ObservedHandler = (observed: Observed, body?: Uint8Array) => void;

/** Maximum number of bytes in a single report of noise. */
const noiseBytes = 1024 * 1024;

/**
 * Maximum length of an unfinished line on standard error, in UTF-16 code units. A longer line is
 * split.
 */
const printedBytes = 64 * 1024;

/** Decodes both directions of a session. Never throws. */
export class SessionObserver {
  readonly #protocol: Protocol | JsonProtocol;
  readonly #directions = new Map<string, Direction>();
  readonly #onObserved: ObservedHandler;
  readonly #ended = new Set<string>();
  #isOver = false;
  /** Time of the bytes being decoded. */
  #time = 0;

  constructor(protocol: Protocol | JsonProtocol, onObserved: ObservedHandler) {
    this.#protocol = protocol;
    this.#onObserved = onObserved;
    for (const role of protocol.roles) this.#directions.set(role, this.#open(role));
  }

  /** Whether both sides have ended or the session has been closed. */
  get isOver(): boolean {
    return this.#isOver || this.#ended.size === this.#directions.size;
  }

  /** @param time Time of the bytes, in milliseconds since the session began. */
  push(role: string, bytes: Uint8Array, time: number): void {
    const direction = this.#directions.get(role);
    if (direction === undefined) return;
    this.#time = time;
    this.#ignoringErrors(() => direction.decoder.push(bytes));
  }

  /** Adds output that a role wrote to its standard error. */
  print(role: string, bytes: Uint8Array, time: number): void {
    this.#time = time;
    this.#directions.get(role)?.printed.push(bytes);
  }

  /** Ends a direction: the role will send no more bytes. */
  end(role: string, how: string, time: number): void {
    if (this.#ended.has(role)) return;
    this.#ended.add(role);
    this.#time = time;
    const direction = this.#directions.get(role);
    this.#ignoringErrors(() => direction?.decoder.end());
    this.#ignoringErrors(() => direction?.printed.end());
    this.#report({ kind: "end", time, from: role, how });
  }

  /** Ends the session. Any further input is ignored. */
  close(): void {
    this.#isOver = true;
  }

  #open(from: string): Direction {
    const notation = notationOf(this.#protocol, from);
    const handlers: MarkedHandlers = {
      message: (message, { offset, headerLength, bodyLength, body }, bytes) => {
        const place = { offset, length: headerLength + bodyLength };
        const marks = bytes === undefined ? {} : { bytes };
        const observed = { time: this.#time, from, ...place, ...marks, message };
        this.#report({ kind: "message", ...observed }, notation === undefined ? body : undefined);
      },
      fault: ({ code, message: text, offset, length }) => {
        if (code === "ERR_NOISE") return;
        this.#report({ kind: "fault", time: this.#time, from, offset, length, code, text });
      },
      noise: (bytes, offset) => {
        for (let start = 0; start < bytes.length; start += noiseBytes) {
          const part = bytes.subarray(start, start + noiseBytes);
          const place = { offset: offset + start, length: part.length };
          const text = new TextDecoder().decode(part);
          this.#report({ kind: "noise", time: this.#time, from, ...place, text });
        }
      },
    };
    const decoder =
      notation === undefined
        ? new MarkedDecoder(this.#protocol.framing[from] as JsonFraming, handlers)
        : notation.createDecoder(
            resolveOptions({
              limits: { maxBodyBytes: maxMessageBytes },
              onMessage: (message, frame) => handlers.message(message, frame, undefined),
              onFault: handlers.fault,
              onNoise: handlers.noise,
            }),
          );
    const printed = new PrintedLines((text) =>
      this.#report({ kind: "stderr", time: this.#time, from, text }),
    );
    return { decoder, printed };
  }

  #report(observed: Observed, body?: Uint8Array): void {
    if (this.#isOver) return;
    this.#ignoringErrors(() => this.#onObserved(observed, body));
  }

  #ignoringErrors(act: () => void): void {
    try {
      act();
    } catch {
      // An error in a handler must not stop the session.
    }
  }
}

interface Direction {
  readonly decoder: EntryReader;
  readonly printed: PrintedLines;
}

/** Splits output into lines. */
class PrintedLines {
  readonly #onLine: (text: string) => void;
  readonly #decoder = new TextDecoder();
  #begun = "";

  constructor(onLine: (text: string) => void) {
    this.#onLine = onLine;
  }

  push(bytes: Uint8Array): void {
    const lines = (this.#begun + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#begun = lines.pop()!;
    for (const line of lines) this.#onLine(line.replace(/\r$/, ""));
    for (; this.#begun.length > printedBytes; this.#begun = this.#begun.slice(printedBytes))
      this.#onLine(this.#begun.slice(0, printedBytes));
  }

  end(): void {
    const rest = this.#begun + this.#decoder.decode();
    this.#begun = "";
    if (rest !== "") this.#onLine(rest);
  }
}

const notationClasses = {
  CommandNotation,
  ElementNotation,
  OptionNotation,
  DocumentNotation,
} as unknown as Readonly<Record<string, new (table: object, ...options: unknown[]) => Notation>>;

/** Opens the notation of a role's messages, if they are not JSON. */
function notationOf(protocol: Protocol | JsonProtocol, role: string): Notation | undefined {
  const notation = protocol.notations?.[role];
  if (protocol.notations === undefined || notation === undefined) return undefined;
  const [, table] = tableOf(protocol, role, notation);
  const [name, ...options] = creationOf(protocol, role, notation);
  return new notationClasses[name]!(table, ...options);
}
