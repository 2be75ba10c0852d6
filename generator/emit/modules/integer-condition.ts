import { allOf, anyOf, type Condition } from "../printer/logical-expression.js";

/** The condition for an integer. For machine integers it is an operator, which is faster than a call. */
export function integerCondition(
  value: string,
  minimum: number,
  maximum: number,
  exact: () => string,
): Condition {
  const isNumber = `typeof ${value} === "number"`;
  const isUnsigned = `${value} >>> 0 === ${value}`;
  const within = (lowest: number, highest: number): Condition | undefined =>
    allOf(
      minimum > lowest ? `${value} >= ${minimum}` : undefined,
      maximum < highest ? `${value} <= ${maximum}` : undefined,
    );
  if (minimum >= -(2 ** 31) && maximum <= 2 ** 31 - 1)
    return allOf(isNumber, `(${value} | 0) === ${value}`, within(-(2 ** 31), 2 ** 31 - 1))!;
  if (minimum >= 0 && maximum <= 2 ** 32 - 1)
    return allOf(isNumber, isUnsigned, within(0, 2 ** 32 - 1))!;
  const isSafe = minimum >= Number.MIN_SAFE_INTEGER && maximum <= Number.MAX_SAFE_INTEGER;
  const test = `Number.is${isSafe ? "Safe" : ""}Integer(${value})`;
  const bounds = isSafe
    ? within(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    : within(-Infinity, Infinity);
  if (bounds === undefined) return test;
  if (minimum !== 0 || maximum < 2 ** 32 - 1) return allOf(isNumber, test, bounds)!;
  const isLarger =
    maximum === Number.MAX_SAFE_INTEGER ? `${exact()}(${value})` : allOf(test, bounds);
  return allOf(isNumber, anyOf(isUnsigned, isLarger))!;
}
