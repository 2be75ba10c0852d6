import { nearest } from "../../base/input-error.js";
import { pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import type {
  ReadEvent,
  ReadRequest,
  ReadSchema,
  RefuseSchema,
  SchemaDocument,
  SchemaFault,
  SchemaPlace,
} from "./schema-format.js";

/**
 * Reads the Chrome DevTools Protocol's JSON files. The protocol's domains may be split across
 * several files. The type `Node` in the domain `DOM` becomes `DOMNode`, the parameters of the
 * command `Page.navigate` become `PageNavigateParams`, and its result becomes `PageNavigateResult`.
 */
export function readDomains(
  documents: readonly SchemaDocument[],
  refuse: RefuseSchema,
): ReadSchema {
  const reading = new DomainsReading(refuse);
  documents.forEach(({ value }, document) => reading.add(value, document));
  return reading.result();
}

/** Keys that say nothing about the messages themselves, as CDP and its dialects use them. */
const notes = [
  ...["description", "experimental", "deprecated", "dependencies", "version"],
  // Which command replaces this one, and who handles it.
  ...["redirect", "handlers", "async"],
  // Where the part exists: in which builds, programs and targets.
  ...["availability", "condition", "debuggableTypes", "targetTypes"],
] as const;

const typeKeys = ["type", "$ref", "enum", "items", "minItems", "maxItems", "properties"] as const;

const primitives: ReadonlySet<string> = new Set(["string", "boolean", "integer", "number", "any"]);

const allowed = (...names: readonly string[]): ReadonlySet<string> => new Set([...names, ...notes]);

/** The keys that each part of a file may have. */
const keys = {
  domain: allowed("domain", "types", "commands", "events"),
  type: allowed("id", ...typeKeys),
  command: allowed("name", "parameters", "returns"),
  event: allowed("name", "parameters"),
  property: allowed("name", "optional", ...typeKeys),
  item: allowed(...typeKeys),
} as const;

type Part = readonly [node: JsonObject, place: string];

/**
 * Returns the first message, with optional fields where the second lacks them, or undefined if the
 * second has others.
 */
function joinFields([whole, place]: Part, [part]: Part): Part | undefined {
  const joined: Record<string, Json> = { ...whole };
  for (const key of ["parameters", "returns"]) {
    const others = new Map(fieldsOf(part[key]).map((field) => [field["name"], field]));
    const fields = fieldsOf(whole[key]).map((field): JsonObject => {
      const other = others.get(field["name"]);
      if (other !== undefined && typeText(other) === typeText(field)) others.delete(field["name"]);
      return other === undefined || other["optional"] === true
        ? { ...field, optional: true }
        : field;
    });
    if (others.size > 0) return undefined;
    if (key in whole) joined[key] = fields;
  }
  return [joined, place];
}

const fieldsOf = (list: Json | undefined): readonly JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : [];

/** Returns what two fields of the same type have in common, whatever their texts. */
const typeText = ({ optional: _, description: _docs, ...type }: JsonObject): string =>
  JSON.stringify(type);

class DomainsReading {
  readonly #refuse: RefuseSchema;
  readonly #definitions = new Map<string, Json>();
  readonly #requests = new Map<string, ReadRequest>();
  readonly #events = new Map<string, ReadEvent>();
  readonly #places = new Map<string, SchemaPlace>();
  /** Referenced types, each with the location of the first reference to it. */
  readonly #used = new Map<string, { readonly type: string; readonly place: SchemaPlace }>();
  /** Keys that are not read, each with the location of the first part that has it. */
  readonly #ignored = new Map<string, SchemaFault>();
  #version: string | undefined;
  #document = 0;

  constructor(refuse: RefuseSchema) {
    this.#refuse = refuse;
  }

  add(value: Json, document: number): void {
    this.#document = document;
    // The files of WebKit's inspector contain one domain each.
    const isDomain = isJsonObject(value) && typeof value["domain"] === "string";
    if (!isJsonObject(value) || (!isDomain && !Array.isArray(value["domains"])))
      return this.#fail("Cannot find any domains: this file does not describe CDP domains", "");
    const { version } = value;
    if (isJsonObject(version))
      this.#version ??= `${String(version["major"])}.${String(version["minor"])}`;
    const domains = isDomain ? [[value, ""] as const] : this.#list(value, "", "domains");
    for (const [node, place] of domains) {
      const name = this.#text(node, "domain", place);
      this.#check("domain", node, place);
      for (const [type, at] of this.#list(node, place, "types")) {
        const id = this.#text(type, "id", at);
        this.#check("type", type, at);
        this.#define(definitionName(name, id), this.#schema(name, type, at), at);
      }
      for (const [command, at] of this.#joined(this.#list(node, place, "commands")))
        this.#command(name, command, at);
      for (const [event, at] of this.#joined(this.#list(node, place, "events")))
        this.#event(name, event, at);
    }
  }

  result(): ReadSchema {
    const [missing, ...others] = [...this.#used]
      .filter(([name]) => !this.#definitions.has(name))
      .map(([, { type, place }]) => ({
        message: `Cannot find the type "${type}"`,
        place,
        hint: "Pass all of the protocol's files, because its domains are split across them",
      }));
    if (missing !== undefined) this.#refuse(missing, ...others);
    return {
      definitions: Object.fromEntries(this.#definitions),
      requests: Object.fromEntries(this.#requests),
      events: Object.fromEntries(this.#events),
      version: this.#version,
      places: Object.fromEntries(this.#places),
      warnings: [...this.#ignored.values()],
    };
  }

  /** Records the keys of a part that are neither read nor notes. */
  #check(part: keyof typeof keys, node: JsonObject, place: string): void {
    for (const key of Object.keys(node)) {
      if (keys[part].has(key) || key.startsWith("x-")) continue;
      const id = `${part} ${key}`;
      if (this.#ignored.has(id)) continue;
      const guess = nearest(key, [...keys[part]]);
      this.#ignored.set(id, {
        message: `Ignored the unknown key "${key}" of ${part === "item" || part === "event" ? "an" : "a"} ${part}`,
        place: this.#at(joinPointer(place, key)),
        ...(guess === undefined ? {} : { hint: `Did you mean "${guess}"?` }),
      });
    }
  }

  /**
   * Joins messages that have the same name under different conditions, as in WebKit's files. A field
   * that only one of them has is optional.
   */
  #joined(messages: readonly Part[]): readonly Part[] {
    const joined = new Map<unknown, Part>();
    messages.forEach((message, index) => {
      const [{ name, condition }, place] = message;
      const other = condition === undefined ? undefined : joined.get(name);
      // Messages without a condition are kept, even if their name is not unique.
      joined.set(
        condition === undefined ? index : name,
        other === undefined
          ? message
          : (joinFields(message, other) ??
              joinFields(other, message) ??
              this.#fail(
                `Cannot define "${String(name)}" twice: neither has all fields of the other`,
                place,
              )),
      );
    });
    return [...joined.values()];
  }

  #command(domain: string, node: JsonObject, place: string): void {
    const [method, stem] = this.#named("command", this.#requests, domain, node, place);
    const returns = this.#fields(domain, node, place, "returns", `${stem}Result`);
    this.#requests.set(method, {
      ...this.#message(domain, node, place, stem),
      // A command without results still receives a response, which contains an empty object.
      result: returns ?? { type: "object" },
    });
    this.#places.set(joinPointer("", "requests", method), this.#at(place));
  }

  #event(domain: string, node: JsonObject, place: string): void {
    const [method, stem] = this.#named("event", this.#events, domain, node, place);
    this.#events.set(method, this.#message(domain, node, place, stem));
    this.#places.set(joinPointer("", "events", method), this.#at(place));
  }

  /** Returns a message's name and what the names of its definitions begin with. */
  #named(
    part: "command" | "event",
    others: ReadonlyMap<string, unknown>,
    domain: string,
    node: JsonObject,
    place: string,
  ): readonly [method: string, stem: string] {
    const name = this.#text(node, "name", place);
    const method = `${domain}.${name}`;
    this.#check(part, node, place);
    if (others.has(method)) this.#fail(`Cannot define "${method}" twice`, place);
    return [method, definitionName(domain, name)];
  }

  #message(domain: string, node: JsonObject, place: string, stem: string): ReadEvent {
    const params = this.#fields(domain, node, place, "parameters", `${stem}Params`);
    const isOptional = this.#list(node, place, "parameters").every(
      ([each]) => each["optional"] === true,
    );
    return {
      arguments: params,
      optional: isOptional,
      docs: textOf(node),
      deprecated: node["deprecated"] === true ? "" : undefined,
    };
  }

  /**
   * Defines an object with the listed fields. Returns a reference to the object, or undefined if
   * there are no fields.
   */
  #fields(
    domain: string,
    node: JsonObject,
    place: string,
    key: string,
    name: string,
  ): Json | undefined {
    if (node[key] === undefined) return undefined;
    this.#define(name, this.#object(domain, node, place, key, name), joinPointer(place, key));
    return { $ref: `#/definitions/${name}` };
  }

  #define(name: string, schema: Json, place: string): void {
    if (this.#definitions.has(name))
      this.#fail(
        `Cannot define "${name}" twice: two names in the protocol map to this name`,
        place,
      );
    this.#definitions.set(name, schema);
    this.#places.set(joinPointer("", "definitions", name), this.#at(place));
  }

  /**
   * Converts a list of properties to an object schema.
   *
   * @param owner Name of the definition. Set only if the properties have locations of their own.
   */
  #object(
    domain: string,
    node: JsonObject,
    place: string,
    key: string,
    owner?: string,
  ): JsonObject {
    const listed = this.#list(node, place, key);
    const required: string[] = [];
    const properties = listed.map(([property, at]): [string, Json] => {
      const name = this.#text(property, "name", at);
      this.#check("property", property, at);
      if (property["optional"] !== true) required.push(name);
      if (owner !== undefined)
        this.#places.set(joinPointer("", "definitions", owner, "properties", name), this.#at(at));
      return [name, this.#schema(domain, property, at)];
    });
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    };
  }

  #schema(domain: string, node: JsonObject, place: string): JsonObject {
    const docs = textOf(node);
    const id = node["id"];
    return {
      ...this.#type(
        domain,
        node,
        place,
        typeof id === "string" ? definitionName(domain, id) : undefined,
      ),
      ...(docs === undefined ? {} : { description: docs }),
      ...(node["deprecated"] === true ? { deprecated: true } : {}),
    };
  }

  #type(domain: string, node: JsonObject, place: string, owner: string | undefined): JsonObject {
    // WebKit's files also name a definition in `type`, and `boolean` in `$ref`.
    const type = node["$ref"] ?? node["type"];
    if (
      typeof type === "string" &&
      ("$ref" in node ? !primitives.has(type) : /^[A-Z]|\./.test(type))
    ) {
      const target = type.includes(".") ? type : `${domain}.${type}`;
      const name = target.split(".").map(pascalCase).join("");
      const key = "$ref" in node ? "$ref" : "type";
      if (!this.#used.has(name))
        this.#used.set(name, { type: target, place: this.#at(joinPointer(place, key)) });
      return { $ref: `#/definitions/${name}` };
    }
    switch (type) {
      case "string":
        return node["enum"] === undefined ? { type } : { type, enum: node["enum"] };
      case "boolean":
      case "integer":
      case "number":
        return { type };
      case "any":
        return {};
      // Binary data is encoded as Base64.
      case "binary":
        return { type: "string", format: "byte" };
      case "array": {
        const { items } = node;
        if (isJsonObject(items)) this.#check("item", items, joinPointer(place, "items"));
        return {
          type,
          ...(isJsonObject(items)
            ? { items: this.#schema(domain, items, joinPointer(place, "items")) }
            : {}),
          ...(node["minItems"] === undefined ? {} : { minItems: node["minItems"] }),
          ...(node["maxItems"] === undefined ? {} : { maxItems: node["maxItems"] }),
        };
      }
      case "object":
        return node["properties"] === undefined
          ? { type, additionalProperties: true }
          : this.#object(domain, node, place, "properties", owner);
      default:
        return this.#fail(
          `Cannot read the type ${JSON.stringify(type)}`,
          joinPointer(place, "type"),
        );
    }
  }

  #list(node: JsonObject, place: string, key: string): readonly Part[] {
    const listed = node[key] ?? [];
    if (!Array.isArray(listed))
      return this.#fail(`Cannot read "${key}": it must be an array`, joinPointer(place, key));
    return listed.map((each: Json, index) => {
      const itemPlace = joinPointer(place, key, index);
      return isJsonObject(each)
        ? ([each, itemPlace] as const)
        : this.#fail("Cannot read a value that is not an object", itemPlace);
    });
  }

  #text(node: JsonObject, key: string, place: string): string {
    const value = node[key];
    return typeof value === "string" && value !== ""
      ? value
      : this.#fail(`Cannot read an object without "${key}"`, place);
  }

  #at(pointer: string): SchemaPlace {
    return { document: this.#document, pointer };
  }

  #fail(message: string, pointer: string): never {
    return this.#refuse({ message, place: this.#at(pointer) });
  }
}

function definitionName(domain: string, name: string): string {
  return `${pascalCase(domain)}${pascalCase(name)}`;
}

function textOf({ description, experimental }: JsonObject): string | undefined {
  const docs = typeof description === "string" ? description : undefined;
  if (experimental !== true) return docs;
  return docs === undefined ? "Experimental." : `${docs}\n\nExperimental.`;
}
