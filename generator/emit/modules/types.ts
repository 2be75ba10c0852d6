import { flattenProperties } from "../../model/properties.js";
import type { Protocol } from "../../model/protocol.js";
import {
  definitionsByName,
  extendsDefinition,
  requestsByResponse,
  responsesOf,
  type AnsweredRequest,
} from "../../model/queries.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import { visible } from "../../base/visible-text.js";
import type { PackageNames } from "./package-names.js";
import { definitionDocs, gateDocs, propertyDocs } from "./property-docs.js";
import { propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import { printType, withGap, type NameOf } from "./type-expression.js";

const runtime = "./runtime/index.js";

/** Prints `types.ts`: every definition in schema order, with the wire messages discriminated by literals. */
export function emitTypes(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const definitions = definitionsByName(protocol);
  const extensible = new Set(
    protocol.definitions.filter((each) => each.extensible).map((each) => each.name),
  );
  const requestOfResponse = requestsByResponse(protocol);
  const gates = new Map(
    protocol.messages.flatMap(({ definition, gate }) =>
      gate === undefined ? [] : [[definition, gate]],
    ),
  );
  const isMessage = new Set(protocol.messages.map((message) => message.definition));

  const nameOf: NameOf = (name) =>
    extensible.has(name) ? `${file.importType("Extensible", runtime)}<${name}>` : name;

  for (const definition of protocol.definitions) {
    if (definition.section !== undefined) file.line(`// Section: ${visible(definition.section)}\n`);
    const request = requestOfResponse.get(definition.name);
    if (definition.name === protocol.bases.error) emitErrorResponse(definition);
    else if (request !== undefined) emitResponse(definition, request);
    else emitDefinition(definition);
    file.line();
  }

  function emitDefinition(definition: Definition): void {
    const { name, type } = definition;
    const gate = gates.get(name);
    file.doc(...definitionDocs(definition), gate === undefined ? undefined : gateDocs(gate));
    if (type.kind !== "object") {
      const head = `export type ${name} =`;
      file.line(`${head}${withGap(printType(type, nameOf, 0, head.length + 1, 1))};`);
      return;
    }
    const generic = isMessage.has(name)
      ? type.properties.find((each) => isExtensibleReference(each.type))
      : undefined;
    if (generic === undefined) {
      emitInterface(name, [], type, type.properties, []);
      return;
    }
    const target = (generic.type as { readonly name: string }).name;
    const parameter = `Arguments extends ${target} = ${target} & ${file.importType("AdditionalAttributes", runtime)}`;
    emitInterface(name, [parameter], type, type.properties, [], (each) =>
      each === generic ? "Arguments" : undefined,
    );
  }

  function isExtensibleReference(type: Type): boolean {
    return type.kind === "reference" && extensible.has(type.name);
  }

  /** A response is either a success or a failure, told apart by the envelope's success field or by which part is there. */
  function emitResponse(definition: Definition, request: AnsweredRequest): void {
    const response = responsesOf(protocol)!.arm;
    const type = definition.type as ObjectType;
    const success = names.success(request);
    file.doc(`Success answer to \`${request.name}\`.`);
    const result = type.properties.find((property) => property.name === response.result);
    const pinned = [
      ...(response.success === undefined ? [] : [`${propertyKey(response.success)}: true;`]),
      ...(response.name === undefined
        ? []
        : [`${propertyKey(response.name)}: ${quote(request.name)};`]),
      ...(response.success === undefined && result?.required !== true
        ? [`${propertyKey(response.result)}: ${resultText(result)};`]
        : []),
      ...(response.success === undefined ? [`${propertyKey(response.error)}?: never;`] : []),
    ];
    const replaced = new Set([response.success, response.name]);
    const rest = type.properties.filter(
      (property) =>
        !replaced.has(property.name) &&
        (response.success !== undefined || property !== result || property.required),
    );
    emitInterface(success, [], type, rest, pinned);
    file.line();
    file.doc(...definitionDocs(definition));
    const failure =
      response.name === undefined
        ? responsesOf(protocol)!.error
        : `${responsesOf(protocol)!.error}<${quote(request.name)}>`;
    file.union(definition.name, [success, failure]);
  }

  function resultText(result: Property | undefined): string {
    const response = responsesOf(protocol)!.arm;
    return result === undefined
      ? "unknown"
      : printType(result.type, nameOf, 2, response.result.length + 2, 1);
  }

  /** The failure response. Its details are optional: real peers leave them out. */
  function emitErrorResponse(definition: Definition): void {
    const response = responsesOf(protocol)!.arm;
    const type = definition.type as ObjectType;
    file.doc(
      ...definitionDocs(definition),
      response.success === undefined
        ? undefined
        : "The details are optional here although a strict peer sends them: many leave them out.",
    );
    const pinned = [
      ...(response.success === undefined
        ? [`${propertyKey(response.result)}?: never;`]
        : [`${propertyKey(response.success)}: false;`]),
      ...(response.name === undefined ? [] : [`${propertyKey(response.name)}: Name;`]),
    ];
    const properties = type.properties
      .filter((property) => property.name !== response.success && property.name !== response.name)
      .map((property) =>
        response.success !== undefined && property.name === response.error
          ? { ...property, required: false }
          : property,
      );
    const parameters = response.name === undefined ? [] : ["Name extends string = string"];
    emitInterface(definition.name, parameters, type, properties, pinned);
  }

  function emitInterface(
    name: string,
    parameters: readonly string[],
    type: ObjectType,
    own: readonly Property[],
    pinned: readonly string[],
    override: (property: Property) => string | undefined = () => undefined,
  ): void {
    const { bases, properties } = interfaceShape(definitions, type, own);
    const parents =
      bases.length === 0 && properties.length + pinned.length === 0
        ? [file.importType("NoProperties", runtime)]
        : bases;
    const head = `export interface ${name}`;
    const after = parents.length === 0 ? "" : ` extends ${parents.join(", ")}`;
    if (properties.length + pinned.length === 0) {
      file.line(`${head}${after} {}`);
      return;
    }
    file.declare(head, parameters, `${after} {`, () => {
      for (const text of pinned) file.line(text);
      for (const property of properties) {
        file.doc(...propertyDocs(property));
        const key = `${propertyKey(property.name)}${property.required ? "" : "?"}:`;
        const text =
          override(property) ?? printType(property.type, nameOf, file.indent, key.length + 1, 1);
        file.line(`${key}${withGap(text)};`);
      }
    });
  }
}

/**
 * An interface may extend a base only if each property it redefines is narrower. Where a schema redefines
 * one otherwise, the bases are written out instead.
 */
function interfaceShape(
  definitions: ReadonlyMap<string, Definition>,
  type: ObjectType,
  own: readonly Property[],
): { bases: readonly string[]; properties: readonly Property[] } {
  const inherited = new Map<string, Property>();
  let clash = false;
  for (const base of type.bases) {
    const target = definitions.get(base)?.type;
    if (target?.kind !== "object") continue;
    for (const property of flattenProperties(definitions, target)) {
      const other = inherited.get(property.name);
      clash ||= other !== undefined && JSON.stringify(other.type) !== JSON.stringify(property.type);
      inherited.set(property.name, property);
    }
  }
  const properties = own.map((property) => {
    const base = inherited.get(property.name);
    if (base === undefined) return property;
    clash ||= !isNarrower(property.type, base.type, definitions);
    return base.required ? { ...property, required: true } : property;
  });
  if (!clash) return { bases: type.bases, properties };
  const ownNames = new Set(own.map((property) => property.name));
  return {
    bases: [],
    properties: [
      ...[...inherited.values()].filter((property) => !ownNames.has(property.name)),
      ...properties,
    ],
  };
}

/** Whether every value of `narrow` is surely one of `wide`; a doubt is a no. */
function isNarrower(
  narrow: Type,
  wide: Type,
  definitions: ReadonlyMap<string, Definition>,
): boolean {
  if (wide.kind === "any" || JSON.stringify(narrow) === JSON.stringify(wide)) return true;
  if (narrow.kind === "reference" && wide.kind === "reference")
    return extendsDefinition(definitions, narrow.name, wide.name);
  if (narrow.kind === "union")
    return narrow.members.every((member) => isNarrower(member, wide, definitions));
  if (wide.kind === "union")
    return wide.members.some((member) => isNarrower(narrow, member, definitions));
  const isText = (type: Type): boolean =>
    type.kind === "string" ||
    (type.kind === "literal" && typeof type.value === "string") ||
    (type.kind === "enum" && typeof type.values[0]?.value === "string");
  if (wide.kind === "string" || (wide.kind === "enum" && wide.open)) return isText(narrow);
  if (wide.kind === "enum" && narrow.kind === "literal")
    return wide.values.some(({ value }) => value === narrow.value);
  if (wide.kind === "enum" && narrow.kind === "enum" && !narrow.open) {
    return narrow.values.every(({ value }) => wide.values.some((other) => other.value === value));
  }
  if (wide.kind === "boolean")
    return narrow.kind === "literal" && typeof narrow.value === "boolean";
  const numbers = ["integer", "number"];
  return (
    numbers.includes(wide.kind) &&
    (numbers.includes(narrow.kind) ||
      (narrow.kind === "literal" && typeof narrow.value === "number"))
  );
}
