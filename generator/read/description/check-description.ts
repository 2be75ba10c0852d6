import { InputError } from "../../base/input-error.js";
import type { Json } from "../../model/types.js";
import { isJsonObject, joinPointer, type JsonFile } from "../source/json-text.js";
import { check } from "./check-file.js";
import type { Description, Extension, Overlay } from "./description-types.js";

/**
 * Checks a protocol description against its JSON Schema and for consistency.
 *
 * @throws InputError `ERR_DESCRIPTION` with the location of the first fault.
 */
export function readDescription(file: JsonFile): Description {
  refuseSchema(file);
  refuseThirdRole(file);
  check(file, "protocol", "ERR_DESCRIPTION");
  return readBundledDescription(file);
}

/** Rejects a schema that was passed as a description. */
function refuseSchema(file: JsonFile): void {
  if (!isSchema(file.value)) return;
  refuseDescription(
    file,
    "Cannot use a schema as a protocol description",
    "",
    "If it belongs to a bundled protocol, pass it with --schema. For your own protocol, write a protocol.json that names the schema",
  );
}

const descriptionKeys = ["roles", "messages", "envelope", "extends"] as const;
const schemaKeys = [
  ...["definitions", "$defs", "properties", "allOf", "oneOf", "anyOf"],
  ...["domains", "metaData"],
] as const;

/**
 * Returns whether a file is a JSON Schema, a file of the Chrome DevTools Protocol or a meta model,
 * rather than a description. Its name does not tell: browsers serve their schema as protocol.json.
 */
export function isSchema(value: Json): boolean {
  return (
    isJsonObject(value) &&
    !descriptionKeys.some((key) => key in value) &&
    schemaKeys.some((key) => key in value)
  );
}

/** Rejects more than two roles. */
function refuseThirdRole(file: JsonFile): void {
  const roles = isJsonObject(file.value) ? file.value["roles"] : undefined;
  if (!Array.isArray(roles) || roles.length <= 2) return;
  refuseDescription(
    file,
    `Cannot describe ${roles.length} roles: a connection has two sides`,
    "/roles",
    "A proxy has two connections. Describe each of them as a protocol with two roles",
  );
}

/**
 * Checks a bundled description for consistency only, because wirewright's tests already check it
 * against its JSON Schema.
 *
 * @throws InputError `ERR_DESCRIPTION` with the location of the first fault.
 */
export function readBundledDescription(file: JsonFile): Description {
  const description = file.value as unknown as Description;
  const { roles, directions, schema } = description;
  const senders = [...roles, "both"];
  const refer = (pointer: string, value: string, known: readonly string[], what: string): void => {
    if (!known.includes(value))
      refuseDescription(
        file,
        `Cannot find the ${what} "${value}"`,
        pointer,
        `Known: ${known.join(", ")}`,
      );
  };
  if (schema.current !== undefined)
    refer("/schema/current", schema.current, Object.keys(schema.versions ?? {}), "version");
  refuseFormat(description, file);
  refuseSameArms(description, file);
  for (const kind of ["request", "event"] as const)
    refer(
      `/envelope/${kind}/sender`,
      description.envelope[kind].sender ?? roles[0]!,
      roles,
      "role",
    );
  refer("/directions/requests", directions.requests, senders, "role");
  refer("/directions/events", directions.events, senders, "role");
  for (const [name, sender] of Object.entries(directions.exceptions ?? {})) {
    refer(joinPointer("/directions/exceptions", name), sender, senders, "role");
  }
  const { messages } = description;
  if (messages.by !== "table" && description.envelope.response === undefined)
    refuseDescription(
      file,
      `Cannot find messages by ${messages.by}: messages have no ids`,
      "/messages/by",
      'List them: "by": "table"',
    );
  if (messages.by === "table")
    for (const part of ["requests", "events"] as const)
      for (const [name, { set }] of Object.entries(messages[part])) {
        const pointer = joinPointer("/messages", part, name, "set");
        if (set !== undefined) refer(pointer, set, Object.keys(messages.sets ?? {}), "set");
      }
  for (const part of ["framing", "notation", "capabilities"] as const)
    for (const role of Object.keys(description[part] ?? {}))
      refer(joinPointer(`/${part}`, role), role, roles, "role");
  for (const part of ["messages", "properties"] as const) {
    for (const [key, gate] of Object.entries(description.gates?.[part] ?? {})) {
      refer(joinPointer(`/gates/${part}`, key), gate.split(".")[0]!, roles, "role");
    }
  }
  return description;
}

/** Rejects a description that uses the same `when` condition for two kinds of messages. */
function refuseSameArms({ envelope }: Description, file: JsonFile): void {
  const textOf = (when: object): string => JSON.stringify(Object.entries(when).sort());
  const kinds = new Map<string, string>();
  for (const kind of ["request", "event", "response"] as const) {
    const when = envelope[kind]?.when;
    if (when === undefined) continue;
    const other = kinds.get(textOf(when));
    if (other !== undefined)
      refuseDescription(
        file,
        `Cannot distinguish ${kind}s from ${other}s: both have the same "when"`,
        `/envelope/${kind}/when`,
        "Give each kind of message a condition that the other kinds do not satisfy",
      );
    kinds.set(textOf(when), kind);
  }
}

/** Rejects a description whose `messages.by` does not suit the schema language. */
function refuseFormat({ schema, messages }: Description, file: JsonFile): void {
  if ((schema.format === "json-schema") === (messages.by !== "format")) return;
  refuseDescription(
    file,
    schema.format === "json-schema"
      ? "Cannot find messages by format: a JSON Schema does not list messages"
      : `Cannot find messages by ${messages.by}: a schema in the format "${schema.format}" lists its messages itself`,
    "/messages/by",
    schema.format === "json-schema" ? 'List them: "by": "table"' : 'Use "by": "format"',
  );
}

/**
 * Checks an extension of a description. @throws InputError `ERR_DESCRIPTION` with the location of
 * the first fault.
 */
export function readExtension(file: JsonFile): Extension {
  check(file, "extension", "ERR_DESCRIPTION");
  return file.value as unknown as Extension;
}

/** Checks an overlay. @throws InputError `ERR_DESCRIPTION` with the location of the first fault. */
export function readOverlay(file: JsonFile): Overlay {
  check(file, "overlay", "ERR_DESCRIPTION");
  return file.value as unknown as Overlay;
}

/** Rejects a description, with the location in it. */
function refuseDescription(file: JsonFile, message: string, pointer: string, hint?: string): never {
  throw new InputError("ERR_DESCRIPTION", message, file.locate(pointer), hint);
}
