import type { Protocol } from "../../generator/model/protocol.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { MessageReader } from "./message-reader.js";
import type { EntryBatch, RecordedEntry } from "./recorded-entry.js";
import { defaultReadAhead, type RecordingInput } from "./recording-input.js";
import { maxRemembered } from "./remembered.js";

/**
 * Merges a session's two directions into a plausible order. The responder's messages come as early
 * as possible, except that a response never precedes its request.
 * The request is sought only among a limited number of the initiator's next messages. If it is not
 * among them, the response does not wait for it.
 *
 * @returns The entries in batches, and in between a file where more of it must be read first.
 */
export function* interleave(
  files: Readonly<Record<"initiator" | "responder", Pick<RecordingInput, "next">>>,
  protocol: Protocol,
): Generator<EntryBatch | RecordingInput> {
  const reader = new MessageReader(protocol);
  const initiator = new EntryQueue(protocol.roles[0], files.initiator);
  const responder = new EntryQueue(protocol.roles[1], files.responder);
  /** Ids of the requests in the initiator's queue. */
  const upcoming = new Set<unknown>();
  /** Ids of the initiator's requests that have already been merged. */
  const merged = new LatestEntries<unknown, true>(maxRemembered);
  const idOf = ({ message }: RecordedEntry, kind: string): unknown => {
    const envelope = reader.envelopeOf(message);
    if (envelope?.kind !== kind) return undefined;
    return kind === "request" ? envelope.id : envelope.replyTo;
  };
  let entries: RecordedEntry[] = [];
  let bytes = 0;
  let hasBegun = false;
  for (;;) {
    const next = hasBegun ? responder.first : undefined;
    const id = next && idOf(next, "response");
    const isEarly = id !== undefined && merged.get(id) === undefined;
    const isUpcoming = isEarly && upcoming.has(id);
    const needsRequest =
      next === undefined ? initiator.first === undefined : isEarly && !isUpcoming;
    const needs =
      hasBegun && next === undefined && !responder.isEnded
        ? responder
        : needsRequest && initiator.hasRoom
          ? initiator
          : undefined;
    if (needs !== undefined) {
      if (entries.length > 0) {
        yield { entries, bytes };
        entries = [];
        bytes = 0;
      }
      const batch = yield* needs.read();
      bytes += batch?.bytes ?? 0;
      for (const entry of (needs === initiator && batch?.entries) || []) {
        const request = idOf(entry, "request");
        if (request !== undefined) upcoming.add(request);
      }
    } else if (next !== undefined && !isUpcoming) entries.push(responder.take());
    else if (initiator.first !== undefined) {
      const entry = initiator.take();
      entries.push(entry);
      hasBegun = true;
      const request = idOf(entry, "request");
      if (request === undefined) continue;
      merged.set(request, true);
      upcoming.delete(request);
    } else if (hasBegun) return yield { entries, bytes };
    else hasBegun = true;
  }
}

/** A direction's entries that have been read but not merged yet. */
class EntryQueue {
  readonly #role: string;
  readonly #file: Pick<RecordingInput, "next">;
  #entries: RecordedEntry[] = [];
  /** Index of the first remaining entry. */
  #next = 0;
  /** Approximate size of the remaining entries. */
  #bytes = 0;
  /** Whether no more entries will be added. */
  isEnded = false;

  constructor(role: string, file: Pick<RecordingInput, "next">) {
    this.#role = role;
    this.#file = file;
  }

  /** Reads the next entries. Returns undefined at the end. */
  *read(): Generator<RecordingInput, EntryBatch | undefined> {
    const batch = yield* this.#file.next();
    this.isEnded = batch === undefined;
    const entries = batch?.entries.map((entry) => ({ ...entry, from: this.#role })) ?? [];
    this.#entries = [...this.#entries.slice(this.#next), ...entries];
    this.#next = 0;
    this.#bytes += batch?.bytes ?? 0;
    return batch;
  }

  /** Whether the queue is below its limits, so that more entries can be added. */
  get hasRoom(): boolean {
    const { bytes, entries } = defaultReadAhead;
    return !this.isEnded && this.#bytes < bytes && this.#entries.length - this.#next < entries;
  }

  get first(): RecordedEntry | undefined {
    return this.#entries[this.#next];
  }

  take(): RecordedEntry {
    this.#bytes -= this.#bytes / (this.#entries.length - this.#next);
    return this.#entries[this.#next++]!;
  }
}
