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
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import { printConstant, toLiteral } from "../printer/literal.js";
import { lineWidth, propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";
import { definitionDocs } from "../printer/property-docs.js";
import { emitMember, type NameOf, printType, printTyped } from "../printer/type-expression.js";

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
      ...sets.flatMap(({ name, definitions }) => [
        `${name}Attributes`,
        ...definitions.map((definition) => definitionName(name, definition.name)),
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
export function emitConfiguration(protocol: Protocol, file: SourceFile): void {
  const { common } = protocol.configurations as Configurations;
  const requests = requestsConfigured(protocol);
  file.doc("Attributes that the editor adds to every debugger's configurations.");
  emitObject("export interface CommonConfiguration {", "}", common, [], (name) => name, file);
  file.line();
  const parts = platforms.map(
    (platform) => `${platform}?: Partial<Attributes & Omit<CommonConfiguration, "name">>;`,
  );
  file.code`
    /** Attributes for a single platform, which override the general attributes. */
    export interface PlatformParts<Attributes> {
      ${parts.join("\n")}
    }
  `;
  for (const request of requests) for (const set of request.sets) emitSet(set, file);
  for (const request of requests) emitRequest(request, file);
}

function emitSet(set: ConfigurationAttributes, file: SourceFile): void {
  const { name, type, request } = set;
  const condition = conditionOf(set);
  const nameOf: NameOf = (definition) => definitionName(name, definition);
  const debuggerName = set.label ?? type;
  file.line();
  file.doc(`${debuggerName} attributes for ${quote(request)}.`);
  const unnamed = set.patterns.length === 0 ? [] : ["[key: string]: unknown;"];
  if (condition === undefined)
    emitObject(`export interface ${name}Attributes {`, "}", set.attributes, unnamed, nameOf, file);
  else {
    const text = printType(condition, nameOf, 0, 0, 0);
    const end = text.startsWith("\n") ? `} & (${text}\n);` : `} & ${text};`;
    emitObject(`export type ${name}Attributes = {`, end, set.attributes, unnamed, nameOf, file);
  }
  for (const definition of set.definitions) emitDefinition(definition, nameOf, file);
  file.line();
  file.doc(`${debuggerName} configuration for ${quote(request)}, as users write it.`);
  const bases = [`${name}Attributes`, "CommonConfiguration", `PlatformParts<${name}Attributes>`];
  const fields = [`type: ${quote(type)};`, `request: ${quote(request)};`];
  emitShape(`${name}Configuration`, bases, condition === undefined, fields, file);
  file.line();
  file.doc(
    `The arguments that the ${debuggerName} adapter receives with ${quote(request)}. The editor has already merged the attributes for its platform. Editors other than VS Code may send nothing but the attributes.`,
  );
  const received = [`${name}Attributes`, "Partial<CommonConfiguration>"];
  const optional = [`type?: ${quote(type)};`, `request?: ${quote(request)};`];
  emitShape(`${name}Arguments`, received, condition === undefined, optional, file);
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
  const validator = file.importType("Validator", runtime);
  const all = `${Request}Configurations`;
  const given = `${Request}Configuration | ${Request}Arguments`;
  const byType = sets.map(({ type, name }) => `${propertyKey(type)}: ${name}Configuration;`);
  file.code`

    /** Configurations for ${quote(request)}, by debugger type. */
    export interface ${all} {
      ${byType.join("\n")}
    }

    /** A configuration for ${quote(request)}, either for any debugger type or for a given one. */
    export type ${Request}Configuration<
      Type extends keyof ${all} = keyof ${all},
    > = ${all}[Type];
  `;
  file.doc(`The arguments that an adapter receives with ${quote(request)}.`);
  file.union(
    `${Request}Arguments`,
    sets.map(({ name }) => `${name}Arguments`),
  );
  file.line();
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
  file.code`
    /** Attributes for ${quote(request)} that have a default, by debugger type. */
    export interface ${Request}Defaults {
      ${sets.map(defaultsOf).join("\n")}
    }

    /** A configuration with the defaults for ${quote(request)} filled in. */
    export type With${Request}Defaults<Given extends ${given}> =
      Given extends {
        type?: infer Type;
      }
        ? Given & ${Request}Defaults[keyof ${Request}Defaults & Type]
        : Given;

    /** Copies a configuration, filling in defaults for absent properties. VS Code only proposes defaults; it does not apply them. Defaults that contain variables without a value, such as \`\${workspaceFolder}\`, are left out. */
    export const with${Request}Defaults = /* @__PURE__ */ ${file.importValue("createDefaults", runtime)}(${table}) as <
      Given extends ${given},
    >(
      configuration: Given,
      options?: ${file.importType("DefaultOptions", runtime)},
    ) => With${Request}Defaults<Given>;
  `;
}

/** Returns the property for the attributes of a debugger type that have a default. */
function defaultsOf(set: ConfigurationAttributes): string {
  const { name, attributes } = set;
  const type = propertyKey(set.type);
  const keys =
    conditionOf(set) === undefined
      ? attributes.properties.filter(isFilled).map((each) => quote(each.name))
      : [];
  if (keys.length === 0) return `${type}: unknown;`;
  const union = keys.join(" | ");
  const flat = `${type}: Required<Pick<${name}Attributes, ${union}>>;`;
  if (flat.length <= 98) return flat;
  const lines = union.length <= 94 ? union : keys.map((key) => `| ${key}`).join("\n    ");
  return `${type}: Required<\n  Pick<\n    ${name}Attributes,\n    ${lines}\n  >\n>;`;
}

/** Returns whether an attribute has a default that contains no variables. */
function isFilled({ default: given }: Property): boolean {
  return given !== undefined && !JSON.stringify(given).includes("${");
}

/** Returns the name of a definition's type. */
function definitionName(set: string, definition: string): string {
  const isTaken = /^(Attributes|Configuration|Arguments)$/.test(definition);
  return `${set}${definition}${isTaken ? "Type" : ""}`;
}

/**
 * Returns the type that a configuration must have in addition to the types of its attributes, as far
 * as TypeScript can express it.
 */
function conditionOf({ rest }: ConfigurationAttributes): Type | undefined {
  const isNamed = (type: Type): boolean =>
    type.kind === "reference" || (type.kind === "object" && type.properties.length > 0);
  if (rest?.kind !== "union") return rest !== undefined && isNamed(rest) ? rest : undefined;
  // A configuration is an object, so the other alternatives say nothing about it.
  const members = rest.members.filter(({ kind }) => kind === "reference" || kind === "object");
  return members.length > 0 && members.every(isNamed) ? { kind: "union", members } : undefined;
}

/** @param unnamed Lines to emit after the properties. */
function emitObject(
  begin: string,
  end: string,
  { properties }: ObjectType,
  unnamed: readonly string[],
  nameOf: NameOf,
  file: SourceFile,
): void {
  if (properties.length + unnamed.length === 0) {
    file.line(begin + end);
    return;
  }
  file.block(begin, end, () => {
    for (const property of properties) emitMember(property, nameOf, file);
    for (const line of unnamed) file.line(line);
  });
}

function emitDefinition(definition: Definition, nameOf: NameOf, file: SourceFile): void {
  const { name, type } = definition;
  file.line();
  file.doc(...definitionDocs(definition));
  if (type.kind === "object" && type.others === undefined && type.properties.length > 0) {
    emitObject(`export interface ${nameOf(name)} {`, "}", type, [], nameOf, file);
    return;
  }
  file.line(printTyped(`export type ${nameOf(name)} =`, type, nameOf, 0));
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
