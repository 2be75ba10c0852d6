import type { StringType } from "../../model/types.js";
import { compilePattern } from "../../../runtime/validation/value-checks.js";
import { formatPatterns } from "./format-patterns.js";
import type { SchemaObject } from "./schema-file.js";
import { placeIn, readCount, type NodeContext, type Place } from "./schema-node.js";

export function readString(context: NodeContext, node: SchemaObject, place: Place): StringType {
  const { schema } = context;
  const { format, pattern } = node;
  if (format !== undefined && typeof format !== "string")
    schema.fail(
      "ERR_SCHEMA",
      'Cannot read "format": it must be a string',
      placeIn(place, "format").pointer,
    );
  const form = context.notes.formats ? formatPatterns.get(String(format)) : undefined;
  const own =
    pattern === undefined ? form : readPatternText(context, pattern, placeIn(place, "pattern"));
  const minLength = readCount(schema, node, "minLength", place);
  const maxLength = readCount(schema, node, "maxLength", place);
  return {
    kind: "string",
    ...(typeof format === "string" ? { format } : {}),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(own === undefined ? {} : { pattern: own }),
    ...(form === undefined || form === own ? {} : { checks: [{ kind: "pattern", pattern: form }] }),
  };
}

/** Reads a regular expression. */
export function readPatternText(
  { schema }: NodeContext,
  pattern: unknown,
  { pointer }: Place,
): string {
  if (typeof pattern === "string") {
    try {
      compilePattern(pattern);
      return pattern;
    } catch {
      // The error can be ignored here, because an invalid pattern is reported below.
    }
  }
  return schema.fail(
    "ERR_SCHEMA",
    'Cannot read "pattern": it must be a regular expression',
    pointer,
  );
}
