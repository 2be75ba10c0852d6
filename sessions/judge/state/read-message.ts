import type { RecordedEntry } from "../../read/recorded-entry.js";
import { shortName } from "../../read/remembered.js";
import type { Fields } from "../../read/message-reader.js";
import type { EntryPlace, JudgedMessage, ResponseMismatch, SentRequest } from "./judged-message.js";
import type { SessionState } from "./session-state.js";

/**
 * Reads a message in the context of its session. Returns undefined if it is not a request, an event
 * or a response.
 *
 * @param index Position of the message in its session, counting from 1.
 */
export function readMessage(
  entry: RecordedEntry,
  index: number,
  state: SessionState,
): JudgedMessage | undefined {
  const { reader } = state.judged;
  const fields = entry.message as Fields;
  const kind = reader.kindOf(fields);
  if (kind === undefined) return undefined;
  const from = senderOf(entry, state);
  const request = kind === "response" ? state.requests.answeredBy(from, fields) : undefined;
  const name = request?.name ?? reader.nameOf(kind, fields);
  const { time } = entry;
  // Spread syntax is avoided for speed, because this object is created for each message.
  return {
    index,
    label: reader.describe(kind, fields, name),
    from,
    isFromKnown: entry.from !== undefined,
    session: entry.session,
    time,
    offset: entry.offset,
    line: entry.line,
    unknown: entry.unknown,
    kind,
    bytes: entry.bytes,
    name,
    fields,
    definition: reader.definitionOf(kind, name, fields),
    payloadField: reader.payloadFieldOf(kind),
    hasFailed: reader.hasFailed(kind, fields),
    request,
    mismatch: kind === "response" ? mismatchOf(fields, request, state) : undefined,
    latency: time === undefined || request?.time === undefined ? undefined : time - request.time,
  };
}

export function placeOf(
  entry: RecordedEntry,
  index: number,
  label: string,
  state: SessionState,
): EntryPlace {
  const { session, time, offset, line, unknown } = entry;
  return {
    index,
    label,
    from: senderOf(entry, state),
    isFromKnown: entry.from !== undefined,
    session,
    time,
    offset,
    line,
    unknown,
  };
}

/** Returns the role that sent an entry, or the first role if the sender was not recorded. */
function senderOf({ from }: RecordedEntry, { protocol: { roles } }: SessionState): string {
  return from === roles[1] ? from : roles[0];
}

function mismatchOf(
  fields: Fields,
  request: SentRequest | undefined,
  { protocol }: SessionState,
): ResponseMismatch | undefined {
  if (request === undefined) return "unmatched";
  if (request.isAnswered) return "double";
  const field = protocol.envelope.response?.name;
  if (field === undefined) return undefined;
  const named = fields[field];
  return typeof named === "string" && shortName(named) === request.name ? undefined : "misnamed";
}
