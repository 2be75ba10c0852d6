import type { Dialect } from "../frames/frame-encoder.js";
import { LatestEntries } from "../base/latest-entries.js";
import type {
  DialectSwitch,
  DialectTable,
  EnvelopeTable,
} from "../protocol/protocol-description.js";
import { isObject, isOfArm, type AnyFields } from "../protocol/message-fields.js";
import { kinds } from "../validation/rule-kinds.js";
import { linkRule, takesNull } from "../validation/link-rule.js";
import type { PropertyNode } from "../validation/rule-node.js";
import type { MessageRule, Rule } from "../validation/rule.js";
import { translateEnvelope, withExactKind } from "./envelope.js";
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
    const { id } = envelope;
    return writes.includes("ids-on-all-messages") && !Object.hasOwn(translated, id)
      ? { [id]: 0, ...translated }
      : translated;
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
  const whole = linkRule(rule);
  const target = whole.kind === kinds.response ? whole.success : whole;
  const property = target.kind === kinds.object ? target.byName.get(field) : undefined;
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
 * Returns whether a null property value is kept. In an optional property that accepts any value,
 * null means that the property is absent.
 */
function acceptsNull(property: PropertyNode | undefined): boolean {
  if (property === undefined) return false;
  return property.required || (takesNull(property.node) && property.node.kind !== kinds.any);
}
