import type { Protocol } from "../../model/protocol.js";
import { flattenProperties } from "../../model/properties.js";
import { definitionsByName } from "../../model/queries.js";
import type { Definition, ObjectType, Property, Type } from "../../model/types.js";
import { definitionDocs, gateDocs } from "../printer/property-docs.js";
import type { SourceFile } from "../printer/source-file.js";
import { emitMember, printTyped, type NameOf } from "../printer/type-expression.js";

/**
 * Emits a namespace that is compatible with a published declarations package. It has the same names
 * and equally loose types, so that code written for that package also compiles with this one.
 *
 * The module has no imports and no code, and uses no syntax newer than TypeScript 4.5. All types
 * are interfaces, so that users can augment and implement them. Discriminators are plain strings,
 * as required by classes that implement messages. Anything that the schema leaves open has the type
 * `any`.
 */
export function emitCompatibility(protocol: Protocol, file: SourceFile): void {
  const { compatibility } = protocol;
  if (compatibility === undefined) return;
  const definitions = definitionsByName(protocol);
  const gates = new Map(protocol.messages.map(({ definition, gate }) => [definition, gate]));

  file.doc(
    `The declarations of \`${compatibility.package}\`, for code that migrates from it.`,
    "As in that package, `type`, `command` and `event` are strings, and a response has one type for success and failure. The strict types of generated packages are assignable to these.",
  );
  file.block(`export declare namespace ${compatibility.namespace} {`, "}", () => {
    protocol.definitions
      .filter((definition) => !isInline(definition))
      .forEach((definition, index) => {
        if (index > 0) file.line();
        emitDeclaration(definition);
      });
  });

  function emitDeclaration(definition: Definition): void {
    const { name, type } = definition;
    const gate = gates.get(name);
    file.doc(...definitionDocs(definition), gateDocs(gate, definition.docs));
    if (type.kind !== "object") {
      file.line(printTyped(`export type ${name} =`, loosened(type), sameName, file.indent));
      return;
    }
    const extended = type.bases.length === 0 ? "" : ` extends ${type.bases.join(", ")}`;
    const head = `export interface ${name}${extended} {`;
    const properties = type.properties.filter((property) => isDeclared(property, type));
    if (properties.length === 0) {
      file.line(`${head}}`);
      return;
    }
    file.block(head, "}", () => {
      for (const property of properties)
        emitMember(property, sameName, file, loosened(property.type));
    });
  }

  /**
   * Returns whether to declare a property in an interface. It is left out if a base already
   * declares an identical property, or if it merely narrows a base's property to a literal.
   */
  function isDeclared({ name, type, required }: Property, { bases }: ObjectType): boolean {
    const inherited = bases.flatMap((base) => {
      const target = definitions.get(base)?.type;
      return target?.kind === "object"
        ? flattenProperties(definitions, target).filter((property) => property.name === name)
        : [];
    });
    if (inherited.length === 0) return true;
    const isLiteral = type.kind === "literal" || (type.kind === "enum" && !type.open);
    return (
      !isLiteral &&
      !inherited.every((base) => isSame(base.type, type) && base.required === required)
    );
  }

  /** Returns a type's published form, with generated names inlined and open types as `any`. */
  function loosened(type: Type): Type {
    switch (type.kind) {
      case "any":
        return any;
      case "reference": {
        const definition = definitions.get(type.name);
        return definition !== undefined && isInline(definition) ? loosened(definition.type) : type;
      }
      case "array":
        return { ...type, items: loosened(type.items) };
      case "map":
        return { ...type, values: loosened(type.values) };
      case "union": {
        const members = type.members.map(loosened);
        return members.includes(any) ? any : { ...type, members };
      }
      case "object":
        return type.properties.length === 0
          ? any
          : {
              ...type,
              properties: type.properties.map((property) => ({
                ...property,
                type: loosened(property.type),
              })),
            };
      default:
        return type;
    }
  }
}

const sameName: NameOf = (name) => name;

/**
 * The type `any`, represented as a reference so that it is emitted as `any`. No definition can have
 * this name.
 */
const any: Type = { kind: "reference", name: "any" };

/**
 * Returns whether a definition appears inline in the schema, which means that its name was
 * generated.
 */
function isInline({ pointer }: Definition): boolean {
  return pointer?.includes("/properties/") === true;
}

function isSame(first: Type, second: Type): boolean {
  return JSON.stringify(first) === JSON.stringify(second);
}
