import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer } from "../source/json-text.js";
import type { RefuseSchema } from "./schema-format.js";

export type Node = { readonly [key: string]: Json };

/** A base of a structure, or an object that contains some of the structure's own properties. */
interface StructurePart {
  readonly node: Node;
  readonly place: string;
  readonly isBase?: true;
}

/** Converts structures, enumerations and other meta model types to JSON Schema. */
export class MetaModelTypes {
  readonly #model: Node;
  readonly #refuse: RefuseSchema;
  readonly #places: Map<string, string>;

  /** @param places Receives the property locations, keyed by JSON Pointer in the schema. */
  constructor(model: Node, refuse: RefuseSchema, places: Map<string, string>) {
    this.#model = model;
    this.#refuse = refuse;
    this.#places = places;
  }

  structure(node: Node, place: string): Json {
    const parts = this.#partsOf(node, place);
    const pointer = joinPointer("", "definitions", nameOf(node));
    const [only] = parts;
    if (only !== undefined && parts.length === 1)
      return described(node, this.#object(only.node, only.place, pointer));
    const all = parts.map((part, index) =>
      part.isBase === true
        ? this.type(part.node, part.place)
        : this.#object(part.node, part.place, joinPointer(pointer, "allOf", index)),
    );
    return described(node, { allOf: all });
  }

  /**
   * Lists the bases of a structure and the objects that define its properties: the structure itself
   * and its private bases.
   */
  #partsOf(node: Node, place: string): readonly StructurePart[] {
    const bases = ["extends", "mixins"].flatMap((key) => {
      const listed = node[key] ?? [];
      if (!Array.isArray(listed)) return [];
      return listed.flatMap((base: Json, index): readonly StructurePart[] => {
        const at = joinPointer(place, key, index);
        const found = isJsonObject(base) ? this.#privateBase(base) : undefined;
        return found === undefined
          ? [{ node: base as Node, place: at, isBase: true }]
          : this.#partsOf(...found);
      });
    });
    return [...bases, { node, place }];
  }

  /**
   * Finds a private base, whose name begins with an underscore. Private structures are merged into
   * the structures that extend them.
   */
  #privateBase(base: Node): readonly [node: Node, place: string] | undefined {
    const name = base["kind"] === "reference" ? nameOf(base) : "";
    const { structures } = this.#model;
    if (!isPrivate(name) || !Array.isArray(structures)) return undefined;
    const index = structures.findIndex((each) => isJsonObject(each) && each["name"] === name);
    return index < 0
      ? undefined
      : [structures[index] as Node, joinPointer("", "structures", index)];
  }

  /**
   * Converts a structure's properties to an object schema.
   *
   * @param pointer The object's location in a definition. Set only if its properties have locations
   * of their own.
   */
  #object(node: Node, place: string, pointer?: string): Node {
    const listed = node["properties"] ?? [];
    if (!Array.isArray(listed))
      return this.#refuse({
        message: 'Cannot read "properties": it must be an array',
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
      return [name, described(property, this.type(property["type"], joinPointer(at, "type")))];
    });
    return {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    };
  }

  enumeration(node: Node, place: string): Json {
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

  type(node: Json | undefined, place: string): Node {
    if (!isJsonObject(node))
      return this.#refuse({ message: "Cannot read a type that is not an object", place });
    const items = (): readonly Json[] => (Array.isArray(node["items"]) ? node["items"] : []);
    const all = (): Json[] =>
      items().map((item, index) => this.type(item, joinPointer(place, "items", index)));
    switch (node["kind"]) {
      case "base":
        return this.#base(node["name"], place);
      case "reference":
        return { $ref: `#/definitions/${nameOf(node)}` };
      case "array":
        return { type: "array", items: this.type(node["element"], joinPointer(place, "element")) };
      case "map":
        return {
          type: "object",
          ...this.#keys(node["key"]),
          additionalProperties: this.type(node["value"], joinPointer(place, "value")),
        };
      case "and":
        return { allOf: all() };
      case "or":
        return { anyOf: all() };
      case "tuple":
        return this.tuple(items(), joinPointer(place, "items"));
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
  #keys(key: Json | undefined): Node {
    if (!isJsonObject(key)) return {};
    const name = nameOf(key);
    if (key["kind"] === "base") {
      const pattern = keyPatterns.get(name);
      const { format } = baseTypes.get(name) ?? {};
      if (pattern !== undefined) return { propertyNames: { type: "string", pattern } };
      return format === undefined ? {} : { propertyNames: { type: "string", format } };
    }
    const [listed] =
      listOf(this.#model, "enumerations", this.#refuse).find(([node]) => nameOf(node) === name) ??
      [];
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

  tuple(items: readonly Json[], place: string): Node {
    return {
      type: "array",
      items: items.map((item, index) => this.type(item, joinPointer(place, index))),
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

/** Lists the nodes in a section of the meta model, with their locations. */
export function listOf(
  model: Node,
  section: string,
  refuse: RefuseSchema,
): readonly (readonly [node: Node, place: string])[] {
  const nodes = model[section] ?? [];
  if (!Array.isArray(nodes))
    return refuse({
      message: `Cannot read "${section}": it must be an array`,
      place: `/${section}`,
    });
  return nodes.map((node: Json, index) => {
    const place = joinPointer("", section, index);
    if (isJsonObject(node)) return [node, place] as const;
    return refuse({ message: "Cannot read a value that is not an object", place });
  });
}

const baseTypes: ReadonlyMap<string, Node> = new Map<string, Node>([
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

export function nameOf(node: Node): string {
  return String(node["name"]);
}

/**
 * Returns the description of a part of the meta model. Appends `@proposed`, and `@since` with the
 * version that introduced the part, unless the description already contains these tags.
 */
function textOf({ documentation, since, proposed }: Node): string | undefined {
  const text = typeof documentation === "string" ? documentation : "";
  const tags = [
    typeof since === "string" && !text.includes("@since") ? `@since ${since}` : "",
    proposed === true && !text.includes("@proposed") ? "@proposed" : "",
  ];
  const whole = [text, ...tags].filter((part) => part !== "").join("\n\n");
  return whole === "" ? undefined : whole;
}

export function docsOf(node: Node): { readonly docs?: string } {
  const docs = textOf(node);
  return docs === undefined ? {} : { docs };
}

/** Adds a part's description and deprecation to a schema. */
export function described(node: Node, schema: Node): Node {
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
export function isPrivate(name: string): boolean {
  return name.startsWith("_");
}
