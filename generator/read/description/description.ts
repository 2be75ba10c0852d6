import type { Ajv, ErrorObject, ValidateFunction } from "ajv";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { InputError, nearest } from "../../base/input-error.js";
import type { AnswerPattern } from "../../model/lanes.js";
import type { ForgivingKeywords } from "../schema/schema-file.js";
import type {
  Conversation,
  DialectSwitch,
  Framing,
  ResponseArm,
  When,
} from "../../model/protocol.js";
import type { Json } from "../../model/types.js";
import { joinPointer, type JsonFile } from "../source/json-text.js";
import { bundledSchemaFolder } from "../../base/bundled.js";

/** A checked `protocol.json`. Its JSON Schema, `schema/protocol.schema.json`, documents each part. */
export interface Description {
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly packageVersion?: string;
  readonly roles: readonly [string, string];
  readonly schema: {
    readonly format: "json-schema";
    readonly current: string;
    readonly versions: Readonly<Record<string, string>>;
    readonly annotations?: readonly string[];
    readonly forgives?: ForgivingKeywords;
    /** `omit` leaves the texts of the schema out. */
    readonly texts?: "omit";
    /** Definitions that are of no use, such as the unions of all messages. */
    readonly omit?: readonly string[];
  };
  readonly messages: MessagesByInheritance | MessagesByTable | MessagesByMethod;
  readonly directions: {
    readonly requests: string;
    readonly events: string;
    readonly exceptions?: Readonly<Record<string, string>>;
  };
  readonly envelope: DescribedEnvelope;
  readonly framing: Readonly<Record<string, Framing>>;
  readonly notation?: Readonly<Record<string, DescribedNotation>>;
  readonly lanes?: DescribedLanes;
  readonly conversation?: Conversation;
  readonly references?: Readonly<Record<string, DescribedReference>>;
  /** TypeScript files that the package carries and exports, relative to this description. */
  readonly include?: readonly string[];
  readonly capabilities?: Readonly<
    Record<string, { readonly type: string; readonly update?: string }>
  >;
  readonly gates?: Gates;
  readonly defaults?: Readonly<Record<string, Json>>;
  readonly extensible?: readonly string[];
  readonly essential?: readonly string[];
  readonly compatibility?: { readonly namespace: string; readonly package: string };
  readonly dialects?: Readonly<Record<string, DescribedDialect>>;
}

export interface DescribedEnvelope {
  readonly constants?: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly idTypes?: readonly ("integer" | "string" | "null")[];
  readonly replyTo?: string;
  readonly request: DescribedArm;
  readonly event: DescribedArm;
  readonly response?: ResponseArm;
}

/** How a role spells its messages, where that is not JSON. */
export type DescribedNotation =
  | { readonly kind: "command-line"; readonly refuses?: readonly string[] }
  | {
      readonly kind: "xml-element";
      readonly text?: string;
      readonly elements: ElementTemplates;
    };

/** Templates by definition. */
export type ElementTemplates = Readonly<Record<string, string | readonly string[]>>;

export interface DescribedLanes {
  readonly lanes: Readonly<
    Record<string, { readonly docs: string; readonly waits: boolean; readonly separator?: string }>
  >;
  readonly stops?: readonly string[];
  readonly notes?: readonly AnswerPattern[];
  readonly breakdown?: AnswerPattern;
  readonly unknown?: AnswerPattern & { readonly lane?: string };
}

/** Where something is referred to. */
export interface DescribedReference {
  readonly docs: string;
  /** Properties of that name, wherever they stand. */
  readonly properties?: readonly string[];
  /** Single properties, written `Definition/property`. */
  readonly places?: readonly string[];
  /** Definitions whose objects stand for it. */
  readonly definitions?: readonly string[];
  readonly except?: string | number;
  readonly expires?: true;
}

/** How a command is spelled on its line. */
export interface DescribedLine {
  readonly words: readonly string[];
  readonly arguments?: string;
  readonly anyCase?: true;
  readonly refuses?: readonly string[];
}

/** How a command is answered, where messages have no ids. */
export interface DescribedAnswers {
  readonly lane: string;
  readonly by?: readonly string[];
  readonly failures?: readonly AnswerPattern[];
  readonly each?: string;
  readonly silentWith?: Readonly<Record<string, Json>>;
  readonly silentWithout?: string;
  readonly isText?: true;
  readonly resumes?: true;
}

export interface DescribedDialect {
  readonly docs: string;
  readonly reads?: readonly DialectSwitch[];
  readonly writes?: readonly DialectSwitch[];
  readonly envelope?: DescribedEnvelope;
  readonly unexplained?: Readonly<Record<string, Json>>;
  /** Names of messages, as this dialect has them. */
  readonly names?: Readonly<Record<string, string>>;
  /** Elements that it spells differently. */
  readonly elements?: ElementTemplates;
}

export interface DescribedArm {
  readonly noun?: string;
  readonly when: When;
  readonly name: string;
  readonly payload: string;
}

export interface MessagesByInheritance {
  readonly by: "inheritance";
  readonly root: string;
  readonly request: string;
  readonly event: string;
  readonly response: string;
  readonly error: string;
  readonly pair: { readonly request: string; readonly response: string };
}

export interface MessagesByTable {
  readonly by: "table";
  readonly error?: string;
  /** What each set of messages is, by its name. */
  readonly sets?: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, DescribedRequest>>;
  readonly events: Readonly<Record<string, DescribedEvent>>;
}

/** Messages are the definitions that name a method and the side that handles it. */
export interface MessagesByMethod {
  readonly by: "method";
  /** Keywords of the schema: the method, and the side. */
  readonly method: string;
  readonly side: string;
  /** Who sends what a side handles. */
  readonly senders: Readonly<Record<string, string>>;
  readonly error?: string;
  /** How definitions are called, and how their payloads are to be called. */
  readonly rename: Readonly<
    Record<"request" | "response" | "event", { readonly from: string; readonly to: string }>
  >;
  /** What each method is about, in words. */
  readonly docs: Readonly<Record<string, string>>;
}

/** A description that adds to another one. */
export interface Extension {
  readonly name: string;
  readonly title: string;
  readonly package: string;
  readonly packageVersion: string;
  /** Description to add to, relative to this one. */
  readonly extends: string;
  /** Overlays with what is added, relative to this description. */
  readonly overlays: readonly string[];
  /** TypeScript files that the package carries and exports, relative to this description. */
  readonly include?: readonly string[];
  readonly dialects?: Readonly<Record<string, DescribedDialect>>;
}

export interface DescribedRequest extends DescribedEvent {
  readonly result?: string;
  readonly line?: DescribedLine;
  readonly answered?: DescribedAnswers;
}

export interface DescribedEvent {
  readonly docs: string;
  /** Name of a definition; `?` at the end makes the payload optional. */
  readonly params?: string;
  readonly deprecated?: string;
  readonly set?: string;
}

/** Flags by message name and by property address, written `role.flag`. */
export interface Gates {
  readonly messages?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, string>>;
}

/** A checked overlay: definitions and the parts of a description that belong to them. */
export interface Overlay {
  readonly definitions?: Readonly<Record<string, Json>>;
  readonly directions?: { readonly exceptions?: Readonly<Record<string, string>> };
  readonly messages?: {
    readonly requests?: Readonly<Record<string, DescribedRequest>>;
    readonly events?: Readonly<Record<string, DescribedEvent>>;
  };
  readonly gates?: Gates;
  readonly defaults?: Readonly<Record<string, Json>>;
  readonly extensible?: readonly string[];
}

/**
 * Checks a protocol description against its JSON Schema and against itself.
 *
 * @param isBundled Whether it came with the tool, whose tests have checked it.
 * @throws InputError `ERR_DESCRIPTION` with the place of the first fault.
 */
export function readDescription(file: JsonFile, isBundled = false): Description {
  if (!isBundled) check(file, "protocol", "ERR_DESCRIPTION");
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
  refer("/schema/current", schema.current, Object.keys(schema.versions), "version");
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

/** Checks a description that adds to another one. @throws InputError `ERR_DESCRIPTION` with the place. */
export function readExtension(file: JsonFile): Extension {
  check(file, "extension", "ERR_DESCRIPTION");
  return file.value as unknown as Extension;
}

/** Checks an overlay. @throws InputError `ERR_DESCRIPTION` with the place of the first fault. */
export function readOverlay(file: JsonFile): Overlay {
  check(file, "overlay", "ERR_DESCRIPTION");
  return file.value as unknown as Overlay;
}

/** Checks a file against one of the JSON Schemas in `schema/`. */
export function check(
  file: JsonFile,
  schemaName: "protocol" | "extension" | "overlay" | "config" | "accept" | "host",
  code: "ERR_DESCRIPTION" | "ERR_CONFIG",
): void {
  const validate = validator(schemaName);
  if (validate(file.value)) return;
  // Faults of alternatives that were not meant are noise beside the deepest one.
  const errors = validate.errors ?? [];
  const worst = errors.reduce((a, b) => (depth(b) > depth(a) ? b : a), errors[0]!);
  const { message, pointer, mend } = explain(worst);
  throw new InputError(code, message, file.locate(pointer), mend);
}

const validators = new Map<string, ValidateFunction>();

function validator(name: string): ValidateFunction {
  let validate = validators.get(name);
  if (validate === undefined) {
    const load = (file: string): object =>
      JSON.parse(
        readFileSync(new URL(`${file}.schema.json`, bundledSchemaFolder), "utf8"),
      ) as object;
    // Loaded when it is needed: most commands work on files that came with the tool.
    const loaded = createRequire(import.meta.url)("ajv") as { readonly Ajv: typeof Ajv };
    const ajv = new loaded.Ajv({ strict: false, allErrors: true, verbose: true });
    ajv.addSchema(load("protocol"), "protocol.schema.json");
    validate = ajv.compile(name === "protocol" ? { $ref: "protocol.schema.json" } : load(name));
    validators.set(name, validate);
  }
  return validate;
}

function depth(error: ErrorObject): number {
  const additional = error.keyword === "additionalProperties" ? 1 : 0;
  return error.instancePath.split("/").length + additional - (error.keyword === "oneOf" ? 1 : 0);
}

function explain(error: ErrorObject): { message: string; pointer: string; mend?: string } {
  const { instancePath: pointer, keyword } = error;
  const params = error.params as Record<string, unknown>;
  const value = JSON.stringify(error.data) ?? "nothing";
  const shown = value.length > 60 ? `${value.slice(0, 57)}...` : value;
  switch (keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const known = Object.keys(
        (error.parentSchema as { properties?: object } | undefined)?.properties ?? {},
      );
      const guess = nearest(key, known);
      const mend =
        guess === undefined ? `Known keys: ${known.join(", ")}` : `Did you mean "${guess}"?`;
      return {
        message: `Cannot use the unknown key "${key}"`,
        pointer: joinPointer(pointer, key),
        ...(known.length > 0 ? { mend } : {}),
      };
    }
    case "required":
      return {
        message: `Cannot do without the key "${String(params["missingProperty"])}"`,
        pointer,
      };
    case "enum":
      return {
        message: `Cannot use ${shown}`,
        pointer,
        mend: `Allowed: ${(params["allowedValues"] as unknown[]).join(", ")}`,
      };
    default:
      return { message: `Cannot use ${shown}: it ${error.message ?? "is wrong"}`, pointer };
  }
}
