import type { Protocol } from "../../model/protocol.js";
import { extendsDefinition, definitionsByName, requestsByResponse } from "../../model/queries.js";
import type { Definition, ObjectType, Property } from "../../model/types.js";
import { definitionDocs } from "../printer/property-docs.js";
import { propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import { printType, withGap } from "../printer/type-expression.js";

/**
 * Prints a namespace with the names and the looseness of a published declarations package, so that code
 * written against that package compiles against this one.
 *
 * Data types are the same types. Responses are not split into success and failure there, and the bases hold
 * `any`: existing code reads and assigns them freely.
 */
export function emitCompatibility(protocol: Protocol, file: SourceFile): void {
  const { compatibility, bases, envelope } = protocol;
  if (compatibility === undefined) return;
  const types = file.importTypesAs("types", "./types.js");
  const definitions = definitionsByName(protocol);
  const requestOfResponse = requestsByResponse(protocol);
  const loose = new Set([bases.request, bases.event, bases.response]);

  file.doc(
    `The names of \`${compatibility.package}\`, for code that moves over from it.`,
    "Data types are those of this package. Responses have one form for success and failure, and the base messages hold `any`, as there.",
  );
  file.block(`export declare namespace ${compatibility.namespace} {`, "}", () => {
    // Bodies got their names here; the other package has none for them.
    const named = protocol.definitions.filter(({ at }) => at?.includes("/properties/") !== true);
    named.forEach((definition, index) => {
      if (index > 0) file.line();
      emitOne(definition);
    });
  });

  function emitOne(definition: Definition): void {
    const { name, type } = definition;
    const isResponse = requestOfResponse.has(name) || name === bases.error;
    if (type.kind !== "object" || (!loose.has(name) && !isResponse)) {
      file.line(`export type ${name} = ${types}.${name};`);
      return;
    }
    file.doc(...definitionDocs(definition));
    const parents = type.bases.length === 0 ? "" : ` extends ${type.bases.join(", ")}`;
    const request = requestOfResponse.get(name);
    const pinned =
      request === undefined || envelope.response?.name === undefined
        ? []
        : [`${propertyKey(envelope.response.name)}: ${quote(request.name)};`];
    const properties = type.properties.filter((property) => !inheritedAsIs(property, type));
    if (properties.length + pinned.length === 0) {
      file.line(`export interface ${name}${parents} {}`);
      return;
    }
    file.block(`export interface ${name}${parents} {`, "}", () => {
      for (const line of pinned) file.line(line);
      for (const property of properties) {
        const key = `${propertyKey(property.name)}${property.required ? "" : "?"}:`;
        const text =
          property.type.kind === "any"
            ? "any"
            : printType(property.type, nameOf, file.indent, key.length + 1, 1);
        file.line(`${key}${withGap(text)};`);
      }
    });
  }

  function nameOf(name: string): string {
    return bases.response !== undefined && extendsDefinition(definitions, name, bases.response)
      ? name
      : `${types}.${name}`;
  }

  function inheritedAsIs(property: Property, type: ObjectType): boolean {
    return type.bases.some((base) => {
      const target = definitions.get(base)?.type;
      return (
        target?.kind === "object" &&
        target.properties.some(
          (other) =>
            other.name === property.name &&
            JSON.stringify(other.type) === JSON.stringify(property.type) &&
            other.required === property.required,
        )
      );
    });
  }
}
