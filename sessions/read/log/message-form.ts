import type { Protocol } from "../../../generator/model/protocol.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import { canLead } from "../../../generator/model/type-at.js";
import { pointerStep } from "../../../runtime/base/json-pointer.js";
import { isObject } from "../../../runtime/protocol/message-fields.js";
import { type Fields, type MessageKind, MessageReader } from "../message-reader.js";
import { objectStart, readValue } from "./logged-value.js";

/** How a value in a log resembles a message. */
export interface MessageForm {
  /** `message`, a `malformed` one that has most of the fields, or `none` at all. */
  readonly fit: "message" | "malformed" | "none";
  readonly kind?: MessageKind | undefined;
  readonly name?: string | undefined;
  /** The message's id. For a response, the id of its request. */
  readonly id?: unknown;
  /** Whether the protocol defines a message with this name. */
  readonly isDefined?: boolean;
  /** The only role that may send the message, or receive its request. */
  readonly sender?: string | undefined;
  /** Whether it opens a session of another protocol, because its payload has other fields. */
  readonly isForeign?: boolean;
  /** Whether it is a request although it has no id. */
  readonly lacksId?: boolean;
}

/** Matches the header of a frame or a server-sent event. */
const headerLine = /^\s*(?:Content-(?:Length|Type)\s*:|(?:event|id|retry): ?\S*$)/i;
/** Matches what may stand between values without being text. */
export const punctuation: RegExp = /^(?:<\/[\w:.-]{1,100}>|[\s,;.)\]}>'"`|])*$/;

const none: MessageForm = { fit: "none" };

/** Maximum depth at which messages are looked for in other values. */
const maxDepth = 5;

/** Maximum number of objects around a text that contains a message. */
const maxTextDepth = 2;

/** Where a message is in a value of a log. */
export interface NestedPlace {
  /** The objects that contain the message, outermost first. */
  readonly wrappers: readonly Fields[];
  /** The words in front of the message in a text that contains it. */
  readonly words: string;
  /** JSON Pointer to the message. Undefined if it is in a text. */
  readonly pointer: string | undefined;
}

/** A message in a value of a log. */
export interface NestedMessage extends NestedPlace {
  readonly message: object;
  readonly form: MessageForm;
}

/** The place of a message that is the value itself. */
const whole: NestedPlace = { wrappers: [], words: "", pointer: "" };

/** Returns a value that contains no messages. */
export function notNested(value: unknown): NestedMessage {
  return { ...whole, message: value as object, form: none };
}

/** Recognises the messages of a protocol among the values in a log. */
export class MessageForms {
  readonly #protocol: Protocol;
  readonly #reader: MessageReader;
  /** The names of all fields of the envelope. */
  readonly #fields: ReadonlySet<string>;
  /** The texts that tell the kind of a message, in lower case, and the field that contains them. */
  readonly #kinds: readonly (readonly [field: string, text: string, kind: MessageKind])[];
  /** Whether all messages have the fields of the envelope and no others. */
  readonly #isClosed: boolean;

  readonly #telling: RegExp;

  constructor(protocol: Protocol) {
    const { constants, id, replyTo, fields = [], request, event, response } = protocol.envelope;
    const arms = { request, event, ...(response === undefined ? {} : { response }) };
    this.#protocol = protocol;
    this.#reader = new MessageReader(protocol);
    this.#kinds = Object.entries(arms).flatMap(([kind, { when }]) =>
      Object.entries(when).flatMap(([field, test]) =>
        typeof test === "string" ? [[field, test.toLowerCase(), kind as MessageKind] as const] : [],
      ),
    );
    this.#isClosed = this.#kinds.length === 0;
    const ids = [id, replyTo];
    const names = [request.name, event.name];
    const outcomes = [response?.result, response?.error];
    const telling = [...names, ...(this.#isClosed ? [] : ids), ...outcomes];
    this.#telling = new RegExp(`\\b(?:${telling.filter((field) => field).join("|")})\\b`);
    const all = [
      ...Object.keys(constants),
      ...Object.values(arms).flatMap(({ when }) => Object.keys(when)),
      ...[...ids, ...fields, ...names, request.payload, event.payload, ...outcomes],
      ...[response?.success, response?.errorText],
    ];
    this.#fields = new Set(all.flatMap((field) => field ?? []));
  }

  /** Returns whether a text contains the name of a field that nearly all messages have. */
  mayBeMessage(text: string): boolean {
    return this.#telling.test(text);
  }

  /** Returns the kind of the messages that the protocol defines by a name. */
  kindOf(name: string): "request" | "event" | undefined {
    const { conversation, essential } = this.#protocol;
    if (name === conversation?.opening) return "request";
    const kinds = ["request", "event"] as const;
    const kind = kinds.find((each) => this.#reader.knownMessage(each, name) !== undefined);
    return kind ?? (essential.includes(name) ? "event" : undefined);
  }

  /** Returns whether a value is a message whose name, if it has one, looks like the protocol's. */
  isProper(value: object): boolean {
    const { fit, kind, name = "" } = this.formOf(value);
    const isNamed = this.kindOf(name) !== undefined || /\w\/\w/.test(name);
    return fit === "message" && (isNamed || kind === "response");
  }

  /** Returns the form of a value. */
  formOf(value: unknown): MessageForm {
    if (!isObject(value)) return none;
    const { id = "", replyTo = "" } = this.#protocol.envelope;
    const stated = this.#reader.kindOf(value);
    const isExact = stated !== undefined && this.#isExact(value, stated);
    const likely = isExact ? stated : this.#likelyKind(value);
    if (likely === undefined) return none;
    const name = this.#reader.nameOf(likely, value);
    const lacksId = likely === "event" && this.kindOf(name ?? "") === "request";
    // Without the schema, only the form of its names distinguishes this protocol from other JSON.
    if (this.#protocol.name === "cdp" && name?.includes(".") === false) return none;
    const kind = lacksId ? "request" : likely;
    const isEvent = kind === "event";
    return {
      fit: isExact ? "message" : "malformed",
      kind,
      name,
      id: value[kind === "response" ? replyTo : id],
      isDefined:
        name !== undefined &&
        this.#reader.knownMessage(isEvent ? "event" : "request", name) !== undefined,
      sender: this.#reader.senderOf(kind, name),
      isForeign: kind === "request" && this.#isForeign(name, value),
      lacksId,
    };
  }

  /** Returns whether a request opens a session, but none of its parameters are the protocol's. */
  #isForeign(name: string | undefined, fields: Fields): boolean {
    const { conversation, envelope } = this.#protocol;
    if (name !== conversation?.opening) return false;
    const names = Object.keys(fields[envelope.request.payload] ?? {});
    const type = this.#reader.knownMessage("request", name)?.payload?.type;
    if (type === undefined || names.length < 2) return false;
    const definitions = definitionsByName(this.#protocol);
    return !names.some((each) => canLead(definitions, type, [each], true));
  }

  /**
   * Finds the messages in a value: the value itself, or parts of it, including JSON in strings.
   * Returns them together with the other lines of these strings.
   *
   * @param open Parts of the value that are incomplete. They count even if they are malformed.
   */
  messagesIn(value: unknown, open?: ReadonlySet<unknown>): readonly (NestedMessage | string)[] {
    const parts: (NestedMessage | string)[] = [];
    this.#collect(value, whole, open, parts);
    return parts;
  }

  #collect(
    value: unknown,
    place: NestedPlace,
    open: ReadonlySet<unknown> | undefined,
    parts: (NestedMessage | string)[],
  ): void {
    const { wrappers, pointer } = place;
    if (wrappers.length > maxDepth) return;
    if (typeof value === "string") {
      // Deeper texts are quoted by other JSON, such as a model's answer, except for bodies in HTTP
      // archives.
      const isBody = wrappers.at(-1)?.["mimeType"] !== undefined;
      if ((isBody || wrappers.length <= maxTextDepth) && this.mayBeMessage(value))
        this.#collectFromText(value.split("\n"), wrappers, parts);
      return;
    }
    if (typeof value !== "object" || value === null) return;
    const form = this.formOf(value);
    const isLoose = wrappers.length === 0 || open?.has(value) === true;
    if (form.fit === "message" || (form.fit === "malformed" && isLoose)) {
      parts.push({ ...place, message: value, form });
      return;
    }
    const inner = { ...place, wrappers: isObject(value) ? [...wrappers, value] : wrappers };
    for (const [key, part] of Object.entries(value))
      this.#collect(part, { ...inner, pointer: pointer?.concat(pointerStep(key)) }, open, parts);
  }

  #collectFromText(
    lines: readonly string[],
    wrappers: readonly Fields[],
    parts: (NestedMessage | string)[],
  ): void {
    const inner: (NestedMessage | string)[] = [];
    let column = 0;
    for (let line = 0; line < lines.length;) {
      objectStart.lastIndex = column;
      const start = objectStart.exec(lines[line]!)?.index;
      const words = lines[line]!.slice(column, start);
      if (start === undefined) {
        if (!punctuation.test(words) && !headerLine.test(words)) inner.push(words);
        line++;
        column = 0;
        continue;
      }
      const read = readValue({ lineAt: (index) => lines[index] }, line, start, "");
      if (read.fault === undefined)
        this.#collect(read.value, { wrappers, words, pointer: undefined }, undefined, inner);
      column = read.line > line || read.column > start ? read.column : start + 1;
      line = read.line;
    }
    if (inner.some((part) => typeof part === "object")) parts.push(...inner);
  }

  #isExact(fields: Fields, kind: MessageKind): boolean {
    const { constants, id = "", replyTo = "", response } = this.#protocol.envelope;
    for (const [field, text] of Object.entries(constants)) if (fields[field] !== text) return false;
    if (this.#isClosed && !Object.keys(fields).every((field) => this.#fields.has(field)))
      return false;
    if (kind !== "response") return this.#reader.nameOf(kind, fields) !== undefined;
    const reply = fields[replyTo];
    if (typeof reply === "number" || (typeof reply === "string" && id === replyTo)) return true;
    return typeof fields[response?.name ?? ""] === "string" && (response?.success ?? "") in fields;
  }

  /** Returns the kind of message that a value was probably meant to be. */
  #likelyKind(fields: Fields): MessageKind | undefined {
    const names = Object.keys(fields);
    const count = names.filter((name) => this.#fields.has(name)).length;
    if (count < 2 || count < names.length * 0.6) return undefined;
    const { id = "", replyTo = "", request, event, response } = this.#protocol.envelope;
    for (const [field, text, kind] of this.#kinds) {
      const given = fields[field];
      if (typeof given === "string" && given.toLowerCase() === text) return kind;
    }
    const has = (name: string | undefined): boolean => name !== undefined && name in fields;
    const hasNumber = typeof (fields[id] ?? fields[replyTo]) === "number";
    const isNamed = typeof (fields[request.name] ?? fields[event.name]) === "string";
    if (this.#isClosed) {
      if (isNamed) return has(id) ? "request" : "event";
      return has(id) && (has(response?.result) || has(response?.error)) ? "response" : undefined;
    }
    if (!hasNumber || !(isNamed || has(replyTo))) return undefined;
    if (has(replyTo) || has(response?.success)) return "response";
    return typeof fields[event.name] === "string" ? "event" : "request";
  }
}
