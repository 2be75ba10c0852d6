import type { ValidateFunction, ErrorObject } from "ajv";
import { oneOf } from "../../../runtime/base/check-options.js";
import { formatsFolder } from "../../base/bundled.js";
import { checkArguments } from "../../base/check-arguments.js";
import { files } from "../../base/files.js";
import { InputError, type InputErrorCode, nearest } from "../../base/input-error.js";
import { loadAjv } from "../../base/packages.js";
import { type JsonFile, joinPointer } from "../source/json-text.js";

const checkedFiles = [
  "accept",
  "config",
  "conformance-expected",
  "conformance-project",
  "conformance-results",
  "extension",
  "framing-rules",
  "history",
  "host",
  "lint-baseline",
  "manifest",
  "overlay",
  "protocol",
  "recording-head",
  "session-rules",
  "statements",
] as const;

/** The kinds of files to check, named after their JSON Schemas in `schema/`. */
export type CheckedFile = (typeof checkedFiles)[number];

/**
 * Checks a file against one of the JSON Schemas in `schema/`.
 *
 * @param hint For every fault, appended to the hint from the schema.
 * @throws InputError with the location of the fault.
 */
export function check(
  file: Pick<JsonFile, "value" | "locate">,
  name: CheckedFile,
  code: InputErrorCode,
  hint?: string,
): void {
  checkArguments("checkFormat", { name: [name, oneOf(...checkedFiles)] });
  const validate = validator(name);
  if (validate(file.value)) return;
  const fault = explainFault(validate.errors ?? []);
  const hints = [fault.hint, hint].filter((each) => each !== undefined).join(". ");
  throw new InputError(
    code,
    fault.message,
    file.locate(fault.pointer),
    hints === "" ? undefined : hints,
  );
}

/** String formats that our schemas use. */
const formats = {
  regex: (text: string): boolean => {
    try {
      return new RegExp(text) instanceof RegExp;
    } catch {
      return false;
    }
  },
};

const validators = new Map<string, ValidateFunction>();

function validator(name: string): ValidateFunction {
  let validate = validators.get(name);
  if (validate === undefined) {
    const load = (file: string): object =>
      JSON.parse(files.readText(new URL(`${file}.schema.json`, formatsFolder))) as object;
    // Load the validator lazily, because most commands read only bundled files, which need no
    // checking.
    const { Ajv } = loadAjv();
    const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, formats });
    for (const each of new Set([
      "protocol",
      "session-rules",
      "accept",
      "conformance-expected",
      name,
    ]))
      ajv.addSchema(load(each), `${each}.schema.json`);
    validate = ajv.compile({ $ref: `${name}.schema.json` });
    validators.set(name, validate);
  }
  return validate;
}

/** The error to report for a file that does not match its JSON Schema. */
export interface Fault {
  readonly message: string;
  readonly pointer: string;
  readonly hint?: string;
}

/**
 * Chooses the error that the user should fix first. Keys missing from the same object are reported
 * together.
 */
export function explainFault(all: readonly ErrorObject[]): Fault {
  const errors = ofMeantAlternatives(all);
  // Report the deepest error. The others come from alternatives that the user did not intend.
  const worst = errors.reduce((a, b) => (depth(b) > depth(a) ? b : a), errors[0]!);
  return explain(worst, errors);
}

/**
 * Removes errors from alternatives that a constant such as `"by": "table"` rules out. If every
 * alternative is ruled out, keeps the errors for the constants.
 */
function ofMeantAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const constants = errors.filter(({ keyword }) => keyword === "const");
  const excluded = new Set(
    constants.flatMap(({ instancePath, parentSchema }) => {
      const key = instancePath.slice(instancePath.lastIndexOf("/") + 1);
      return errors
        .map((error) => error.parentSchema as AlternativeSchema | undefined)
        .filter((schema) => schema?.properties?.[key] === parentSchema);
    }),
  );
  const within = new Set([...excluded].flatMap(schemasWithin));
  const meant = errors.filter(
    ({ keyword, parentSchema }) =>
      keyword !== "const" && keyword !== "oneOf" && !within.has(parentSchema),
  );
  return meant.length > 0 ? meant : constants.length > 0 ? constants : errors;
}

interface AlternativeSchema {
  readonly properties?: Readonly<Record<string, object>>;
}

/** Lists a schema and all schemas nested in it. */
function schemasWithin(schema: unknown): readonly unknown[] {
  if (typeof schema !== "object" || schema === null) return [];
  return [schema, ...Object.values(schema).flatMap(schemasWithin)];
}

/** Collects all keys that a single `required` keyword reports as missing from the same object. */
function missingKeys(one: ErrorObject, errors: readonly ErrorObject[]): readonly string[] {
  return errors
    .filter(
      ({ keyword, instancePath, schemaPath }) =>
        keyword === "required" &&
        instancePath === one.instancePath &&
        schemaPath === one.schemaPath,
    )
    .map(({ params }) => String((params as Record<string, unknown>)["missingProperty"]));
}

function depth(error: ErrorObject): number {
  const additional = error.keyword === "additionalProperties" ? 1 : 0;
  return error.instancePath.split("/").length + additional - (error.keyword === "oneOf" ? 1 : 0);
}

function explain(error: ErrorObject, errors: readonly ErrorObject[]): Fault {
  const { instancePath: pointer, keyword } = error;
  const params = error.params as Record<string, unknown>;
  const value = JSON.stringify(error.data) ?? "nothing";
  const excerpt = value.length > 60 ? `${value.slice(0, 57)}...` : value;
  switch (keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const allowed = Object.keys(
        (error.parentSchema as { properties?: object } | undefined)?.properties ?? {},
      );
      const guess = nearest(key, allowed);
      const hint =
        guess === undefined ? `Known keys: ${allowed.join(", ")}` : `Did you mean "${guess}"?`;
      return {
        message: `Cannot use the unknown key "${key}"`,
        pointer: joinPointer(pointer, key),
        hint: allowed.length > 0 ? hint : undefined,
      };
    }
    case "required": {
      const keys = missingKeys(error, errors).map((key) => `"${key}"`);
      return {
        message: `Missing key${keys.length === 1 ? "" : "s"} ${keys.join(", ")}`,
        pointer,
        hint: hintOfKeys(error, missingKeys(error, errors)),
      };
    }
    case "const": {
      const allowed = errors
        .filter(({ keyword: each, instancePath }) => each === "const" && instancePath === pointer)
        .map((each) => String((each.params as Record<string, unknown>)["allowedValue"]));
      return {
        message: `Cannot use ${excerpt}`,
        pointer,
        hint: `Allowed: ${allowed.join(", ")}`,
      };
    }
    case "enum":
      return {
        message: `Cannot use ${excerpt}`,
        pointer,
        hint: `Allowed: ${(params["allowedValues"] as unknown[]).join(", ")}`,
      };
    case "type": {
      const types = [params["type"]].flat().join(",").split(",").map(withArticle);
      const message = `Cannot use ${excerpt}: it must be ${types.join(" or ")}`;
      return { message, pointer, hint: hintOf(error.parentSchema) };
    }
    default: {
      const message = `Cannot use ${excerpt}: it ${error.message ?? "is invalid"}`;
      return { message, pointer, hint: hintOf(error.parentSchema) };
    }
  }
}

const withArticle = (type: string): string =>
  type === "null" ? type : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;

/**
 * Creates a hint from the descriptions of the given keys, as found in the schema of the object that
 * has the error.
 */
function hintOfKeys({ parentSchema }: ErrorObject, keys: readonly string[]): string | undefined {
  const { properties } = (parentSchema ?? {}) as AlternativeSchema;
  const hints = keys.flatMap((key) => {
    const hint = hintOf(properties?.[key]);
    return hint === undefined ? [] : [`"${key}": ${hint}`];
  });
  return hints.length === 0 ? undefined : hints.join("; ");
}

/** Converts a schema's description to a hint. */
function hintOf(schema: unknown): string | undefined {
  const { description } = (schema ?? {}) as { readonly description?: unknown };
  return typeof description === "string" ? description.replace(/\.$/, "") : undefined;
}
