import type { ValidationIssue } from "../runtime/validation/findings.js";
import { createValidator } from "../runtime/validation/validator.js";
import type { InputPlace } from "../generator/base/input-error.js";
import { boundedCheck } from "./bounded-check.js";
import {
  mapSchema,
  textKeys,
  type AnnotatedRules,
  type AnnotatedSchema,
  type AnnotatedSchemas,
} from "../generator/model/annotated-schema.js";
import { TypeRules } from "../generator/model/type-rules.js";
import type { Definition, Json, ObjectType, Type } from "../generator/model/types.js";
import { readRoot } from "../generator/read/schema/definitions.js";
import { noNotes, openFreeSchema } from "../generator/read/schema/schema-file.js";
import { joinPointer } from "../generator/read/source/json-text.js";

/**
 * Reads several schemas that share definitions into the model.
 * @param place Location to report in errors.
 * @throws InputError with this location.
 */
export function typesOfSchemas(
  schemas: AnnotatedSchemas,
  definitions: AnnotatedSchemas | undefined,
  place: InputPlace,
): {
  readonly types: { readonly [name: string]: Type };
  readonly definitions: readonly Definition[];
} {
  const root = { type: ["object"], properties: schemas, definitions: definitions ?? {} } as const;
  const value = plainSchema(root, root.definitions);
  const schema = openFreeSchema({ name: place.file ?? "", value, locate: () => place });
  const [whole, ...others] = readRoot(schema, { ...noNotes, untyped: "exact" }, "Root");
  const { properties } = whole!.type as ObjectType;
  return {
    types: Object.fromEntries(properties.map(({ name, type }) => [name, type])),
    definitions: others,
  };
}

/**
 * Checks a value against a schema and returns the first few issues.
 * @throws InputError `ERR_SCHEMA` if a pattern in the schema takes too long.
 */
export function issuesOf(
  schema: AnnotatedRules,
  value: unknown,
  maxIssues: number,
): readonly ValidationIssue[] {
  const { types, definitions } = typesOfSchemas({ value: schema }, schema.definitions, {});
  const validate = createValidator(new TypeRules(definitions).ruleOf(types["value"]!));
  const result = boundedCheck(schema, () => validate(value, { maxIssues }));
  return result.ok ? [] : result.issues;
}

/** Returns a schema as JSON, without titles and descriptions. */
function plainSchema(schema: AnnotatedSchema, definitions: AnnotatedSchemas): Json {
  return mapSchema(schema, (rules) => {
    const { $ref, ...own } = Object.fromEntries(
      Object.entries(withoutEmptyRange(rules)).filter(([key]) => !textKeys.has(key)),
    ) as AnnotatedRules;
    const listed = own.enum === undefined ? {} : { enum: distinct(own.enum) };
    if ($ref === undefined) return { ...own, ...listed };
    const target = definitions[$ref];
    const inherited = typeof target === "object" ? target.default : undefined;
    return {
      ...(inherited === undefined ? {} : { default: inherited }),
      ...own,
      ...listed,
      $ref: encodeURI(`#${joinPointer("", "definitions", $ref)}`),
    };
  }) as Json;
}

function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/**
 * Replaces an empty range with a condition that no number satisfies. Editors accept empty ranges
 * too, and then reject every number.
 */
function withoutEmptyRange(rules: AnnotatedRules): AnnotatedRules {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = rules;
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const isOpen = least === exclusiveMinimum || most === exclusiveMaximum;
  if (least < most || (least === most && !isOpen)) return rules;
  return { ...rest, allOf: [...(rest.allOf ?? []), { not: { type: ["number"] } }] };
}
