import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../source/json-text.js";
import type {
  ReadEvent,
  ReadRequest,
  ReadSchema,
  RefuseSchema,
  SchemaDocument,
  SchemaPlace,
} from "./schema-format.js";

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
  const models = documents.map(({ value }, document): JsonObject => {
    const fail = (message: string, pointer = ""): never =>
      refuse({ message, place: { document, pointer } });
    if (!isJsonObject(value)) return fail("Cannot read a meta model that is not an object");
    for (const section of sections)
      if (!Array.isArray(value[section] ?? []))
        fail(`Cannot read "${section}": it must be an array`, `/${section}`);
    if (document === 0 && !(value["structures"] !== undefined && value["requests"] !== undefined))
      fail("Cannot find structures and requests: this file is not an LSP meta model");
    if (!sections.some((section) => value[section] !== undefined))
      fail(`Cannot find any of ${sections.join(", ")}: this file adds nothing to a meta model`);
    return value;
  });
  const listed = (model: JsonObject, section: string): readonly Json[] =>
    (model[section] ?? []) as readonly Json[];
  /** Locates a part of the joined model in the document that it comes from. */
  const placeIn = (place: string): SchemaPlace => {
    const [section = "", index, ...rest] = parsePointer(place);
    let position = Number(index);
    for (const [document, model] of models.entries()) {
      const { length } = listed(model, section);
      if (position < length)
        return { document, pointer: joinPointer("", section, position, ...rest) };
      position -= length;
    }
    return place;
  };
  const joined = Object.fromEntries(
    sections.map((section) => [section, models.flatMap((model) => listed(model, section))]),
  );
  const reading = new MetaModelReading({ ...models[0]!, ...joined }, (fault) =>
    refuse({
      ...fault,
      ...(typeof fault.place === "string" ? { place: placeIn(fault.place) } : {}),
    }),
  );
  const { places = {}, ...schema } = reading.read();
  return {
    ...schema,
    places: Object.fromEntries(
      Object.entries(places).map(([pointer, place]) => [
        pointer,
        typeof place === "string" ? placeIn(place) : place,
      ]),
    ),
  };
}

/** The parts of a meta model that are lists. */
const sections = ["requests", "notifications", "structures", "enumerations", "typeAliases"];

class MetaModelReading {
  readonly #model: JsonObject;
  readonly #refuse: RefuseSchema;
  readonly #definitions = new Map<string, Json>();
  readonly #places = new Map<string, string>();

  constructor(model: JsonObject, refuse: RefuseSchema) {
    this.#model = model;
    this.#refuse = refuse;
  }

  read(): ReadSchema {
    for (const [node, place] of this.#list("structures"))
      this.#define(nameOf(node), this.#structure(node, place), place);
    for (const [node, place] of this.#list("enumerations"))
      this.#define(nameOf(node), this.#enumeration(node, place), place);
    for (const [node, place] of this.#list("typeAliases"))
      this.#define(
        nameOf(node),
        described(node, this.#type(node["type"], joinPointer(place, "type"))),
        place,
      );
    const requests = this.#messages("requests", (node, place): ReadRequest => ({
      ...this.#message(node, place),
      ...this.#beside(node, place, "partialResult"),
      ...this.#beside(node, place, "errorData"),
      result: this.#type(node["result"], joinPointer(place, "result")),
    }));
    const events = this.#messages("notifications", (node, place) => this.#message(node, place));
    this.#dropPrivate([requests, events]);
    const metaData = this.#model["metaData"];
    const version = isJsonObject(metaData) ? metaData["version"] : undefined;
    return {
      definitions: Object.fromEntries(this.#definitions),
      requests,
      events,
      version: typeof version === "string" ? version : undefined,
      unstated: this.#statesGates() ? [] : ["gates"],
      places: Object.fromEntries(this.#places),
    };
  }

  /** Removes private structures that nothing references. */
  #dropPrivate(messages: readonly object[]): void {
    for (const name of [...this.#definitions.keys()].filter(isPrivate)) {
      const others = [...this.#definitions].filter(([other]) => other !== name);
      const text = JSON.stringify([others, messages]);
      if (!text.includes(JSON.stringify(`#/definitions/${name}`))) this.#definitions.delete(name);
    }
  }

  /**
   * Returns whether the meta model names the capabilities that messages require. Meta models before
   * 3.18 do not.
   */
  #statesGates(): boolean {
    return ["requests", "notifications"].some((section) =>
      this.#list(section).some(
        ([node]) =>
          node["clientCapability"] !== undefined || node["serverCapability"] !== undefined,
      ),
    );
  }

  #define(name: string, schema: Json, place: string): void {
    if (this.#definitions.has(name))
      this.#refuse({ message: `Cannot define "${name}" twice`, place: joinPointer(place, "name") });
    this.#definitions.set(name, schema);
    this.#places.set(joinPointer("", "definitions", name), place);
  }

  #messages<Message>(
    section: "requests" | "notifications",
    read: (node: JsonObject, place: string) => Message,
  ): Readonly<Record<string, Message>> {
    const part = section === "requests" ? "requests" : "events";
    const messages = new Map<string, Message>();
    for (const [node, place] of this.#list(section)) {
      const method = node["method"];
      if (typeof method !== "string")
        return this.#refuse({ message: "Cannot read a message without a method", place });
      if (messages.has(method))
        this.#refuse({
          message: `Cannot define "${method}" twice`,
          place: joinPointer(place, "method"),
        });
      messages.set(method, read(node, place));
      this.#places.set(joinPointer("", part, method), place);
    }
    return Object.fromEntries(messages);
  }

  #message(node: JsonObject, place: string): ReadEvent {
    const direction = node["messageDirection"];
    const sender = senders.get(String(direction));
    if (sender === undefined)
      return this.#refuse({
        message: `Cannot determine the sender of "${String(node["method"])}": ${direction === undefined ? 'it has no "messageDirection"' : `the direction is ${JSON.stringify(direction)}`}`,
        place: joinPointer(place, "messageDirection"),
        hint: `Known: ${[...senders.keys()].join(", ")}`,
      });
    const { deprecated } = node;
    return {
      sender,
      ...capabilitiesOf(node, sender),
      registration: this.#registration(node, place),
      arguments:
        node["params"] === undefined
          ? undefined
          : this.#parameters(node["params"], joinPointer(place, "params")),
      docs: textOf(node),
      deprecated: typeof deprecated === "string" ? deprecated : undefined,
    };
  }

  /**
   * Converts a message's parameters to a schema: that of a single type, or of a tuple for
   * positional parameters.
   */
  #parameters(node: Json, place: string): Json {
    return Array.isArray(node) ? this.#tuple(node, place) : this.#type(node, place);
  }

  /** Reads how a server can register for a message after the handshake. */
  #registration(node: JsonObject, place: string): ReadEvent["registration"] {
    const { registrationMethod: method } = node;
    const { registrationOptions: options } = this.#beside(node, place, "registrationOptions");
    if (typeof method !== "string" && options === undefined) return undefined;
    return { method: typeof method === "string" ? method : undefined, options };
  }

  /** Turns one of the parts in `besides` into a definition and returns its name. */
  #beside<Key extends keyof typeof besides>(
    node: JsonObject,
    place: string,
    key: Key,
  ): { readonly [Each in Key]?: string } {
    if (node[key] === undefined) return {};
    const partPlace = joinPointer(place, key);
    const schema = this.#type(node[key], partPlace);
    const { $ref: reference } = schema;
    if (typeof reference === "string")
      return { [key]: reference.slice("#/definitions/".length) } as { [Each in Key]: string };
    const name = `${pascalCase(String(node["method"]))}${besides[key]}`;
    this.#define(name, schema, partPlace);
    return { [key]: name } as { [Each in Key]: string };
  }

  #structure(node: JsonObject, place: string): Json {
    const parts = this.#partsOf(node, place);
    const pointer = joinPointer("", "definitions", nameOf(node));
    const [only] = parts;
    if (only !== undefined && parts.length === 1)
      return described(node, this.#object(only.node, only.place, pointer));
    const all = parts.map((part, index) =>
      part.isBase === true
        ? this.#type(part.node, part.place)
        : this.#object(part.node, part.place, joinPointer(pointer, "allOf", index)),
    );
    return described(node, { allOf: all });
  }

  /**
   * Lists the bases of a structure and the objects that define its properties: the structure itself
   * and its private bases.
   */
  #partsOf(node: JsonObject, place: string): readonly StructurePart[] {
    const bases = ["extends", "mixins"].flatMap((key) => {
      const listed = node[key] ?? [];
      if (!Array.isArray(listed)) return [];
      return listed.flatMap((base: Json, index): readonly StructurePart[] => {
        const basePlace = joinPointer(place, key, index);
        const privateBase = isJsonObject(base) ? this.#privateBase(base) : undefined;
        return privateBase === undefined
          ? [{ node: base as JsonObject, place: basePlace, isBase: true }]
          : this.#partsOf(...privateBase);
      });
    });
    return [...bases, { node, place }];
  }

  /**
   * Finds a private base, whose name begins with an underscore. Private structures are merged into
   * the structures that extend them.
   */
  #privateBase(base: JsonObject): readonly [node: JsonObject, place: string] | undefined {
    const name = base["kind"] === "reference" ? nameOf(base) : "";
    const { structures } = this.#model;
    if (!isPrivate(name) || !Array.isArray(structures)) return undefined;
    const index = structures.findIndex((each) => isJsonObject(each) && each["name"] === name);
    return index < 0
      ? undefined
      : [structures[index] as JsonObject, joinPointer("", "structures", index)];
  }

  /**
   * Converts a structure's properties to an object schema.
   *
   * @param pointer The object's location in a definition. Set only if its properties have locations
   * of their own.
   */
  #object(node: JsonObject, place: string, pointer?: string): JsonObject {
    const listed = node["properties"] ?? [];
    if (!Array.isArray(listed))
      return this.#refuse({
        message: 'Cannot read "properties": it must be an array',
        place: joinPointer(place, "properties"),
      });
    const required: string[] = [];
    const properties = listed.map((property: Json, index): [string, Json] => {
      const propertyPlace = joinPointer(place, "properties", index);
      if (!isJsonObject(property) || typeof property["name"] !== "string")
        return this.#refuse({
          message: "Cannot read a property without a name",
          place: propertyPlace,
        });
      const { name } = property;
      if (property["optional"] !== true) required.push(name);
      if (pointer !== undefined)
        this.#places.set(joinPointer(pointer, "properties", name), propertyPlace);
      return [
        name,
        described(property, this.#type(property["type"], joinPointer(propertyPlace, "type"))),
      ];
    });
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    };
  }

  #enumeration(node: JsonObject, place: string): Json {
    const values = node["values"];
    if (!Array.isArray(values) || !values.every(isJsonObject))
      return this.#refuse({
        message: `Cannot read the values of "${nameOf(node)}"`,
        place: joinPointer(place, "values"),
      });
    // If an enumeration lists a value under two names, the first name wins.
    const seen = new Set<Json | undefined>();
    const distinct = values.filter(({ value }) => seen.size < seen.add(value).size);
    const isText = isJsonObject(node["type"]) && node["type"]["name"] === "string";
    return described(node, {
      [node["supportsCustomValues"] === true ? "_enum" : "enum"]: distinct.map(
        ({ value }) => value!,
      ),
      // JSON Schema has no keyword for naming enum numbers, so each number's description begins
      // with its name.
      enumDescriptions: distinct.map((each) =>
        [isText ? undefined : nameOf(each), textOf(each)]
          .filter((text) => text !== undefined)
          .join(": "),
      ),
      type: isText ? "string" : "integer",
    });
  }

  #type(node: Json | undefined, place: string): JsonObject {
    if (!isJsonObject(node))
      return this.#refuse({ message: "Cannot read a type that is not an object", place });
    const items = (): readonly Json[] => (Array.isArray(node["items"]) ? node["items"] : []);
    const all = (): Json[] =>
      items().map((item, index) => this.#type(item, joinPointer(place, "items", index)));
    switch (node["kind"]) {
      case "base":
        return this.#base(node["name"], place);
      case "reference":
        return { $ref: `#/definitions/${nameOf(node)}` };
      case "array":
        return { type: "array", items: this.#type(node["element"], joinPointer(place, "element")) };
      case "map":
        return {
          type: "object",
          ...this.#keys(node["key"]),
          additionalProperties: this.#type(node["value"], joinPointer(place, "value")),
        };
      case "and":
        return { allOf: all() };
      case "or":
        return { anyOf: all() };
      case "tuple":
        return this.#tuple(items(), joinPointer(place, "items"));
      case "literal":
        return this.#object(
          isJsonObject(node["value"]) ? node["value"] : {},
          joinPointer(place, "value"),
        );
      case "stringLiteral":
      case "integerLiteral":
      case "booleanLiteral":
        return { const: node["value"]! };
      default:
        return this.#refuse({
          message: `Cannot read a type of kind ${JSON.stringify(node["kind"])}`,
          place: joinPointer(place, "kind"),
        });
    }
  }

  /**
   * Converts a map's key type to constraints. All keys are strings in JSON, so a plain string type
   * needs no constraint.
   */
  #keys(key: Json | undefined): JsonObject {
    if (!isJsonObject(key)) return {};
    const name = nameOf(key);
    if (key["kind"] === "base") {
      const pattern = keyPatterns.get(name);
      const { format } = baseTypes.get(name) ?? {};
      if (pattern !== undefined) return { propertyNames: { type: "string", pattern } };
      return format === undefined ? {} : { propertyNames: { type: "string", format } };
    }
    const [listed] = this.#list("enumerations").find(([node]) => nameOf(node) === name) ?? [];
    if (listed === undefined) return {};
    const { type, values } = listed;
    const pattern = isJsonObject(type) ? keyPatterns.get(nameOf(type)) : undefined;
    if (pattern === undefined) return { propertyNames: { $ref: `#/definitions/${name}` } };
    const numbers = Array.isArray(values) ? values.filter(isJsonObject) : [];
    const list = { type: "string", enum: numbers.map(({ value }) => String(value)) };
    return {
      propertyNames: listed["supportsCustomValues"] === true ? { type: "string", pattern } : list,
    };
  }

  #tuple(items: readonly Json[], place: string): JsonObject {
    return {
      type: "array",
      items: items.map((item, index) => this.#type(item, joinPointer(place, index))),
      additionalItems: false,
      minItems: items.length,
    };
  }

  #base(name: Json | undefined, place: string): JsonObject {
    const type = baseTypes.get(String(name));
    if (type !== undefined) return type;
    return this.#refuse({
      message: `Cannot read the base type ${JSON.stringify(name)}`,
      place: joinPointer(place, "name"),
      hint: `Known: ${[...baseTypes.keys()].join(", ")}`,
    });
  }

  /** Lists the nodes in a section of the meta model, with their locations. */
  #list(section: string): readonly (readonly [node: JsonObject, place: string])[] {
    return (this.#model[section] as readonly Json[]).map((node, index) => {
      const place = joinPointer("", section, index);
      if (isJsonObject(node)) return [node, place] as const;
      return this.#refuse({ message: "Cannot read a value that is not an object", place });
    });
  }
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
  readonly node: JsonObject;
  readonly place: string;
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

function nameOf(node: JsonObject): string {
  return String(node["name"]);
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
function described(node: JsonObject, schema: JsonObject): JsonObject {
  const { deprecated } = node;
  const reason = typeof deprecated === "string" ? `Deprecated: ${deprecated}` : undefined;
  const docs = [textOf(node), reason].filter((text) => text !== undefined).join("\n\n");
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
