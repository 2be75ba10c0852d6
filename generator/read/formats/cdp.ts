import { nearest } from "../../base/input-error.js";
import { statedFields } from "../../base/stated-fields.js";
import { pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import type { ReadSchema, RefuseSchema, SchemaDocument, SchemaFault } from "./schema-format.js";
import { FoundParts, partsOf, type SchemaPart } from "./schema-part.js";

/**
 * Reads the Chrome DevTools Protocol's JSON files. The protocol's domains may be split across
 * several files. The type `Node` in the domain `DOM` becomes `DOMNode`, the parameters of the
 * command `Page.navigate` become `PageNavigateParams`, and its result becomes `PageNavigateResult`.
 */
export function readDomains(
  documents: readonly SchemaDocument[],
  refuse: RefuseSchema,
): ReadSchema {
  const reading = new DomainsReading();
  for (const document of partsOf(documents, refuse)) reading.add(document);
  return reading.result(refuse);
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

/**
 * Returns the first message, with optional fields where the second lacks them, or undefined if the
 * second has others.
 */
function joinFields(whole: SchemaPart, part: SchemaPart): SchemaPart | undefined {
  const joined: Record<string, Json> = { ...whole.fields };
  for (const key of ["parameters", "returns"]) {
    const others = new Map(fieldsOf(part.fields[key]).map((field) => [field["name"], field]));
    const fields = fieldsOf(whole.fields[key]).map((field): JsonObject => {
      const other = others.get(field["name"]);
      if (other !== undefined && typeText(other) === typeText(field)) others.delete(field["name"]);
      return other === undefined || other["optional"] === true
        ? { ...field, optional: true }
        : field;
    });
    if (others.size > 0) return undefined;
    if (key in whole.fields) joined[key] = fields;
  }
  return whole.with(joined);
}

const fieldsOf = (list: Json | undefined): readonly JsonObject[] =>
  Array.isArray(list) ? list.filter(isJsonObject) : [];

/** Returns what two fields of the same type have in common, whatever their texts. */
const typeText = ({ optional: _, description: _docs, ...type }: JsonObject): string =>
  JSON.stringify(type);

class DomainsReading {
  readonly #found = new FoundParts();
  /** Referenced types, each with the fault to report if it is missing. */
  readonly #used = new Map<string, SchemaFault>();
  /** Keys that are not read, each with the location of the first part that has it. */
  readonly #ignored = new Map<string, SchemaFault>();
  #version: string | undefined;

  add(document: SchemaPart): void {
    const { domain, domains, version } = document.fields;
    // The files of WebKit's inspector contain one domain each.
    const isDomain = typeof domain === "string";
    if (!isDomain && !Array.isArray(domains))
      document.fail("Cannot find any domains: this file does not describe CDP domains");
    if (isJsonObject(version))
      this.#version ??= `${String(version["major"])}.${String(version["minor"])}`;
    for (const part of isDomain ? [document] : document.objects("domains")) {
      const name = textIn(part, "domain");
      this.#check("domain", part);
      for (const type of part.objects("types")) {
        const id = textIn(type, "id");
        this.#check("type", type);
        this.#define(definitionName(name, id), this.#schema(name, type), type);
      }
      for (const command of joinMessages(part.objects("commands")))
        this.#message(name, command, "command");
      for (const event of joinMessages(part.objects("events"))) this.#message(name, event, "event");
    }
  }

  result(refuse: RefuseSchema): ReadSchema {
    const [missing, ...others] = [...this.#used]
      .filter(([name]) => !this.#found.definitions.has(name))
      .map(([, fault]) => fault);
    if (missing !== undefined) refuse(missing, ...others);
    return {
      ...this.#found.schema(),
      version: this.#version,
      warnings: [...this.#ignored.values()],
    };
  }

  /** Records the keys of a part that are neither read nor notes. */
  #check(kind: keyof typeof keys, part: SchemaPart): void {
    for (const key of Object.keys(part.fields)) {
      if (keys[kind].has(key) || key.startsWith("x-")) continue;
      const id = `${kind} ${key}`;
      if (this.#ignored.has(id)) continue;
      const guess = nearest(key, [...keys[kind]]);
      this.#ignored.set(id, {
        message: `Ignored the unknown key "${key}" of ${kind === "item" || kind === "event" ? "an" : "a"} ${kind}`,
        place: part.at(key).place,
        hint: guess === undefined ? undefined : `Did you mean "${guess}"?`,
      });
    }
  }

  #message(domain: string, part: SchemaPart, kind: "command" | "event"): void {
    const name = textIn(part, "name");
    const method = `${domain}.${name}`;
    const messages = kind === "command" ? "requests" : "events";
    this.#check(kind, part);
    if (this.#found[messages].has(method)) part.fail(`Cannot define "${method}" twice`);
    const stem = definitionName(domain, name);
    const result = kind === "command" ? this.#fields(domain, part, "returns", `${stem}Result`) : {};
    const message = {
      arguments: this.#fields(domain, part, "parameters", `${stem}Params`),
      optional: part.objects("parameters").every(({ fields }) => fields["optional"] === true),
      docs: textOf(part.fields),
      deprecated: part.fields["deprecated"] === true ? "" : undefined,
      // A command without results still receives a response, which contains an empty object.
      ...(kind === "command" ? { result: result ?? { type: "object" } } : {}),
    };
    this.#found.add(messages, method, message, part);
  }

  /**
   * Defines an object with the listed fields. Returns a reference to the object, or undefined if
   * there are no fields.
   */
  #fields(domain: string, part: SchemaPart, key: string, name: string): Json | undefined {
    if (part.fields[key] === undefined) return undefined;
    this.#define(name, this.#object(domain, part, key, name), part.at(key));
    return { $ref: `#/definitions/${name}` };
  }

  #define(name: string, schema: Json, part: SchemaPart): void {
    if (this.#found.definitions.has(name))
      part.fail(`Cannot define "${name}" twice: two names in the protocol map to this name`);
    this.#found.define(name, schema, part);
  }

  /**
   * Converts a list of properties to an object schema.
   *
   * @param owner Name of the definition. Set only if the properties have locations of their own.
   */
  #object(domain: string, part: SchemaPart, key: string, owner?: string): JsonObject {
    return this.#found.object(
      part.objects(key),
      (property) => {
        const name = textIn(property, "name");
        this.#check("property", property);
        return [name, this.#schema(domain, property)];
      },
      owner === undefined ? undefined : joinPointer("", "definitions", owner),
    );
  }

  #schema(domain: string, part: SchemaPart): JsonObject {
    const { id, deprecated } = part.fields;
    const docs = textOf(part.fields);
    return {
      ...this.#type(domain, part, typeof id === "string" ? definitionName(domain, id) : undefined),
      ...(docs === undefined ? {} : { description: docs }),
      ...(deprecated === true ? { deprecated: true } : {}),
    };
  }

  #type(domain: string, part: SchemaPart, owner: string | undefined): JsonObject {
    const node = part.fields;
    // WebKit's files also name a definition in `type`, and `boolean` in `$ref`.
    const key = "$ref" in node ? "$ref" : "type";
    const type = node["$ref"] ?? node["type"];
    if (
      typeof type === "string" &&
      (key === "$ref" ? !primitives.has(type) : /^[A-Z]|\./.test(type))
    ) {
      const target = type.includes(".") ? type : `${domain}.${type}`;
      const name = target.split(".").map(pascalCase).join("");
      if (!this.#used.has(name))
        this.#used.set(name, {
          message: `Cannot find the type "${target}"`,
          place: part.at(key).place,
          hint: "Pass all of the protocol's files, because its domains are split across them",
        });
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
        const items = isJsonObject(node["items"]) ? part.at("items") : undefined;
        if (items !== undefined) this.#check("item", items);
        return statedFields<Record<string, Json>>({
          type,
          items: (items && this.#schema(domain, items))!,
          minItems: node["minItems"]!,
          maxItems: node["maxItems"]!,
        });
      }
      case "object":
        return node["properties"] === undefined
          ? { type, additionalProperties: true }
          : this.#object(domain, part, "properties", owner);
      default:
        return part.at("type").fail(`Cannot read the type ${JSON.stringify(type)}`);
    }
  }
}

/**
 * Joins messages that have the same name under different conditions, as in WebKit's files. A field
 * that only one of them has is optional.
 */
function joinMessages(messages: readonly SchemaPart[]): readonly SchemaPart[] {
  const joined = new Map<unknown, SchemaPart>();
  messages.forEach((message, index) => {
    const { name, condition } = message.fields;
    const other = condition === undefined ? undefined : joined.get(name);
    // Messages without a condition are kept, even if their name is not unique.
    joined.set(
      condition === undefined ? index : name,
      other === undefined
        ? message
        : (joinFields(message, other) ??
            joinFields(other, message) ??
            message.fail(
              `Cannot define "${String(name)}" twice: neither has all fields of the other`,
            )),
    );
  });
  return [...joined.values()];
}

function textIn(part: SchemaPart, key: string): string {
  const value = part.fields[key];
  return typeof value === "string" && value !== ""
    ? value
    : part.fail(`Cannot read an object without "${key}"`);
}

function definitionName(domain: string, name: string): string {
  return `${pascalCase(domain)}${pascalCase(name)}`;
}

function textOf({ description, experimental }: JsonObject): string | undefined {
  const docs = typeof description === "string" ? description : undefined;
  if (experimental !== true) return docs;
  return docs === undefined ? "Experimental." : `${docs}\n\nExperimental.`;
}
