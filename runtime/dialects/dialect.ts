import { checkOptions, oneOf } from "../base/check-options.js";
import { LatestEntries } from "../base/latest-entries.js";
import type { Dialect } from "../frames/content-length-encoder.js";
import { hasFailed, isObject, isOfArm, type AnyFields } from "../protocol/message-fields.js";
import type {
  DialectSwitch,
  DialectTable,
  EnvelopeTable,
  NamedArmTable,
} from "../protocol/protocol-description.js";
import { linkRule, takesNull } from "../validation/link-rule.js";
import type { PropertyNode } from "../validation/rule-node.js";
import type { MessageRule, Rule } from "../validation/rule.js";
import { ValueAdapter } from "./value-adapter.js";

/**
 * Converts a message from its sender's dialect. Without a dialect, returns the message unchanged.
 */
export function readAs(dialect: Dialect | undefined, message: unknown): unknown {
  return dialect === undefined ? message : dialect.read(message);
}

/** Maximum length of a name or string id that is remembered. */
const maxRememberedLength = 256;

/** Maximum number of unanswered requests to remember. The oldest ones are dropped first. */
const maxPending = 10_000;

/** The rules for converting names and values of a dialect. */
export interface DialectRules {
  readonly message: MessageRule;
  /** Result rules by request, for responses that do not repeat their request's name. */
  readonly results: { readonly [name: string]: Rule };
}

/**
 * A connection to a peer that uses a dialect. Converts incoming messages to the protocol and
 * outgoing messages to the dialect. Copies values only if they change.
 *
 * Remembers the names of unanswered requests in both directions, because some envelopes repeat them
 * in responses and others do not.
 */
export class DialectConnection implements Dialect {
  readonly #envelope: EnvelopeTable;
  readonly #table: DialectTable;
  readonly #rules: DialectRules;
  /** Maps our message names to the peer's, and vice versa. */
  readonly #peerNames: ReadonlyMap<unknown, string>;
  readonly #ownNames: ReadonlyMap<unknown, string>;
  readonly #sent = new LatestEntries<unknown, string>(maxPending);
  readonly #received = new LatestEntries<unknown, string>(maxPending);

  constructor(envelope: EnvelopeTable, table: DialectTable, rules: DialectRules) {
    this.#envelope = envelope;
    this.#table = table;
    this.#rules = rules;
    const names = Object.entries(table.names ?? {});
    this.#peerNames = new Map(names);
    this.#ownNames = new Map(names.map(([own, peer]) => [peer, own]));
  }

  /**
   * Converts an incoming message to the protocol. Other values are returned unchanged. Never
   * throws.
   */
  read(value: unknown): unknown {
    try {
      return isObject(value) ? this.#read(value) : value;
    } catch {
      return value;
    }
  }

  /** Converts an outgoing message to the dialect. */
  write(message: object): object {
    const { writes, envelope } = this.#table;
    const fields = message as AnyFields;
    const name = this.#remember(this.#sent, this.#received, fields);
    const adapted = this.#withName(this.#adapt(fields, name, writes, true), this.#peerNames);
    if (envelope === undefined) return adapted;
    const translated = translateEnvelope(this.#envelope, envelope, adapted, name) ?? adapted;
    const { id, event } = envelope;
    const isBare = isOfArm(event, translated) && !Object.hasOwn(translated, event.payload);
    return {
      ...(writes.includes("ids-on-all-messages") ? { [id]: 0 } : {}),
      ...translated,
      ...(isBare && writes.includes("null-for-no-body") ? { [event.payload]: null } : {}),
    };
  }

  #read(value: AnyFields): AnyFields {
    const { reads, envelope } = this.#table;
    const translated =
      envelope === undefined
        ? value
        : translateEnvelope(
            envelope,
            this.#envelope,
            reads.includes("names-in-any-case") ? withExactKind(envelope, value) : value,
            undefined,
            this.#table.unexplained,
          );
    if (translated === undefined) return value;
    const numbered = reads.includes("ids-as-text") ? this.#withNumber(translated) : translated;
    const message = this.#withName(numbered, this.#ownNames);
    const named = envelope?.response.name === undefined ? undefined : value[envelope.response.name];
    const name = this.#remember(this.#received, this.#sent, message) ?? named;
    return this.#adapt(message, typeof name === "string" ? name : undefined, reads, false);
  }

  /** Remembers a request's name. For a response, returns the name of its request. */
  #remember(
    requestNames: LatestEntries<unknown, string>,
    pendingNames: LatestEntries<unknown, string>,
    message: AnyFields,
  ): string | undefined {
    const { request, response, id, replyTo } = this.#envelope;
    if (isOfArm(request, message)) {
      const name = message[request.name];
      const number = message[id];
      if (typeof name === "string" && isSmall(name) && isSmall(number))
        requestNames.set(number, name);
      return undefined;
    }
    if (!isOfArm(this.#envelope.response, message)) return undefined;
    const number = message[replyTo];
    const name = pendingNames.get(number);
    pendingNames.delete(number);
    if (name !== undefined || response.name === undefined) return name;
    const repeated = message[response.name];
    return typeof repeated === "string" ? repeated : undefined;
  }

  /** Renames a request or event. */
  #withName(message: AnyFields, names: ReadonlyMap<unknown, string>): AnyFields {
    if (names.size === 0) return message;
    for (const kind of ["request", "event"] as const) {
      if (!isOfArm(this.#envelope[kind], message)) continue;
      const { name: field } = this.#envelope[kind];
      const name = names.get(message[field]);
      return name === undefined ? message : { ...message, [field]: name };
    }
    return message;
  }

  /** Converts a response id from a string to a number. */
  #withNumber(message: AnyFields): AnyFields {
    const { replyTo } = this.#envelope;
    const number = message[replyTo];
    return isOfArm(this.#envelope.response, message) &&
      typeof number === "string" &&
      /^-?[0-9]{1,15}$/.test(number) &&
      this.#sent.get(number) === undefined
      ? { ...message, [replyTo]: Number(number) }
      : message;
  }

  #adapt(
    message: AnyFields,
    name: string | undefined,
    switches: readonly DialectSwitch[],
    writing: boolean,
  ): AnyFields {
    const { request, event, response } = this.#envelope;
    const adapter = new ValueAdapter(switches, writing);
    for (const [kind, arm] of [
      ["request", request],
      ["event", event],
    ] as const) {
      if (!isOfArm(this.#envelope[kind], message)) continue;
      const rule = this.#ruleOf(kind, message[arm.name]);
      return rule === undefined ? message : withPart(message, arm.payload, adapter, rule);
    }
    if (!isOfArm(this.#envelope.response, message) || name === undefined) return message;
    const rule = Object.hasOwn(this.#rules.results, name) ? this.#rules.results[name] : undefined;
    return rule === undefined ? message : withPart(message, response.result, adapter, rule);
  }

  #ruleOf(kind: "request" | "event", name: unknown): Rule | undefined {
    const { when } = this.#envelope[kind];
    const arm = this.#rules.message.arms.find(
      (each) => JSON.stringify(each.when) === JSON.stringify(when),
    );
    return typeof name === "string" && arm?.known !== undefined && Object.hasOwn(arm.known, name)
      ? arm.known[name]
      : undefined;
  }
}

/** Returns whether a value is small enough to be remembered. */
function isSmall(value: unknown): boolean {
  if (typeof value === "string") return value.length <= maxRememberedLength;
  return typeof value !== "object" || value === null;
}

/** Converts one part of a message according to its rule. */
function withPart(message: AnyFields, field: string, adapter: ValueAdapter, rule: Rule): AnyFields {
  const node = linkRule(rule);
  const target = node.kind === "response" ? node.success : node;
  const property = target.kind === "object" ? target.byName.get(field) : undefined;
  const value = message[field];
  if (value === undefined) return message;
  if (value === null && adapter.dropsNull && !acceptsNull(property)) {
    if (property?.part === "result") return message;
    const { [field]: _null, ...rest } = message;
    return rest;
  }
  if (property === undefined) return message;
  const adapted = adapter.adapt(property.node, value, 0);
  return adapted === value ? message : { ...message, [field]: adapted };
}

/**
 * Returns whether a null property value is kept. In an optional property that accepts any value, or
 * only null, null means that the property is absent.
 */
function acceptsNull(property: PropertyNode | undefined): boolean {
  if (property === undefined) return false;
  const { required, node } = property;
  return required || (takesNull(node) && node.kind !== "any" && node.kind !== "null");
}

/**
 * Finds a dialect by its name.
 *
 * @throws TypeError suggesting the closest name if there is no such dialect.
 */
export function dialectNamed(
  dialects: { readonly [name: string]: DialectTable },
  name: string,
): DialectTable {
  checkOptions("createDialect", { name }, { name: oneOf(...Object.keys(dialects)) });
  return dialects[name]!;
}

/**
 * Converts a message to another envelope. The parts of the message move to the target envelope's
 * fields; all other fields are kept. Returns undefined for a value that is not a message in the
 * source envelope.
 *
 * @param name Name of the request that a response answers, for envelopes that repeat it.
 * @param unexplained The error to use for a failure that does not contain one.
 */
function translateEnvelope(
  from: EnvelopeTable,
  to: EnvelopeTable,
  message: AnyFields,
  name?: string,
  unexplained?: object,
): AnyFields | undefined {
  for (const kind of ["request", "event"] as const) {
    if (!isOfArm(from[kind], message)) continue;
    const envelopeFields = [from[kind].name, from[kind].payload, from.id];
    return {
      ...otherFields(from, from[kind], message, envelopeFields),
      ...constantFields(to, to[kind]),
      ...(kind === "request" ? optionalField(to.id, message[from.id]) : {}),
      ...optionalField(to[kind].name, message[from[kind].name]),
      ...optionalField(to[kind].payload, message[from[kind].payload]),
    };
  }
  return isOfArm(from.response, message)
    ? translateResponse(from, to, message, name, unexplained)
    : undefined;
}

function translateResponse(
  from: EnvelopeTable,
  to: EnvelopeTable,
  message: AnyFields,
  requestName: string | undefined,
  unexplained: object | undefined,
): AnyFields {
  const { response } = from;
  const failed = hasFailed(response, message);
  const { name, success, result, error } = response;
  const envelopeFields = [from.id, from.replyTo, name, success, result, error, response.errorText];
  const answered = requestName ?? (name === undefined ? undefined : message[name]);
  return {
    ...otherFields(from, response, message, envelopeFields),
    ...constantFields(to, to.response),
    ...optionalField(to.replyTo, message[from.replyTo]),
    ...(to.response.name === undefined ? {} : optionalField(to.response.name, answered)),
    ...(to.response.success === undefined ? {} : { [to.response.success]: !failed }),
    // Always write the error or the result: in some envelopes, only this field distinguishes
    // failures from successes.
    ...(failed
      ? failureIn(to, from, message, unexplained)
      : { [to.response.result]: message[result] ?? null }),
  };
}

/**
 * Returns the fields of a failure. Some envelopes have a separate field for the text; in others, it
 * is part of the error.
 */
function failureIn(
  to: EnvelopeTable,
  from: EnvelopeTable,
  message: AnyFields,
  unexplained: object | undefined,
): AnyFields {
  const { error, errorText } = to.response;
  const failure = message[from.response.error];
  const text = from.response.errorText === undefined ? undefined : message[from.response.errorText];
  if (errorText !== undefined && from.response.errorText === undefined)
    return {
      ...optionalField(errorText, isObject(failure) ? failure["message"] : undefined),
      [error]: null,
    };
  if (errorText === undefined && typeof text === "string")
    return {
      [error]: { ...unexplained, message: text, ...optionalField("data", failure ?? undefined) },
    };
  return {
    [error]: failure ?? unexplained ?? null,
    ...(errorText === undefined ? {} : optionalField(errorText, text)),
  };
}

/**
 * Returns the message with its kind spelled exactly as in the envelope, because peers may use any
 * case.
 */
function withExactKind(envelope: EnvelopeTable, message: AnyFields): AnyFields {
  for (const kind of ["request", "event", "response"] as const)
    for (const [field, test] of Object.entries(envelope[kind].when)) {
      const value = message[field];
      if (typeof test !== "string" || typeof value !== "string" || value === test) continue;
      if (value.toLowerCase() === test.toLowerCase()) return { ...message, [field]: test };
    }
  return message;
}

/** Returns a message's fields other than those of the envelope. */
function otherFields(
  envelope: EnvelopeTable,
  { when }: Pick<NamedArmTable, "when">,
  message: AnyFields,
  known: readonly (string | undefined)[],
): AnyFields {
  const envelopeFields = new Set([
    ...known,
    ...Object.keys(when),
    ...Object.keys(envelope.constants),
  ]);
  return Object.fromEntries(Object.entries(message).filter(([key]) => !envelopeFields.has(key)));
}

/** Returns the fields with constant values. */
function constantFields(
  envelope: EnvelopeTable,
  { when }: Pick<NamedArmTable, "when">,
): { readonly [field: string]: string } {
  const fixed = Object.entries(when).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { ...envelope.constants, ...Object.fromEntries(fixed) };
}

function optionalField(field: string, value: unknown): { readonly [field: string]: unknown } {
  return value === undefined ? {} : { [field]: value };
}
