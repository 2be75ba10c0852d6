import type { Protocol, SummaryPlace } from "../../generator/model/protocol.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import { partOf, pointerStep } from "../../runtime/base/json-pointer.js";
import { type Fields, type MessageKind, MessageReader, payloadFieldOf } from "./message-reader.js";
import { shortText } from "./remembered.js";

/**
 * A part of a message that its summary shows. The strings come from a peer and must be escaped
 * before they are shown.
 */
export interface SummaryPart {
  /** Label to print before the text. */
  readonly label?: string;
  /**
   * The value as a string. Empty if the label alone is enough. For an array whose items are not
   * shown, its length.
   */
  readonly text: string;
  /**
   * JSON Pointer to the value in the message. If the text shows several values, JSON Pointer to the
   * array that contains them.
   */
  readonly pointer: string;
}

/** Maximum length of a value, in characters, and maximum number of array items in a summary. */
const maxText = 80;
const maxItems = 5;

/** Summarizes messages as specified in the description of their protocol. */
export class MessageSummaries {
  readonly #reader: MessageReader;
  readonly #places: Protocol["summaries"];
  readonly #envelope: Protocol["envelope"];

  constructor(protocol: Protocol) {
    this.#reader = new MessageReader(protocol);
    this.#places = protocol.summaries;
    this.#envelope = protocol.envelope;
  }

  /**
   * Returns those summarized parts that a message contains, in the order of the description. Empty
   * for failures and custom messages.
   *
   * @param name Name of the request that a response answers, if the response itself has none.
   */
  partsOf(message: object, name?: string): readonly SummaryPart[] {
    const fields = message as Fields;
    const kind = this.#reader.kindOf(fields);
    if (kind === undefined || this.#places === undefined) return [];
    if (this.#reader.hasFailed(kind, fields)) return [];
    const messageName = this.#reader.nameOf(kind, fields) ?? name ?? "";
    const selector = `${selecting[kind]} ${messageName}`;
    if (!Object.hasOwn(this.#places, selector)) return [];
    const field = payloadFieldOf(this.#envelope, kind);
    return this.#places[selector]!.flatMap((place) => partAt(fields[field], place, field) ?? []);
  }
}

const selecting: Readonly<Record<MessageKind, string>> = {
  request: "request",
  response: "success",
  event: "event",
};

/** Prints a summary on one line: `breakpoint, thread 1`. */
export function summaryText(parts: readonly SummaryPart[]): string {
  return parts
    .map(({ label, text }) => (label === undefined ? text : `${label} ${text}`.trimEnd()))
    .join(", ");
}

function partAt(
  payload: unknown,
  { label, paths }: SummaryPlace,
  field: string,
): SummaryPart | undefined {
  for (const path of paths) {
    const star = path.indexOf("*");
    const values: unknown[] = [];
    collect(payload, path, 0, values);
    const text = values.length === 0 ? undefined : textOf(values, star >= 0, label);
    if (text === undefined) continue;
    const steps = [field, ...(star < 0 ? path : path.slice(0, star))];
    return {
      ...(label === undefined ? {} : { label }),
      text,
      pointer: steps.map(pointerStep).join(""),
    };
  }
  return undefined;
}

/** Collects the values at a path, skipping absent values and null. */
function collect(value: unknown, path: readonly string[], depth: number, values: unknown[]): void {
  if (value === undefined || value === null) return;
  const key = path[depth];
  if (key === undefined) values.push(value);
  else if (key === "*") {
    if (Array.isArray(value)) for (const item of value) collect(item, path, depth + 1, values);
  } else if (typeof value === "object" && Object.hasOwn(value, key))
    collect((value as Fields)[key], path, depth + 1, values);
}

/** Prints the values. Returns undefined if there are none. */
function textOf(
  values: readonly unknown[],
  isList: boolean,
  label: string | undefined,
): string | undefined {
  if (values.every((each) => typeof each === "boolean")) {
    if (isList) return `${values.filter((each) => each).length} of ${values.length}`;
    // For a flag that is true, the label alone is enough.
    return label === undefined ? String(values[0]) : values[0] ? "" : undefined;
  }
  const texts = values.slice(0, maxItems).map(valueText);
  const more = values.length - texts.length;
  return `${texts.join(", ")}${more > 0 ? `, … ${more} more` : ""}`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  if (typeof value === "string") return stringText(value);
  return isObject(value) ? `{${shortText(Object.keys(value).join(", "), maxText)}}` : String(value);
}

/**
 * Prints a string. Adds quotes if it contains invisible characters or begins or ends with a space.
 * A long path is shortened at its start.
 */
function stringText(text: string): string {
  const isPath = /[/\\]/.test(text) && !/\s/.test(text.slice(-maxText));
  if (isPath && text.length > maxText) return `…${text.slice(1 - maxText)}`;
  const short = shortText(text, maxText);
  return /^\S(.*\S)?$/.test(short) ? short : JSON.stringify(short);
}

/** Maximum number of named parts, and the maximum length of each. */
const maxParts = 5;
const maxPartLength = 60;

/**
 * Summarizes a message for a protocol that does not define summaries: its first plain values and
 * the lengths of its arrays.
 */
export function gistOf(
  message: object,
  kind: string,
  { conversation, envelope }: Protocol,
): string {
  const fields = message as Fields;
  if (kind === "response" && envelope.response !== undefined) {
    const { error, errorText, result } = envelope.response;
    const errorPointers = errorText === undefined ? [] : [`/${errorText}`];
    const texts = [...errorPointers, ...(conversation?.failures?.text ?? [])];
    const messageText = texts.map((pointer) => partOf(message, pointer)).find(isText);
    if (messageText !== undefined) return shortText(messageText, 2 * maxPartLength);
    return partsOf(fields[result] ?? fields[error]);
  }
  if (kind !== "request" && kind !== "event") return "";
  return partsOf(fields[envelope[kind].payload]);
}

function partsOf(payload: unknown): string {
  if (typeof payload !== "object" || payload === null) return plainText(payload) ?? "";
  const parts: string[] = [];
  for (const [name, value] of Object.entries(payload)) {
    const text = Array.isArray(value) ? `: ${value.length}` : plainText(value, " ");
    if (text !== undefined) parts.push(`${shortText(name, 40)}${text}`);
    if (parts.length === maxParts) break;
  }
  return parts.join(", ");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function plainText(value: unknown, before = ""): string | undefined {
  if (typeof value === "string") return before + JSON.stringify(shortText(value, maxPartLength));
  return typeof value === "number" || typeof value === "boolean" ? `${before}${value}` : undefined;
}
