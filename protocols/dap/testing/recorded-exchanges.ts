import { requests } from "../../../generated/dap/maps.js";
import type { AnyMessage } from "./played-adapter.js";
import { protocol } from "../../../generated/dap/protocol.js";

/** A recorded message, and the side that sent it. */
export interface RecordedMessage {
  /** `client` or `adapter`. May be missing if the sender is evident from the message. */
  readonly from?: string;
  readonly message?: object;
  /** Number of the session, if the recording contains several. */
  readonly session?: number;
}

/** A recording as text, or its messages in order. */
export type Recording = string | Iterable<RecordedMessage>;

/** A message from the client, and the messages from the adapter that follow it. */
export interface RecordedExchange {
  /** A request, or the response to a request from the adapter. */
  readonly stimulus: AnyMessage;
  /**
   * Whether the message starts, resumes or ends the program. Requests before and after such a
   * message have different results.
   */
  readonly isStep: boolean;
  /** Number of steps (see `isStep`) before this message. */
  readonly epoch: number;
  /**
   * The messages from the adapter that follow: the response, events, requests, and delayed
   * responses.
   */
  readonly says: AnyMessage[];
}

/** A recording from which to play an adapter. */
export interface RecordedExchanges {
  /** The messages that the adapter sends before the client's first message. */
  readonly first: readonly AnyMessage[];
  readonly exchanges: readonly RecordedExchange[];
}

const { ready, resumes = [], follows = {} } = protocol.conversation;
const starts: ReadonlySet<unknown> = new Set(["launch", "attach"]);
const ends = ["terminate", "disconnect"];
const steps: ReadonlySet<unknown> = new Set([
  "initialize",
  ...starts,
  "configurationDone",
  ...resumes,
  ...ends,
]);

/**
 * Events from the adapter that might not belong to the request before them, along with the messages
 * that they can follow.
 */
const causes: ReadonlyMap<unknown, ReadonlySet<unknown>> = new Map<unknown, ReadonlySet<unknown>>([
  ...Object.entries(follows).map(
    ([name, before]) =>
      [name, new Set<unknown>(name === "stopped" ? before : [...before, ...ends])] as const,
  ),
  [ready, new Set<unknown>(["initialize", ...starts])],
]);

/**
 * Groups the messages in a recording by what caused them.
 *
 * @throws SyntaxError if the text is not a recording, or Error if it contains no messages from a
 * client.
 */
export function readExchanges(recording: Recording, session?: number): RecordedExchanges {
  const exchanges: RecordedExchange[] = [];
  /** Indexes of the exchanges that hold the client's requests, by sequence number. */
  const requested = new Map<unknown, number>();
  const answered = new Set<number>();
  /** Messages from the adapter, each with the index of its exchange. */
  const sent: { readonly message: AnyMessage; index: number }[] = [];
  let epoch = 0;
  let ended: number | undefined;
  for (const [from, message] of sessionOf(recording, session)) {
    const { type, command, seq, request_seq } = message;
    if (from === "client") {
      const isStep = type === "response" || steps.has(command);
      if (type === "request") requested.set(seq, exchanges.length);
      exchanges.push({ stimulus: message, isStep, epoch, says: [] });
      if (isStep) epoch++;
    } else if (type === "response") {
      const index = requested.get(request_seq);
      if (index === undefined || answered.has(index)) continue;
      answered.add(index);
      sent.push({ message, index: holderOf(exchanges, index) });
    } else {
      const isEnd = message["event"] === "exited" || message["event"] === "terminated";
      // Both `exited` and `terminated` follow the same message, even if the client disconnects in
      // between.
      const index: number = (isEnd ? ended : undefined) ?? causeOf(exchanges, message);
      ended = isEnd ? index : message["event"] === "stopped" ? undefined : ended;
      sent.push({ message, index });
    }
  }
  if (exchanges.length === 0) throw new Error("The recording contains no client messages");
  // Keep the order of events.
  let latest = Infinity;
  for (const entry of [...sent].reverse()) {
    if (entry.message["type"] === "response") continue;
    entry.index = latest = Math.min(latest, entry.index);
  }
  for (const { message, index } of sent) exchanges[index]?.says.push(message);
  const first = sent.filter(({ index }) => index < 0).map(({ message }) => message);
  return { first, exchanges };
}

/**
 * Returns the exchange after which the adapter answered a request, which is usually that of the
 * request itself.
 */
function holderOf(exchanges: readonly RecordedExchange[], index: number): number {
  const { seq, command } = exchanges[index]!.stimulus;
  for (let later = exchanges.length - 1; later > index; later--) {
    const { stimulus } = exchanges[later]!;
    const { requestId } = (stimulus["arguments"] ?? {}) as { readonly requestId?: unknown };
    if (stimulus["command"] === "cancel" && requestId === seq) return later;
    // The program starts once the breakpoints are set or the terminal is open.
    const holds = stimulus["command"] === "configurationDone" || stimulus["type"] === "response";
    if (holds && starts.has(command)) return later;
  }
  return index;
}

/** Returns the exchange after which the adapter sends an event or a request. */
function causeOf(exchanges: readonly RecordedExchange[], { event }: AnyMessage): number {
  const before = causes.get(event);
  for (let index = exchanges.length - 1; index >= 0; index--)
    if (before?.has(exchanges[index]!.stimulus["command"]) === true) return index;
  return exchanges.length - 1;
}

/** Returns the messages in one session, each with its sender. */
function sessionOf(
  recording: Recording,
  session: number | undefined,
): (readonly ["client" | "adapter", AnyMessage])[] {
  const all = typeof recording === "string" ? readLines(recording) : [...recording];
  const entries = all.filter(({ message }) => typeof message === "object" && message !== null);
  const wanted = session ?? entries[0]?.session;
  return entries
    .filter((entry) => entry.session === wanted)
    .map(({ from, message }) => [senderOf(from, message as AnyMessage), message as AnyMessage]);
}

function senderOf(from: string | undefined, { type, command }: AnyMessage): "client" | "adapter" {
  if (from === "client" || from === "adapter") return from;
  const { sender = "client" } =
    (requests as { readonly [name: string]: { readonly sender?: string } })[String(command)] ?? {};
  return (type === "request") === (sender === "client") && type !== "event" ? "client" : "adapter";
}

/** Reads the lines written by `wirewright tap` and `recordMessages`. */
function readLines(text: string): RecordedMessage[] {
  return text.split("\n").flatMap((line, index) => {
    if (!/\S/.test(line)) return [];
    const entry = parse(line);
    if (typeof entry !== "object" || entry === null)
      throw new SyntaxError(`Cannot read line ${index + 1} of the recording: it is not JSON`);
    return "message" in entry ? [entry as RecordedMessage] : [];
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
