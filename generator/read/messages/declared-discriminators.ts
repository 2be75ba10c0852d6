import type { Draft } from "../description/draft.js";
import { isJsonObject } from "../source/json-text.js";
import type { Json } from "../../model/types.js";

type Node = { readonly [key: string]: Json };

/**
 * Adds the values that distinguish messages to declarations that lack them. The message kind comes
 * from the envelope. The message name comes from the definition name: `NextRequest` yields `next`.
 */
export function pinDiscriminators(draft: Draft): Draft {
  const { root, source } = draft;
  const { messages: convention, envelope } = draft.description;
  if (
    !source.unstated.includes("discriminators") ||
    convention.by !== "inheritance" ||
    !isJsonObject(root) ||
    !isJsonObject(root["definitions"]!)
  )
    return draft;
  const arms = [
    { base: convention.request, arm: envelope.request },
    { base: convention.event, arm: envelope.event },
    { base: convention.response, arm: envelope.response! },
  ];
  const definitions = Object.entries(root["definitions"]).map(([name, node]): [string, Json] => {
    const own = arms.find(({ base }) => base === name);
    if (own !== undefined) {
      const kinds = Object.entries(own.arm.when).filter(([, value]) => typeof value === "string");
      return [
        name,
        kinds.reduce((whole, [field, value]) => pin(whole, field, String(value)), node),
      ];
    }
    const parent = arms
      .slice(0, 2)
      .find(({ base }) => isBasedOn(node, base) && name.endsWith(base));
    if (parent === undefined) return [name, node];
    const stem = name.slice(0, -parent.base.length);
    return [name, pin(node, parent.arm.name!, `${stem[0]!.toLowerCase()}${stem.slice(1)}`)];
  });
  return { ...draft, root: { ...root, definitions: Object.fromEntries(definitions) } };
}

function isBasedOn(node: Json, base: string): boolean {
  const parts = isJsonObject(node) ? node["allOf"] : undefined;
  return (
    Array.isArray(parts) &&
    parts.some((part: Json) => isJsonObject(part) && part["$ref"] === `#/definitions/${base}`)
  );
}

/**
 * Adds a required property with a single value to an object, or to the last part of its `allOf`.
 */
function pin(node: Json, field: string, value: string): Json {
  if (!isJsonObject(node)) return node;
  const parts = node["allOf"];
  if (Array.isArray(parts)) {
    const last = parts.length - 1;
    return {
      ...node,
      allOf: parts.map((part: Json, index) => (index === last ? pin(part, field, value) : part)),
    };
  }
  const properties = (node["properties"] ?? {}) as Node;
  const required = (node["required"] ?? []) as readonly string[];
  if (Object.hasOwn(properties, field)) return node;
  return {
    ...node,
    properties: { [field]: { type: "string", enum: [value] }, ...properties },
    required: [...new Set([...required, field])],
  };
}
