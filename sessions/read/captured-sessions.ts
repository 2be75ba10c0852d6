import { noBytes } from "../../runtime/base/byte-buffer.js";
import { nearest } from "../../generator/base/input-error.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { CaptureReader, type CaptureRecord } from "./capture-format.js";
import type { EntryHandler, EntryReader, RecordedEntry } from "./recorded-entry.js";
import { shortText } from "./remembered.js";
import { type JsonProtocol, type Observed, SessionObserver } from "./session-observer.js";

/**
 * Maximum number of sessions that are decoded at the same time. When it is reached, the oldest
 * session is ended before another one starts.
 */
const maxSessions = 1_000;

/** Called for everything observed in a session. See `ObservedHandler`. */
type CapturedHandler = (observed: Observed, session: number | undefined, body?: Uint8Array) => void;

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
    const { name, roles } = this.#protocol;
    if (!roles.includes(from)) {
      const role = shortText(from, 100);
      const guess = nearest(role, roles);
      return this.#onBroken(
        `Cannot determine the sender of bytes: ${JSON.stringify(role)} is not a role of ${name}${guess === undefined ? "" : `, "${guess}" is`}`,
      );
    }
    const observer = this.#sessionOf(session);
    if (kind === "bytes") return observer.push(from, bytes, time);
    if (kind === "stderr") return observer.print(from, bytes, time);
    observer.end(from, how, time);
    if (observer.isOver) this.#sessions.delete(session);
  }

  #sessionOf(number: number | undefined): SessionObserver {
    const session = this.#sessions.get(number);
    if (session !== undefined) return session;
    if (this.#sessions.size >= maxSessions) {
      const [oldest] = this.#sessions.keys();
      this.#sessions.get(oldest)!.close();
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
export function readCaptured(protocol: Protocol, handle: EntryHandler): EntryReader {
  const sessions = new CapturedSessions(
    protocol,
    (observed, session) => {
      const { from, time } = observed;
      const place = { from, time, ...(session === undefined ? {} : { session }) };
      handle({ ...place, ...entryOf(observed) }, "length" in observed ? observed.length : 0);
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

/** Converts an observed message or fault to an entry that has no sender or time yet. */
export function entryOf(observed: Observed): RecordedEntry {
  switch (observed.kind) {
    case "message":
      return { offset: observed.offset, message: observed.message };
    case "stderr":
      return { printed: observed.text };
    case "end":
      return { ended: observed.how };
    default: {
      const code = observed.kind === "noise" ? "ERR_NOISE" : observed.code;
      return { offset: observed.offset, fault: { code, message: observed.text } };
    }
  }
}
