import {
  platforms,
  type AttributeRules,
} from "../../../runtime/configuration/configuration-rules.js";
import {
  attributeRules,
  commonRules,
  type ConfigurationAttributes,
  type Configurations,
} from "../../model/configurations.js";
import { findUnmetChecks } from "../../../runtime/validation/unmet-checks.js";
import { pascalCase } from "../../model/names.js";
import type { Protocol } from "../../model/protocol.js";
import { printRule } from "./rules.js";
import type { Property } from "../../model/types.js";
import { printConstant, toLiteral } from "../printer/literal.js";
import { lineWidth, propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";
import type { JSONSchema } from "json-schema-to-typescript";
import { escapeText } from "../../base/visible-text.js";
import {
  defaultText,
  mapSchema,
  type AnnotatedRules,
  type AnnotatedSchema,
} from "../../model/annotated-schema.js";
import { docLines, docTag } from "../printer/doc-comment.js";

/** Returns whether a package contains an adapter's launch configurations. */
export function hasConfigurations({ configurations }: Protocol): boolean {
  return configurations !== undefined;
}

/**
 * Returns the requests that take a configuration as their arguments, provided that it has
 * attributes.
 */
export function requestsConfigured({
  configured = [],
  configurations,
}: Protocol): readonly RequestOfConfigurations[] {
  return configured.flatMap((request) => {
    const sets = (configurations?.sets ?? []).filter((set) => set.request === request);
    return sets.length === 0 ? [] : [{ request, Request: pascalCase(request), sets }];
  });
}

interface RequestOfConfigurations {
  readonly request: string;
  readonly Request: string;
  readonly sets: readonly ConfigurationAttributes[];
}

/** Returns the names that `configuration.ts` exports. */
export function configurationNames(protocol: Protocol): readonly string[] {
  return [
    "CommonConfiguration",
    "PlatformParts",
    ...requestsConfigured(protocol).flatMap(({ Request, sets }) => [
      ...sets.flatMap(({ name, schema }) => [
        ...freeFormNames(schema, `${name}Attributes`, name),
        `${name}Configuration`,
        `${name}Arguments`,
      ]),
      ...["Configurations", "Configuration", "Arguments", "Defaults"].map((end) => Request + end),
      `validate${Request}Configuration`,
      `validate${Request}Arguments`,
      `with${Request}Defaults`,
      `With${Request}Defaults`,
    ]),
  ];
}

/** Returns the description of `configuration.ts` for a package's README. */
export function configurationReadme(protocol: Protocol): string {
  const names = requestsConfigured(protocol).flatMap(({ Request }) =>
    [`${Request}Configuration`, `validate${Request}Configuration`, `with${Request}Defaults`].map(
      (name) => `\`${name}\``,
    ),
  );
  return `${names.join(", ")}: the configurations that users write`;
}

/** Emits `configuration.ts`: types, validators and defaults for configurations. */
export async function emitConfiguration(protocol: Protocol, file: SourceFile): Promise<void> {
  const { common } = protocol.configurations as Configurations;
  const requests = requestsConfigured(protocol);
  file.doc("Attributes that the editor adds to every debugger's configurations.");
  file.line(`${await printFreeFormTypes(common.schema, "CommonConfiguration")}\n`);
  file.doc("Attributes for a single platform, which override the general attributes.");
  file.block("export interface PlatformParts<Attributes> {", "}", () => {
    for (const platform of platforms)
      file.line(`${platform}?: Partial<Attributes & Omit<CommonConfiguration, "name">>;`);
  });
  for (const request of requests) for (const set of request.sets) await emitSet(set, file);
  for (const request of requests) emitRequest(request, file);
}

async function emitSet(set: ConfigurationAttributes, file: SourceFile): Promise<void> {
  const { name, type, request, schema } = set;
  const debuggerName = set.label ?? type;
  file.line();
  file.doc(`${debuggerName} attributes for ${quote(request)}.`);
  file.line(`${await printFreeFormTypes(schema, `${name}Attributes`, name)}\n`);
  file.doc(`${debuggerName} configuration for ${quote(request)}, as users write it.`);
  const bases = [`${name}Attributes`, "CommonConfiguration", `PlatformParts<${name}Attributes>`];
  const fields = [`type: ${quote(type)};`, `request: ${quote(request)};`];
  emitShape(`${name}Configuration`, bases, isInterface(schema), fields, file);
  file.line();
  file.doc(
    `The arguments that the ${debuggerName} adapter receives with ${quote(request)}. The editor has already merged the attributes for its platform. Editors other than VS Code may send nothing but the attributes.`,
  );
  const received = [`${name}Attributes`, "Partial<CommonConfiguration>"];
  const optional = [`type?: ${quote(type)};`, `request?: ${quote(request)};`];
  emitShape(`${name}Arguments`, received, isInterface(schema), optional, file);
}

function emitShape(
  name: string,
  bases: readonly string[],
  isExtended: boolean,
  fields: readonly string[],
  file: SourceFile,
): void {
  if (!isExtended) {
    const intersection = bases
      .map((base, index) => (index === 0 ? base : `  ${base}`))
      .join(" &\n");
    file.line(`export type ${name} = ${intersection} & {`);
    for (const field of fields) file.line(`    ${field}`);
    file.line("  };");
  } else {
    const head = `export interface ${name}`;
    const list = bases.join(", ");
    const forms = [`${head} extends ${list} {`, `${head}\n  extends ${list} {`];
    const broken = `${head}\n  extends\n    ${bases.join(",\n    ")} {`;
    const isNarrow = (form: string): boolean =>
      form.split("\n").every((line) => line.length <= lineWidth);
    file.block(forms.find(isNarrow) ?? broken, "}", () => {
      for (const field of fields) file.line(field);
    });
  }
}

function emitRequest({ request, Request, sets }: RequestOfConfigurations, file: SourceFile): void {
  const table = file.importValue(`${request}Table`, "./configuration-tables.js");
  const all = `${Request}Configurations`;
  file.line();
  file.doc(`Configurations for ${quote(request)}, by debugger type.`);
  file.block(`export interface ${all} {`, "}", () => {
    for (const { type, name } of sets) file.line(`${propertyKey(type)}: ${name}Configuration;`);
  });
  file.line();
  file.doc(
    `A configuration for ${quote(request)}, either for any debugger type or for a given one.`,
  );
  file.line(`export type ${Request}Configuration<`);
  file.line(`  Type extends keyof ${all} = keyof ${all},`);
  file.line(`> = ${all}[Type];\n`);
  file.doc(`The arguments that an adapter receives with ${quote(request)}.`);
  file.union(
    `${Request}Arguments`,
    sets.map(({ name }) => `${name}Arguments`),
  );
  file.line();
  const validator = file.importType("Validator", runtime);
  for (const [noun, what] of [
    ["Configuration", `a configuration for ${quote(request)}, as users write it`],
    [
      "Arguments",
      `the arguments that an adapter receives with ${quote(request)}: \`type\`, \`request\` and \`name\` may be absent`,
    ],
  ] as const) {
    const create = file.importValue(`create${noun}Validator`, runtime);
    file.doc(`Validates ${what}.`);
    const head = `export const validate${Request}${noun}: ${validator}<${Request}${noun}> =`;
    file.under(head, `/* @__PURE__ */ ${create}(${table});`);
    file.line();
  }
  emitDefaults(request, Request, sets, table, file);
}

function emitDefaults(
  request: string,
  Request: string,
  sets: readonly ConfigurationAttributes[],
  table: string,
  file: SourceFile,
): void {
  file.doc(`Attributes for ${quote(request)} that have a default, by debugger type.`);
  file.block(`export interface ${Request}Defaults {`, "}", () => {
    for (const { type, name, schema, attributes } of sets) {
      const keys = isInterface(schema)
        ? attributes.properties.filter(isFilled).map((each) => quote(each.name))
        : [];
      if (keys.length === 0) file.line(`${propertyKey(type)}: unknown;`);
      else {
        const flat = `${propertyKey(type)}: Required<Pick<${name}Attributes, ${keys.join(" | ")}>>;`;
        if (flat.length <= 98) file.line(flat);
        else
          file.block(`${propertyKey(type)}: Required<`, ">;", () => {
            file.block("Pick<", ">", () => {
              file.line(`${name}Attributes,`);
              if (keys.join(" | ").length <= 94) file.line(keys.join(" | "));
              else for (const key of keys) file.line(`| ${key}`);
            });
          });
      }
    }
  });
  file.line();
  const given = `${Request}Configuration | ${Request}Arguments`;
  file.doc(`A configuration with the defaults for ${quote(request)} filled in.`);
  file.line(`export type With${Request}Defaults<Given extends ${given}> =`);
  file.line("  Given extends {");
  file.line("    type?: infer Type;");
  file.line("  }");
  file.line(`    ? Given & ${Request}Defaults[keyof ${Request}Defaults & Type]`);
  file.line("    : Given;\n");
  const options = file.importType("DefaultOptions", runtime);
  const create = file.importValue("createDefaults", runtime);
  file.doc(
    `Copies a configuration, filling in defaults for absent properties. VS Code only proposes defaults; it does not apply them. Defaults that contain variables without a value, such as \`\${workspaceFolder}\`, are left out.`,
  );
  file.line(`export const with${Request}Defaults = /* @__PURE__ */ ${create}(${table}) as <`);
  file.line(`  Given extends ${given},`);
  file.line(">(");
  file.line("  configuration: Given,");
  file.line(`  options?: ${options},`);
  file.line(`) => With${Request}Defaults<Given>;`);
}

/** Returns whether an attribute has a default that contains no variables. */
function isFilled({ default: given }: Property): boolean {
  return given !== undefined && !JSON.stringify(given).includes("${");
}

/** Emits `configuration-tables.ts`: tables with the rules for attribute values. */
export function emitConfigurationTables(protocol: Protocol, file: SourceFile): void {
  const { common } = protocol.configurations as Configurations;
  const table = file.importType("ConfigurationTable", runtime);
  const names = new Map<unknown, string>();
  const replace = (value: unknown): string | undefined =>
    value === findUnmetChecks ? file.importValue("findUnmetChecks", runtime) : names.get(value);
  const shared = commonRules(common);
  printConstant("const common", `${table}["common"]`, toLiteral(shared, replace), file);
  names.set(shared, "common");
  for (const { request, sets } of requestsConfigured(protocol)) {
    const types: Record<string, AttributeRules> = {};
    for (const set of sets) {
      const { rules, definitions } = attributeRules(set);
      for (const [name, rule] of definitions) names.set(rule, `ruleOf${set.name}${name}`);
      for (const rule of definitions.values())
        printRule(
          `const ${names.get(rule)} = (): ${file.importType("Rule", runtime)} => `,
          toLiteral(rule(), replace),
          file,
        );
      types[set.type] = rules;
    }
    const value = { request, common: shared, types };
    printConstant(`export const ${request}Table`, table, toLiteral(value, replace), file);
  }
}

type Printable = Record<string, unknown>;

/**
 * Returns the names of the types that are emitted for a schema: its own type, and the types that it
 * refers to.
 */
function freeFormNames(schema: AnnotatedRules, name: string, prefix = name): readonly string[] {
  const references = new Set<string>();
  const visit = (part: AnnotatedSchema | undefined): void => {
    if (typeof part !== "object") return;
    const { $ref, properties = {}, patternProperties = {} } = part;
    if ($ref !== undefined && !references.has($ref)) {
      references.add($ref);
      visit(schema.definitions![$ref]);
    }
    const lists = [part.prefixItems, part.allOf, part.anyOf, part.oneOf];
    for (const each of [
      part.items,
      part.additionalProperties,
      ...[...lists, Object.values(properties), Object.values(patternProperties)].flatMap(
        (list) => list ?? [],
      ),
    ])
      visit(each);
  };
  visit(schema);
  return [name, ...[...references].map((each) => definitionName(prefix, each))];
}

/** Returns whether the type emitted for a schema is an interface. */
function isInterface({ allOf, anyOf, oneOf, $ref }: AnnotatedRules): boolean {
  return [allOf, anyOf, oneOf, $ref].every((each) => each === undefined);
}

/**
 * Returns TypeScript for a free-form schema: first the type with the given name, then the types
 * that it refers to. Types cannot express everything in a schema, so validators check the remaining
 * constraints.
 *
 * @param prefix Prefix for the names of the schema's definitions.
 */
async function printFreeFormTypes(
  schema: AnnotatedRules,
  name: string,
  prefix = name,
): Promise<string> {
  const { compile } = await import("json-schema-to-typescript");
  const text = await compile(
    mapSchema(schema, (rules) => printable(rules, prefix)) as JSONSchema,
    name,
    {
      bannerComment: "",
      unknownAny: true,
      style: { printWidth: lineWidth, bracketSpacing: true, trailingComma: "all" },
      // A schema must never be able to make us read files.
      $refOptions: { resolve: { external: false } },
    },
  );
  return escapeText(text.trim());
}

/** Capitalizes letters that follow digits, as json-schema-to-typescript does. */
function definitionName(prefix: string, definition: string): string {
  const name = pascalCase(definition)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .replaceAll(/\d+[a-z]/g, (part) => part.toUpperCase());
  return prefix + (name || "Part");
}

/**
 * Prepares a schema for json-schema-to-typescript. Descriptions are altered so that they cannot end
 * a comment.
 */
function printable(rules: AnnotatedRules, prefix: string): Printable {
  const { $ref, type, allOf, anyOf, oneOf, definitions } = rules;
  const docs = docsText(rules);
  const listed = rules.const === undefined ? rules.enum : [rules.const];
  return {
    ...(docs === "" ? {} : { description: docs }),
    ...($ref !== undefined
      ? { $ref: `#/definitions/${definitionName(prefix, $ref)}` }
      : listed !== undefined
        ? { enum: listed }
        : {
            ...(type === undefined ? {} : { type: type.length === 1 ? type[0] : type }),
            ...listOf(rules),
            ...objectOf(rules),
            ...(allOf === undefined ? {} : { allOf }),
            ...(anyOf === undefined && oneOf === undefined ? {} : { anyOf: anyOf ?? oneOf }),
          }),
    ...(definitions === undefined
      ? {}
      : {
          definitions: Object.fromEntries(
            Object.entries(definitions).map(([name, each]) => [definitionName(prefix, name), each]),
          ),
        }),
  };
}

/**
 * Removes array sizes, because json-schema-to-typescript would turn arrays with sizes into long
 * tuples.
 */
function listOf({ minItems = 0, maxItems, prefixItems, items }: AnnotatedRules): Printable {
  if (prefixItems === undefined) return items === undefined ? {} : { items };
  return {
    items: prefixItems,
    additionalItems: items ?? maxItems === undefined,
    ...(minItems === 0 ? {} : { minItems: Math.min(minItems, prefixItems.length) }),
  };
}

/**
 * Removes schemas for unnamed properties from objects that also have named ones. TypeScript
 * requires all properties to conform to the index signature.
 */
function objectOf(rules: AnnotatedRules): Printable {
  const { properties, required = [], patternProperties = {}, additionalProperties } = rules;
  const patterns: readonly AnnotatedSchema[] = Object.values(patternProperties);
  const all = { ...Object.fromEntries(required.map((name) => [name, {}])), ...properties };
  if (Object.keys(all).length > 0)
    return {
      properties: all,
      required,
      additionalProperties: patterns.length > 0 || additionalProperties !== false,
    };
  if (patterns.length === 0)
    return additionalProperties === undefined ? {} : { additionalProperties };
  const others = additionalProperties ?? true;
  return { additionalProperties: { anyOf: [...patterns, ...(others === false ? [] : [others])] } };
}

/** Returns the text of a doc comment, without comment markers. */
function docsText(rules: AnnotatedRules): string {
  const { docs, enumDocs = [], deprecated, enum: listed = [] } = rules;
  const values = enumDocs.flatMap((text, index) =>
    index < listed.length && text !== "" ? [`- \`${JSON.stringify(listed[index])}\`: ${text}`] : [],
  );
  return docLines(
    [
      docs,
      values.join("\n"),
      ...(rules.default === undefined ? [] : [docTag("default", defaultText(rules.default))]),
      ...(deprecated === undefined ? [] : [docTag("deprecated", deprecated)]),
    ],
    docsWidth,
  ).join("\n");
}

/** Width of comments, which are indented by several levels. */
const docsWidth = 93;
