import { creationOf, tableOf } from "../../generator/model/notation-table.js";
import { nearest } from "../../generator/base/input-error.js";
import { maxMessageBytes } from "../../generator/base/memory-limits.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { noBytes } from "../../runtime/base/byte-buffer.js";
import { callSafely } from "../../runtime/base/promises.js";
import { resolveOptions } from "../../runtime/frames/decoder-options.js";
import type { JsonFraming, Notation } from "../../runtime/index.js";
import { CommandNotation } from "../../runtime/spellings/command-notation.js";
import { DocumentNotation } from "../../runtime/spellings/document-notation.js";
import { ElementNotation } from "../../runtime/spellings/element-notation.js";
import { OptionNotation } from "../../runtime/spellings/option-notation.js";
import { MarkedDecoder, type MarkedHandlers } from "./byte-marks.js";
import { CaptureReader, type CaptureRecord } from "./capture-format.js";
import type { ByteMark, EntryHandler, EntryReader } from "./recorded-entry.js";
import { contentsOf } from "./recorded-lines.js";
import { shortText } from "./remembered.js";

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
 * Called for everything observed in a session. For a JSON message, `body` contains its bytes, which
 * are valid only during the call.
 */
export type ObservedHandler = (
  observed: Observed,
  session: number | undefined,
  body?: Uint8Array,
) => void;

/** Maximum number of bytes in a single report of noise. */
const noiseBytes = 1024 * 1024;

/**
 * Maximum length of an unfinished line on standard error, in UTF-16 code units. A longer line is
 * split.
 */
const printedBytes = 64 * 1024;

/**
 * Maximum number of sessions that are decoded at the same time. When it is reached, the oldest
 * session is dropped before another one starts.
 */
const maxSessions = 1_000;

/** Decodes both directions of the sessions in a capture. Never throws. */
export class CapturedSessions {
  readonly #protocol: Protocol | JsonProtocol;
  readonly #onObserved: ObservedHandler;
  readonly #onBroken: (text: string) => void;
  readonly #reader: CaptureReader;
  /** The directions of each session, by role. Undefined for one that has ended. */
  readonly #sessions = new Map<number | undefined, Map<string, Direction | undefined>>();
  /** Time of the bytes being decoded. */
  #time = 0;

  constructor(
    protocol: Protocol | JsonProtocol,
    onObserved: ObservedHandler,
    onBroken: (text: string) => void = () => undefined,
  ) {
    this.#protocol = protocol;
    this.#onObserved = onObserved;
    this.#onBroken = onBroken;
    this.#reader = new CaptureReader(
      (record, bytes) => this.take(record, bytes),
      (offset) => onBroken(`Cannot read the capture from byte ${offset} on`),
    );
  }

  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
  }

  /** Decodes a single record, which may also come from a running session. */
  take(
    { kind, time, from, session, how = "ended" }: CaptureRecord,
    bytes: Uint8Array = noBytes,
  ): void {
    const { name, roles } = this.#protocol;
    if (!roles.includes(from)) {
      const role = shortText(from, 100);
      const guess = nearest(role, roles);
      return this.#onBroken(
        `Cannot determine the sender of bytes: ${JSON.stringify(role)} is not a role of ${name}${guess === undefined ? "" : `, "${guess}" is`}`,
      );
    }
    this.#time = time;
    const directions = this.#directionsOf(session);
    const direction = directions.get(from);
    // An error in a handler must not stop the session.
    if (kind === "bytes") callSafely(() => direction?.decoder.push(bytes));
    else if (kind === "stderr") callSafely(() => direction?.printed.push(bytes));
    else if (direction !== undefined) {
      callSafely(() => direction.decoder.end());
      callSafely(() => direction.printed.end());
      callSafely(() => this.#onObserved({ kind: "end", time, from, how }, session));
      directions.set(from, undefined);
      if ([...directions.values()].every((each) => each === undefined))
        this.#sessions.delete(session);
    }
  }

  #directionsOf(session: number | undefined): Map<string, Direction | undefined> {
    let directions = this.#sessions.get(session);
    if (directions === undefined) {
      const [oldest] = this.#sessions.keys();
      if (this.#sessions.size >= maxSessions) this.#sessions.delete(oldest);
      directions = new Map(this.#protocol.roles.map((role) => [role, this.#open(role, session)]));
      this.#sessions.set(session, directions);
    }
    return directions;
  }

  #open(from: string, session: number | undefined): Direction {
    const report = (observed: Observed, body?: Uint8Array): void =>
      callSafely(() => this.#onObserved(observed, session, body));
    const notation = notationOf(this.#protocol, from);
    const handlers: MarkedHandlers = {
      onMessage: (message, { offset, headerLength, bodyLength, body }, bytes) => {
        const place = { offset, length: headerLength + bodyLength };
        const marks = bytes === undefined ? {} : { bytes };
        const observed = { time: this.#time, from, ...place, ...marks, message };
        report({ kind: "message", ...observed }, notation === undefined ? body : undefined);
      },
      onFault: ({ code, message: text, offset, length }) => {
        if (code === "ERR_NOISE") return;
        report({ kind: "fault", time: this.#time, from, offset, length, code, text });
      },
      onNoise: (bytes, offset) => {
        for (let start = 0; start < bytes.length; start += noiseBytes) {
          const part = bytes.subarray(start, start + noiseBytes);
          const place = { offset: offset + start, length: part.length };
          const text = new TextDecoder().decode(part);
          report({ kind: "noise", time: this.#time, from, ...place, text });
        }
      },
    };
    const limits = { maxBodyBytes: maxMessageBytes };
    const decoder =
      notation === undefined
        ? new MarkedDecoder(this.#protocol.framing[from] as JsonFraming, handlers)
        : notation.createDecoder(resolveOptions({ limits, ...handlers }));
    const printed = new PrintedLines((text) =>
      report({ kind: "stderr", time: this.#time, from, text }),
    );
    return { decoder, printed };
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

/** Reads a capture as a recording. */
export function readCaptured(protocol: Protocol, handle: EntryHandler): EntryReader {
  const sessions = new CapturedSessions(
    protocol,
    (observed, session) => {
      const { from, time } = observed;
      const place = { from, time, ...(session === undefined ? {} : { session }) };
      handle({ ...place, ...contentsOf(observed) }, "length" in observed ? observed.length : 0);
    },
    (message) => handle({ fault: { code: "ERR_LOST", message } }, 0),
  );
  return {
    isRecording: true,
    push: (bytes) => sessions.push(bytes),
    // Ignore an incomplete final record: the capture was truncated there.
    end: () => undefined,
  };
}
