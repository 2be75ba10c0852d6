import type { Protocol } from "../../model/protocol.js";
import { fieldTableOf, itemsOf, type FieldStep, type FieldTable } from "../../model/field-table.js";
import { docTag } from "../printer/doc-comment.js";
import { printConstant, object, type Literal } from "../printer/literal.js";
import { definitionsByName } from "../../model/queries.js";
import type { Property, Type } from "../../model/types.js";
import { propertyKey, type SourceFile, printValue, quote } from "../printer/source-file.js";
import { printType } from "../printer/type-expression.js";
import { runtime } from "./package-names.js";

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
  const visit = file.importValue("visitMessage", runtime);
  const values = file.importValue("protocol", "./protocol.js");
  file.code`
    ${file.signature("export function visitFields<Message extends object>", parameters, "): Message {")}
      const all = visitors as unknown as ${file.importType("AnyVisitors", runtime)};
      return ${visit}(table, ${values}.envelope, message, all${!isNamed && ", request"});
    }
  `;

  function isObjectType(type: Type): boolean {
    if (type.kind === "union") return type.members.every(isObjectType);
    if (type.kind === "reference") return isObjectType(definitions.get(type.name)!.type);
    return type.kind === "object" || type.kind === "map";
  }

  function valueText(kind: string): string {
    const definition = protocol.definitions.find(({ reference }) => reference === kind);
    if (definition !== undefined) return typeName(definition.name);
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

/**
 * Converts the table of references to the tree that a package contains. In the tree, only objects
 * that occur in several places are numbered. It is a quarter of the size of a table with an entry
 * for each definition, which matters because every adapter contains it.
 */
function fieldTree({ roots, objects, whole }: FieldTable): Literal {
  const uses = new Map<string, number>();
  const count = (name: string): void => void uses.set(name, (uses.get(name) ?? 0) + 1);
  for (const messages of Object.values(roots)) Object.values(messages).forEach(count);
  for (const steps of Object.values(objects))
    for (const { to } of Object.values(steps)) if (to !== undefined) count(to);
  const shared = Object.keys(objects).filter(
    (name) => uses.get(name)! > 1 || whole[name] !== undefined || containsItself(name, objects),
  );
  const printed = (name: string): Literal => {
    const index = shared.indexOf(name);
    return index < 0 ? stepsOf(name) : String(index);
  };
  const stepsOf = (name: string): Literal =>
    object(Object.entries(objects[name]!).map(([key, step]) => [key, stepOf(step)]));
  const stepOf = ({ kind, except, to, list }: FieldStep): Literal => {
    const target = kind === undefined ? printed(to!) : quote(kind);
    const item = except === undefined ? target : [target, printValue(except)];
    return list === true ? [item] : item;
  };
  return object([
    [
      "roots",
      object(
        Object.entries(roots).map(([kind, messages]) => [
          kind,
          object(Object.entries(messages).map(([name, to]) => [name, printed(to)])),
        ]),
      ),
    ],
    ["shared", shared.map(stepsOf)],
    [
      "whole",
      object(
        shared.flatMap((name, index) =>
          whole[name] === undefined ? [] : [[String(index), quote(whole[name])] as const],
        ),
      ),
    ],
  ]);
}

function containsItself(name: string, objects: FieldTable["objects"]): boolean {
  const reached = new Set<string>();
  const pending = [name];
  for (const each of pending)
    for (const { to } of Object.values(objects[each] ?? {}))
      if (to !== undefined && !reached.has(to)) {
        reached.add(to);
        pending.push(to);
      }
  return reached.has(name);
}
