import { check } from "../../generator/read/description/check-file.js";
import { readJsonText, type JsonFile } from "../../generator/read/source/json-text.js";

const sign = /^[\s\0]*\{\s*"recording"\s*:\s*"wirewright"/;

/**
 * Checks the first line of a file if it is the head of a recording in our format.
 *
 * @param text The beginning of the file.
 * @throws InputError `ERR_MESSAGE` with the location of the first error.
 */
export function checkHead(text: string, name: string): void {
  if (!sign.test(text)) return;
  const [line = ""] = text.replace(/^[\s\0]+/, "").split("\n", 1);
  let file: JsonFile;
  try {
    file = readJsonText(line, name);
  } catch {
    // Ignore a line that is not JSON: the line reader will report it and continue.
    return;
  }
  // Check the usual heads by hand, because loading the schema checker takes longer than reading a
  // short recording.
  if (!isUsual(file.value)) check(file, "recording-head", "ERR_MESSAGE");
}

/** Returns whether a head has exactly the properties that `tap` and `convert` write. */
function isUsual(value: unknown): boolean {
  const { recording, form, protocol, version, roles, began, order, ...others } = value as Readonly<
    Record<string, unknown>
  >;
  return (
    recording === "wirewright" &&
    (form === 1 || form === 2) &&
    typeof protocol === "string" &&
    protocol !== "" &&
    typeof version === "string" &&
    Array.isArray(roles) &&
    roles.length === 2 &&
    roles.every((role) => typeof role === "string") &&
    (began === undefined ||
      (typeof began === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(began))) &&
    (order === undefined || order === "guessed") &&
    Object.keys(others).length === 0
  );
}
