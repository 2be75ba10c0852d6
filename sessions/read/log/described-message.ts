import type { Protocol } from "../../../generator/model/protocol.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { type MessageKind, payloadFieldOf } from "../message-reader.js";
import type { LogHead } from "./log-head.js";
import type { LoggedValue } from "./logged-value.js";
import type { Restored } from "./logging-programs.js";

/** What the words in a line say about a message. */
export interface Description {
  readonly kind: MessageKind | "failure";
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** Milliseconds since the request. */
  readonly took: number | undefined;
  /** Length of the words. */
  readonly length: number;
  /** What follows the words on their line. */
  readonly next: "payload" | "nothing" | "failure" | undefined;
}

/** How words name the kinds of messages. */
const kindWords: Readonly<Record<string, Description["kind"]>> = {
  call: "request",
  command: "request",
  req: "request",
  request: "request",
  reply: "response",
  res: "response",
  response: "response",
  result: "response",
  error: "failure",
  event: "event",
  notif: "event",
  notification: "event",
};
const kinds = String.raw`\b(?:${Object.keys(kindWords).join("|")})\b`;
const arrow = String.raw`<(?:--?|<<|~~|\?)|(?:--?|>>|~~)>|<{1,2}(?=\s)|>{1,2}(?=\s)|[→←⇒⇐►▶◄◀]`;
const direction = String.raw`\b(?:sen[dt]|sending|received?|receiving|recv|(?:from|to) (?:client|server))\b`;
const word = String.raw`[\w$]+(?:[./@-]+[\w$]+)*`;
const beginning = new RegExp(`${arrow}|${direction}|${kinds}[: ]`, "gi");
/** The parts of a description in their order, of which most may be absent. */
const description = new RegExp(
  [
    String.raw`(?:(?:(?<arrow>${arrow})|(?<direction>${direction}))[\s:]*)?`,
    String.raw`(?:(?:error )?(?<stated>${kinds})[\s:]*)?(?:#(?<counted>\d{1,15})[\s:]+)?`,
    String.raw`(?:(?<peer>${word})\s+(?=[\w(]))?`,
    String.raw`(?:['‘](?<quoted>.{0,1000}?)(?: - \((?<quotedId>[^()'’]{0,1000})\))?['’‘]|"?(?<named>(?!\d+:)${word})"?)?`,
    String.raw`(?:\s?[([](?:id ?[=:] ?)?["#]?(?<id>(?=[\w-]*\d)[\w-]{1,200})"?[)\]]|\s?#(?<numbered>\d{1,15})|(?<bare>\d{1,15})(?=:))?`,
    String.raw`(?:[\s,]*(?:in |\[|\((?:duration: )?)?(?<took>\d[\d.]{0,12}) ?ms\b[\])]?)?`,
    String.raw`(?:\. Processing request took \d{1,9}ms)?(?:(?:\s?\([^(){}"]{0,80}\)| \w{1,20}){1,3}(?= \{))?`,
    String.raw`(?:[^[{]{0,200}?(?<failure>Request failed: )|(?<call>\((?=[{[]|undefined\)|\))))?`,
  ].join(""),
  "iy",
);
/** Matches what precedes a payload on the line of its description, up to the payload. */
const beforePayload =
  /:\s*(?=[{["'\d-]|(?:null|None|nil|true|True|false|False)\b)|\s*(?=\{|\[\s*[\]{["'])/y;

/** Maximum length of the words that precede a name. */
const maxWords = 200;

/**
 * Reads words that describe a message by its direction, kind, name and id. Returns undefined if the
 * text does not begin with such words.
 *
 * @param kindOf Returns the kind of the messages that the protocol defines by a name.
 * @param isCertain Whether the log's program is known to describe messages, of any names.
 */
export function readDescription(
  text: string,
  kindOf: (name: string) => "request" | "event" | undefined,
  isCertain: boolean,
): Description | undefined {
  const brace = text.indexOf("{");
  const words = text.slice(0, Math.min(maxWords, brace < 0 ? text.length : brace));
  for (const { index } of words.matchAll(beginning)) {
    description.lastIndex = index;
    const groups = description.exec(text)!.groups!;
    const { peer, stated, call, quoted, arrow: pointer = "" } = groups;
    let length = description.lastIndex;
    const isKnown = (each = ""): boolean => kindOf(each) !== undefined || /\w[/.]\w/.test(each);
    const name = quoted ?? groups["named"] ?? (isKnown(peer) ? peer : undefined);
    const id = [groups["quotedId"], groups["counted"], groups["id"], groups["numbered"]]
      .concat(groups["bare"])
      .find((each) => each !== undefined);
    const defined = name === undefined ? undefined : kindOf(name);
    beforePayload.lastIndex = length;
    const isCall = call !== undefined;
    const hasPayload = isCall ? "{[".includes(text[length]!) : beforePayload.test(text);
    if (!isCall && hasPayload) length = beforePayload.lastIndex;
    const isAnswer = id !== undefined && (name === undefined || /<<<|>>>/.test(pointer));
    const kind =
      kindWords[stated?.toLowerCase() ?? ""] ??
      (pointer.includes("~")
        ? "failure"
        : isAnswer || groups["took"] !== undefined
          ? "response"
          : id !== undefined || (isCall && defined === undefined)
            ? "request"
            : (defined ?? "event"));
    const isReply = kind === "response" || kind === "failure";
    const isComplete = isReply ? id !== undefined || defined !== undefined : name !== undefined;
    const isStated = stated !== undefined && (id !== undefined || isKnown(name));
    const isDirected = pointer !== "" || groups["direction"] !== undefined || isStated;
    const isOnly = isKnown(name) || (isCertain && peer !== undefined);
    const isLast = pointer !== "" && isOnly && text.slice(length).trim() === "";
    const hasMore = id !== undefined || hasPayload || isCall || isLast;
    const isNumbered = id !== undefined && (name ?? peer) !== undefined;
    const isNamed = isOnly || isCall || stated !== undefined || isNumbered;
    if (!isComplete || !isDirected || !isNamed || !(hasMore || quoted !== undefined)) continue;
    if (isCall && !hasPayload) length = text.indexOf(")", length);
    return {
      kind,
      name,
      id,
      took: groups["took"] === undefined ? undefined : Number(groups["took"]),
      length,
      next:
        groups["failure"] !== undefined
          ? "failure"
          : hasPayload
            ? "payload"
            : isCall || (isLast && isCertain)
              ? "nothing"
              : undefined,
    };
  }
  return undefined;
}

/** The text of a failure and, if it ends with one, its code. Also where it ends. */
export interface Failure {
  readonly text: string;
  readonly code: string | undefined;
  readonly line: number;
  readonly column: number;
}

/** A message that a line of a log describes in words. */
export interface DescribedMessage {
  readonly description: Description;
  readonly head: LogHead;
  readonly failure: Failure | undefined;
  kind: Description["kind"];
  /** Index of its last line. */
  line: number;
  /** The payload or, for a failure, the error. */
  payload?: LoggedValue;
  /** The words that describe it and, if there is a payload, the line with it. */
  source: string;
  /** What to show if it turns out not to be a message. */
  text: string;
}

/** Builds a message from its description. */
export function describedMessage(
  { description: { name = "", id, next }, kind: stated, failure: words, payload }: DescribedMessage,
  { envelope }: Protocol,
): Restored {
  const kind = stated === "failure" ? "response" : stated;
  const arm = envelope[kind];
  const message: Record<string, unknown> = { ...envelope.constants };
  const unknown: string[] = [];
  for (const [field, test] of Object.entries(arm?.when ?? {}))
    if (typeof test === "string") message[field] = test;
  const idField = { request: envelope.id, response: envelope.replyTo, event: undefined }[kind];
  if (idField !== undefined && id !== undefined)
    message[idField] = /^-?\d{1,15}$/.test(id) ? Number(id) : id;
  if (arm?.name !== undefined) message[arm.name] = name;
  const isCounted = envelope.id !== undefined && envelope.id !== envelope.replyTo;
  if (isCounted && !(envelope.id in message)) unknown.push(`/${envelope.id}`);
  const { response } = envelope;
  const error = stated === "failure" ? payload?.value : undefined;
  const failure = isObject(error) ? String(error["message"] ?? "") : words?.text;
  const hasFailed = kind === "response" && failure !== undefined;
  if (kind === "response" && response?.success !== undefined)
    message[response.success] = !hasFailed;
  if (hasFailed && response?.errorText !== undefined) {
    message[response.errorText] = failure;
    unknown.push(`/${response.error}`);
  } else if (hasFailed && response !== undefined) {
    const code = words?.code === undefined ? {} : { code: Number(words.code) };
    message[response.error] = error ?? { ...code, message: failure };
    for (const field of error === undefined ? ["code", "data"] : [])
      if (!(field in code)) unknown.push(`/${response.error}/${field}`);
  }
  const field = stated === "failure" ? (response?.error ?? "") : payloadFieldOf(envelope, kind);
  if (payload !== undefined) {
    if (stated !== "failure") message[field] = payload.value;
    unknown.push(...payload.unknown.map((pointer) => `/${field}${pointer}`));
  } else if (next !== "nothing" && !hasFailed) {
    if (kind === "response" && response?.success === undefined) message[field] = null;
    unknown.push(`/${field}`);
  }
  return { message, unknown };
}
