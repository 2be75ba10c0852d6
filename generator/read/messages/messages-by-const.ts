import { freeName, pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  MessagesByConst,
} from "../description/description-types.js";
import { definitionsIn, type Draft } from "../description/draft.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import { namesIn, withNames } from "./named-references.js";

/**
 * Converts a schema that has a union of messages for each side to one with a message table. Each
 * message is a definition that contains its name as a constant property. Inline parameters become a
 * definition. Without unions, the description lists the messages of each side.
 */
export function listConstMessages(draft: Draft, convention: MessagesByConst): Draft {
  const schema = definitionsIn(draft.root);
  return schema === undefined
    ? draft
    : new ConstMessages(draft, convention, schema.container, schema.definitions).draft();
}

/** A message that belongs to a union. */
interface Member {
  readonly name: string;
  readonly definition: string;
  readonly node: JsonObject;
}

class ConstMessages {
  readonly #draft: Draft;
  readonly #convention: MessagesByConst;
  readonly #container: string;
  readonly #definitions: Map<string, Json>;
  /**
   * Definitions of messages on the wire, which are removed from the schema and recreated from the
   * envelope.
   */
  readonly #remade = new Map<string, Json>();
  readonly #listed = new Map<string, string>();
  /** The locations of messages that are written inside a union, below the definitions. */
  readonly #inline = new Map<string, string>();
  readonly #requests = new Map<string, DescribedRequest>();
  readonly #events = new Map<string, DescribedEvent>();
  /** The roles that send each message, keyed by message name. */
  readonly #senders = new Map<string, Set<string>>();
  constructor(
    draft: Draft,
    convention: MessagesByConst,
    container: string,
    definitions: JsonObject,
  ) {
    this.#draft = draft;
    this.#convention = convention;
    this.#container = container;
    this.#definitions = new Map(Object.entries(definitions));
  }

  draft(): Draft {
    const { description, root } = this.#draft;
    const { unions, error } = this.#convention;
    const parts = ["requests", "events"] as const;
    const sides = Object.entries(unions).flatMap(([role, union]) =>
      parts.flatMap((part) => {
        const named = union[part] ?? [];
        const isListed = typeof named !== "string";
        return [named].flat().map((name) => ({ role, part, union: name, isListed }));
      }),
    );
    const members = sides.flatMap(({ role, part, union, isListed }) =>
      this.#membersOf(union, part, isListed).map((member) => ({ role, part, member })),
    );
    for (const { union } of sides) this.#remake(union);
    for (const { role, part, member } of members) {
      const senders = this.#senders.get(member.name) ?? new Set();
      this.#senders.set(member.name, senders.add(role));
      if (part === "requests") this.#requests.set(member.name, this.#request(member));
      else this.#events.set(member.name, this.#row(member, "event"));
    }
    for (const { member } of members) this.#remake(member.definition);
    const renamed = this.#embed();
    this.#defineError();
    const senders = [...this.#senders].map(([name, roles]): [string, string] => [
      name,
      roles.size === 1 ? [...roles][0]! : "both",
    ]);
    return {
      ...this.#draft,
      root: { ...(root as JsonObject), [this.#container]: Object.fromEntries(this.#definitions) },
      listed: this.#listed,
      renamed: new Map([...this.#draft.renamed, ...renamed, ...this.#inline]),
      description: {
        ...description,
        messages: {
          by: "table",
          requests: Object.fromEntries(this.#requests),
          events: Object.fromEntries(this.#events),
          error,
        },
        directions: {
          ...description.directions,
          exceptions: { ...Object.fromEntries(senders), ...description.directions.exceptions },
        },
      },
    };
  }

  #remake(name: string): void {
    const node = this.#definitions.get(name);
    if (node === undefined) return;
    this.#remade.set(name, node);
    this.#definitions.delete(name);
  }

  /**
   * Keeps messages that occur inside other messages: they become definitions without the envelope,
   * under a new name.
   *
   * @returns A map from the new names to the names in the source, both as JSON Pointer segments.
   */
  #embed(): ReadonlyMap<string, string> {
    const omitted = new Set(this.#draft.description.schema.omit);
    const names = new Map<string, string>();
    const embed = (node: Json): void => {
      for (const name of namesIn(node)) {
        const message = this.#remade.get(name);
        if (message === undefined || names.has(name)) continue;
        names.set(name, `Embedded${name}`);
        embed(message);
      }
    };
    for (const [name, node] of this.#definitions) if (!omitted.has(name)) embed(node);
    if (names.size === 0) return new Map();
    for (const [name, node] of this.#definitions)
      if (!omitted.has(name)) this.#definitions.set(name, withNames(node, names));
    for (const [name, other] of names)
      this.#define(other, withNames(this.#remade.get(name)!, names));
    return new Map(
      [...names].map(([name, other]) => [joinPointer("", other), joinPointer("", name)]),
    );
  }

  /**
   * Turns the error in the failure response into the definition of a failed request's error, unless
   * the schema itself defines that error.
   */
  #defineError(): void {
    const { error, failures = [] } = this.#convention;
    if (error === undefined || this.#definitions.has(error)) return;
    const field = this.#draft.description.envelope.response?.error ?? "";
    for (const failure of failures) {
      const node = this.#definitions.get(failure);
      const properties = isJsonObject(node) ? node["properties"] : undefined;
      const errorSchema = isJsonObject(properties) ? properties[field] : undefined;
      if (errorSchema === undefined) continue;
      this.#definitions.set(error, errorSchema);
      return;
    }
  }

  /**
   * Lists the messages in a union. A union with a single message is just that message. If this
   * version has no such messages, the union does not exist and the result is empty.
   *
   * @param isListed Whether the description lists messages instead of naming their union.
   */
  #membersOf(union: string, part: "requests" | "events", isListed: boolean): readonly Member[] {
    const node = this.#definitions.get(union);
    if (node === undefined)
      this.#refuseAbsent(`${isListed ? "message" : "union"} "${union}"`, 'under "messages"');
    if (!isJsonObject(node)) return [];
    const members = node["anyOf"] ?? node["oneOf"];
    if (Array.isArray(members)) {
      const key = "anyOf" in node ? "anyOf" : "oneOf";
      return members.flatMap((member: Json, index) => {
        const name = isJsonObject(member) ? this.#referred(member) : undefined;
        const message =
          name === undefined
            ? this.#inlineMember(member, part, joinPointer("", union, key, index))
            : this.#messageOf(name);
        if (message === undefined) this.#refuseMember(union, key, index, member);
        return message ?? [];
      });
    }
    const only = this.#referred(node);
    if (only !== undefined) return [this.#messageOf(only)].filter((each) => each !== undefined);
    const message = this.#messageOf(union);
    if (message === undefined) {
      this.#refuse(
        "ERR_MESSAGE",
        `Cannot read the message "${union}": it must have a constant name`,
        joinPointer("", this.#container, union),
      );
      return [];
    }
    if (isListed) return [message];
    const same = [...this.#definitions.keys()]
      .filter((name) => name !== union)
      .map((name) => this.#messageOf(name))
      .find((each) => each?.name === message.name);
    return [same ?? message];
  }

  /** Rejects a part that the description's own version lacks. Other versions may lack it. */
  #refuseAbsent(part: string, place: string): void {
    const { description, source } = this.#draft;
    if (description.schema.current === source.version)
      this.#refuse(
        "ERR_REF",
        `Cannot find the ${part} that the description names ${place}`,
        joinPointer("", this.#container),
      );
  }

  /**
   * Turns a message that is written inside its union into a definition named after its constant:
   * `thread/start` becomes `ThreadStartRequest`.
   */
  #inlineMember(node: Json, part: "requests" | "events", source: string): Member | undefined {
    const name = this.#constantIn(node);
    if (!isJsonObject(node) || name === undefined) return undefined;
    const { results } = this.#convention;
    const { noun = "event" } = this.#draft.description.envelope.event;
    const pattern = part === "events" ? `*${pascalCase(noun)}` : (results?.request ?? "*Request");
    const definition = freeName(
      pattern.replace("*", () => pascalCase(name)),
      new Set(this.#definitions.keys()),
    );
    this.#definitions.set(definition, node);
    this.#inline.set(joinPointer("", definition), source);
    return { name, definition, node };
  }

  #refuseMember(union: string, key: string, index: number, member: Json): void {
    const pointer = joinPointer("", this.#container, union, key, index);
    const reference = isJsonObject(member) ? member["$ref"] : undefined;
    const name = isJsonObject(member) ? this.#referred(member) : undefined;
    if (typeof reference === "string" && !reference.startsWith("#"))
      this.#refuse(
        "ERR_REF_OUTSIDE",
        `Cannot follow "${reference}": a message must be in the same file as its union`,
        joinPointer(pointer, "$ref"),
        `Copy its definition into this file and reference it as "#/${this.#container}/NAME"`,
      );
    else if (typeof reference === "string" && (name === undefined || !this.#definitions.has(name)))
      this.#refuse(
        "ERR_REF",
        `Cannot find the definition of "${reference}"`,
        joinPointer(pointer, "$ref"),
      );
    else
      this.#refuse(
        "ERR_MESSAGE",
        `Cannot read a message in "${union}": it must have a constant name, or reference a definition that has one`,
        pointer,
      );
  }

  #referred(node: JsonObject): string | undefined {
    const reference = node["$ref"];
    const prefix = `#/${this.#container}/`;
    const name =
      typeof reference === "string" && reference.startsWith(prefix)
        ? reference.slice(prefix.length)
        : undefined;
    // A reference to a part of a definition, or to one in a group, names no definition.
    return name?.includes("/") === true ? undefined : name;
  }

  #messageOf(definition: string): Member | undefined {
    const node = this.#definitions.get(definition);
    const name = this.#constantIn(node);
    return isJsonObject(node) && name !== undefined ? { name, definition, node } : undefined;
  }

  /** Returns the message name that a schema states as a constant. */
  #constantIn(node: Json | undefined): string | undefined {
    const properties = isJsonObject(node) ? node["properties"] : undefined;
    const field = this.#draft.description.envelope.request.name;
    const property = isJsonObject(properties) ? properties[field] : undefined;
    if (!isJsonObject(property)) return undefined;
    const listed = property["enum"];
    const name =
      property["const"] ?? (Array.isArray(listed) && listed.length === 1 ? listed[0] : undefined);
    return typeof name === "string" ? name : undefined;
  }

  #request(member: Member): DescribedRequest {
    const row = this.#row(member, "request");
    const { results } = this.#convention;
    if (results === undefined) return row;
    const stem = stemOf(results.request, member.definition);
    if (stem === undefined) {
      this.#refuse(
        "ERR_MESSAGE",
        `Cannot find the result of "${member.definition}": its name does not match ${results.request}`,
        joinPointer("", this.#container, member.definition),
      );
      return row;
    }
    const response = results.response?.replace("*", () => stem);
    const result = results.result.replace("*", () => stem);
    const answered = response === undefined ? undefined : this.#resultIn(response);
    const named = this.#definitions.has(result) ? result : results.otherwise;
    const { overlaid } = this.#draft;
    if (answered === undefined && !this.#definitions.has(named) && !overlaid.has(named)) {
      this.#refuseAbsent(`definition "${named}"`, "at /messages/results/otherwise");
      return row;
    }
    return { ...row, ...(response === undefined ? {} : { response }), result: answered ?? named };
  }

  /**
   * Returns the name of a request's result definition, if the schema defines the result within the
   * wire response, which is removed from the schema.
   */
  #resultIn(response: string): string | undefined {
    const wire = this.#definitions.get(response);
    this.#remake(response);
    const field = this.#draft.description.envelope.response?.result ?? "";
    const properties = isJsonObject(wire) ? wire["properties"] : undefined;
    const result = isJsonObject(properties) ? properties[field] : undefined;
    return result === undefined
      ? undefined
      : this.#payload(
          result,
          `${response}${pascalCase(field)}`,
          joinPointer("", response, "properties", field),
        );
  }

  #row({ name, definition, node }: Member, kind: "request" | "event"): DescribedEvent {
    this.#listed.set(`${kind} ${name}`, joinPointer("", this.#container, definition));
    const field = this.#draft.description.envelope[kind].payload;
    const properties = node["properties"] as JsonObject;
    const required = node["required"];
    const params = properties[field];
    const isRequired = Array.isArray(required) && required.includes(field);
    const source = this.#inline.get(joinPointer("", definition)) ?? joinPointer("", definition);
    const payload =
      params === undefined
        ? undefined
        : this.#payload(params, `${definition}Params`, `${source}/properties/${field}`);
    const docs = node["description"];
    return {
      docs: typeof docs === "string" && docs !== "" ? docs : `The message \`${name}\`.`,
      definition,
      deprecated: node["deprecated"] === true ? "" : undefined,
      params: payload === undefined || isRequired ? payload : `${payload}?`,
    };
  }

  /**
   * Returns the name of a payload's definition. Turns an inline payload into a definition.
   *
   * @param source The payload's location, below the definitions.
   */
  #payload(schema: Json, name: string, source: string): string | undefined {
    const referred =
      isJsonObject(schema) &&
      Object.keys(schema).every((key) => key === "$ref" || key === "description")
        ? this.#referred(schema)
        : undefined;
    if (referred !== undefined) {
      if (this.#definitions.has(referred) || this.#remade.has(referred)) return referred;
      return this.#refuse(
        "ERR_REF",
        `Cannot find the definition of "#/${this.#container}/${referred}"`,
        `/${this.#container}${source}/$ref`,
      );
    }
    this.#define(name, schema);
    return name;
  }

  #define(name: string, schema: Json): void {
    const other = this.#definitions.get(name);
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(schema))
      this.#refuse(
        "ERR_NAME_COLLISION",
        `Cannot name a part "${name}": the schema already has a definition with that name`,
        joinPointer("", this.#container, name),
        "Rename that definition",
      );
    this.#definitions.set(name, schema);
  }

  #refuse(
    code: "ERR_MESSAGE" | "ERR_NAME_COLLISION" | "ERR_REF" | "ERR_REF_OUTSIDE",
    message: string,
    pointer: string,
    hint?: string,
  ): undefined {
    const { faults, source } = this.#draft;
    faults.add(code, message, source.file.locate(pointer), hint);
    return undefined;
  }
}

/** Returns the part of a name that the `*` in a pattern matches. */
function stemOf(pattern: string, name: string): string | undefined {
  const [head = "", tail = ""] = pattern.split("*");
  return name.startsWith(head) && name.endsWith(tail) && name.length > head.length + tail.length
    ? name.slice(head.length, name.length - tail.length)
    : undefined;
}
