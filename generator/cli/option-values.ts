import { InputError, nearest, type InputPlace } from "../base/input-error.js";

/** Reads the value of an option that accepts a few words. @throws InputError `ERR_ARGUMENT` for any other value. */
export function oneOf<Value extends string>(
  option: string,
  value: string,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((each) => each === value);
  if (found !== undefined) return found;
  throw new InputError(
    "ERR_ARGUMENT",
    `Cannot use ${option} "${value}"`,
    {},
    `Allowed: ${allowed.join(", ")}`,
  );
}

/** The error for an unknown rule of a command. @param place Where a file names it. */
export function unknownRule(
  id: string,
  known: Iterable<string>,
  command: "diff" | "lint",
  place?: InputPlace,
): InputError {
  const guess = nearest(id, known);
  return new InputError(
    place === undefined ? "ERR_ARGUMENT" : "ERR_CONFIG",
    `Cannot find the rule "${id}"`,
    place,
    guess === undefined ? `See wirewright ${command} rules` : `Did you mean "${guess}"?`,
  );
}

/** The option `--schema` of what reads a protocol. */
export function schemaOf({ schema }: { readonly schema?: readonly string[] | undefined }): {
  readonly schema?: readonly string[];
} {
  return schema === undefined ? {} : { schema };
}
