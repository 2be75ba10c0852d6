import type { ValidateFunction } from "ajv";
import { oneOf } from "../../../runtime/base/check-options.js";
import { formatsFolder } from "../../base/bundled.js";
import { checkArguments } from "../../base/check-arguments.js";
import { files } from "../../base/files.js";
import { InputError, type InputErrorCode } from "../../base/input-error.js";
import { loadAjv } from "../../base/packages.js";
import type { JsonFile } from "../source/json-text.js";
import { explainFault } from "./description-fault.js";

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
