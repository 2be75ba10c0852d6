import { pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import type {
  ReadEvent,
  ReadRequest,
  ReadSchema,
  RefuseSchema,
  SchemaDocument,
} from "./schema-format.js";
import { FoundParts, partsOf, type SchemaPart } from "./schema-part.js";

/**
 * Reads a Language Server Protocol meta model. Structures, enumerations and aliases become
 * definitions, and requests and notifications become messages. Further documents add to the first.
 *
 * A request's partial result, error data and registration options also become definitions. If they
 * have no name of their own, they are named after the method: `TextDocumentHoverPartialResult`.
 */
export function readMetaModel(
  documents: readonly SchemaDocument[],
  refuse: RefuseSchema,
): ReadSchema {
  const models = partsOf(documents, refuse);
  for (const model of models) {
    if (!isJsonObject(model.value)) model.fail("Cannot read a meta model that is not an object");
    for (const section of sections) model.list(section);
    const { structures, requests } = model.fields;
    if (model === models[0] && (structures === undefined || requests === undefined))
      model.fail("Cannot find structures and requests: this file is not an LSP meta model");
    if (!sections.some((section) => model.fields[section] !== undefined))
      model.fail(
        `Cannot find any of ${sections.join(", ")}: this file adds nothing to a meta model`,
      );
  }
  return new MetaModelReading(models).read();
}

/** The parts of a meta model that are lists. */
const sections = ["requests", "notifications", "structures", "enumerations", "typeAliases"];

class MetaModelReading {
  readonly #models: readonly SchemaPart[];
  readonly #found = new FoundParts();

  constructor(models: readonly SchemaPart[]) {
    this.#models = models;
  }

  read(): ReadSchema {
    for (const part of this.#list("structures"))
      this.#define(nameOf(part), this.#structure(part), part);
    for (const part of this.#list("enumerations"))
      this.#define(nameOf(part), this.#enumeration(part), part);
    for (const part of this.#list("typeAliases"))
      this.#define(nameOf(part), described(part, this.#type(part.at("type"))), part);
    this.#readMessages("requests", (part) => ({
      ...this.#message(part),
      ...this.#beside(part, "partialResult"),
      ...this.#beside(part, "errorData"),
      result: this.#type(part.at("result")),
    }));
    this.#readMessages("notifications", (part) => this.#message(part));
    this.#dropPrivate();
    const { value: version } = this.#models[0]!.at("metaData").at("version");
    return {
      ...this.#found.schema(),
      version: typeof version === "string" ? version : undefined,
      unstated: this.#statesGates() ? [] : ["gates"],
    };
  }

  /** Removes private structures that nothing references. */
  #dropPrivate(): void {
    const { definitions, requests, events } = this.#found;
    for (const name of [...definitions.keys()].filter(isPrivate)) {
      const others = [...definitions].filter(([other]) => other !== name);
      const text = JSON.stringify([others, [...requests], [...events]]);
      if (!text.includes(JSON.stringify(`#/definitions/${name}`))) definitions.delete(name);
    }
  }

  /**
   * Returns whether the meta model names the capabilities that messages require. Meta models before
   * 3.18 do not.
   */
  #statesGates(): boolean {
    return ["requests", "notifications"].some((section) =>
      this.#list(section).some(
        ({ fields }) =>
          fields["clientCapability"] !== undefined || fields["serverCapability"] !== undefined,
      ),
    );
  }

  #define(name: string, schema: Json, part: SchemaPart): void {
    if (this.#found.definitions.has(name)) part.at("name").fail(`Cannot define "${name}" twice`);
    this.#found.define(name, schema, part);
  }

  #readMessages(
    section: "requests" | "notifications",
    read: (part: SchemaPart) => ReadRequest,
  ): void {
    const kind = section === "requests" ? "requests" : "events";
    for (const part of this.#list(section)) {
      const { method } = part.fields;
      if (typeof method !== "string") return part.fail("Cannot read a message without a method");
      if (this.#found[kind].has(method)) part.at("method").fail(`Cannot define "${method}" twice`);
      this.#found.add(kind, method, read(part), part);
    }
  }

  #message(part: SchemaPart): ReadEvent {
    const { messageDirection: direction, method, params, deprecated } = part.fields;
    const sender = senders.get(String(direction));
    if (sender === undefined)
      return part
        .at("messageDirection")
        .fail(
          `Cannot determine the sender of "${String(method)}": ${direction === undefined ? 'it has no "messageDirection"' : `the direction is ${JSON.stringify(direction)}`}`,
          `Known: ${[...senders.keys()].join(", ")}`,
        );
    return {
      sender,
      ...capabilitiesOf(part.fields, sender),
      registration: this.#registration(part),
      arguments: params === undefined ? undefined : this.#parameters(part.at("params")),
      docs: textOf(part.fields),
      deprecated: typeof deprecated === "string" ? deprecated : undefined,
    };
  }

  /**
   * Converts a message's parameters to a schema: that of a single type, or of a tuple for
   * positional parameters.
   */
  #parameters(part: SchemaPart): Json {
    return Array.isArray(part.value) ? this.#tuple(itemsOf(part)) : this.#type(part);
  }

  /** Reads how a server can register for a message after the handshake. */
  #registration(part: SchemaPart): ReadEvent["registration"] {
    const { registrationMethod: method } = part.fields;
    const { registrationOptions: options } = this.#beside(part, "registrationOptions");
    if (typeof method !== "string" && options === undefined) return undefined;
    return { method: typeof method === "string" ? method : undefined, options };
  }

  /** Turns one of the parts in `besides` into a definition and returns its name. */
  #beside<Key extends keyof typeof besides>(
    message: SchemaPart,
    key: Key,
  ): { readonly [Each in Key]?: string } {
    if (message.fields[key] === undefined) return {};
    const part = message.at(key);
    const schema = this.#type(part);
    const { $ref: reference } = schema;
    if (typeof reference === "string")
      return { [key]: reference.slice("#/definitions/".length) } as { [Each in Key]: string };
    const name = `${pascalCase(String(message.fields["method"]))}${besides[key]}`;
    this.#define(name, schema, part);
    return { [key]: name } as { [Each in Key]: string };
  }

  #structure(structure: SchemaPart): Json {
    const parts = this.#partsOf(structure);
    const pointer = joinPointer("", "definitions", nameOf(structure));
    const [only] = parts;
    if (only !== undefined && parts.length === 1)
      return described(structure, this.#object(only.part, pointer));
    const all = parts.map(({ part, isBase }, index) =>
      isBase === true ? this.#type(part) : this.#object(part, joinPointer(pointer, "allOf", index)),
    );
    return described(structure, { allOf: all });
  }

  /**
   * Lists the bases of a structure and the objects that define its properties: the structure itself
   * and its private bases.
   */
  #partsOf(structure: SchemaPart): readonly StructurePart[] {
    const bases = ["extends", "mixins"].flatMap((key) =>
      itemsOf(structure.at(key)).flatMap((part): readonly StructurePart[] => {
        const privateBase = this.#privateBase(part);
        return privateBase === undefined ? [{ part, isBase: true }] : this.#partsOf(privateBase);
      }),
    );
    return [...bases, { part: structure }];
  }

  /**
   * Finds a private base, whose name begins with an underscore. Private structures are merged into
   * the structures that extend them.
   */
  #privateBase(base: SchemaPart): SchemaPart | undefined {
    const name = base.fields["kind"] === "reference" ? nameOf(base) : "";
    return isPrivate(name)
      ? this.#list("structures").find(({ fields }) => fields["name"] === name)
      : undefined;
  }

  /**
   * Converts a structure's properties to an object schema.
   *
   * @param pointer The object's location in a definition. Set only if its properties have locations
   * of their own.
   */
  #object(part: SchemaPart, pointer?: string): JsonObject {
    return this.#found.object(
      part.list("properties"),
      (property) => {
        const { name } = property.fields;
        if (typeof name !== "string") return property.fail("Cannot read a property without a name");
        return [name, described(property, this.#type(property.at("type")))];
      },
      pointer,
    );
  }

  #enumeration(part: SchemaPart): Json {
    const { values, type, supportsCustomValues } = part.fields;
    if (!Array.isArray(values) || !values.every(isJsonObject))
      return part.at("values").fail(`Cannot read the values of "${nameOf(part)}"`);
    // If an enumeration lists a value under two names, the first name wins.
    const seen = new Set<Json | undefined>();
    const distinct = values.filter(({ value }) => seen.size < seen.add(value).size);
    const isText = isJsonObject(type) && type["name"] === "string";
    return described(part, {
      [supportsCustomValues === true ? "_enum" : "enum"]: distinct.map(({ value }) => value!),
      // JSON Schema has no keyword for naming enum numbers, so each number's description begins
      // with its name.
      enumDescriptions: distinct.map((each) =>
        [isText ? undefined : String(each["name"]), textOf(each)]
          .filter((text) => text !== undefined)
          .join(": "),
      ),
      type: isText ? "string" : "integer",
    });
  }

  #type(part: SchemaPart): JsonObject {
    const node = part.fields;
    if (!isJsonObject(part.value)) part.fail("Cannot read a type that is not an object");
    const all = (): Json[] => itemsOf(part.at("items")).map((item) => this.#type(item));
    switch (node["kind"]) {
      case "base":
        return (
          baseTypes.get(String(node["name"])) ??
          part
            .at("name")
            .fail(
              `Cannot read the base type ${JSON.stringify(node["name"])}`,
              `Known: ${[...baseTypes.keys()].join(", ")}`,
            )
        );
      case "reference":
        return { $ref: `#/definitions/${nameOf(part)}` };
      case "array":
        return { type: "array", items: this.#type(part.at("element")) };
      case "map":
        return {
          type: "object",
          ...this.#keys(part.at("key")),
          additionalProperties: this.#type(part.at("value")),
        };
      case "and":
        return { allOf: all() };
      case "or":
        return { anyOf: all() };
      case "tuple":
        return this.#tuple(itemsOf(part.at("items")));
      case "literal":
        return this.#object(part.at("value"));
      case "stringLiteral":
      case "integerLiteral":
      case "booleanLiteral":
        return { const: node["value"]! };
      default:
        return part.at("kind").fail(`Cannot read a type of kind ${JSON.stringify(node["kind"])}`);
    }
  }

  /**
   * Converts a map's key type to constraints. All keys are strings in JSON, so a plain string type
   * needs no constraint.
   */
  #keys(key: SchemaPart): JsonObject {
    const name = nameOf(key);
    if (key.fields["kind"] === "base") {
      const pattern = keyPatterns.get(name);
      const { format } = baseTypes.get(name) ?? {};
      if (pattern !== undefined) return { propertyNames: { type: "string", pattern } };
      return format === undefined ? {} : { propertyNames: { type: "string", format } };
    }
    const listed = this.#list("enumerations").find((part) => nameOf(part) === name);
    if (listed === undefined) return {};
    const { values, supportsCustomValues } = listed.fields;
    const pattern = keyPatterns.get(nameOf(listed.at("type")));
    if (pattern === undefined) return { propertyNames: { $ref: `#/definitions/${name}` } };
    const numbers = Array.isArray(values) ? values.filter(isJsonObject) : [];
    const list = { type: "string", enum: numbers.map(({ value }) => String(value)) };
    return { propertyNames: supportsCustomValues === true ? { type: "string", pattern } : list };
  }

  #tuple(items: readonly SchemaPart[]): JsonObject {
    return {
      type: "array",
      items: items.map((item) => this.#type(item)),
      additionalItems: false,
      minItems: items.length,
    };
  }

  /** Lists the parts in a section of the meta model. */
  #list(section: string): readonly SchemaPart[] {
    return this.#models.flatMap((model) => model.objects(section));
  }
}

/** Returns the items of an array. A value that is not an array has none. */
function itemsOf(part: SchemaPart): readonly SchemaPart[] {
  return Array.isArray(part.value) ? part.value.map((_, index) => part.at(index)) : [];
}

const senders: ReadonlyMap<string, string> = new Map([
  ["clientToServer", "client"],
  ["serverToClient", "server"],
  ["both", "both"],
]);

/**
 * The parts of a message, other than its parameters and result, that become definitions. The values
 * are suffixes for the definition names.
 */
const besides = {
  partialResult: "PartialResult",
  registrationOptions: "RegistrationOptions",
  errorData: "ErrorData",
} as const;

/** Reads the capabilities that a message requires of its receiver and its sender. */
function capabilitiesOf(
  { clientCapability, serverCapability }: JsonObject,
  sender: string,
): Pick<ReadEvent, "capability" | "senderCapability"> {
  const [senderCapability, receiverCapability] =
    sender === "client"
      ? [clientCapability, serverCapability]
      : [serverCapability, clientCapability];
  return sender === "both"
    ? {}
    : {
        capability: typeof receiverCapability === "string" ? receiverCapability : undefined,
        senderCapability: typeof senderCapability === "string" ? senderCapability : undefined,
      };
}

/** A base of a structure, or an object that contains some of the structure's own properties. */
interface StructurePart {
  readonly part: SchemaPart;
  readonly isBase?: true;
}

const baseTypes: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ["string", { type: "string" }],
  ["URI", { type: "string", format: "uri" }],
  ["DocumentUri", { type: "string", format: "uri" }],
  ["RegExp", { type: "string" }],
  ["boolean", { type: "boolean" }],
  ["null", { type: "null" }],
  ["decimal", { type: "number" }],
  ["integer", { type: "integer", format: "int32" }],
  // LSP limits `uinteger` to the range from 0 to 2^31 - 1.
  ["uinteger", { type: "integer", format: "int32", minimum: 0 }],
]);

/** Patterns for a map's numeric keys, which are strings in JSON. */
const keyPatterns: ReadonlyMap<string, string> = new Map([
  ["integer", "^-?(0|[1-9][0-9]*)$"],
  ["uinteger", "^(0|[1-9][0-9]*)$"],
]);

function nameOf({ fields }: SchemaPart): string {
  return String(fields["name"]);
}

/**
 * Returns the description of a part of the meta model. Appends `@proposed`, and `@since` with the
 * version that introduced the part, unless the description already contains these tags.
 */
function textOf({ documentation, since, proposed }: JsonObject): string | undefined {
  const text = typeof documentation === "string" ? documentation : "";
  const tags = [
    typeof since === "string" && !text.includes("@since") ? `@since ${since}` : "",
    proposed === true && !text.includes("@proposed") ? "@proposed" : "",
  ];
  const docs = [text, ...tags].filter((part) => part !== "").join("\n\n");
  return docs === "" ? undefined : docs;
}

/** Adds a part's description and deprecation to a schema. */
function described({ fields }: SchemaPart, schema: JsonObject): JsonObject {
  const { deprecated } = fields;
  const reason = typeof deprecated === "string" ? `Deprecated: ${deprecated}` : undefined;
  const docs = [textOf(fields), reason].filter((text) => text !== undefined).join("\n\n");
  return {
    ...schema,
    ...(docs === "" ? {} : { description: docs }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
  };
}

/**
 * Returns whether a structure is private, meaning that the meta model uses it only as part of other
 * structures. The names of private structures begin with an underscore.
 */
function isPrivate(name: string): boolean {
  return name.startsWith("_");
}
