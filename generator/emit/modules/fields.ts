import type { Protocol } from "../../model/protocol.js";
import { fieldTableOf, itemsOf } from "../../model/field-table.js";
import { fieldTree } from "./field-tree.js";
import { docTag } from "../printer/doc-comment.js";
import { printConstant } from "../printer/literal.js";
import { definitionsByName } from "../../model/queries.js";
import type { Property, Type } from "../../model/types.js";
import { propertyKey, type SourceFile } from "../printer/source-file.js";
import { printType } from "../printer/type-expression.js";
import { runtime } from "./runtime-module.js";

/** Returns whether a protocol states which of its values are references. */
export function hasReferences({ references }: Protocol): boolean {
  return references !== undefined && references.length > 0;
}

/** Emits `fields.ts`: visitors of references to things such as threads and sources. */
export function emitFields(protocol: Protocol, file: SourceFile): void {
  const { references = [], envelope } = protocol;
  const table = fieldTableOf(protocol);
  const definitions = definitionsByName(protocol);
  const typeName = (name: string): string => `${file.importTypesAs("types", "./types.js")}.${name}`;
  file.doc(
    "Visitors of references. Each receives a value and its JSON Pointer, and returns the new value.",
  );
  file.block("export interface FieldVisitors {", "}", () => {
    for (const { name, docs } of references) {
      const value = valueText(name);
      file.doc(docs);
      file.line(`${propertyKey(name)}?(value: ${value}, pointer: string): ${value};`);
    }
  });
  file.line();
  printConstant("const table", file.importType("FieldTable", runtime), fieldTree(table), file);
  const isNamed = envelope.response?.name !== undefined;
  file.doc(
    "Calls a visitor for each reference in a message, and replaces the value with the visitor's result. Returns a changed copy; the message itself is not modified. The envelope's ids are not visited.",
    isNamed ? undefined : docTag("param", "request Name of the request that a response answers."),
  );
  const parameters = [
    "message: Message",
    "visitors: FieldVisitors",
    ...(isNamed ? [] : [`request?: ${file.importType("RequestName", "./maps.js")}`]),
  ];
  file.declare(
    "export function visitFields<Message extends object>",
    parameters,
    "): Message {",
    () => {
      const visit = file.importValue("visitMessage", runtime);
      const value = file.importValue("protocol", "./protocol.js");
      const any = file.importType("AnyVisitors", runtime);
      file.line(`const all = visitors as unknown as ${any};`);
      file.line(
        `return ${visit}(table, ${value}.envelope, message, all${isNamed ? "" : ", request"});`,
      );
    },
  );

  function isObjectType(type: Type): boolean {
    if (type.kind === "union") return type.members.every(isObjectType);
    if (type.kind === "reference") return isObjectType(definitions.get(type.name)!.type);
    return type.kind === "object" || type.kind === "map";
  }

  function valueText(kind: string): string {
    const whole = protocol.definitions.find(({ reference }) => reference === kind);
    if (whole !== undefined) return typeName(whole.name);
    const types = protocol.definitions
      .flatMap(({ type }) => propertiesWithin(type))
      .filter(({ reference }) => reference === kind)
      .map(({ type }) => itemsOf(type).items);
    const texts = types.map((type) => printType(type, typeName, 0, 0, 0));
    // If a reference can be one of several object types, visitors receive an `object` and have to
    // check which properties it has.
    if (new Set(texts).size > 1 && types.every(isObjectType)) return "object";
    return [...new Set(texts)].sort().join(" | ");
  }
}

/** Returns all properties of an object, including those of objects that it contains inline. */
function propertiesWithin(type: Type): readonly Property[] {
  return type.kind === "object"
    ? type.properties.flatMap((property) => [property, ...propertiesWithin(property.type)])
    : [];
}
