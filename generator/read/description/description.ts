import type { ValidateFunction } from "ajv";
import { bundledSchemaFolder } from "../../base/bundled.js";
import { files } from "../../base/files.js";
import { InputError } from "../../base/input-error.js";
import { loadAjv } from "../../base/packages.js";
import { isJsonObject, joinPointer, type JsonFile } from "../source/json-text.js";
import { explainFault } from "./description-fault.js";
import type { Description, Extension, Overlay } from "./description-types.js";

/**
 * Checks a protocol description against its JSON Schema, and for consistency.
 *
 * @throws InputError `ERR_DESCRIPTION` with the place of the first fault.
 */
export function readDescription(file: JsonFile): Description {
  refuseSchema(file);
  check(file, "protocol", "ERR_DESCRIPTION");
  return readBundledDescription(file);
}

/** Refuses a schema where a description is wanted. */
function refuseSchema(file: JsonFile): void {
  const { value } = file;
  if (!isJsonObject(value) || ["roles", "messages", "envelope"].some((key) => key in value)) return;
  const isSchema = ["definitions", "$defs", "properties", "allOf", "oneOf", "anyOf"].some(
    (key) => key in value,
  );
  if (!isSchema) return;
  throw new InputError(
    "ERR_DESCRIPTION",
    "Cannot use a JSON Schema as the description of a protocol",
    file.locate(""),
    "For a version of a bundled protocol, give it with --schema; for a protocol of your own, write a protocol.json that names it",
  );
}

/**
 * Checks a bundled description for consistency. The tests of the tool check it against its JSON Schema.
 *
 * @throws InputError `ERR_DESCRIPTION` with the place of the first fault.
 */
export function readBundledDescription(file: JsonFile): Description {
  const description = file.value as unknown as Description;
  const { roles, directions, schema } = description;
  const senders = [...roles, "both"];
  const refer = (pointer: string, value: string, known: readonly string[], what: string): void => {
    if (known.includes(value)) return;
    throw new InputError(
      "ERR_DESCRIPTION",
      `Cannot find the ${what} "${value}"`,
      file.locate(pointer),
      `Known: ${known.join(", ")}`,
    );
  };
  if (schema.current !== undefined)
    refer("/schema/current", schema.current, Object.keys(schema.versions ?? {}), "version");
  refuseFormat(description, file);
  refer("/directions/requests", directions.requests, senders, "role");
  refer("/directions/events", directions.events, senders, "role");
  for (const [name, sender] of Object.entries(directions.exceptions ?? {})) {
    refer(joinPointer("/directions/exceptions", name), sender, senders, "role");
  }
  const { messages } = description;
  if (messages.by !== "table" && description.envelope.response === undefined)
    throw new InputError(
      "ERR_DESCRIPTION",
      `Cannot find messages by ${messages.by} where messages have no ids`,
      file.locate("/messages/by"),
      'List them: "by": "table"',
    );
  if (messages.by === "table") {
    for (const part of ["requests", "events"] as const) {
      for (const [name, { set }] of Object.entries(messages[part])) {
        const pointer = `${joinPointer(`/messages/${part}`, name)}/set`;
        if (set !== undefined) refer(pointer, set, Object.keys(messages.sets ?? {}), "set");
      }
    }
  }
  for (const part of ["framing", "notation"] as const)
    for (const role of Object.keys(description[part] ?? {}))
      refer(joinPointer(`/${part}`, role), role, roles, "role");
  for (const role of Object.keys(description.capabilities ?? {})) {
    refer(joinPointer("/capabilities", role), role, roles, "role");
  }
  for (const part of ["messages", "properties"] as const) {
    for (const [key, gate] of Object.entries(description.gates?.[part] ?? {})) {
      refer(joinPointer(`/gates/${part}`, key), gate.split(".")[0]!, roles, "role");
    }
  }
  return description;
}

/** Refuses messages that a schema language cannot say. */
function refuseFormat({ schema, messages }: Description, file: JsonFile): void {
  if ((schema.format === "json-schema") === (messages.by !== "format")) return;
  throw new InputError(
    "ERR_DESCRIPTION",
    schema.format === "json-schema"
      ? "Cannot find messages by format: a JSON Schema lists none"
      : `Cannot find messages by ${messages.by}: a schema of the format "${schema.format}" lists its own`,
    file.locate("/messages/by"),
    schema.format === "json-schema" ? 'List them: "by": "table"' : 'Say "by": "format"',
  );
}

/** Checks an extension of a description. @throws InputError `ERR_DESCRIPTION` with the place of the first fault. */
export function readExtension(file: JsonFile): Extension {
  check(file, "extension", "ERR_DESCRIPTION");
  return file.value as unknown as Extension;
}

/** Checks an overlay. @throws InputError `ERR_DESCRIPTION` with the place of the first fault. */
export function readOverlay(file: JsonFile): Overlay {
  check(file, "overlay", "ERR_DESCRIPTION");
  return file.value as unknown as Overlay;
}

type CheckedFile =
  | "lint-baseline"
  | "protocol"
  | "history"
  | "extension"
  | "overlay"
  | "config"
  | "accept"
  | "host"
  | "session-rules"
  | "framing-rules"
  | "statements";

/** Checks a file against one of the JSON Schemas in `schema/`. */
export function check(
  file: JsonFile,
  schemaName: CheckedFile,
  code: "ERR_DESCRIPTION" | "ERR_CONFIG",
): void {
  const validate = validator(schemaName);
  if (validate(file.value)) return;
  const { message, pointer, hint } = explainFault(validate.errors ?? []);
  throw new InputError(code, message, file.locate(pointer), hint);
}

/** Formats of texts in our schemas. */
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
      JSON.parse(files.readText(new URL(`${file}.schema.json`, bundledSchemaFolder))) as object;
    // Most commands read bundled files only.
    const { Ajv } = loadAjv();
    const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, formats });
    for (const each of new Set(["protocol", "session-rules", "accept", name]))
      ajv.addSchema(load(each), `${each}.schema.json`);
    validate = ajv.compile({ $ref: `${name}.schema.json` });
    validators.set(name, validate);
  }
  return validate;
}
