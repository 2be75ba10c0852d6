import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";
import { format, resolveConfig } from "prettier";
import { toolFolder } from "../../generator/base/bundled.js";
import type { Json } from "../../generator/model/types.js";
import { isJsonObject } from "../../generator/read/source/json-text.js";
import type { JsonObject } from "./schema-nodes.js";

/** The file that holds the types of descriptions. */
export const descriptionTypesPath: string = fileURLToPath(
  new URL("generator/read/description/description-types.ts", toolFolder),
);

const banner = `// Generated from schema/protocol.schema.json, extension.schema.json and overlay.schema.json. Do not edit: run \`npm run
// generate:description\`.

import type { Json } from "../../model/types.js";
`;

/** Prints the types of `protocol.json`, of what extends it, and of overlays, as their JSON Schemas have them. */
export async function printDescriptionTypes(): Promise<string> {
  const protocol = readSchema("protocol");
  const definitions = protocol["definitions"] as JsonObject;
  const schema = {
    ...protocol,
    definitions: {
      ...Object.fromEntries(Object.entries(definitions).filter(([, each]) => !isPlain(each))),
      extension: readSchema("extension"),
      overlay: readSchema("overlay"),
    },
  };
  const types = await compile(forTypes(schema, definitions) as object, "Description", {
    additionalProperties: false,
    bannerComment: banner,
    format: false,
    unreachableDefinitions: true,
  });
  return format(asReadonly(types), {
    ...(await resolveConfig(descriptionTypesPath)),
    filepath: descriptionTypesPath,
  });
}

function readSchema(name: string): JsonObject {
  return JSON.parse(
    readFileSync(new URL(`schema/${name}.schema.json`, toolFolder), "utf8"),
  ) as JsonObject;
}

/** A schema in which only what types can say is left. */
function forTypes(node: Json, definitions: JsonObject): Json {
  if (Array.isArray(node)) return node.map((each) => forTypes(each, definitions));
  if (!isJsonObject(node)) return node;
  const reference = node["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    const target = definitions[name];
    return isPlain(target)
      ? { ...(forTypes(target, definitions) as JsonObject), ...descriptionOf(node) }
      : { $ref: `#/definitions/${name}`, ...descriptionOf(node) };
  }
  const isPattern = node["type"] === "string" && node["enum"] === undefined;
  const kept = Object.entries(node).filter(([key, value]) =>
    isPattern
      ? ["type", "description"].includes(key)
      : !(key === "minItems" && value !== node["maxItems"]),
  );
  const changed = Object.fromEntries(
    kept.map(([key, value]) => [key, forTypes(value, definitions)]),
  );
  return isJsonObject(changed) && isAnyObject(changed)
    ? { ...changed, additionalProperties: { tsType: "Json" } }
    : changed;
}

/** Texts and lists of texts need no names: what a pattern says of them, types cannot say. */
function isPlain(definition: Json | undefined): definition is JsonObject {
  return (
    isJsonObject(definition) && (definition["type"] === "string" || definition["type"] === "array")
  );
}

function descriptionOf({ description }: JsonObject): JsonObject {
  return description === undefined ? {} : { description };
}

function isAnyObject(node: JsonObject): boolean {
  return (
    node["type"] === "object" &&
    node["properties"] === undefined &&
    (node["additionalProperties"] === undefined || node["additionalProperties"] === true)
  );
}

/** What is read from a file is not changed, and where a definition is used needs no saying. */
function asReadonly(types: string): string {
  return types
    .replaceAll(/^ \* This interface was referenced by .*\n.*via the `definition` .*\n/gm, "")
    .replaceAll(/^ \* ?\n \*\/$/gm, " */")
    .replaceAll("/**\n */\n", "")
    .replaceAll(/\/\*\*\n *\* (.*)\n *\*\//g, "/** $1 */")
    .replaceAll(/^(\s*)((?:"[^"]+"|\$?\w+)\??|\[k: string\]):/gm, "$1readonly $2:")
    .replaceAll(/(\([^()]*\)|\b\w+)\[\]/g, "readonly $&")
    .replaceAll(/: \[(?=string,)/g, ": readonly [");
}
