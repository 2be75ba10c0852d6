import { Faults } from "../../base/faults.js";
import type { Fact, Protocol } from "../../model/protocol.js";
import { describedPart } from "../../model/queries.js";
import type { Json } from "../../model/types.js";
import type { ReadSchema } from "../formats/schema-format.js";
import {
  isJsonObject,
  joinPointer,
  nearestPlace,
  type JsonFile,
  type JsonObject,
} from "../source/json-text.js";
import type { DescribedEvent, DescribedRequest, Description } from "./description-types.js";

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

/** The place of a part in the file that it comes from. */
export interface PartPlace {
  readonly file: JsonFile;
  readonly pointer: string;
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
   * Where parts of `root` come from, by JSON Pointer: parts that the passes have moved, and parts
   * from overlays. All other parts are where they are in the source.
   */
  readonly places: ReadonlyMap<string, PartPlace>;
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
    places: new Map(),
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

/** The messages that a schema lists, by name. */
interface ListedMessages {
  readonly requests: ReadonlyMap<string, DescribedRequest>;
  readonly events: ReadonlyMap<string, DescribedEvent>;
  /** The role that sends each message, or `both`, if the schema states it. */
  readonly senders: ReadonlyMap<string, string>;
  /** The definition of a failed request's error. */
  readonly error: string | undefined;
}

/** Lists the messages of a schema in its description's table. */
export function withTable(draft: Draft, listed: ListedMessages): Draft {
  const { description } = draft;
  const { directions } = description;
  return {
    ...draft,
    description: {
      ...description,
      messages: {
        by: "table",
        requests: Object.fromEntries(listed.requests),
        events: Object.fromEntries(listed.events),
        error: listed.error,
      },
      directions: {
        ...directions,
        exceptions: { ...Object.fromEntries(listed.senders), ...directions.exceptions },
      },
    },
  };
}

/** A schema and its definitions. */
export interface DefinitionsIn {
  readonly root: JsonObject;
  /** The keyword that contains the definitions. */
  readonly container: "definitions" | "$defs";
  readonly definitions: JsonObject;
}

/** Finds the definitions in a schema. Returns undefined if it has none. */
export function definitionsIn(root: Json): DefinitionsIn | undefined {
  if (!isJsonObject(root)) return undefined;
  const container = Object.hasOwn(root, "$defs") ? "$defs" : "definitions";
  const definitions = root[container];
  return isJsonObject(definitions) ? { root, container, definitions } : undefined;
}

/** Returns the schema file of a draft, which locates each part in the file that it comes from. */
export function schemaFileOf({ source, root, places }: Draft): JsonFile {
  return {
    name: source.file.name,
    value: root,
    locate(pointer) {
      const [start = "", place] = nearestPlace(places, pointer) ?? [];
      return place === undefined
        ? source.file.locate(pointer)
        : place.file.locate(place.pointer + pointer.slice(start.length));
    },
  };
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
