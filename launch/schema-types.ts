import type { ValidationIssue } from "../runtime/validation/findings.js";
import { createValidator } from "../runtime/validation/validator.js";
import type { InputPlace } from "../generator/base/input-error.js";
import { boundedCheck } from "./bounded-check.js";
import { TypeRules } from "../generator/model/type-rules.js";
import type { Definition, Json, ObjectType, Type } from "../generator/model/types.js";
import { readRoot } from "../generator/read/schema/definitions.js";
import { noNotes, openFreeSchema } from "../generator/read/schema/schema-file.js";
import type { JsonObject } from "../generator/read/source/json-text.js";

/**
 * Reads several schemas that share definitions into the model.
 * @param place Location to report in errors.
 * @throws InputError with this location.
 */
export function typesOfSchemas(
  schemas: JsonObject,
  definitions: Json | undefined,
  place: InputPlace,
): {
  readonly types: { readonly [name: string]: Type };
  readonly definitions: readonly Definition[];
} {
  const value = { type: "object", properties: schemas, definitions: definitions ?? {} };
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
  { definitions: shared, ...schema }: JsonObject,
  value: unknown,
  maxIssues: number,
): readonly ValidationIssue[] {
  const { types, definitions } = typesOfSchemas({ value: schema }, shared, {});
  const validate = createValidator(new TypeRules(definitions).ruleOf(types["value"]!));
  const result = boundedCheck(schema, () => validate(value, { maxIssues }));
  return result.ok ? [] : result.issues;
}
