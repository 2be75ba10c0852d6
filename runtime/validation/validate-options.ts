import {
  wireTolerances,
  type Tolerance,
  type ValidateOptions,
  type Validation,
} from "./findings.js";
import { emptyList } from "./issues.js";

/** Default for the `maxIssues` option. */
const defaultMaxIssues = 100;

export function maxIssuesOf(options: ValidateOptions | undefined): number {
  return options?.maxIssues ?? defaultMaxIssues;
}

/** Creates the result for a valid value without deviations. */
export function passed<Type>(value: Type): Validation<Type> {
  return { ok: true, value, deviations: emptyList };
}

export function mustListUnknownFields(tolerated: readonly Tolerance[]): boolean {
  return tolerated === wireTolerances || tolerated.includes("unknown-field");
}

export function toleratedBy(options: ValidateOptions | undefined): readonly Tolerance[] {
  if (options === undefined) return emptyList;
  return options.tolerate ?? (options.profile === "wire" ? wireTolerances : emptyList);
}
