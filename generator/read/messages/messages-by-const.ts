import { freeName, pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import type {
  DescribedEvent,
  DescribedRequest,
  MessagesByConst,
} from "../description/description-types.js";
import {
  definitionsIn,
  withTable,
  type DefinitionsIn,
  type Draft,
  type PartPlace,
} from "../description/draft.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import { stemOf } from "./name-patterns.js";
import { readReference, referencesIn, withNames } from "../schema/definition-references.js";

/**
 * Converts a schema that has a union of messages for each side to one with a message table. Each
 * message is a definition that contains its name as a constant property. Inline parameters become a
 * definition. Without unions, the description lists the messages of each side.
 */
export function listConstMessages(draft: Draft, convention: MessagesByConst): Draft {
  const schema = definitionsIn(draft.root);
  return schema === undefined ? draft : new ConstMessages(draft, convention, schema).draft();
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
  /** The places of messages that are written inside a union, or inside other messages. */
  readonly #places = new Map<string, PartPlace>();
  readonly #requests = new Map<string, DescribedRequest>();
  readonly #events = new Map<string, DescribedEvent>();
  /** The role that sends each message, or `both`, keyed by message name. */
  readonly #senders = new Map<string, string>();

  constructor(draft: Draft, convention: MessagesByConst, schema: DefinitionsIn) {
    this.#draft = draft;
    this.#convention = convention;
    this.#container = schema.container;
    this.#definitions = new Map(Object.entries(schema.definitions));
  }

  draft(): Draft {
    const { root } = this.#draft;
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
      const other = this.#senders.get(member.name) ?? role;
      this.#senders.set(member.name, other === role ? role : "both");
      if (part === "requests") this.#requests.set(member.name, this.#request(member));
      else this.#events.set(member.name, this.#row(member, "event"));
    }
    for (const { member } of members) this.#remake(member.definition);
    this.#embed();
    this.#defineError();
    return {
      ...withTable(this.#draft, {
        requests: this.#requests,
        events: this.#events,
        senders: this.#senders,
        error,
      }),
      root: { ...(root as JsonObject), [this.#container]: Object.fromEntries(this.#definitions) },
      listed: this.#listed,
      places: this.#places,
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
   */
  #embed(): void {
    const omitted = new Set(this.#draft.description.schema.omit);
    const names = new Map<string, string>();
    const embed = (node: Json): void => {
      for (const { name } of referencesIn(node)) {
        const message = this.#remade.get(name);
        if (message === undefined || names.has(name)) continue;
        names.set(name, `Embedded${name}`);
        embed(message);
      }
    };
    for (const [name, node] of this.#definitions) if (!omitted.has(name)) embed(node);
    if (names.size === 0) return;
    for (const [name, node] of this.#definitions)
      if (!omitted.has(name)) this.#definitions.set(name, withNames(node, names));
    for (const [name, other] of names) {
      this.#define(other, withNames(this.#remade.get(name)!, names));
      this.#move(other, this.#pointerOf(name));
    }
  }

  /** Records where the source has a definition. */
  #move(definition: string, pointer: string): void {
    const { file } = this.#draft.source;
    this.#places.set(this.#pointerOf(definition), { file, pointer });
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
      const errorSchema = propertyOf(this.#definitions.get(failure), field);
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
    const key = "anyOf" in node ? "anyOf" : "oneOf";
    const members = node[key];
    if (Array.isArray(members)) {
      return members.flatMap((member: Json, index) => {
        const name = this.#referred(member);
        const message =
          name === undefined
            ? this.#inlineMember(member, part, joinPointer(this.#pointerOf(union), key, index))
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
        this.#pointerOf(union),
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
    this.#move(definition, source);
    return { name, definition, node };
  }

  #refuseMember(union: string, key: string, index: number, member: Json): void {
    const pointer = joinPointer(this.#pointerOf(union), key, index);
    const reference = isJsonObject(member) ? member["$ref"] : undefined;
    const name = this.#referred(member);
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

  /** Returns the name of the definition that a schema references, but not of a part in it. */
  #referred(node: Json): string | undefined {
    const target = isJsonObject(node) ? readReference(node["$ref"]) : undefined;
    return target?.container === this.#container && target.rest === "" ? target.name : undefined;
  }

  #messageOf(definition: string): Member | undefined {
    const node = this.#definitions.get(definition);
    const name = this.#constantIn(node);
    return isJsonObject(node) && name !== undefined ? { name, definition, node } : undefined;
  }

  /** Returns the message name that a schema states as a constant. */
  #constantIn(node: Json | undefined): string | undefined {
    const property = propertyOf(node, this.#draft.description.envelope.request.name);
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
        this.#pointerOf(member.definition),
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
    const result = propertyOf(wire, field);
    return result === undefined
      ? undefined
      : this.#payload(
          result,
          `${response}${pascalCase(field)}`,
          joinPointer(this.#pointerOf(response), "properties", field),
        );
  }

  #row({ name, definition, node }: Member, kind: "request" | "event"): DescribedEvent {
    const pointer = this.#pointerOf(definition);
    this.#listed.set(`${kind} ${name}`, pointer);
    const field = this.#draft.description.envelope[kind].payload;
    const required = node["required"];
    const params = propertyOf(node, field);
    const isRequired = Array.isArray(required) && required.includes(field);
    const source = this.#places.get(pointer)?.pointer ?? pointer;
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
   * @param source The payload's location.
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
        joinPointer(source, "$ref"),
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
        this.#pointerOf(name),
        "Rename that definition",
      );
    this.#definitions.set(name, schema);
  }

  #pointerOf(definition: string): string {
    return joinPointer("", this.#container, definition);
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

/** Returns the schema of an object's property. */
function propertyOf(node: Json | undefined, name: string): Json | undefined {
  const properties = isJsonObject(node) ? node["properties"] : undefined;
  return isJsonObject(properties) ? properties[name] : undefined;
}
