import { Ajv, type ValidateFunction } from "ajv";
import type { Type } from "../../../generator/model/types.js";
import {
  flatten,
  isOpen,
  listedValues,
  openListKey,
  type PlainType,
  type Version,
} from "./versions.js";

/**
 * The roles that a version can play in checking a message:
 *
 * - `writer`: accepts only known fields, and possibly `other`
 * - `schema`: follows the schema
 * - `open`: like `schema`, but dictionaries accept `other`
 * - `strict`: rejects unknown fields and unlisted enum values everywhere
 * - `lenient`: like `strict`, but accepts `other`, any value for open enums that also exist in the
 *   other version, and all fields of objects without known fields
 * - `wary`: like `strict`, but accepts `other`
 */
export type Role = "writer" | "schema" | "open" | "strict" | "lenient" | "wary";

type Schema = { readonly [key: string]: unknown };

/** Creates a check that validates message payloads with ajv and a plain schema. */
export function createReader(
  version: Version,
  role: Role,
  shared: ReadonlySet<string> = new Set(),
): ValidateFunction {
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    validateFormats: false,
    messages: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  const isKnown = (alternatives: readonly PlainType[]): boolean =>
    role === "lenient" && shared.has(openListKey(alternatives) ?? "none");
  const schemaOf = (type: Type, isShared = isKnown(flatten(version, type))): Schema => {
    switch (type.kind) {
      case "any":
        return {};
      case "null":
      case "boolean":
        return { type: type.kind };
      case "string":
        return { type: "string", ...keywords(type, "minLength", "maxLength") };
      case "integer":
      case "number":
        return { type: type.kind, ...keywords(type, "minimum", "maximum") };
      case "literal":
      case "enum": {
        const values = listedValues(type);
        const isClosed =
          !isOpen(type) ||
          role === "strict" ||
          role === "wary" ||
          (role === "lenient" && !isShared);
        return isClosed ? { enum: values } : { type: typeof values[0] };
      }
      case "array":
        return {
          type: "array",
          ...(type.first === undefined
            ? { items: schemaOf(type.items) }
            : {
                items: type.first.map((item) => schemaOf(item)),
                additionalItems: schemaOf(type.items),
              }),
          ...keywords(type, "minItems", "maxItems"),
        };
      case "map":
        return {
          type: "object",
          // Some readers ignore the field that the writer adds.
          properties:
            role === "open" || role === "lenient" || role === "wary"
              ? { other: { anyOf: [{ const: true }, schemaOf(type.values)] } }
              : {},
          additionalProperties: schemaOf(type.values),
        };
      case "object": {
        const { properties, extras } = type;
        // Depending on the reader, an object without known fields may have any fields or none.
        const takesAny =
          extras === "open" &&
          (role === "schema" || role === "open" || (role === "lenient" && properties.length === 0));
        const other =
          extras === "open" && (role === "writer" || role === "lenient" || role === "wary")
            ? { other: { const: true } }
            : {};
        return {
          type: "object",
          properties: {
            ...other,
            ...Object.fromEntries(properties.map((each) => [each.name, schemaOf(each.type)])),
          },
          required: properties.filter(({ required }) => required).map(({ name }) => name),
          additionalProperties: takesAny,
        };
      }
      case "union":
        return { anyOf: type.members.map((each) => schemaOf(each, isShared)) };
      case "reference":
        return { $ref: `#/definitions/${type.name}${isShared ? "Shared" : ""}` };
    }
  };
  const definitions = Object.fromEntries(
    [...version].flatMap(([name, type]) => [
      [name, schemaOf(type, false)],
      [`${name}Shared`, schemaOf(type, true)],
    ]),
  );
  return ajv.compile({ ...schemaOf({ kind: "reference", name: "Payload" }), definitions });
}

/** Copies the keywords that a type has. They have the same names in JSON Schema. */
function keywords<Keyword extends string>(
  type: { readonly [Name in Keyword]?: number },
  ...names: readonly Keyword[]
): Schema {
  return Object.fromEntries(
    names.filter((name) => type[name] !== undefined).map((name) => [name, type[name]]),
  );
}
