import type { Protocol } from "../../../generator/model/protocol.js";
import type { LatestEntries } from "../../../runtime/base/latest-entries.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { type MessageKind, payloadFieldOf } from "../message-reader.js";
import type { LoggedValue } from "./logged-value.js";
import type { Restored } from "./logging-programs.js";

/** A description of a message in the words of a line. */
export interface Description {
  readonly kind: MessageKind | "failure";
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** Milliseconds since the request. */
  readonly took: number | undefined;
  /** Length of the words. */
  readonly length: number;
  /** The text after the words on their line. */
  readonly next: "payload" | "nothing" | "failure" | undefined;
}

/** The words for each kind of message. */
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
const kinds = Object.keys(kindWords).join("|");
const arrow = String.raw`<(?:--?|<<|~~|\?)|(?:--?|>>|~~)>|[<>]{1,2}(?=\s)|[→←⇒⇐►▶◄◀]`;
const direction = String.raw`\b(?:sen[dt]|sending|received?|receiving|recv|(?:from|to) (?:client|server|adapter|agent))\b`;
const token = String.raw`[\w$]+(?:[./@-]+[\w$]+)*`;
const beginning = new RegExp(`${arrow}|${direction}|\\b(?:${kinds})[: ]`, "gi");
/** The parts of a description in their order, of which most may be absent. */
const description = new RegExp(
  [
    `(?:(?:(?<arrow>${arrow})|(?<direction>${direction}))[\\s:]*)?`,
    String.raw`(?:(?:error )?\b(?<stated>${kinds})\b[\s:]*)?(?:(?<before>#\d{1,15})[\s:]+)?`,
    String.raw`(?:(?<peer>${token})\s+(?=[\w(]))?`,
    String.raw`(?:['‘](?<quoted>(?![{[]).{0,1000}?)(?: - \((?<id>[^()'’]{0,1000})\))?['’‘]|"?(?<named>(?!\d+:|\w+=)${token})"?)?`,
    String.raw`(?<after>\s?[([](?:id ?[=:] ?)?["#]?(?=[\w-]*\d)[\w-]{1,200}"?[)\]]|\s?#\d{1,15}|\d{1,15}(?=:))?`,
    String.raw`(?:[\s,]*(?:in |\[|\((?:duration: )?)?(?<took>\d[\d.]{0,12}) ?ms\b[\])]?)?`,
    String.raw`(?:\. Processing request took \d{1,9}ms)?(?:(?:\s?\([^(){}"]{0,80}\)| \w{1,20}){1,3}(?= \{))?`,
    String.raw`(?:[^[{]{0,200}?(?<failure>Request failed: )|(?<call>\((?=[{[)])|\(undefined(?=\))))?`,
  ].join(""),
  "iy",
);
/** Matches what precedes a payload on the line of its description: a label, a colon, or nothing. */
const beforePayload =
  /(?:\s*(?:params|arguments|body|(?<kind>result|error))[=:]|:)\s*(?=[{["'\d-]|(?:null|None|nil|true|True|false|False)\b)|\s*(?=\{|\[\s*[\]{["'])|(?<=\()(?=\[)/iy;

/** Maximum length of the words that precede a name. */
const maxWords = 200;

/**
 * Reads words that describe a message by its direction, kind, name and id. Returns undefined if the
 * text does not begin with such words.
 *
 * @param kindOf Returns the kind of the messages that the protocol defines by a name.
 * @param asked The arrows in front of the latest requests, by id and name, to which this adds.
 * @param isCertain Whether the log's program is known to describe messages, of any names.
 */
export function readDescription(
  text: string,
  kindOf: (name: string) => "request" | "event" | undefined,
  asked: Pick<LatestEntries<string, string>, "get" | "set">,
  isCertain: boolean,
): Description | undefined {
  const brace = text.indexOf("{");
  const words = text.slice(0, Math.min(maxWords, brace < 0 ? text.length : brace));
  const isKnown = (name = ""): boolean => kindOf(name) !== undefined || /\w[/.]\w/.test(name);
  for (const { index } of words.matchAll(beginning)) {
    description.lastIndex = index;
    const groups = description.exec(text)!.groups!;
    const end = (beforePayload.lastIndex = description.lastIndex);
    const { peer, stated, call, quoted, took, failure, arrow: pointer = "" } = groups;
    const name = quoted ?? groups["named"] ?? (isKnown(peer) ? peer : undefined);
    const number = /[\w-]*\d[\w-]*/.exec(groups["before"] ?? groups["after"] ?? "");
    const id = groups["id"] ?? number?.[0];
    const defined = name === undefined ? undefined : kindOf(name);
    const payload = beforePayload.exec(text) ?? undefined;
    const word = stated ?? payload?.groups?.["kind"] ?? "";
    const request = `${id} ${name}`;
    const isAsked = (asked.get(request) ?? pointer) !== pointer;
    const isAnswer = id !== undefined && (name === undefined || /<<<|>>>/.test(pointer) || isAsked);
    const kind =
      kindWords[word.toLowerCase()] ??
      (pointer.includes("~") ? "failure" : undefined) ??
      (isAnswer || took !== undefined ? "response" : undefined) ??
      (id !== undefined || (call !== undefined && defined === undefined) ? "request" : defined) ??
      "event";
    const isReply = kind === "response" || kind === "failure";
    const isOnly = isKnown(name) || (isCertain && peer !== undefined);
    const isLast = pointer !== "" && isOnly && text.slice(end).trim() === "";
    const hasPayload = payload !== undefined;
    const isNamed = isReply ? (id ?? defined) !== undefined : name !== undefined;
    const isProper =
      isOnly ||
      (call ?? stated) !== undefined ||
      (id !== undefined && (name ?? peer) !== undefined);
    const isDirected =
      (groups["direction"] ?? pointer) !== "" ||
      (stated !== undefined && (id !== undefined || isKnown(name)));
    const hasMore = (id ?? call ?? quoted) !== undefined || hasPayload || isLast;
    if (!isNamed || !isProper || !isDirected || !hasMore) continue;
    if (kind === "request" && id !== undefined && pointer !== "") asked.set(request, pointer);
    const isEmpty = call !== undefined || (isLast && isCertain);
    return {
      kind,
      name,
      id,
      took: took === undefined ? undefined : Number(took),
      length: end + (payload?.[0].length ?? 0),
      next:
        failure !== undefined
          ? "failure"
          : hasPayload
            ? "payload"
            : isEmpty
              ? "nothing"
              : undefined,
    };
  }
  return undefined;
}

/** The text of a failure and, if it ends with one, its code. */
export interface FailureText {
  readonly text: string;
  readonly code: string | undefined;
}

/** A message that a line of a log describes in words. */
export interface DescribedMessage {
  readonly description: Description;
  readonly kind: Description["kind"];
  readonly failure: FailureText | undefined;
  /** The payload or, for a failure, the error. */
  readonly payload: LoggedValue | undefined;
}

/** Builds a message from its description. */
export function describedMessage(
  { description: { name = "", id, next }, kind: stated, failure, payload }: DescribedMessage,
  { envelope }: Protocol,
): Restored {
  const kind = stated === "failure" ? "response" : stated;
  const { response, replyTo } = envelope;
  const arm = envelope[kind];
  const message: Record<string, unknown> = { ...envelope.constants };
  const unknown: string[] = [];
  for (const [field, test] of Object.entries(arm?.when ?? {}))
    if (typeof test === "string") message[field] = test;
  const idField = { request: envelope.id, response: replyTo, event: undefined }[kind];
  if (idField !== undefined && id !== undefined)
    message[idField] = /^-?\d{1,15}$/.test(id) ? Number(id) : id;
  if (arm?.name !== undefined) message[arm.name] = name;
  if (envelope.id !== undefined && envelope.id !== replyTo && !(envelope.id in message))
    unknown.push(`/${envelope.id}`);
  const error = stated === "failure" ? payload?.value : undefined;
  const text = isObject(error) ? String(error["message"] ?? "") : failure?.text;
  const hasFailed = kind === "response" && text !== undefined;
  if (kind === "response" && response?.success !== undefined)
    message[response.success] = !hasFailed;
  if (hasFailed && response?.errorText !== undefined) {
    message[response.errorText] = text;
    unknown.push(`/${response.error}`);
  } else if (hasFailed && response !== undefined) {
    const code = failure?.code === undefined ? {} : { code: Number(failure.code) };
    message[response.error] = error ?? { ...code, message: text };
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
