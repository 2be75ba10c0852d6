import { tableOf } from "../model/notation-table.js";
import { maxMessageBytes } from "../base/memory-limits.js";
import type { Protocol } from "../model/protocol.js";
import { bodyMarks } from "./bytes/body-marks.js";
import { FrameBytes } from "./bytes/frame-bytes.js";
import type { ByteMark, EntryReader } from "./entries/recorded-entry.js";
import { CommandNotation, ElementNotation, FrameDecoder } from "../../runtime/index.js";
import type { CommandTable, ElementTable, JsonFraming, Notation } from "../../runtime/index.js";

/** Something that was sent, or the end of a direction. Times are in milliseconds since the session began. */
export type Observed = ObservedMessage | ObservedFault | ObservedNoise | ObservedEnd;

interface ObservedBytes {
  readonly time: number;
  /** Role that sent it. */
  readonly from: string;
  /** Offset in the bytes that the role sent. */
  readonly offset: number;
  readonly length: number;
}

export interface ObservedMessage extends ObservedBytes {
  readonly kind: "message";
  /** What is peculiar about its bytes. */
  readonly bytes?: readonly ByteMark[];
  readonly message: object;
}

export interface ObservedFault extends ObservedBytes {
  readonly kind: "fault";
  /** Error code of the decoder. */
  readonly code: string;
  readonly text: string;
}

/** Bytes that belong to no message, as text. */
export interface ObservedNoise extends ObservedBytes {
  readonly kind: "noise";
  readonly text: string;
}

export interface ObservedEnd {
  readonly kind: "end";
  readonly time: number;
  readonly from: string;
  /** How the direction ended, such as `closed` or `exited with 1`. */
  readonly how: string;
}

/** Largest piece of noise that is reported at once. */
const noiseBytes = 1024 * 1024;

/** Decodes both directions of a session. Never throws. */
export class SessionObserver {
  readonly #decoders: ReadonlyMap<string, EntryReader>;
  readonly #onObserved: (observed: Observed) => void;
  readonly #began = performance.now();
  readonly #ended = new Set<string>();
  #isOver = false;

  constructor(protocol: Protocol, onObserved: (observed: Observed) => void) {
    this.#onObserved = onObserved;
    this.#decoders = new Map(protocol.roles.map((role) => [role, this.#decode(protocol, role)]));
  }

  push(role: string, bytes: Uint8Array): void {
    this.#ignoringErrors(() => this.#decoders.get(role)?.push(bytes));
  }

  /** Call when a role sends nothing more. */
  end(role: string, how: string): void {
    if (this.#ended.has(role)) return;
    this.#ended.add(role);
    this.#ignoringErrors(() => this.#decoders.get(role)?.end());
    this.#report({ kind: "end", time: this.#now(), from: role, how });
  }

  /** Ends the session. Later input is ignored. */
  close(): void {
    this.#isOver = true;
  }

  #decode(protocol: Protocol, from: string): EntryReader {
    const framing = framingOf(protocol, from);
    const frames = framing === "content-length" ? new FrameBytes() : undefined;
    const decoder = new FrameDecoder({
      framing,
      limits: { maxBodyBytes: maxMessageBytes },
      onMessage: (message, frame) => {
        const { offset, headerLength, bodyLength } = frame;
        const bytes =
          frames !== undefined
            ? frames.marksOf(message, frame)
            : framing === "lines"
              ? bodyMarks(frame.body, message, offset)
              : undefined;
        this.#report({
          kind: "message",
          time: this.#now(),
          from,
          offset,
          length: headerLength + bodyLength,
          ...(bytes === undefined ? {} : { bytes }),
          message,
        });
      },
      onError: ({ code, message: text, offset, length }) => {
        frames?.skip(offset, length);
        if (code !== "ERR_NOISE")
          this.#report({ kind: "fault", time: this.#now(), from, offset, length, code, text });
      },
      onNoise: (bytes, offset) => {
        frames?.skip(offset, bytes.length);
        for (let at = 0; at < bytes.length; at += noiseBytes) {
          const part = bytes.subarray(at, at + noiseBytes);
          this.#report({
            kind: "noise",
            time: this.#now(),
            from,
            offset: offset + at,
            length: part.length,
            text: new TextDecoder().decode(part),
          });
        }
      },
    });
    if (frames === undefined) return decoder;
    return {
      push: (chunk) => frames.during(chunk, () => decoder.push(chunk)),
      end: () => decoder.end(),
    };
  }

  #now(): number {
    return Math.round((performance.now() - this.#began) * 1_000) / 1_000;
  }

  #report(observed: Observed): void {
    if (this.#isOver) return;
    this.#ignoringErrors(() => this.#onObserved(observed));
  }

  #ignoringErrors(act: () => void): void {
    try {
      act();
    } catch {
      // An error in an observer must not stop the session.
    }
  }
}

function framingOf(protocol: Protocol, role: string): JsonFraming | Notation {
  const notation = protocol.notations?.[role];
  if (notation === undefined) return protocol.framing[role] as JsonFraming;
  const [, table] = tableOf(protocol, role, notation);
  const { request, event } = protocol.envelope;
  return notation.kind === "command-line"
    ? new CommandNotation(table as CommandTable, request)
    : new ElementNotation(table as ElementTable, event);
}
