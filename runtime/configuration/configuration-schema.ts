import type { ValueRules, ValueSchema, ValueSchemas } from "./value-schema.js";

/** The attributes of the configurations for one request, by type of debugger. */
export interface ConfigurationTable {
  /** What the request is called in a configuration, such as `launch`. */
  readonly request: string;
  /** Attributes that the editor adds to those of every debugger. */
  readonly common: ValueSchemas;
  readonly types: { readonly [type: string]: ValueRules };
}

/** Parts of a configuration that hold on one platform, in place of what stands beside them. */
export const platforms = ["windows", "osx", "linux"] as const;

const heads = ["type", "request", "name"];

/** The schema of a whole configuration, as an editor puts it together. */
export function configurationSchema(table: ConfigurationTable, type: string): ValueRules {
  const { own, properties } = partsOf(table, type);
  const names = Object.keys(properties).filter((name) => !heads.includes(name));
  const platform = {
    type: ["object"],
    properties: pick(properties, names),
    additionalProperties: false,
  } as const;
  return {
    ...own,
    type: ["object"],
    properties: {
      ...properties,
      ...Object.fromEntries(platforms.map((each) => [each, platform])),
    },
    required: [...new Set(["name", "type", "request", ...(own.required ?? [])])],
    additionalProperties: false,
  };
}

/**
 * The schema of what an adapter receives. The editor has merged the part of its platform, and may
 * have added what it is for itself.
 */
export function argumentsSchema(table: ConfigurationTable, type: string): ValueRules {
  const { own, properties } = partsOf(table, type);
  return {
    ...own,
    type: ["object"],
    properties: { ...properties, noDebug: { type: ["boolean"] } },
    patternProperties: { ...own.patternProperties, "^__": true },
    additionalProperties: false,
  };
}

function partsOf(
  { request, common, types }: ConfigurationTable,
  type: string,
): { readonly own: ValueRules; readonly properties: ValueSchemas } {
  const own = types[type]!;
  const replaced: readonly string[] = platforms;
  const kept = Object.keys(own.properties ?? {}).filter((name) => !replaced.includes(name));
  return {
    own,
    properties: {
      ...pick(own.properties ?? {}, kept),
      ...common,
      type: { enum: [type] },
      request: { enum: [request] },
    },
  };
}

function pick(schemas: ValueSchemas, names: readonly string[]): ValueSchemas {
  return Object.fromEntries(names.map((name): [string, ValueSchema] => [name, schemas[name]!]));
}
