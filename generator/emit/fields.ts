import type { Protocol } from "../model/protocol.js";
import { definitionsByName, flattenProperties } from "../model/queries.js";
import type { Definition, Property, Type } from "../model/types.js";
import { printLiteral, toLiteral } from "./literal.js";
import { propertyKey, type SourceFile } from "./source-file.js";
import { printType } from "./type-expression.js";

const runtime = "./runtime/index.js";

interface Step {
  readonly kind?: string;
  readonly except?: string | number;
  readonly to?: string;
  readonly list?: true;
}

/** Whether a protocol says what its values refer to. */
export function hasReferences({ references }: Protocol): boolean {
  return references !== undefined && references.length > 0;
}

/** Prints `fields.ts`: visitors of the values that refer to something, such as threads and sources. */
export function emitFields(protocol: Protocol, file: SourceFile): void {
  const { references = [], envelope } = protocol;
  const definitions = definitionsByName(protocol);
  const reached = reachable(protocol, definitions);
  const stepsOf = (name: string): Readonly<Record<string, Step>> => {
    const { type } = definitions.get(name)!;
    if (type.kind !== "object") return {};
    return Object.fromEntries(
      flattenProperties(definitions, type).flatMap((property) => {
        const step = stepOf(property);
        return step === undefined ? [] : [[property.name, step]];
      }),
    );
  };
  const stepOf = ({ type, reference }: Property): Step | undefined => {
    const { items, list } = itemsOf(type);
    const more = list ? { list } : {};
    if (reference !== undefined) {
      const { except } = references.find(({ name }) => name === reference)!;
      return { kind: reference, ...(except === undefined ? {} : { except }), ...more };
    }
    return items.kind === "reference" && reached.has(items.name)
      ? { to: items.name, ...more }
      : undefined;
  };
  const roots = { request: {}, event: {}, response: {} } as Record<string, Record<string, string>>;
  for (const message of protocol.messages) {
    if (reached.has(message.definition)) roots[message.kind]![message.name] = message.definition;
    if (message.kind === "request" && message.responseDefinition !== undefined)
      if (reached.has(message.responseDefinition))
        roots["response"]![message.name] = message.responseDefinition;
  }
  const table = {
    roots,
    objects: Object.fromEntries([...reached].sort().map((name) => [name, stepsOf(name)] as const)),
    whole: Object.fromEntries(
      protocol.definitions.flatMap(({ name, reference }) =>
        reference === undefined ? [] : [[name, reference]],
      ),
    ),
  };

  const types = file.importTypesAs("types", "./types.js");
  file.doc(
    "What is to be done with values that refer to something: each visitor gets a value and its place, by JSON Pointer, and gives what is to stand there.",
  );
  file.block("export interface FieldVisitors {", "}", () => {
    for (const { name, docs } of references) {
      const value = valueText(name);
      file.doc(docs);
      file.line(`${propertyKey(name)}?(value: ${value}, place: string): ${value};`);
    }
  });
  file.line();
  const head = `const table: ${file.importType("FieldTable", runtime)} = `;
  file.line(`${head}${printLiteral(toLiteral(table), head.length, 1, 0)};\n`);
  const isNamed = envelope.response?.name !== undefined;
  file.doc(
    "Gives every value of a message that refers to something to its visitor, and puts what that gives in its place. The message is not changed: what changes is copied. Numbers of the envelope are not visited.",
    isNamed ? undefined : "@param request Name of the request that a response answers.",
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

  function valueText(kind: string): string {
    const whole = protocol.definitions.find(({ reference }) => reference === kind);
    if (whole !== undefined) return `${types}.${whole.name}`;
    const texts = protocol.definitions.flatMap(({ type }) =>
      (type.kind === "object" ? type.properties : [])
        .filter(({ reference }) => reference === kind)
        .map((property) =>
          printType(
            withoutNull(itemsOf(property.type).items),
            (name) => `${types}.${name}`,
            0,
            0,
            0,
          ),
        ),
    );
    return [...new Set(texts)].sort().join(" | ");
  }
}

/** Definitions in which, at any depth, something refers to something. */
function reachable(
  protocol: Protocol,
  definitions: ReadonlyMap<string, Definition>,
): ReadonlySet<string> {
  const reached = new Set<string>();
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const { name, type } of protocol.definitions) {
      if (reached.has(name) || type.kind !== "object") continue;
      const refers = flattenProperties(definitions, type).some(({ type: own, reference }) => {
        const { items } = itemsOf(own);
        return (
          reference !== undefined ||
          (items.kind === "reference" &&
            (reached.has(items.name) || definitions.get(items.name)?.reference !== undefined))
        );
      });
      if (!refers && definitions.get(name)?.reference === undefined) continue;
      reached.add(name);
      isGrowing = true;
    }
  }
  return reached;
}

function itemsOf(type: Type): { readonly items: Type; readonly list?: true } {
  const own = withoutNull(type);
  return own.kind === "array" ? { items: own.items, list: true } : { items: own };
}

/** A type without null beside it. */
function withoutNull(type: Type): Type {
  if (type.kind !== "union") return type;
  const members = type.members.filter(({ kind }) => kind !== "null");
  return members.length === 1 ? members[0]! : { kind: "union", members };
}
