import { namePackage } from "../../../generator/emit/modules/package-names.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { flattenProperties } from "../../../generator/model/properties.js";
import { definitionsByName } from "../../../generator/model/queries.js";
import { isNever } from "../../../generator/model/type-checks.js";
import type { Definition, Property, Type } from "../../../generator/model/types.js";
import type { Random } from "../random.js";
import { sampleValues } from "../schema-pairs/sample-payloads.js";
import { shapesOf } from "./model-shapes.js";
import { fullValues, maxDepth } from "./full-values.js";

/**
 * Types, keyed by the names that programs use for them: the payload, and other types that exist in
 * both versions.
 */
export type Named = ReadonlyMap<string, Type>;

/**
 * Writes a program that reads every part of known types and distinguishes between their
 * alternatives.
 */
export function readingProgram(protocol: Protocol, named: Named): string {
  const reading = new Reading(protocol);
  return [...named]
    .map(([name, type]) => {
      const statements = reading.readAll(type);
      return `export function read${name}(value: ${name}): void {\n${statements.join("\n")}\n}\n`;
    })
    .join("");
}

/**
 * Writes a program that builds values of the given types: values with all parts, and a few random
 * ones.
 */
export function writingProgram(random: Random, protocol: Protocol, named: Named): string {
  const lines = [...named].flatMap(([name, type]) => {
    const version = shapesOf(protocol, type);
    const sampled = sampleValues(random, version, version.get("Payload")!)
      .map((value) => JSON.stringify(value))
      .filter((text) => !text.includes('"other":true'))
      .slice(0, maxSamples);
    const full = fullValues(version, version.get("Payload")!, 0).map((value) =>
      JSON.stringify(value),
    );
    return [...new Set([...full, ...sampled])].map(
      (text, index) => `export const of${name}${index}: ${name} = ${text};`,
    );
  });
  return `${lines.join("\n")}\nexport {};\n`;
}

/** Writes a program in which one role sends a protocol's only message, receives it, or both. */
export function messagingProgram(protocol: Protocol, role: string): string {
  const { sentBy } = namePackage(protocol);
  const { definition, name, sender } = protocol.messages[0]!;
  const field = protocol.envelope.event.name;
  const other = protocol.roles.find((each) => each !== role)!;
  const ways = [
    { by: role, code: (all: string) => `export const send = (message: Only): ${all} => message;` },
    {
      by: other,
      code: (all: string) =>
        `export const receive = (message: ${all}): message is Only => message.${field} === ${JSON.stringify(name)};`,
    },
  ].filter(({ by }) => [by, "both"].includes(sender));
  const unions = ways.map(({ by }) => sentBy(by)).join(", ");
  return [
    `import type { ${definition} as Only } from "./of/types.js";`,
    `import type { ${unions} } from "./of/messages.js";`,
    ...ways.map(({ by, code }) => code(sentBy(by))),
    "",
  ].join("\n");
}

/** The maximum number of random sample values per type. */
const maxSamples = 16;

/** The maximum number of constants in one program. */
const maxConstants = 400;

class Reading {
  readonly #definitions: ReadonlyMap<string, Definition>;
  #names = 0;
  /** Names of the definitions currently being read. */
  readonly #open = new Set<string>();

  constructor(protocol: Protocol) {
    this.#definitions = definitionsByName(protocol);
  }

  /** Returns the statements of a function that reads a value of the type. */
  readAll(type: Type): readonly string[] {
    this.#names = 0;
    return this.read(type, "value", 0);
  }

  read(type: Type, place: string, depth: number): readonly string[] {
    if (type.kind !== "reference") return this.#read(type, place, depth);
    // A definition nested in itself has the same parts again, so only its first level is read.
    if (this.#open.has(type.name)) return this.#read(type, place, Math.max(depth, maxDepth));
    this.#open.add(type.name);
    const statements = this.#read(type, place, depth);
    this.#open.delete(type.name);
    return statements;
  }

  #read(type: Type, place: string, depth: number): readonly string[] {
    const alternatives = this.#alternativesOf(type);
    // In much longer functions, the compiler gives up on control flow analysis.
    if (this.#names > maxConstants) return [];
    if (depth > maxDepth || alternatives.some(({ kind }) => kind === "any")) return [];
    const [only] = alternatives;
    if (only === undefined) return [];
    return alternatives.length === 1
      ? this.#readPlain(only, place, depth)
      : this.#inConstant(place, (name) => this.#readAlternatives(alternatives, name, depth));
  }

  #alternativesOf(type: Type, seen: readonly Type[] = []): readonly Type[] {
    if (seen.includes(type)) return [];
    const passed = [...seen, type];
    if (type.kind === "reference")
      return this.#alternativesOf(this.#definitions.get(type.name)!.type, passed);
    return type.kind === "union"
      ? type.members.flatMap((member) => this.#alternativesOf(member, passed))
      : [type];
  }

  #propertiesOf(type: Type): readonly Property[] {
    return type.kind === "object" ? flattenProperties(this.#definitions, type) : [];
  }

  #readPlain(type: Type, place: string, depth: number): readonly string[] {
    const whole = (text: string): readonly string[] => [
      `{ const known: ${text} = ${place}; void known; }`,
    ];
    switch (type.kind) {
      case "array": {
        const { first = [], items } = type;
        // A program may read any item of an array.
        const indexes = isNever(items) ? [] : first.length === 0 ? [0, 1] : [first.length];
        const rest = indexes.flatMap((index) => this.read(items, `${place}[${index}]`, depth + 1));
        // A program may destructure a tuple, or pass it to other code.
        const tuple = isNever(items) && type.minItems === first.length;
        return [
          ...whole(
            tuple ? `readonly [${first.map(() => "unknown").join(", ")}]` : "readonly unknown[]",
          ),
          ...first.flatMap((item, index) => this.read(item, `${place}[${index}]`, depth + 1)),
          ...rest,
        ];
      }
      case "map":
        return [
          ...whole("{ readonly [name: string]: unknown }"),
          ...this.read(type.values, `${place}["key"]`, depth + 1),
        ];
      case "object":
        return [
          ...whole("object"),
          ...this.#propertiesOf(type).flatMap((property) =>
            this.#readProperty(property, place, depth),
          ),
        ];
      default:
        return whole(primitiveText(type));
    }
  }

  #readProperty(
    { name, type, required }: Property,
    place: string,
    depth: number,
  ): readonly string[] {
    const access = `${place}[${JSON.stringify(name)}]`;
    if (required) return [`void ${access};`, ...this.read(type, access, depth + 1)];
    return this.#inConstant(access, (value) => {
      const inner = this.read(type, value, depth + 1);
      return [`if (${value} !== undefined) {`, ...inner, "}"];
    });
  }

  #inConstant(place: string, inner: (name: string) => readonly string[]): readonly string[] {
    const name = `v${this.#names++}`;
    return [`{ const ${name} = ${place};`, ...inner(name), "}"];
  }

  /** Tests for each kind of value and reads it. The last kind needs no test. */
  #readAlternatives(alternatives: readonly Type[], name: string, depth: number): readonly string[] {
    const kinds = new Map<string, Type[]>();
    for (const each of alternatives)
      kinds.set(testOf(each), [...(kinds.get(testOf(each)) ?? []), each]);
    const objects = kinds.get("object") ?? [];
    kinds.delete("object");
    const branches = [...kinds].map(([test, members]) => ({
      test: test.replaceAll("$", name),
      body: members.every(({ kind }) => kind === "array")
        ? members.length === 1
          ? this.#readPlain(members[0]!, name, depth)
          : [
              `{ const known: ${members.map((each) => this.#textOf(each, 0)).join(" | ")} = ${name}; void known; }`,
            ]
        : [`{ const known: ${members.map(primitiveText).join(" | ")} = ${name}; void known; }`],
    }));
    const rest = objects.length === 0 ? undefined : this.#readObjects(objects, name, depth);
    const lines = branches.map(({ test, body }, index) => {
      const isLast = rest === undefined && index === branches.length - 1;
      return `${index === 0 ? "" : "else "}${isLast ? "" : `if (${test}) `}{ ${body.join("\n")} }`;
    });
    if (rest === undefined) return lines;
    return [...lines, `${lines.length === 0 ? "" : "else "}{ ${rest.join("\n")} }`];
  }

  #readObjects(objects: readonly Type[], name: string, depth: number): readonly string[] {
    if (objects.length === 1) return this.#readPlain(objects[0]!, name, depth);
    const tag = this.#propertiesOf(objects[0]!).find((property) => {
      const values = objects.map((each) => this.#tagOf(each, property.name));
      return !values.includes(undefined) && new Set(values).size === values.length;
    });
    if (tag === undefined) {
      const text = objects.map((each) => this.#textOf(each, 0)).join(" | ");
      return [
        `{ const known: ${text} = ${name}; void known; }`,
        ...this.#comparisons(objects, name),
      ];
    }
    const values = objects.map((each) => JSON.stringify(this.#tagOf(each, tag.name))).join(" | ");
    return [
      `{ const tag: ${values} = ${name}[${JSON.stringify(tag.name)}]; void tag; }`,
      ...objects.flatMap((each) => [
        `if (${name}[${JSON.stringify(tag.name)}] === ${JSON.stringify(this.#tagOf(each, tag.name))}) {`,
        ...this.#readPlain(each, name, depth),
        "}",
      ]),
    ];
  }

  /**
   * Returns statements that compare a value with constant properties, which some of the objects may
   * lack.
   */
  #comparisons(objects: readonly Type[], name: string): readonly string[] {
    const properties = objects.map((each) => this.#propertiesOf(each));
    const names = new Set(properties.flat().map((property) => property.name));
    return [...names].flatMap((own) => {
      const owned = properties.flatMap(
        (each) => each.find((property) => property.name === own) ?? [],
      );
      const key = JSON.stringify(own);
      const compared = owned
        .flatMap((property) => this.#alternativesOf(property.type))
        .flatMap((type) =>
          type.kind === "literal"
            ? [type.value]
            : type.kind === "enum" && !type.open
              ? type.values.map(({ value }) => value)
              : [],
        )
        .map((value) => `void (${name}[${key}] === ${JSON.stringify(value)});`);
      if (compared.length === 0 || owned.length === objects.length) return compared;
      return [`if (${key} in ${name}) {`, ...compared, "}"];
    });
  }

  /** Prints a type as TypeScript, down to a limited depth. */
  #textOf(type: Type, depth: number): string {
    if (depth > 2) return "unknown";
    const alternatives = this.#alternativesOf(type);
    if (alternatives.some(({ kind }) => kind === "any")) return "unknown";
    return alternatives
      .map((each) => {
        switch (each.kind) {
          case "array": {
            const { first, items } = each;
            const text = (item: Type): string => this.#textOf(item, depth + 1);
            return first === undefined
              ? `readonly (${text(items)})[]`
              : `readonly [${first.map(text).join(", ")}]`;
          }
          case "map":
            return `{ readonly [name: string]: ${this.#textOf(each.values, depth + 1)} }`;
          case "object":
            return `{ ${this.#propertiesOf(each)
              .map(
                (property) =>
                  `readonly ${JSON.stringify(property.name)}${property.required ? "" : "?"}: ${this.#textOf(property.type, depth + 1)}`,
              )
              .join("; ")} }`;
          default:
            return primitiveText(each);
        }
      })
      .join(" | ");
  }

  #tagOf(type: Type, name: string): string | number | boolean | undefined {
    const property = this.#propertiesOf(type).find((each) => each.name === name);
    if (property?.required !== true) return undefined;
    const [only, ...others] = this.#alternativesOf(property.type);
    return only?.kind === "literal" && others.length === 0 ? only.value : undefined;
  }
}

/** Returns an expression that tests for one kind of value. `$` stands for the value. */
function testOf(type: Type): string {
  switch (type.kind) {
    case "null":
      return "$ === null";
    case "array":
      return "Array.isArray($)";
    case "object":
    case "map":
      return "object";
    case "literal":
      return `typeof $ === "${typeof type.value}"`;
    case "enum":
      return `typeof $ === "${typeof type.values[0]?.value}"`;
    case "string":
    case "boolean":
      return `typeof $ === "${type.kind}"`;
    default:
      return 'typeof $ === "number"';
  }
}

function primitiveText(type: Type): string {
  switch (type.kind) {
    case "literal":
      return JSON.stringify(type.value);
    case "enum":
      return type.open
        ? typeof type.values[0]?.value
        : type.values.map(({ value }) => JSON.stringify(value)).join(" | ");
    case "null":
    case "string":
    case "boolean":
      return type.kind;
    default:
      return "number";
  }
}
