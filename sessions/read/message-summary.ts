import type { Protocol, SummaryPlace } from "../../generator/model/protocol.js";
import { isObject } from "../../runtime/protocol/message-fields.js";
import { partOf } from "../../runtime/base/json-pointer.js";
import { type Fields, MessageReader, payloadFieldOf } from "./message-reader.js";
import { shortText } from "./remembered.js";

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
   * Summarizes a message on one line: `breakpoint, thread 1`. Empty for failures and custom
   * messages. The text comes from a peer and must be escaped before it is shown.
   *
   * @param name Name of the request that a response answers, if the response itself has none.
   */
  textOf(message: object, name?: string): string {
    const fields = message as Fields;
    const kind = this.#reader.kindOf(fields);
    if (kind === undefined || this.#places === undefined) return "";
    if (this.#reader.hasFailed(kind, fields)) return "";
    const messageName = this.#reader.nameOf(kind, fields) ?? name ?? "";
    const selector = `${kind === "response" ? "success" : kind} ${messageName}`;
    if (!Object.hasOwn(this.#places, selector)) return "";
    const payload = fields[payloadFieldOf(this.#envelope, kind)];
    return this.#places[selector]!.flatMap((place) => partAt(payload, place) ?? []).join(", ");
  }
}

function partAt(payload: unknown, { label, paths }: SummaryPlace): string | undefined {
  for (const path of paths) {
    const values = valuesAt(payload, path);
    const text = values.length === 0 ? undefined : textOf(values, path.includes("*"), label);
    if (text !== undefined) return label === undefined ? text : `${label} ${text}`.trimEnd();
  }
  return undefined;
}

/** Returns the values at a path, without absent values and null. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (key === undefined) return [value];
  if (key === "*") return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : [];
  return typeof value === "object" && Object.hasOwn(value, key)
    ? valuesAt((value as Fields)[key], rest)
    : [];
}

/** Prints the values. Returns undefined for a flag that is not set. */
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
