import { nearest } from "../../base/input-error.js";
import { statedFields } from "../../base/stated-fields.js";
import { freeName, isIdentifier, isReservedWord, pascalCase } from "../../model/names.js";
import { orderOf, referencesOf } from "../../model/reference-order.js";
import { partTypes, typesOfWhole } from "../../model/type-checks.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import { joinedFiles } from "../source/joined-files.js";
import { joinPointer } from "../source/json-text.js";
import { settleBases } from "./base-checks.js";
import { isUndeclared } from "./intersect-types.js";
import { References } from "./reference.js";
import type { Notes, SchemaFile } from "./schema-file.js";
import { TypeReader } from "./schema-types.js";

/**
 * Reads all definitions in schema order and checks their names and references. `schema.settle`
 * reports the faults in references.
 *
 * @param payloads Names of definitions that messages use, which may be in any of the files.
 */
export function readDefinitions(
  schema: SchemaFile,
  notes: Notes,
  payloads: readonly string[] = [],
): readonly Definition[] {
  for (const name of schema.definitions.keys())
    checkName(schema, name, joinPointer("", schema.container, name));
  const references = new References(schema);
  for (const name of payloads) {
    const pointers = [...schema.joined.values()].flatMap((file) => file.get(name) ?? []);
    if (schema.definitions.has(name) || pointers.length === 0) continue;
    if (pointers.length > 1)
      schema.fail(
        "ERR_NAME_COLLISION",
        `Cannot decide which "${name}" the messages use: several files define it`,
        pointers[1]!,
        "Reference one of them from a definition in the first file",
      );
    references.nameAt(pointers[0]!, name);
  }
  const definitions = readNamed(schema, notes, references);
  refuseUnused(schema, definitions);
  return definitions;
}

/** Rejects files that the user passed, but that no message and no other file uses. */
function refuseUnused(schema: SchemaFile, definitions: readonly Definition[]): void {
  for (const path of schema.joined.keys()) {
    const prefix = joinPointer("", joinedFiles, path);
    const isUsed = definitions.some(
      ({ pointer }) => pointer === prefix || pointer?.startsWith(`${prefix}/`) === true,
    );
    if (!isUsed)
      schema.fail(
        "ERR_SCHEMA",
        "Cannot use this file: no message and no definition refers to anything in it",
        prefix,
        "Remove it from the schema's files, or refer to its definitions",
      );
  }
}

/** Reads the root of a schema as a definition, followed by the definitions that it references. */
export function readRoot(schema: SchemaFile, notes: Notes, name: string): readonly Definition[] {
  const references = new References(schema);
  references.nameAt("", name);
  const definitions = readNamed(schema, notes, references);
  schema.settle();
  return definitions;
}

function readNamed(
  schema: SchemaFile,
  notes: Notes,
  references: References,
): readonly Definition[] {
  const reader = new TypeReader(schema, notes, references);
  const definitions: Definition[] = [];
  // Reading a definition may add locations to this map, which the loop then reads as definitions,
  // too.
  for (const [name, pointer] of references.named) {
    const { type, docs, deprecated, section } = reader.readNode(references.nodeOf(name), {
      pointer,
      address: name,
    });
    const extensible = notes.extensible.has(name);
    definitions.push(
      statedFields({
        kind: "definition",
        name,
        type,
        docs,
        deprecated,
        section,
        extensible,
        pointer,
      }),
    );
  }
  warnOfUndeclared(schema, definitions);
  const named = nameDerivedParts(definitions);
  refuseCycles(schema, named);
  return settleBases(schema, named);
}

/** Warns about names in `required` that an object with properties does not declare. */
function warnOfUndeclared(schema: SchemaFile, definitions: readonly Definition[]): void {
  const queue = definitions.map(({ type }) => type);
  for (let type = queue.pop(); type !== undefined; type = queue.pop()) {
    queue.push(...partTypes(type));
    if (type.kind !== "object") continue;
    const inherited = type.bases.flatMap((base) => {
      const baseType = definitions.find(({ name }) => name === base)?.type;
      return baseType?.kind === "object" ? baseType.properties : [];
    });
    const declared = [...type.properties, ...inherited]
      .filter((property) => !isUndeclared(property))
      .map(({ name }) => name);
    if (declared.length === 0) continue;
    for (const property of type.properties) {
      if (!isUndeclared(property) || declared.includes(property.name)) continue;
      const guess = nearest(property.name, declared);
      schema.warn(
        "ERR_KEYWORD",
        `Cannot find the property ${JSON.stringify(property.name)}, which is required`,
        property.pointer,
        guess === undefined ? undefined : `Did you mean ${JSON.stringify(guess)}?`,
      );
    }
  }
}

/**
 * Turns inline objects that extend other objects, such as the alternatives of a union, into
 * separate definitions: the alternative `text` of `ContentBlock` becomes `ContentBlockText`.
 */
function nameDerivedParts(definitions: readonly Definition[]): readonly Definition[] {
  const names = new Set(definitions.map(({ name }) => name));
  return definitions.flatMap((definition) => {
    const made: Definition[] = [];
    const named = (part: Type): Type => {
      const type = withParts(part, named);
      if (type.kind !== "object" || type.bases.length === 0) return type;
      const name = freeName(`${definition.name}${distinction(type)}`, names);
      names.add(name);
      const { pointer } = definition;
      made.push(statedFields({ kind: "definition", name, type, extensible: false, pointer }));
      return { kind: "reference", name };
    };
    const type = withParts(definition.type, named);
    return made.length === 0 ? [definition] : [{ ...definition, type }, ...made];
  });
}

/** Returns a type whose parts have other types. Conditions keep theirs. */
function withParts(type: Type, change: (part: Type) => Type): Type {
  const changed = <Part extends { readonly type: Type }>(part: Part): Part => ({
    ...part,
    type: change(part.type),
  });
  switch (type.kind) {
    case "array":
      return statedFields({ ...type, first: type.first?.map(change), items: change(type.items) });
    case "map":
      return { ...type, values: change(type.values) };
    case "union":
      return { ...type, members: type.members.map(change) };
    case "object":
      return statedFields({
        ...type,
        properties: type.properties.map(changed),
        others: type.others && change(type.others),
        matching: type.matching?.map(changed),
      });
    default:
      return type;
  }
}

/**
 * Returns a name for the part that distinguishes an alternative from the others: its fixed value or
 * its base.
 */
function distinction({ properties, bases }: ObjectType): string {
  const fixed = properties.flatMap(({ type }) =>
    type.kind === "literal" ? [String(type.value)] : [],
  );
  return pascalCase((fixed[0] ?? bases[0]!).replaceAll("_", "-"));
}

/**
 * Turns inline payloads into separate definitions, named after the message and the property:
 * `StackTraceResponse.body` becomes `StackTraceResponseBody`.
 */
export function nameInlineBodies(
  definitions: readonly Definition[],
  isMessage: (definition: Definition) => boolean,
): readonly Definition[] {
  const pointers = new Map(
    definitions.map((definition) => [definition.name, definition.pointer ?? ""]),
  );
  const replaced = new Set<string>();
  const named = definitions.flatMap((definition) => {
    const { type } = definition;
    if (type.kind !== "object" || !isMessage(definition)) return [definition];
    const named: Definition[] = [];
    const properties = type.properties.map((property): Property => {
      if (property.type.kind !== "object") return property;
      const wanted = `${definition.name}${pascalCase(property.name)}`;
      // If only this property used the existing definition with that name, the payload replaces it.
      const isReplaced =
        pointers.has(wanted) && !replaced.has(wanted) && !isUsed(definitions, wanted);
      if (isReplaced) replaced.add(wanted);
      const name = isReplaced ? wanted : freeName(wanted, new Set(pointers.keys()));
      pointers.set(name, property.pointer);
      // The description goes along with the payload, so that it is not repeated.
      const { docs, ...others } = property;
      named.push(
        statedFields({
          kind: "definition",
          name,
          type: property.type,
          docs,
          extensible: false,
          pointer: property.pointer,
        }),
      );
      return { ...others, type: { kind: "reference", name } };
    });
    return [{ ...definition, type: { ...type, properties } }, ...named];
  });
  return named.filter(
    (definition) =>
      !replaced.has(definition.name) || definition.pointer === pointers.get(definition.name),
  );
}

/** Returns whether another definition references or extends a definition. */
function isUsed(definitions: readonly Definition[], name: string): boolean {
  return definitions.some(({ type }) => referencesOf(type).includes(name));
}

function checkName(schema: SchemaFile, name: string, at: string): void {
  const quoted = JSON.stringify(name);
  if (!isIdentifier(name)) {
    schema.fail(
      "ERR_NAME",
      `Cannot use ${quoted} as a type name: it is not an identifier`,
      at,
      "Rename the definition: start with a letter, and use only letters, digits and underscores",
    );
  }
  if (isReservedWord(name)) {
    schema.fail(
      "ERR_NAME",
      `Cannot use ${quoted} as a type name: it is a reserved word`,
      at,
      `Rename the definition, for example to "${pascalCase(name)}"`,
    );
  }
}

/**
 * Rejects infinite types: definitions that only reference each other, and objects that extend
 * themselves.
 */
function refuseCycles(schema: SchemaFile, definitions: readonly Definition[]): void {
  const contained = new Map(
    definitions.map(({ name, type }) => [name, containedDefinitions(type)]),
  );
  const { isRecursive, isSameCycle } = orderOf(contained);
  const first = definitions.find(({ name }) => isRecursive(name));
  if (first === undefined) return;
  const path = new Set<string>();
  let name = first.name;
  while (!path.has(name)) {
    path.add(name);
    name = contained.get(name)!.find((each) => isSameCycle(each, name))!;
  }
  const cycle = [...[...path].slice([...path].indexOf(name)), name].join(" -> ");
  schema.fail(
    "ERR_REF_CYCLE",
    `Cannot resolve "${name}": its definition refers to itself (${cycle.slice(0, 200)})`,
    definitions.find((each) => each.name === name)!.pointer ?? "",
  );
}

/**
 * Lists the definitions that the value itself must match, as opposed to those for its nested parts.
 */
function containedDefinitions(type: Type): readonly string[] {
  const checked = (type.checks ?? []).flatMap(typesOfWhole).flatMap(containedDefinitions);
  if (type.kind === "reference") return [type.name, ...checked];
  if (type.kind === "object") return [...type.bases, ...checked];
  if (type.kind === "union") return [...type.members.flatMap(containedDefinitions), ...checked];
  return checked;
}
