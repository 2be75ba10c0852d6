import { InputError } from "../input-error.js";
import { luaLogHead, readLuaLog } from "./lua-log.js";
import type { Protocol } from "../model/protocol.js";
import type { Observed } from "../tap/session-observer.js";
import { FrameDecoder, isObject } from "../../runtime/index.js";
import { isOfArm } from "../../runtime/validation-checks.js";

/** Something in a recording: a message, or bytes that are none. */
export interface RecordedEntry {
  /** Who sent it; undefined where the recording does not say. */
  readonly from?: string;
  readonly time?: number;
  readonly offset?: number;
  readonly line?: number;
  readonly session?: number;
  readonly message?: object;
  /** What is wrong with bytes that are no message. */
  readonly fault?: { readonly code: string; readonly text: string };
}

/** A file with a recording, or one direction of it. */
export interface RecordingFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads a recording: one of ours, framed bytes of one or both directions, lines that have a message
 * each, or the log of nvim-dap.
 *
 * @param files One file, or one for each direction.
 * @throws InputError `ERR_JSON` if there is nothing that could be read as one.
 */
export function readRecording(
  files: readonly RecordingFile[],
  protocol: Protocol,
): readonly RecordedEntry[] {
  const read = files.map((file) => readFile(file, protocol));
  return read.length === 2 ? interleave(read[0]!, read[1]!, protocol) : read.flat();
}

function readFile({ name, bytes }: RecordingFile, protocol: Protocol): readonly RecordedEntry[] {
  const start = new TextDecoder().decode(bytes.subarray(0, 4_096));
  const isLines = /^\s*[{[]/.test(start) || /^(From|To) client:/m.test(start);
  const isLuaLog = start.search(luaLogHead) >= 0;
  const entries: readonly RecordedEntry[] = isLuaLog
    ? readLuaLog(new TextDecoder().decode(bytes))
        .filter(({ value }) => isMessage(value, protocol))
        .map(({ line, value }) => ({ line, message: value }))
    : isLines
      ? readLines(bytes, protocol)
      : readFrames(bytes);
  if (!entries.some(({ message }) => message !== undefined))
    throw new InputError(
      "ERR_JSON",
      "Cannot find any message in the recording",
      { file: name },
      "Give a recording of wirewright tap, framed bytes, or lines with a JSON message each",
    );
  const senders = entries.map(({ from, message }) => from ?? senderOf(message, protocol));
  const known = new Set(senders.filter((from) => from !== undefined));
  // Where one side alone is heard, what could be from either is from it.
  const [only] = known.size === 1 ? known : [];
  return entries.map((entry, index) => {
    const from = senders[index] ?? only;
    return from === undefined ? entry : { ...entry, from };
  });
}

/** Whether a recording is framed bytes of one direction: what the other side said is not known. */
export function isOneSided(entries: readonly RecordedEntry[]): boolean {
  const messages = entries.filter(({ message }) => message !== undefined);
  return (
    messages.every(({ line }) => line === undefined) &&
    new Set(messages.map(({ from }) => from)).size === 1
  );
}

/** Framed bytes as they went over the wire. */
function readFrames(bytes: Uint8Array): readonly RecordedEntry[] {
  const entries: RecordedEntry[] = [];
  const decoder = new FrameDecoder({
    onMessage: (message, { offset }) => entries.push({ offset, message }),
    onError: ({ code, message: text, offset }) => entries.push({ offset, fault: { code, text } }),
  });
  decoder.push(bytes);
  decoder.end();
  return entries;
}

/** Lines: ours, messages alone, or messages with who sent them. */
function readLines(bytes: Uint8Array, protocol: Protocol): readonly RecordedEntry[] {
  const [asking, answering] = protocol.roles;
  const entries: RecordedEntry[] = [];
  for (const [index, text] of new TextDecoder().decode(bytes).split("\n").entries()) {
    const line = index + 1;
    if (text.trim() === "") continue;
    const logged = /^(From|To) client: (.*)$/.exec(text);
    const value = parse(logged === null ? text : logged[2]!.replace(/^\w+\((.*)\)$/, "$1"));
    if (!isObject(value)) {
      if (!/^\s*\[/.test(text) || logged !== null)
        entries.push({ line, fault: { code: "ERR_JSON", text: "Cannot read a line as JSON" } });
      continue;
    }
    if (value["recording"] === "wirewright") continue;
    const observed = value as unknown as Observed & { readonly session?: number };
    const session = typeof observed.session === "number" ? { session: observed.session } : {};
    if (observed.kind === "end") continue;
    if (observed.kind === "message" && isObject(observed.message)) {
      const { from, time, offset, message } = observed;
      entries.push({ from, time, offset, line, message, ...session });
    } else if (observed.kind === "fault" || observed.kind === "noise") {
      const { from, time, offset, text: said } = observed;
      const code = observed.kind === "fault" ? observed.code : "ERR_NOISE";
      entries.push({ from, time, offset, line, fault: { code, text: said }, ...session });
    } else if (logged !== null) {
      entries.push({ from: logged[1] === "From" ? asking : answering, line, message: value });
    } else {
      const inner = [value["message"], value["msg"], value["body"]].find(
        (each) => isObject(each) && isMessage(each, protocol),
      );
      const isOwn = isMessage(value, protocol);
      entries.push({ line, message: isOwn ? value : ((inner as object | undefined) ?? value) });
    }
  }
  return entries;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMessage(value: object, { envelope }: Protocol): boolean {
  return [envelope.request, envelope.event, ...(envelope.response ? [envelope.response] : [])].some(
    (arm) => isOfArm(arm, value as Record<string, unknown>),
  );
}

/** Who sends a message, told from what it is; undefined where either may. */
function senderOf(message: object | undefined, protocol: Protocol): string | undefined {
  if (message === undefined) return undefined;
  const { envelope, messages, roles } = protocol;
  const fields = message as Record<string, unknown>;
  const { request, event, response } = envelope;
  const find = (kind: "request" | "event", name: unknown): string | undefined => {
    const sender = messages.find((each) => each.kind === kind && each.name === name)?.sender;
    return sender === undefined || sender === "both" ? undefined : sender;
  };
  if (isOfArm(request, fields)) return find("request", fields[request.name]);
  if (isOfArm(event, fields)) return find("event", fields[event.name]);
  if (response?.name === undefined || !isOfArm(response, fields)) return undefined;
  const asking = find("request", fields[response.name]);
  return asking === undefined ? undefined : roles.find((role) => role !== asking);
}

/** Two directions in an order that may have been: what is said as early as what it answers allows. */
function interleave(
  one: readonly RecordedEntry[],
  other: readonly RecordedEntry[],
  protocol: Protocol,
): readonly RecordedEntry[] {
  const [asking] = protocol.roles;
  const isFirst = (entries: readonly RecordedEntry[]): number =>
    entries.filter(({ from }) => from === asking).length / Math.max(1, entries.length);
  const swap = isFirst(other) > isFirst(one);
  const known = (entries: readonly RecordedEntry[], from: string): RecordedEntry[] =>
    entries.map((entry) => ({ ...entry, from }));
  const asked = known(swap ? other : one, asking);
  const answers = known(swap ? one : other, protocol.roles[1]);
  const { id = "", replyTo = "", request, response } = protocol.envelope;
  const field = (entry: RecordedEntry, name: string): unknown =>
    (entry.message as Record<string, unknown> | undefined)?.[name];
  const is = ({ message }: RecordedEntry, arm: Parameters<typeof isOfArm>[0]): boolean =>
    message !== undefined && isOfArm(arm, message as Record<string, unknown>);
  const ordered: RecordedEntry[] = [];
  const sent = { client: new Set<unknown>(), server: new Set<unknown>() };
  const pending = new Set(
    asked.filter((entry) => is(entry, request)).map((entry) => field(entry, id)),
  );
  let at = 0;
  const sayAnswers = (): void => {
    for (; at < answers.length; at++) {
      const entry = answers[at]!;
      const reply =
        response !== undefined && is(entry, response) ? field(entry, replyTo) : undefined;
      // It answers something that is still to be asked.
      if (reply !== undefined && pending.has(reply) && !sent.client.has(reply)) return;
      if (is(entry, request)) sent.server.add(field(entry, id));
      ordered.push(entry);
    }
  };
  for (const entry of asked) {
    if (is(entry, request)) sent.client.add(field(entry, id));
    ordered.push(entry);
    sayAnswers();
  }
  ordered.push(...answers.slice(at));
  return ordered;
}
