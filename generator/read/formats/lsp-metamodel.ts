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
import {
  described,
  docsOf,
  isPrivate,
  listOf,
  MetaModelTypes,
  nameOf,
  type Node,
} from "./lsp-types.js";

/**
 * Reads a Language Server Protocol meta model. Structures, enumerations and aliases become
 * definitions, and requests and notifications become messages.
 *
 * A request's partial result, error data and registration options also become definitions. If they
 * have no name of their own, they are named after the method: `TextDocumentHoverPartialResult`.
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
      message: "Cannot find structures and requests: this file is not an LSP meta model",
      place: "",
    });
  return new MetaModelReading(value, refuse).read();
}

class MetaModelReading {
  readonly #model: Node;
  readonly #refuse: RefuseSchema;
  readonly #definitions = new Map<string, Json>();
  readonly #places = new Map<string, string>();
  readonly #types: MetaModelTypes;

  constructor(model: Node, refuse: RefuseSchema) {
    this.#model = model;
    this.#refuse = refuse;
    this.#types = new MetaModelTypes(model, refuse, this.#places);
  }

  read(): ReadSchema {
    for (const [node, place] of listOf(this.#model, "structures", this.#refuse))
      this.#define(nameOf(node), this.#types.structure(node, place), place);
    for (const [node, place] of listOf(this.#model, "enumerations", this.#refuse))
      this.#define(nameOf(node), this.#types.enumeration(node, place), place);
    for (const [node, place] of listOf(this.#model, "typeAliases", this.#refuse))
      this.#define(
        nameOf(node),
        described(node, this.#types.type(node["type"], joinPointer(place, "type"))),
        place,
      );
    const requests = this.#messages("requests", (node, place): ReadRequest => ({
      ...this.#message(node, place),
      ...this.#beside(node, place, "partialResult"),
      ...this.#beside(node, place, "errorData"),
      result: this.#types.type(node["result"], joinPointer(place, "result")),
    }));
    const events = this.#messages("notifications", (node, place) => this.#message(node, place));
    this.#dropPrivate([requests, events]);
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
      listOf(this.#model, section, this.#refuse).some(
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
    read: (node: Node, place: string) => Message,
  ): Readonly<Record<string, Message>> {
    const part = section === "requests" ? "requests" : "events";
    const messages = new Map<string, Message>();
    for (const [node, place] of listOf(this.#model, section, this.#refuse)) {
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
        message: `Cannot determine the sender of "${String(node["method"])}": ${direction === undefined ? 'it has no "messageDirection"' : `the direction is ${JSON.stringify(direction)}`}`,
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
        : { arguments: this.#parameters(node["params"], joinPointer(place, "params")) }),
      ...docsOf(node),
      ...(typeof deprecated === "string" ? { deprecated } : {}),
    };
  }

  /**
   * Converts a message's parameters to a schema: that of a single type, or of a tuple for
   * positional parameters.
   */
  #parameters(node: Json, place: string): Json {
    return Array.isArray(node) ? this.#types.tuple(node, place) : this.#types.type(node, place);
  }

  /** Reads how a server can register for a message after the handshake. */
  #registration(node: Node, place: string): ReadEvent["registration"] {
    const { registrationMethod: method } = node;
    const { registrationOptions: options } = this.#beside(node, place, "registrationOptions");
    if (typeof method !== "string" && options === undefined) return undefined;
    return {
      ...(typeof method === "string" ? { method } : {}),
      ...(options === undefined ? {} : { options }),
    };
  }

  /** Turns one of the parts in `besides` into a definition and returns its name. */
  #beside<Key extends keyof typeof besides>(
    node: Node,
    place: string,
    key: Key,
  ): { readonly [Each in Key]?: string } {
    if (node[key] === undefined) return {};
    const at = joinPointer(place, key);
    const schema = this.#types.type(node[key], at);
    const { $ref: reference } = schema;
    if (typeof reference === "string")
      return { [key]: reference.slice("#/definitions/".length) } as { [Each in Key]: string };
    const name = `${pascalCase(String(node["method"]))}${besides[key]}`;
    this.#define(name, schema, at);
    return { [key]: name } as { [Each in Key]: string };
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
