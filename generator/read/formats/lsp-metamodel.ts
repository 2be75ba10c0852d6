import { pascalCase } from "../../model/names.js";
import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import type {
  ReadEvent,
  ReadRequest,
  ReadSchema,
  RefuseSchema,
  SchemaDocument,
} from "./schema-format.js";

type Node = { readonly [key: string]: Json };

/**
 * Reads a meta model of the Language Server Protocol: structures, enumerations and aliases become definitions, requests
 * and notifications become messages.
 *
 * The partial result of a request, the data of its errors and the options of its registration are definitions, too. One
 * without a name of its own gets that of the method: `TextDocumentHoverPartialResult`.
 */
export function readMetaModel(
  [document]: readonly SchemaDocument[],
  refuse: RefuseSchema,
): ReadSchema {
  const { value } = document!;
  if (
    !isJsonObject(value) ||
    !Array.isArray(value["structures"]) ||
    !Array.isArray(value["requests"])
  )
    return refuse({
      message: "Cannot find structures and requests: this is not a meta model",
      place: "",
    });
  return new MetaModelReading(value, refuse).read();
}

class MetaModelReading {
  readonly #model: Node;
  readonly #refuse: RefuseSchema;
  readonly #definitions = new Map<string, Json>();
  readonly #places = new Map<string, string>();

  constructor(model: Node, refuse: RefuseSchema) {
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
    const metaData = this.#model["metaData"];
    const version = isJsonObject(metaData) ? metaData["version"] : undefined;
    return {
      definitions: Object.fromEntries(this.#definitions),
      requests,
      events,
      ...(typeof version === "string" ? { version } : {}),
      ...(this.#statesGates() ? {} : { unstated: ["gates"] }),
      places: Object.fromEntries(this.#places),
    };
  }

  /** Meta models before 3.18 do not name the capabilities that messages require. */
  #statesGates(): boolean {
    return ["requests", "notifications"].some((section) =>
      this.#list(section).some(
        ([node]) =>
          node["clientCapability"] !== undefined || node["serverCapability"] !== undefined,
      ),
    );
  }

  #list(section: string): readonly (readonly [node: Node, place: string])[] {
    const nodes = this.#model[section] ?? [];
    if (!Array.isArray(nodes))
      return this.#refuse({
        message: `Cannot read "${section}": it must be a list`,
        place: `/${section}`,
      });
    return nodes.map((node: Json, index) => {
      const place = joinPointer("", section, index);
      if (isJsonObject(node)) return [node, place] as const;
      return this.#refuse({ message: "Cannot read what is not an object", place });
    });
  }

  #define(name: string, schema: Json, place: string): void {
    if (this.#definitions.has(name))
      this.#refuse({ message: `Cannot define "${name}" twice`, place: joinPointer(place, "name") });
    this.#definitions.set(name, schema);
    this.#places.set(joinPointer("", "definitions", name), place);
  }

  #messages<Message>(
    section: "requests" | "notifications",
    read: (node: Node, place: string) => Message,
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

  #message(node: Node, place: string): ReadEvent {
    const direction = node["messageDirection"];
    const sender = senders.get(String(direction));
    if (sender === undefined)
      return this.#refuse({
        message: `Cannot tell who sends "${String(node["method"])}": the direction is ${JSON.stringify(direction)}`,
        place: joinPointer(place, "messageDirection"),
        hint: `Known: ${[...senders.keys()].join(", ")}`,
      });
    const { deprecated } = node;
    const registration = this.#registration(node, place);
    return {
      sender,
      ...capabilitiesOf(node, sender),
      ...(registration === undefined ? {} : { registration }),
      ...(node["params"] === undefined
        ? {}
        : { params: this.#parameters(node["params"], joinPointer(place, "params")) }),
      ...docsOf(node),
      ...(typeof deprecated === "string" ? { deprecated } : {}),
    };
  }

  /** Parameters are a type, or a list of types by position. */
  #parameters(node: Json, place: string): Json {
    return Array.isArray(node) ? this.#tuple(node, place) : this.#type(node, place);
  }

  /** How a server can ask for a message after the handshake. */
  #registration(node: Node, place: string): ReadEvent["registration"] {
    const { registrationMethod: method } = node;
    const { registrationOptions: options } = this.#beside(node, place, "registrationOptions");
    if (typeof method !== "string" && options === undefined) return undefined;
    return {
      ...(typeof method === "string" ? { method } : {}),
      ...(options === undefined ? {} : { options }),
    };
  }

  /** The definition of a part that a message has beside its parameters and result. */
  #beside<Key extends keyof typeof besides>(
    node: Node,
    place: string,
    key: Key,
  ): { readonly [Each in Key]?: string } {
    if (node[key] === undefined) return {};
    const at = joinPointer(place, key);
    const schema = this.#type(node[key], at);
    const { $ref: reference } = schema;
    if (typeof reference === "string")
      return { [key]: reference.slice("#/definitions/".length) } as { [Each in Key]: string };
    const name = `${pascalCase(String(node["method"]))}${besides[key]}`;
    this.#define(name, schema, at);
    return { [key]: name } as { [Each in Key]: string };
  }

  #structure(node: Node, place: string): Json {
    const bases = ["extends", "mixins"].flatMap((key) => {
      const listed = node[key] ?? [];
      return Array.isArray(listed)
        ? listed.map((base: Json, index) => this.#type(base, joinPointer(place, key, index)))
        : [];
    });
    const above = bases.length === 0 ? [] : ["allOf", bases.length];
    const own = this.#object(node, place, joinPointer("", "definitions", nameOf(node), ...above));
    return described(node, bases.length === 0 ? own : { allOf: [...bases, own] });
  }

  /** @param pointer Where the object is in a definition, if its properties have places of their own. */
  #object(node: Node, place: string, pointer?: string): Node {
    const listed = node["properties"] ?? [];
    if (!Array.isArray(listed))
      return this.#refuse({
        message: 'Cannot read "properties": it must be a list',
        place: joinPointer(place, "properties"),
      });
    const required: string[] = [];
    const properties = listed.map((property: Json, index): [string, Json] => {
      const at = joinPointer(place, "properties", index);
      if (!isJsonObject(property) || typeof property["name"] !== "string")
        return this.#refuse({ message: "Cannot read a property without a name", place: at });
      const { name } = property;
      if (property["optional"] !== true) required.push(name);
      if (pointer !== undefined) this.#places.set(joinPointer(pointer, "properties", name), at);
      return [name, described(property, this.#type(property["type"], joinPointer(at, "type")))];
    });
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    };
  }

  #enumeration(node: Node, place: string): Json {
    const values = node["values"];
    if (!Array.isArray(values) || !values.every(isJsonObject))
      return this.#refuse({
        message: `Cannot read the values of "${nameOf(node)}"`,
        place: joinPointer(place, "values"),
      });
    // A value may have two names: the first one counts.
    const seen = new Set<Json | undefined>();
    const distinct = values.filter(({ value }) => seen.size < seen.add(value).size);
    const isText = isJsonObject(node["type"]) && node["type"]["name"] === "string";
    return described(node, {
      [node["supportsCustomValues"] === true ? "_enum" : "enum"]: distinct.map(
        ({ value }) => value!,
      ),
      // Types have no place for the names of numbers, so their texts begin with them.
      enumDescriptions: distinct.map((each) =>
        [isText ? undefined : nameOf(each), textOf(each)]
          .filter((text) => text !== undefined)
          .join(": "),
      ),
      type: isText ? "string" : "integer",
    });
  }

  #type(node: Json | undefined, place: string): Node {
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
          message: `Cannot read a type of the kind ${JSON.stringify(node["kind"])}`,
          place: joinPointer(place, "kind"),
        });
    }
  }

  /** What keys of a map say beyond that they are texts. */
  #keys(key: Json | undefined): Node {
    if (!isJsonObject(key)) return {};
    const name = nameOf(key);
    if (key["kind"] === "base") {
      const pattern = keyPatterns.get(name);
      return pattern === undefined ? {} : { propertyNames: { type: "string", pattern } };
    }
    const isListed = this.#list("enumerations").some(([node]) => nameOf(node) === name);
    return isListed ? { propertyNames: { $ref: `#/definitions/${name}` } } : {};
  }

  #tuple(items: readonly Json[], place: string): Node {
    return {
      type: "array",
      items: items.map((item, index) => this.#type(item, joinPointer(place, index))),
      additionalItems: false,
      minItems: items.length,
    };
  }

  #base(name: Json | undefined, place: string): Node {
    const type = baseTypes.get(String(name));
    if (type !== undefined) return type;
    return this.#refuse({
      message: `Cannot read the base type ${JSON.stringify(name)}`,
      place: joinPointer(place, "name"),
      hint: `Known: ${[...baseTypes.keys()].join(", ")}`,
    });
  }
}

const senders: ReadonlyMap<string, string> = new Map([
  ["clientToServer", "client"],
  ["serverToClient", "server"],
  ["both", "both"],
]);

/** What a message may have beside its parameters and result, and what the names of its definitions end with. */
const besides = {
  partialResult: "PartialResult",
  registrationOptions: "RegistrationOptions",
  errorData: "ErrorData",
} as const;

const baseTypes: ReadonlyMap<string, Node> = new Map<string, Node>([
  ["string", { type: "string" }],
  ["URI", { type: "string", format: "uri" }],
  ["DocumentUri", { type: "string", format: "uri" }],
  ["RegExp", { type: "string" }],
  ["boolean", { type: "boolean" }],
  ["null", { type: "null" }],
  ["decimal", { type: "number" }],
  ["integer", { type: "integer", format: "int32" }],
  // The protocol says so: from 0 to 2^31 - 1.
  ["uinteger", { type: "integer", format: "int32", minimum: 0 }],
]);

/** Numbers as keys of a map: in JSON, they are texts. */
const keyPatterns: ReadonlyMap<string, string> = new Map([
  ["integer", "^-?(0|[1-9][0-9]*)$"],
  ["uinteger", "^(0|[1-9][0-9]*)$"],
]);

function nameOf(node: Node): string {
  return String(node["name"]);
}

/** The text of a part, with the version that brought it and whether it is a proposal, unless it says so itself. */
function textOf({ documentation, since, proposed }: Node): string | undefined {
  const text = typeof documentation === "string" ? documentation : "";
  const tags = [
    typeof since === "string" && !text.includes("@since") ? `@since ${since}` : "",
    proposed === true && !text.includes("@proposed") ? "@proposed" : "",
  ];
  const whole = [text, ...tags].filter((part) => part !== "").join("\n\n");
  return whole === "" ? undefined : whole;
}

function docsOf(node: Node): { readonly docs?: string } {
  const docs = textOf(node);
  return docs === undefined ? {} : { docs };
}

/** The capabilities that a message needs: of the side that receives it, and of the one that sends it. */
function capabilitiesOf(
  { clientCapability, serverCapability }: Node,
  sender: string,
): Pick<ReadEvent, "capability" | "senderCapability"> {
  const [own, other] =
    sender === "client"
      ? [clientCapability, serverCapability]
      : [serverCapability, clientCapability];
  return sender === "both"
    ? {}
    : {
        ...(typeof other === "string" ? { capability: other } : {}),
        ...(typeof own === "string" ? { senderCapability: own } : {}),
      };
}

/** Adds what a part says about itself. */
function described(node: Node, schema: Node): Node {
  const { deprecated } = node;
  const reason = typeof deprecated === "string" ? `Deprecated: ${deprecated}` : undefined;
  const docs = [textOf(node), reason].filter((text) => text !== undefined).join("\n\n");
  return {
    ...schema,
    ...(docs === "" ? {} : { description: docs }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
  };
}
