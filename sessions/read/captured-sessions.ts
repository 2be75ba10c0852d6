import { noBytes } from "../../runtime/base/byte-buffer.js";
import { nearest } from "../../generator/base/input-error.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { CaptureReader, type CaptureRecord } from "./capture-format.js";
import type { EntryHandler, EntryReader, RecordedEntry } from "./recorded-entry.js";
import { shortText } from "./remembered.js";
import type { Observed } from "./observed.js";
import { SessionObserver, type JsonProtocol } from "./session-observer.js";

/**
 * Maximum number of sessions that are decoded at the same time. When it is reached, the oldest
 * session is ended before another one starts.
 */
const maxSessions = 1_000;

/** Called for everything observed in a session. See `ObservedHandler`. */
export type CapturedHandler = (
  observed: Observed,
  session: number | undefined,
  body?: Uint8Array,
) => void;

/** Decodes the sessions in a capture. */
export class CapturedSessions {
  readonly #protocol: Protocol | JsonProtocol;
  readonly #onObserved: CapturedHandler;
  readonly #onBroken: (text: string) => void;
  readonly #reader: CaptureReader;
  readonly #sessions = new Map<number | undefined, SessionObserver>();

  constructor(
    protocol: Protocol | JsonProtocol,
    onObserved: CapturedHandler,
    onBroken: (text: string) => void,
  ) {
    this.#protocol = protocol;
    this.#onObserved = onObserved;
    this.#onBroken = onBroken;
    this.#reader = new CaptureReader({
      record: (record, bytes) => this.take(record, bytes),
      broken: (offset) => onBroken(`Cannot read the capture from byte ${offset} on`),
    });
  }

  push(bytes: Uint8Array): void {
    this.#reader.push(bytes);
  }

  /** Decodes a single record, which may also come from a running session. */
  take(
    { kind, time, from, session, how = "ended" }: CaptureRecord,
    bytes: Uint8Array = noBytes,
  ): void {
    if (!this.#protocol.roles.includes(from)) return this.#refuse(from);
    const observer = this.#sessionOf(session);
    switch (kind) {
      case "bytes":
        observer.push(from, bytes, time);
        return;
      case "stderr":
        observer.print(from, bytes, time);
        return;
      case "end":
        observer.end(from, how, time);
        if (observer.isOver) this.#sessions.delete(session);
    }
  }

  #refuse(from: string): void {
    const { name, roles } = this.#protocol;
    const guess = nearest(shortText(from, 100), roles);
    this.#onBroken(
      `Cannot determine the sender of bytes: ${JSON.stringify(shortText(from, 100))} is not a role of ${name}${guess === undefined ? "" : `, "${guess}" is`}`,
    );
  }

  #sessionOf(number: number | undefined): SessionObserver {
    const session = this.#sessions.get(number);
    if (session !== undefined) return session;
    if (this.#sessions.size >= maxSessions) {
      const [[oldest, observer]] = this.#sessions as unknown as [
        [number | undefined, SessionObserver],
      ];
      observer.close();
      this.#sessions.delete(oldest);
    }
    const opened = new SessionObserver(this.#protocol, (observed, body) =>
      this.#onObserved(observed, number, body),
    );
    this.#sessions.set(number, opened);
    return opened;
  }
}

/** Reads a capture as a recording. */
export class CapturedEntries implements EntryReader {
  readonly isRecording = true;
  readonly #sessions: CapturedSessions;

  constructor(protocol: Protocol, handle: EntryHandler) {
    this.#sessions = new CapturedSessions(
      protocol,
      (observed, session) => {
        const { from, time } = observed;
        const place = { from, time, ...(session === undefined ? {} : { session }) };
        handle({ ...place, ...entryOf(observed) }, "length" in observed ? observed.length : 0);
      },
      (message) => handle({ fault: { code: "ERR_LOST", message } }, 0),
    );
  }

  push(bytes: Uint8Array): void {
    this.#sessions.push(bytes);
  }

  end(): void {
    // Ignore an incomplete final record: the capture was truncated there.
  }
}

/** Converts an observed message or fault to an entry that has no sender or time yet. */
export function entryOf(observed: Observed): RecordedEntry {
  switch (observed.kind) {
    case "message":
      return { offset: observed.offset, message: observed.message };
    case "stderr":
      return { printed: observed.text };
    case "end":
      return { ended: observed.how };
    case "noise":
      return { offset: observed.offset, fault: { code: "ERR_NOISE", message: observed.text } };
    case "fault": {
      const { offset, code, text: message } = observed;
      return { offset, fault: { code, message } };
    }
  }
}
