import { partOf } from "../../runtime/base/json-pointer.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { shortText } from "./remembered.js";

type Fields = Readonly<Record<string, unknown>>;

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
    const own = errorText === undefined ? [] : [`/${errorText}`];
    const texts = [...own, ...(conversation?.failures?.text ?? [])];
    const messageText = texts.map((each) => partOf(message, each)).find(isText);
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
