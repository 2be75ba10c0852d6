import { checkValue } from "../../runtime/configuration/check-value.js";
import { platforms } from "../../runtime/configuration/configuration-schema.js";
import type { ValueRules } from "../../runtime/configuration/value-schema.js";
import { escapeText } from "../base/visible-text.js";
import { InputError } from "../base/input-error.js";
import type { ConfigurationAttributes, Configurations } from "../model/configurations.js";
import { isIdentifier, pascalCase } from "../model/names.js";
import { mapSchema, rulesOf, type AnnotatedRules } from "./annotated-schema.js";
import { commonAttributes, commonRules } from "./common-attributes.js";
import type { ConfigurationSet, ConfigurationSource } from "./configuration-set.js";
import { lineWidth } from "../emit/printer/source-file.js";
import { printableSchema } from "./printable-schema.js";

/**
 * Prints the types of configurations, and has their rules at hand.
 *
 * @throws InputError `ERR_NAME` or `ERR_NAME_COLLISION` for types of debuggers that make no names.
 */
export async function printConfigurations(source: ConfigurationSource): Promise<Configurations> {
  const common: AnnotatedRules = {
    type: ["object"],
    properties: commonOfAll(),
    required: ["name"],
    additionalProperties: false,
  };
  const names = new Map<string, ConfigurationSet>();
  const sets: ConfigurationAttributes[] = [];
  for (const set of source.sets) {
    const name = nameOf(set, source);
    const other = names.get(name);
    if (other !== undefined)
      throw new InputError(
        "ERR_NAME_COLLISION",
        `Cannot name the types of "${set.type}" like those of "${other.type}": ${name}`,
        source.locate(set.at),
        "Rename one of the debuggers",
      );
    names.set(name, set);
    sets.push(await printSet(set, name));
  }
  return {
    common: {
      declaration: await printDeclarations(common, "CommonConfiguration"),
      schemas: commonRules(),
    },
    sets,
  };
}

/** What the types print once: `type` and `request` are those of the set. */
function commonOfAll(): AnnotatedRules["properties"] & object {
  const { type: _type, request: _request, ...rest } = commonAttributes();
  return rest;
}

async function printSet(set: ConfigurationSet, name: string): Promise<ConfigurationAttributes> {
  const { type, request, label } = set;
  const schema = withoutWrongDefaults(set.schema);
  const replaced = new Set<string>([...Object.keys(commonAttributes()), ...platforms]);
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([key]) => !replaced.has(key)),
  );
  const own: AnnotatedRules = {
    ...schema,
    type: ["object"],
    properties,
    required: (schema.required ?? []).filter((key) => !replaced.has(key)),
    additionalProperties: false,
  };
  const declaration = await printDeclarations(own, `${name}Attributes`);
  const exports = [...declaration.matchAll(/^export (?:interface|type) ([\w$]+)/gm)].map(
    ([, each]) => each!,
  );
  return {
    type,
    request,
    ...(label === undefined ? {} : { label }),
    name,
    declaration,
    exports,
    isInterface: declaration.includes(`export interface ${name}Attributes {`),
    rules: rulesOf(schema) as ValueRules,
    defaults: Object.entries(properties).flatMap(([key, each]) =>
      typeof each === "object" &&
      each.default !== undefined &&
      !JSON.stringify(each.default).includes("${")
        ? [key]
        : [],
    ),
  };
}

/** A schema without the defaults that it does not allow itself: nobody wants them applied. */
function withoutWrongDefaults(schema: AnnotatedRules): AnnotatedRules {
  const { definitions = {} } = schema;
  return mapSchema(schema, (rules) => {
    const { default: given, ...rest } = rules;
    if (given === undefined) return rules;
    const checked = { ...rest, definitions: { ...definitions, ...rest.definitions } };
    return checkValue(checked as never, given, [], 1).issues.length === 0 ? rules : rest;
  }) as AnnotatedRules;
}

/** The prefix of a set's names. Letters behind digits are capital ones, as the printer makes them. */
function nameOf({ type, request, at }: ConfigurationSet, source: ConfigurationSource): string {
  const name = pascalCase(`${type}-${request}`)
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .replaceAll(/\d+[a-z]/g, (part) => part.toUpperCase());
  if (isIdentifier(name) && name !== pascalCase(request)) return name;
  throw new InputError(
    "ERR_NAME",
    `Cannot name types after the debugger "${type}"`,
    source.locate(at),
    "Use Latin letters and digits, beginning with a letter",
  );
}

/** Prints a schema as TypeScript: first the type of that name, then those that it refers to. */
async function printDeclarations(schema: AnnotatedRules, name: string): Promise<string> {
  const { compile } = await import("json-schema-to-typescript");
  const inner = name.replace(/Attributes$/, "");
  const text = await compile(
    printableSchema(schema, (definition) => inner + innerName(definition)),
    name,
    {
      bannerComment: "",
      unknownAny: true,
      format: true,
      style: { printWidth: lineWidth, bracketSpacing: true, trailingComma: "all" },
      // A schema makes nothing be read.
      $refOptions: { resolve: { external: false } },
    },
  );
  return escapeText(text.trim())
    .replaceAll(oneLine, flatComment)
    .replaceAll(beforeDeclaration, "\n\n");
}

/** A comment of one line, which the printer writes on three. */
const oneLine = /^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm;

/** The line break in front of a declaration, or of the comment above it. */
const beforeDeclaration = /(?<!\*\/)\n(?=export |\/\*\*)/g;

function flatComment(comment: string, indent: string, words: string): string {
  const flat = `${indent}/** ${words} */`;
  return flat.length <= lineWidth ? flat : comment;
}

function innerName(definition: string): string {
  return (
    pascalCase(definition)
      .replaceAll(/[^A-Za-z0-9]/g, "")
      .replaceAll(/\d+[a-z]/g, (part) => part.toUpperCase()) || "Part"
  );
}
