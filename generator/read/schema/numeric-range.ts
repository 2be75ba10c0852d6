import type { Check, NumericType } from "../../model/types.js";
import type { SchemaFile, SchemaObject } from "./schema-file.js";

/** Largest integer that JavaScript can represent exactly. */
const safe = Number.MAX_SAFE_INTEGER;

/**
 * Ranges of the known integer formats. The 64-bit formats are limited to integers that JavaScript
 * can represent exactly.
 */
const formatRanges: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["int8", [-(2 ** 7), 2 ** 7 - 1]],
  ["uint8", [0, 2 ** 8 - 1]],
  ["int16", [-(2 ** 15), 2 ** 15 - 1]],
  ["uint16", [0, 2 ** 16 - 1]],
  ["int32", [-(2 ** 31), 2 ** 31 - 1]],
  ["uint32", [0, 2 ** 32 - 1]],
  ["int64", [-safe, safe]],
  ["uint64", [0, safe]],
  ["uint", [0, safe]],
]);

/** Reads a number type. Its range is its format's range, narrowed by the bounds in the schema. */
export function readNumericType(
  schema: SchemaFile,
  node: SchemaObject,
  kind: "integer" | "number",
  pointer: string,
): NumericType {
  const bound = (key: string): number | undefined => {
    const value = node[key];
    if (value === undefined || typeof value === "boolean") return undefined;
    return typeof value === "number"
      ? value
      : schema.fail("ERR_SCHEMA", `Cannot read "${key}": it must be a number`, `${pointer}/${key}`);
  };
  const format = typeof node["format"] === "string" ? node["format"] : undefined;
  const range = kind === "integer" && format !== undefined ? formatRanges.get(format) : undefined;
  const lows = [range?.[0], bound("minimum"), bound("exclusiveMinimum")].filter(
    (value) => value !== undefined,
  );
  const highs = [range?.[1], bound("maximum"), bound("exclusiveMaximum")].filter(
    (value) => value !== undefined,
  );
  let minimum = lows.length === 0 ? undefined : Math.max(...lows);
  let maximum = highs.length === 0 ? undefined : Math.min(...highs);
  // In draft 4, a boolean marks a bound as exclusive. In later drafts, the keyword contains the
  // bound itself.
  const lowExcluded =
    minimum !== undefined &&
    (node["exclusiveMinimum"] === true || minimum === bound("exclusiveMinimum"));
  const highExcluded =
    maximum !== undefined &&
    (node["exclusiveMaximum"] === true || maximum === bound("exclusiveMaximum"));
  if (kind === "integer") {
    if (lowExcluded) minimum = Math.floor(minimum!) + 1;
    if (highExcluded) maximum = Math.ceil(maximum!) - 1;
  }
  const isExclusive = kind === "number" && (lowExcluded || highExcluded);
  if (
    minimum !== undefined &&
    maximum !== undefined &&
    (minimum > maximum || (isExclusive && minimum === maximum))
  ) {
    return schema.fail(
      "ERR_SCHEMA",
      `Cannot read a range from ${minimum} to ${maximum}: it is empty`,
      pointer,
    );
  }
  const multiple = bound("multipleOf");
  if (multiple !== undefined && !(multiple > 0))
    schema.fail("ERR_SCHEMA", 'Cannot read "multipleOf": it must be more than 0', pointer);
  const checks: Check[] = [
    ...(isExclusive
      ? [
          {
            kind: "between" as const,
            ...(lowExcluded ? { above: minimum! } : {}),
            ...(highExcluded ? { below: maximum! } : {}),
          },
        ]
      : []),
    ...(multiple === undefined ? [] : [{ kind: "multiple" as const, of: multiple }]),
  ];
  return {
    kind,
    ...(format === undefined ? {} : { format }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(checks.length === 0 ? {} : { checks }),
  };
}
