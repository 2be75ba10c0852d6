import { Ajv, type ValidateFunction } from "ajv";
import { flatten, openListKey, type PlainShape, type Shape, type Version } from "./shapes.js";

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
  const isKnown = (alternatives: readonly PlainShape[]): boolean =>
    role === "lenient" && shared.has(openListKey(alternatives) ?? "none");
  const schemaOf = (shape: Shape, isShared = isKnown(flatten(version, shape))): Schema => {
    switch (shape.kind) {
      case "any":
        return {};
      case "null":
      case "boolean":
        return { type: shape.kind };
      case "text":
        return { type: "string", ...limits(shape, "minLength", "maxLength") };
      case "integer":
      case "number":
        return { type: shape.kind, ...limits(shape, "minimum", "maximum") };
      case "values": {
        const isClosed =
          !shape.open || role === "strict" || role === "wary" || (role === "lenient" && !isShared);
        return isClosed ? { enum: shape.values } : { type: typeof shape.values[0] };
      }
      case "list":
        return {
          type: "array",
          ...(shape.first === undefined
            ? { items: schemaOf(shape.items) }
            : {
                items: shape.first.map((item) => schemaOf(item)),
                additionalItems: schemaOf(shape.items),
              }),
          ...limits(shape, "minItems", "maxItems"),
        };
      case "map":
        return {
          type: "object",
          // Some readers ignore the field that the writer adds.
          properties:
            role === "open" || role === "lenient" || role === "wary"
              ? { other: { anyOf: [{ const: true }, schemaOf(shape.values)] } }
              : {},
          additionalProperties: schemaOf(shape.values),
        };
      case "object": {
        const fields = shape.fields;
        // Depending on the reader, an object without known fields may have any fields or none.
        const isOpen =
          !shape.closed &&
          (role === "schema" || role === "open" || (role === "lenient" && fields.length === 0));
        const other =
          !shape.closed && (role === "writer" || role === "lenient" || role === "wary")
            ? { other: { const: true } }
            : {};
        return {
          type: "object",
          properties: {
            ...other,
            ...Object.fromEntries(fields.map((field) => [field.name, schemaOf(field.shape)])),
          },
          required: fields.flatMap((field) => (field.required ? [field.name] : [])),
          additionalProperties: isOpen,
        };
      }
      case "union":
        return { anyOf: shape.members.map((each) => schemaOf(each, isShared)) };
      case "reference":
        return { $ref: `#/definitions/${shape.name}${isShared ? "Shared" : ""}` };
    }
  };
  const definitions = Object.fromEntries(
    [...version].flatMap(([name, shape]) => [
      [name, schemaOf(shape, false)],
      [`${name}Shared`, schemaOf(shape, true)],
    ]),
  );
  return ajv.compile({ ...schemaOf({ kind: "reference", name: "Payload" }), definitions });
}

function limits(
  { least, most }: { readonly least?: number; readonly most?: number },
  min: string,
  max: string,
): Schema {
  return {
    ...(least === undefined ? {} : { [min]: least }),
    ...(most === undefined ? {} : { [max]: most }),
  };
}
