import { sideOf } from "../diff/compare/side.js";
import type { Finding, Sighting } from "../diff/finding.js";
import { anyMessage, SeenPlaces, sightingOf } from "../diff/seen-places.js";
import { InputError } from "../generator/base/input-error.js";
import type { Protocol } from "../generator/model/protocol.js";
import { type MessageKind, MessageReader } from "../sessions/read/message-reader.js";
import { namesOf, openRecordingFiles } from "../sessions/read/recording-files.js";
import { argumentError } from "./argument-error.js";

/** Maximum number of unanswered requests to remember. */
const maxRequests = 10_000;

/** Returns the findings that affect a recorded session, each with the first message affected. */
export async function findingsInSession(
  files: readonly string[],
  before: Protocol,
  after: Protocol,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  if (files.length > 2)
    throw argumentError(
      `Cannot read ${files.length} recordings of one session: a session has only two directions`,
    );
  const names = namesOf(files);
  const recording = await openRecordingFiles(files, before);
  const sightings = new Map<string, Sighting>();
  const readers = [before, after].map((protocol) => new SessionReader(protocol, sightings));
  for await (const { message, line, offset, from } of recording) {
    if (message === undefined) continue;
    const sighting: Sighting = {
      // If there are two files, each contains one role's messages.
      file: names.length === 1 ? names[0]! : (from ?? names.join(" ")),
      ...(line === undefined ? {} : { line }),
      ...(line === undefined && offset !== undefined ? { offset } : {}),
    };
    for (const reader of readers) reader.read(message, sighting);
  }
  if (readers.every(({ messages }) => messages === 0))
    throw new InputError(
      "ERR_MESSAGE",
      `Cannot find any ${before.title} messages`,
      { file: names[0]! },
      "Pass a recording made with wirewright tap, or framed bytes",
    );
  return findings.flatMap((finding) => {
    const seen = sightingOf(finding, sightings);
    return seen === undefined ? [] : [{ ...finding, seen: [seen] }];
  });
}

/** Reads a session's messages using one version's types. */
class SessionReader {
  /** Number of messages read so far. */
  messages = 0;
  readonly #protocol: Protocol;
  readonly #reader: MessageReader;
  readonly #places: SeenPlaces;
  readonly #sightings: Map<string, Sighting>;
  /** Request names by id, for responses that do not contain the name of their request. */
  readonly #requests = new Map<unknown, string>();

  constructor(protocol: Protocol, sightings: Map<string, Sighting>) {
    this.#protocol = protocol;
    this.#reader = new MessageReader(protocol);
    this.#places = new SeenPlaces(sideOf(protocol), sightings);
    this.#sightings = sightings;
  }

  read(message: object, at: Sighting): void {
    const fields = message as Readonly<Record<string, unknown>>;
    const kind = this.#reader.kindOf(fields);
    if (kind === undefined) return;
    if (this.messages++ === 0 && !this.#sightings.has(anyMessage))
      this.#sightings.set(anyMessage, at);
    const name = this.#nameOf(kind, fields);
    if (name !== undefined && kind !== "response" && !this.#sightings.has(`${kind} ${name}`))
      this.#sightings.set(`${kind} ${name}`, at);
    const definition = this.#reader.definitionOf(kind, name, fields);
    if (definition !== undefined) this.#places.add(definition, message, at);
  }

  #nameOf(kind: MessageKind, fields: Readonly<Record<string, unknown>>): string | undefined {
    const name = this.#reader.nameOf(kind, fields);
    const { id = "", replyTo = "" } = this.#protocol.envelope;
    if (kind === "request" && name !== undefined) {
      if (this.#requests.size >= maxRequests)
        this.#requests.delete(this.#requests.keys().next().value);
      this.#requests.set(fields[id], name);
    }
    return name ?? (kind === "response" ? this.#requests.get(fields[replyTo]) : undefined);
  }
}
