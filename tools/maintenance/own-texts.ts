import type { Json } from "../../generator/model/types.js";
import {
  mapNodes,
  nodesOf,
  wholeSchema,
  type JsonObject,
  type SchemaNode,
} from "./schema-nodes.js";

/**
 * Our descriptions by address. For an enum value, the address is that of the enum, followed by `=`
 * and the value.
 */
export type OwnTexts = ReadonlyMap<string, string>;

/** An address in the schema for which we have no description yet. */
export interface MissingText {
  readonly address: string;
  /** The official description, for reference only. It must never be copied. */
  readonly official: string | undefined;
}

/** Collects the descriptions in our schema. Skips empty ones, which still have to be written. */
export function readOwnTexts(schema: JsonObject): OwnTexts {
  const texts = new Map<string, string>();
  const add = (address: string, text: Json | undefined): void => {
    if (typeof text === "string" && text !== "") texts.set(address, text);
  };
  for (const { address, value } of nodesOf(wholeSchema(schema))) {
    add(address, value["description"]);
    valueTexts(value).forEach(({ name, text }) => add(`${address}=${name}`, text));
  }
  return texts;
}

/**
 * Adds our descriptions to the structure of an official schema. Addresses that we have no
 * description for get an empty one.
 */
export function describe(
  official: JsonObject,
  texts: OwnTexts,
): { readonly schema: JsonObject; readonly missing: readonly MissingText[] } {
  const missing: MissingText[] = [];
  const textOf = (address: string, text: Json | undefined, usual?: string): string => {
    const ours = texts.get(address) ?? usual;
    if (ours === undefined)
      missing.push({ address, official: typeof text === "string" ? text : undefined });
    return ours ?? "";
  };
  const schema = mapNodes(wholeSchema(official), (node) => {
    const { address, value } = node;
    const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
      if (key === "description") return [key, textOf(address, inner, usualText(node))];
      if (key !== "enumDescriptions") return [key, inner];
      return [key, valueTexts(value).map(({ name, text }) => textOf(`${address}=${name}`, text))];
    });
    if (isUndescribed(node)) {
      const text = textOf(address, undefined, usualText(node));
      entries.splice(entries[0]?.[0] === "type" ? 1 : 0, 0, ["description", text]);
    }
    return Object.fromEntries(entries);
  });
  return { schema, missing };
}

/** Returns the addresses in our schema that lack a required description. */
export function missingTexts(schema: JsonObject): readonly string[] {
  return [...nodesOf(wholeSchema(schema))].flatMap((node) => [
    ...(node.value["description"] === "" || isUndescribed(node) ? [node.address] : []),
    ...valueTexts(node.value).flatMap(({ name, text }) =>
      text === "" ? [`${node.address}=${name}`] : [],
    ),
  ]);
}

/**
 * Returns whether a definition or property lacks a description. Our schema must describe all of
 * them, even those that the official schema does not, except for those whose type says it all: the
 * arguments of requests, and properties with a single value.
 */
function isUndescribed({ address, role, value }: SchemaNode): boolean {
  return (
    (role === "definition" || role === "property") &&
    !/^\w+Request\/arguments$/.test(address) &&
    !(Array.isArray(value["enum"]) && value["enum"].length === 1) &&
    value["description"] === undefined &&
    value["allOf"] === undefined
  );
}

const usualPartTexts: readonly (readonly [RegExp, string])[] = [
  [/^\w+Response\/body$/, "The result."],
  [/^\w+Event\/body$/, "The event details."],
];

/** Descriptions that follow from the structure, or from stock phrases in the official schema. */
function usualText({ address, value }: SchemaNode): string | undefined {
  const { description } = value;
  if (description === undefined) return usualPartTexts.find(([part]) => part.test(address))?.[1];
  if (typeof description !== "string") return undefined;
  const [, start, name, end] =
    /^(Arguments for|Response to) `(\w+)` request\.?( This is just an acknowledgement, .*)?$/.exec(
      description,
    ) ?? [];
  if (start === undefined) return undefined;
  if (start === "Arguments for") return `Arguments to \`${name}\`.`;
  return `Response to \`${name}\`${end === undefined ? "" : ": a plain acknowledgement with no result"}.`;
}

function valueTexts(value: JsonObject): readonly { readonly name: string; readonly text: Json }[] {
  const { enumDescriptions } = value;
  const values = value["enum"] ?? value["_enum"];
  if (!Array.isArray(enumDescriptions) || !Array.isArray(values)) return [];
  return enumDescriptions.map((text: Json, index) => ({ name: String(values[index]), text }));
}
