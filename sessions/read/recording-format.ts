import type { Protocol } from "../../generator/model/protocol.js";
import { noBytes } from "../../runtime/base/byte-buffer.js";
import type { EntryHandler, EntryReader } from "./recorded-entry.js";
import { MarkedDecoder } from "./byte-marks.js";
import { CapturedSessions, readCaptured } from "./captured-sessions.js";
import { captureSign } from "./capture-format.js";
import { readHead } from "./log/log-head.js";
import { LogReader } from "./log/log-reader.js";
import { dialectOf } from "./message-dialect.js";
import { parsedText } from "./json-lines.js";
import { MessageForms } from "./log/message-form.js";
import { contentsOf, RecordedLines } from "./recorded-lines.js";
import { check } from "../../generator/read/description/check-file.js";
import { readJsonText } from "../../generator/read/source/json-text.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import { MessageReader } from "./message-reader.js";

/** The format of a recording: framed bytes, lines of JSON, a capture, or the log of a program. */
export type RecordingFormat = "frames" | "lines" | "capture" | "log";

/** Number of bytes that determine the format of a recording. */
export const windowBytes = 64 * 1024;

/** Maximum length of a recording's first line, in bytes. */
const mostHead = 4_096;

const utf8 = new TextDecoder();

/**
 * Detects the format of a recording, and opens its reader.
 *
 * @param start The first bytes of the recording, which must also be pushed.
 * @param senders The senders of messages in a log, by a part of the words in front of them.
 * @throws InputError `ERR_MESSAGE` if the first line of a recording in our format is invalid.
 */
export function openReader(
  name: string,
  protocol: Protocol,
  start: Uint8Array,
  handle: EntryHandler,
  senders?: ReadonlyMap<string, string>,
): readonly [RecordingFormat, EntryReader] {
  const format = formatOf(start, protocol);
  if (format === "lines" || format === "capture")
    checkHead(utf8.decode(start.subarray(0, mostHead)), name);
  switch (format) {
    case "frames":
      return [
        format,
        (protocol.notations === undefined ? readFrames : readSpelled)(protocol, handle),
      ];
    case "lines":
      return [format, new RecordedLines(name, protocol, handle)];
    case "capture":
      return [format, readCaptured(protocol, handle)];
    case "log":
      return [format, new LogReader(protocol, handle, start, senders)];
  }
}

/**
 * Matches the header of a frame at the beginning of a line, after a message, or after other text if
 * a message follows.
 */
const frameHeader =
  /Content-(?:Length|Type)\s*:[^\r\n]*(\r?\n)(?:(?<=(?:^|[\r\n}])Content-[^\r\n]*\r?\n)|(?=\r\n\{))/gi;

/** Matches the two ends of a connection, as tcpflow prints them. */
const ends = /\b[\d.]{7,15}[.:]\d+-[\d.]{7,15}[.:]\d+:$/;

/** Maximum length of a line with words above a header. */
const maxWords = 200;

/** Determines the format of a recording from its first bytes. */
function formatOf(window: Uint8Array, protocol: Protocol): RecordingFormat {
  const text = latin1.decode(window).replace(/^(?:\xef\xbb\xbf|[\0\s])+/, "");
  if (captureSign.test(text)) return "capture";
  if (sign.test(text)) return "lines";
  if (protocol.notations !== undefined) return text.startsWith("{") ? "lines" : "frames";
  if (isFramed(text, window, protocol)) return "frames";
  if (!text.startsWith("{")) return "log";
  const lines = text.split("\n");
  // A message without line breaks may be longer than the window.
  if (lines.length === 1 && window.length >= windowBytes) return "lines";
  // JavaScript prints its objects without quotation marks around their keys.
  if (lines.some((line) => /^\s*\{ ?[A-Za-z_]\w*: /.test(line))) return "log";
  return areRecordedLines(utf8.decode(window).split("\n"), protocol) ? "lines" : "log";
}

/** The kinds of lines in a recording made with `wirewright tap`. */
const recordedKinds: ReadonlySet<unknown> = new Set(["message", "fault", "noise", "stderr", "end"]);

/**
 * Returns whether lines of JSON are messages, or contain them as `RecordedLines` expects it, and
 * whether they may be messages of the protocol.
 */
function areRecordedLines(lines: readonly string[], protocol: Protocol): boolean {
  const forms = new MessageForms(protocol);
  let [isFirst, isNamed] = [true, false];
  for (const line of lines) {
    const value = isFirst || line.startsWith("{") ? parsedText(line) : undefined;
    if (!isObject(value)) continue;
    const { kind, message, msg, body } = value;
    if (isFirst && recordedKinds.has(kind)) return true;
    const [form] = [value, message, msg, body]
      .map((each) => forms.formOf(each))
      .filter(({ fit }) => fit === "message");
    if (form === undefined) {
      if (dialectOf(value, protocol) !== undefined) return true;
      if (isFirst) return false;
      continue;
    }
    if (form.isDefined === true) return true;
    if (form.name !== undefined) isNamed = true;
    isFirst = false;
  }
  return !isFirst && (!isNamed || protocol.messages.length === 0);
}

/**
 * Returns whether a recording consists of frames as they were sent. A log may print the header of
 * each message below words about it, and a text that was pasted has no carriage returns.
 */
function isFramed(text: string, window: Uint8Array, protocol: Protocol): boolean {
  const headers = [...text.matchAll(frameHeader)];
  if (headers.length === 0) return false;
  const worded = headers.filter(({ index }) => {
    const line = text
      .slice(Math.max(0, index - maxWords), index)
      .trimEnd()
      .split("\n")
      .at(-1)!;
    const words = line.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
    return !line.includes("}") && (ends.test(words) || readHead(words).mark !== "");
  });
  if (worded.length * 2 > headers.length) return false;
  if (headers.some(([, end]) => end === "\r\n")) return true;
  // If both sides end their lines in the same wrong way, the text was pasted.
  const senders = new Set<string | undefined>();
  const log = new LogReader(protocol, ({ from }) => senders.add(from), window);
  log.push(window);
  log.end();
  return !protocol.roles.every((role) => senders.has(role));
}

const latin1 = new TextDecoder("latin1");

/** Maximum number of bytes that are kept of those that do not belong to a message. */
const maxNoise = 200;

function readFrames(_: Protocol, handle: EntryHandler): EntryReader {
  /** The first bytes since the last entry that do not belong to a message. */
  let noise = noBytes;
  return new MarkedDecoder("content-length", {
    onMessage(message, { offset, headerLength, bodyLength }, bytes) {
      const entry = bytes === undefined ? { offset, message } : { offset, bytes, message };
      handle(entry, headerLength + bodyLength);
    },
    onFault({ code, message, offset, length, recovered, sample: start }) {
      const sample = code === "ERR_NOISE" ? utf8.decode(noise) : start;
      noise = noBytes;
      const described = { code, message };
      handle(
        { offset, fault: sample === "" || recovered ? described : { ...described, sample } },
        length,
      );
    },
    onNoise(bytes) {
      if (noise.length < maxNoise)
        noise = Buffer.concat([noise, bytes.subarray(0, maxNoise - noise.length)]);
    },
  });
}

const sign = /^[\s\0]*\{\s*"recording"\s*:\s*"wirewright"/;

/**
 * Matches a head as `tap` and `convert` write it, because loading the schema checker takes longer
 * than reading a short recording.
 */
const usualHead =
  /^\{"recording":"wirewright","form":[12],"protocol":"[^"\\]+","version":"[^"\\]*","roles":\["[^"\\]*","[^"\\]*"\](?:,"began":"\d{4}-\d\d-\d\dT\d\d:\d\d[^"\\]*")?(?:,"order":"guessed")?\}\r?$/;

/**
 * Checks the first line of a file if it is the head of a recording in our format.
 *
 * @param text The beginning of the file.
 * @throws InputError `ERR_MESSAGE` with the location of the first error.
 */
function checkHead(text: string, name: string): void {
  const [line = ""] = text.replace(/^[\s\0]+/, "").split("\n", 1);
  // A line that is not JSON will be reported by the line reader, which continues after it.
  if (!sign.test(text) || usualHead.test(line) || parsedText(line) === undefined) return;
  check(readJsonText(line, name), "recording-head", "ERR_MESSAGE");
}

/**
 * Reads the bytes of one direction of a protocol whose messages are not JSON. The first bytes
 * determine the direction.
 */
function readSpelled(protocol: Protocol, handle: EntryHandler): EntryReader {
  let role: string | undefined;
  const sessions = new CapturedSessions(protocol, (observed) => {
    if (observed.kind === "end") return;
    const length = "length" in observed ? observed.length : 0;
    handle({ from: observed.from, ...contentsOf(observed) }, length);
  });
  return {
    push(bytes) {
      role ??= likeliestSender(bytes, protocol);
      sessions.take({ kind: "bytes", from: role, time: 0 }, bytes);
    },
    end() {
      if (role !== undefined) sessions.take({ kind: "end", from: role, time: 0 });
    },
  };
}

/**
 * Determines the role that sent the bytes by decoding them in both roles' notations and choosing
 * the role whose notation yields more messages of the protocol.
 */
function likeliestSender(bytes: Uint8Array, protocol: Protocol): string {
  const reader = new MessageReader(protocol);
  const messagesIn = (role: string): number => {
    const notation = protocol.notations?.[role];
    // Do not count text messages, because any line is a valid text message.
    const text = notation?.kind === "xml-element" ? notation.text?.name : undefined;
    let count = 0;
    const sessions = new CapturedSessions(protocol, (observed) => {
      if (observed.kind !== "message") return;
      const fields = observed.message as Readonly<Record<string, unknown>>;
      const kind = reader.kindOf(fields);
      if (kind === undefined || kind === "response") return;
      const name = reader.nameOf(kind, fields);
      if (name !== text && reader.knownMessage(kind, name) !== undefined) count++;
    });
    sessions.take({ kind: "bytes", from: role, time: 0 }, bytes);
    sessions.take({ kind: "end", from: role, time: 0 });
    return count;
  };
  const [initiator, responder] = protocol.roles;
  return messagesIn(responder) > messagesIn(initiator) ? responder : initiator;
}
