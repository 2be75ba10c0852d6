import { Faults } from "../../base/faults.js";
import type { Fact, Protocol } from "../../model/protocol.js";
import { describedPart } from "../../model/queries.js";
import type { Json } from "../../model/types.js";
import type { ReadSchema } from "../formats/schema-format.js";
import { isJsonObject, joinPointer, type JsonFile, type JsonObject } from "../source/json-text.js";
import type { Description } from "./description-types.js";

/** The schema of a protocol version. */
export interface SchemaSource {
  readonly file: JsonFile;
  /** Additional files that belong to the same schema. */
  readonly others?: readonly JsonFile[];
  /** The messages listed in the schema, if its language supports that. */
  readonly messages?: Pick<ReadSchema, "requests" | "events">;
  readonly version: string;
  /** Facts that the schema cannot state. */
  readonly unstated: readonly Fact[];
}

/**
 * A schema and its description while they are being prepared for the model. Each pass transforms
 * one or both.
 */
export interface Draft {
  readonly description: Description;
  readonly source: SchemaSource;
  /** The schema after the passes that have run so far. */
  readonly root: Json;
  /**
   * Maps the JSON Pointers of parts of `root` to the overlays that added them. All other parts come
   * from the source.
   */
  readonly origins: ReadonlyMap<string, JsonFile>;
  /**
   * Maps renamed definitions to their names in the source. Both names are escaped as JSON Pointer
   * segments.
   */
  readonly renamed: ReadonlyMap<string, string>;
  /**
   * The locations of messages that the schema or the description lists, as JSON Pointers by kind
   * and name, such as `request initialize`.
   */
  readonly listed: ReadonlyMap<string, string>;
  /** Names of the definitions in overlays, which a later pass merges into `root`. */
  readonly overlaid: ReadonlySet<string>;
  /** Faults that the passes found. They are reported together with those of the schema. */
  readonly faults: Faults;
}

/** A protocol's messages and all of its definitions, including the messages' own definitions. */
export type FoundMessages = Pick<Protocol, "messages" | "definitions" | "bases">;

/**
 * Creates the draft for the first pass.
 *
 * @param overlaid See `Draft.overlaid`.
 */
export function startDraft(
  description: Description,
  source: SchemaSource,
  overlaid: ReadonlySet<string>,
): Draft {
  return {
    description,
    source,
    root: source.file.value,
    origins: new Map(),
    renamed: new Map(),
    listed: placesInTable(description),
    overlaid,
    faults: new Faults(),
  };
}

/**
 * Locates the messages in a description's table. Returns their JSON Pointers, keyed by kind and
 * name, such as `request next`.
 */
function placesInTable({ messages }: Description): Map<string, string> {
  const places = new Map<string, string>();
  if (messages.by !== "table") return places;
  for (const kind of ["request", "event"] as const)
    for (const name of Object.keys(messages[`${kind}s`]))
      places.set(`${kind} ${name}`, joinPointer("", describedPart, "messages", `${kind}s`, name));
  return places;
}

/** Finds the definitions in a schema. Returns undefined if it has none. */
export function definitionsIn(root: Json):
  | {
      readonly root: JsonObject;
      /** The keyword that contains the definitions. */
      readonly container: "definitions" | "$defs";
      readonly definitions: JsonObject;
    }
  | undefined {
  if (!isJsonObject(root)) return undefined;
  const container = Object.hasOwn(root, "$defs") ? "$defs" : "definitions";
  const definitions = root[container];
  return isJsonObject(definitions) ? { root, container, definitions } : undefined;
}

/**
 * Returns the schema file of a draft, which locates each part in the file that it comes from: the
 * schema or an overlay.
 */
export function schemaFileOf({ source, root, origins, renamed }: Draft): JsonFile {
  return {
    name: source.file.name,
    value: root,
    locate(pointer) {
      const overlay = originOf(pointer, origins);
      const [, container = "", name = "", rest = ""] =
        /^\/([^/]*)\/([^/]*)(.*)$/s.exec(pointer) ?? [];
      if (overlay !== undefined)
        return {
          ...overlay.locate(name === "" ? "" : `/${sectionOf(overlay)}/${name}${rest}`),
          pointer,
        };
      const sourceName = renamed.get(`/${name}`);
      return sourceName === undefined
        ? source.file.locate(pointer)
        : { ...source.file.locate(`/${container}${sourceName}${rest}`), pointer };
    },
  };
}

/** Returns the section of an overlay that contains its definitions. */
function sectionOf({ value }: JsonFile): "definitions" | "$defs" {
  return isJsonObject(value) && Object.hasOwn(value, "$defs") ? "$defs" : "definitions";
}

function originOf(pointer: string, origins: Draft["origins"]): JsonFile | undefined {
  for (let prefix = pointer; prefix !== ""; prefix = prefix.slice(0, prefix.lastIndexOf("/"))) {
    const origin = origins.get(prefix);
    if (origin !== undefined) return origin;
  }
  return undefined;
}

/**
 * Combines a schema file with its description file, so that parts of either file can be located.
 */
export function withDescription(schema: JsonFile, description: JsonFile): JsonFile {
  return {
    name: schema.name,
    get value() {
      const { value } = schema;
      return isJsonObject(value) ? { ...value, [describedPart]: description.value } : value;
    },
    locate(pointer) {
      const start = `/${describedPart}/`;
      return pointer.startsWith(start)
        ? description.locate(pointer.slice(start.length - 1))
        : schema.locate(pointer);
    },
  };
}
