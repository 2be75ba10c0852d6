import type { Protocol, ResponseArm } from "../../model/protocol.js";
import {
  definitionsByName,
  requestsByResponse,
  responsesOf,
  type AnsweredRequest,
  extendsDefinition,
} from "../../model/queries.js";
import type { Definition, Gate, ObjectType, Property, Type } from "../../model/types.js";
import { visible } from "../../base/visible-text.js";
import { type PackageNames, runtime } from "./package-names.js";
import { definitionDocs, gateDocs } from "../printer/property-docs.js";
import { propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import {
  emitMember,
  printType,
  printTyped,
  type NameOf,
  indexType,
} from "../printer/type-expression.js";
import { flattenProperties } from "../../model/properties.js";
import { isAnything } from "../../model/type-checks.js";

/** Emits `types.ts`: all definitions in schema order. Messages are discriminated by literals. */
export function emitTypes(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const emitter = new TypeEmitter(protocol, names, file);
  for (const definition of protocol.definitions) {
    if (definition.section !== undefined) file.line(`// Section: ${visible(definition.section)}\n`);
    emitter.emit(definition);
    file.line();
  }
}

class TypeEmitter {
  readonly #file: SourceFile;
  readonly #names: PackageNames;
  readonly #errorName: string | undefined;
  readonly #arm: ResponseArm | undefined;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #requestOf: ReadonlyMap<string, AnsweredRequest>;
  readonly #gates: ReadonlyMap<string, Gate>;
  readonly #messages: ReadonlySet<string>;

  constructor(protocol: Protocol, names: PackageNames, file: SourceFile) {
    this.#file = file;
    this.#names = names;
    this.#errorName = protocol.bases.error;
    this.#arm = responsesOf(protocol)?.arm;
    this.#definitions = definitionsByName(protocol);
    this.#requestOf = requestsByResponse(protocol);
    this.#gates = new Map(
      protocol.messages.flatMap(({ definition, gate }) =>
        gate === undefined ? [] : [[definition, gate]],
      ),
    );
    this.#messages = new Set(protocol.messages.map((message) => message.definition));
  }

  emit(definition: Definition): void {
    const request = this.#requestOf.get(definition.name);
    if (definition.name === this.#errorName) this.#errorResponse(definition, this.#arm!);
    else if (request !== undefined) this.#response(definition, request, this.#arm!);
    else this.#definition(definition);
  }

  #definition(definition: Definition): void {
    const { name, type } = definition;
    const file = this.#file;
    const gate = this.#gates.get(name);
    file.doc(...definitionDocs(definition), gateDocs(gate, definition.docs));
    if (type.kind !== "object") {
      file.line(printTyped(`export type ${name} =`, type, this.#nameOf, 0));
      return;
    }
    const properties = type.properties;
    const generic = this.#messages.has(name)
      ? properties.find((each) => this.#isExtensible(each.type))
      : undefined;
    if (generic === undefined) {
      this.#interface(name, { type, own: properties });
      return;
    }
    const target = (generic.type as { readonly name: string }).name;
    const attributes = file.importType("AdditionalAttributes", runtime);
    this.#interface(name, {
      type,
      own: properties,
      parameters: [`Arguments extends ${target} = ${target} & ${attributes}`],
      override: (each) => (each === generic ? "Arguments" : undefined),
    });
  }

  readonly #nameOf: NameOf = (name) =>
    this.#definitions.get(name)?.extensible === true
      ? `${this.#file.importType("Extensible", runtime)}<${name}>`
      : name;

  #isExtensible(type: Type): boolean {
    return type.kind === "reference" && this.#definitions.get(type.name)?.extensible === true;
  }

  /**
   * Emits the type of a response: a union of success and failure. The two are distinguished by a
   * field, or by whether the response contains a result or an error.
   */
  #response(definition: Definition, request: AnsweredRequest, arm: ResponseArm): void {
    const file = this.#file;
    const success = this.#names.success(request);
    file.doc(`Successful response to \`${request.name}\`.`);
    this.#interface(success, this.#successShape(definition.type as ObjectType, request, arm));
    file.line();
    file.doc(...definitionDocs(definition));
    const failure =
      arm.name === undefined ? this.#errorName! : `${this.#errorName}<${quote(request.name)}>`;
    file.union(definition.name, [success, failure]);
  }

  #successShape(type: ObjectType, request: AnsweredRequest, arm: ResponseArm): InterfaceShape {
    const name =
      arm.name === undefined ? [] : [`${propertyKey(arm.name)}: ${quote(request.name)};`];
    if (arm.success !== undefined) {
      const replaced = [arm.success, arm.name];
      return {
        type,
        own: type.properties.filter((property) => !replaced.includes(property.name)),
        pinned: [`${propertyKey(arm.success)}: true;`, ...name],
      };
    }
    const result = type.properties.find((property) => property.name === arm.result);
    const isThere = result?.required === true;
    return {
      type,
      own: type.properties.filter(
        (property) => property.name !== arm.name && (property !== result || isThere),
      ),
      pinned: [
        ...name,
        ...(isThere ? [] : [`${propertyKey(arm.result)}: ${this.#resultText(result, arm)};`]),
        `${propertyKey(arm.error)}?: never;`,
      ],
    };
  }

  #resultText(result: Property | undefined, arm: ResponseArm): string {
    return result === undefined
      ? "unknown"
      : printType(result.type, this.#nameOf, 2, arm.result.length + 2, 1);
  }

  /**
   * Emits the type of the failure response. The error details are optional, because many real peers
   * omit them.
   */
  #errorResponse(definition: Definition, arm: ResponseArm): void {
    const type = definition.type as ObjectType;
    this.#file.doc(
      ...definitionDocs(definition),
      arm.success === undefined
        ? undefined
        : "The details are optional, because many peers leave them out.",
    );
    this.#interface(definition.name, {
      type,
      own: type.properties
        .filter(({ name }) => name !== arm.success && name !== arm.name)
        .map((property) =>
          arm.success !== undefined && property.name === arm.error
            ? { ...property, required: false }
            : property,
        ),
      parameters: arm.name === undefined ? [] : ["Name extends string = string"],
      pinned: [
        arm.success === undefined
          ? `${propertyKey(arm.result)}?: never;`
          : `${propertyKey(arm.success)}: false;`,
        ...(arm.name === undefined ? [] : [`${propertyKey(arm.name)}: Name;`]),
      ],
    });
  }

  #interface(name: string, shape: InterfaceShape): void {
    const file = this.#file;
    const { parameters = [], pinned = [] } = shape;
    const { bases, properties, index } = interfaceShape(this.#definitions, shape.type, shape.own);
    const isEmpty = properties.length + pinned.length === 0 && index === undefined;
    const parents =
      bases.length === 0 && isEmpty ? [file.importType("NoProperties", runtime)] : bases;
    const head = `export interface ${name}`;
    const after = parents.length === 0 ? "" : ` extends ${parents.join(", ")}`;
    if (isEmpty) {
      file.line(`${head}${after} {}`);
      return;
    }
    file.declare(head, parameters, `${after} {`, () => {
      for (const text of pinned) file.line(text);
      for (const property of properties)
        emitMember(property, this.#nameOf, file, shape.override?.(property));
      if (index !== undefined)
        file.line(printTyped("[key: string]:", index, this.#nameOf, file.indent));
    });
  }
}

/** An interface to be emitted. */
interface InterfaceShape {
  readonly type: ObjectType;
  /** The properties to emit, not including inherited ones. */
  readonly own: readonly Property[];
  readonly parameters?: readonly string[];
  /** Lines to emit before the properties. */
  readonly pinned?: readonly string[];
  /** Returns the type to emit for a property if it differs from the schema's type. */
  override?(property: Property): string | undefined;
}

/**
 * Determines the bases and properties of an interface. An interface can extend a base only if it
 * narrows every property that it redefines. If the schema fails to narrow one of them, the
 * interface lists the properties of its bases instead of extending them.
 */
function interfaceShape(
  definitions: ReadonlyMap<string, Definition>,
  type: ObjectType,
  own: readonly Property[],
): { bases: readonly string[]; properties: readonly Property[]; index?: Type } {
  const objects = basesOf(definitions, type);
  const isInherited = type.others === undefined && type.matching === undefined;
  const unnamed = indexType(unnamedOf([type, ...objects]), [
    ...flattenProperties(definitions, type),
    ...own,
  ]);
  const index = isInherited && unnamed?.kind === "any" ? undefined : unnamed;
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
  // TypeScript requires an interface and its bases to agree on the type of unnamed properties.
  clash ||= index !== undefined && index.kind !== "any" && type.bases.length > 0;
  if (!clash) return { bases: type.bases, properties, index };
  const ownNames = new Set(own.map((property) => property.name));
  return {
    bases: [],
    properties: [
      ...[...inherited.values()].filter((property) => !ownNames.has(property.name)),
      ...properties,
    ],
    index,
  };
}

/** Returns all objects that an object extends, directly or indirectly, each once. */
function basesOf(
  definitions: ReadonlyMap<string, Definition>,
  object: ObjectType,
): ReadonlySet<ObjectType> {
  const objects = new Set([object]);
  for (const { bases } of objects)
    for (const base of bases) {
      const type = definitions.get(base)?.type;
      if (type?.kind === "object") objects.add(type);
    }
  objects.delete(object);
  return objects;
}

/**
 * Creates an object type without named properties. Its properties may have any type that one of the
 * given objects allows for its unnamed properties.
 */
function unnamedOf(types: readonly ObjectType[]): ObjectType {
  const otherTypes = types.flatMap(({ others }) => (others === undefined ? [] : [others]));
  const matching = types.flatMap((type) => type.matching ?? []);
  return {
    kind: "object",
    bases: [],
    properties: [],
    extras: types.some(({ extras }) => extras === "closed") ? "closed" : "open",
    ...(otherTypes.length === 0
      ? {}
      : { others: otherTypes.find(isAnything) ?? { kind: "union", members: otherTypes } }),
    ...(matching.length === 0 ? {} : { matching }),
  };
}

/** Returns whether it is certain that every value of `narrow` is also a value of `wide`. */
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
