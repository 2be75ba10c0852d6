import { failureType, successType } from "../model/checked-types.js";
import { isIdentifier, isReservedWord, pascalCase } from "../model/names.js";
import type { Protocol, RequestMessage } from "../model/protocol.js";
import { definitionsByName, flattenProperties, requestsByResponse } from "../model/queries.js";
import { orderByReference } from "../model/reference-order.js";
import type { Definition, EnumType, ObjectType, Property, Type } from "../model/types.js";
import { allOf, anyOf, printReturn, type Condition } from "./logical-expression.js";
import type { PackageNames } from "./package-names.js";
import { lineWidth, propertyKey, quote, type SourceFile } from "./source-file.js";

const runtime = "./runtime/index.js";

/** Values from which on an enum is looked up instead of compared. */
const manyValues = 12;

/** Properties beyond which the check of an object is cut into parts. */
const manyProperties = 400;

/** Prints `checks.ts`: per definition, whether a value is one, as straight-line code. */
export function emitChecks(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const definitions = definitionsByName(protocol);
  const requestOf = requestsByResponse(protocol);
  const order = orderByReference(protocol.definitions);
  const { response } = protocol.envelope;
  /** Checks of lists, dictionaries and the like: their names by what they check, and how to print them. */
  const parts = new Map<string, string>();
  const partPrinters: (() => void)[] = [];
  const partNames = new Set<string>();

  for (const definition of protocol.definitions) {
    emitCheck(definition);
    file.line();
  }
  // Printing a part may call for another one.
  for (let print = partPrinters.shift(); print !== undefined; print = partPrinters.shift()) {
    print();
    file.line();
  }

  function emitCheck(definition: Definition): void {
    const { name, type } = definition;
    const request = requestOf.get(name);
    const place: Place = { owner: name };
    const check = names.check(name);
    const body = (): void => {
      if (request !== undefined) emitResponse(definition, request);
      else if (name === protocol.bases.error)
        emitObject(failureType(protocol, definition), `${types}.${name}`, place);
      else if (type.kind === "object") emitObject(type, `${types}.${name}`, place);
      else file.line(printReturn(conditionOf(type, "value", place) ?? "true", file.indent));
    };
    file.doc(
      `Whether a value is ${article(name)} \`${name}\`, to the letter of the schema. Never throws.`,
    );
    if (!order.isRecursive(name)) {
      checkFunction(check, `${types}.${name}`, body);
      return;
    }
    checkFunction(check, `${types}.${name}`, () => file.line(`return ${inner(name)}(value, 0);`));
    file.line();
    file.block(`function ${inner(name)}(value: unknown, depth: number): boolean {`, "}", () => {
      file.line(`if (depth > ${file.importValue("maxNesting", runtime)}) return false;`);
      body();
    });
  }

  function checkFunction(name: string, target: string, body: () => void): void {
    file.declare(`export function ${name}`, ["value: unknown"], `): value is ${target} {`, () => {
      file.block("try {", "} catch {", body);
      file.line("  return false;");
      file.line("}");
    });
  }

  function emitResponse(definition: Definition, request: RequestMessage): void {
    const type = successType(protocol, definition, request);
    const failed = names.check(protocol.bases.error);
    emitObject(type, `${types}.${names.success(request)}`, { owner: definition.name }, (locals) => {
      if (response.success === undefined) {
        const error = locals.get(response.error)!;
        file.under(`if (${error} !== undefined)`, `return ${failed}(value);`);
        return;
      }
      const isItsOwn =
        response.name === undefined
          ? ""
          : `${locals.get(response.name)} === ${quote(request.name)} && `;
      file.under(
        `if (${locals.get(response.success)} === false)`,
        `return ${isItsOwn}${failed}(value);`,
      );
    });
  }

  /** Prints the body of the check of an object. `before` may answer for some objects, given the locals by property. */
  function emitObject(
    type: ObjectType,
    shape: string,
    place: Place,
    before?: (locals: ReadonlyMap<string, string>) => void,
  ): void {
    const isObject = file.importValue("isObject", runtime);
    const properties = flattenProperties(definitions, type);
    if (properties.length > manyProperties && before === undefined) {
      emitParts(type, properties, place);
      return;
    }
    const locals = nameLocals(properties);
    const conditions = properties.map((property) => {
      const local = locals.get(property.name)!;
      // A response that is no failure must be a success.
      return before !== undefined && property.name === response.success
        ? `${local} === true`
        : propertyCondition(property, local, place);
    });
    const only = type.extras === "closed" ? onlyFields(place.owner, properties) : undefined;
    const condition = allOf(...conditions, only);
    if (condition === undefined) {
      file.line(`return ${isObject}(value);`);
      return;
    }
    file.line(`if (!${isObject}(value)) return false;`);
    const used = properties.filter(
      (property, index) =>
        conditions[index] !== undefined ||
        (before !== undefined &&
          property.name === response.error &&
          response.success === undefined),
    );
    const plain = used.filter(({ name }) => !isInherited(name));
    if (plain.length > 0) {
      const bindings = plain.map(({ name }) =>
        name === locals.get(name) ? name : `${propertyKey(name)}: ${locals.get(name)}`,
      );
      const source = `value as ${file.importType("Fields", runtime)}<${shape}>;`;
      const pattern = `const { ${bindings.join(", ")} } =`;
      const isRenaming = bindings.length > 2 && bindings.some((each) => each.includes(":"));
      const fits = (text: string): boolean => file.indent + text.length <= lineWidth;
      // The formatter breaks behind the equals sign, unless a property gets another name.
      if (!fits(`${pattern} ${source}`) && fits(pattern) && !isRenaming)
        file.line(`${pattern}\n  ${source}`);
      else file.list("const {", bindings, `} = ${source}`, " ");
    }
    for (const { name } of used) {
      if (!isInherited(name)) continue;
      const own = file.importValue("ownField", runtime);
      file.line(`const ${locals.get(name)} = ${own}(value, ${quote(name)});`);
    }
    before?.(locals);
    file.line(printReturn(condition, file.indent));
  }

  /** An object with so many properties that a compiler gives up on one expression of them. */
  function emitParts(type: ObjectType, properties: readonly Property[], place: Place): void {
    const calls: Condition[] = [];
    for (let start = 0; start < properties.length; start += manyProperties) {
      const some = properties.slice(start, start + manyProperties);
      calls.push(
        partCall({ ...type, bases: [], properties: some, extras: "open" }, "value", place),
      );
    }
    const isObject = `${file.importValue("isObject", runtime)}(value)`;
    const only = type.extras === "closed" ? onlyFields(place.owner, properties) : undefined;
    file.line(printReturn(allOf(isObject, only, ...calls)!, file.indent));
  }

  function propertyCondition(
    property: Property,
    local: string,
    place: Place,
  ): Condition | undefined {
    const condition = conditionOf(property.type, local, place);
    if (!property.required) {
      return condition === undefined || condition === `${local} === undefined`
        ? condition
        : anyOf(`${local} === undefined`, condition);
    }
    return condition ?? `${local} !== undefined`;
  }

  /** What must hold of a value of a type; undefined if anything may stand there. */
  function conditionOf(type: Type, value: string, place: Place): Condition | undefined {
    switch (type.kind) {
      case "any":
        return undefined;
      case "null":
        return `${value} === null`;
      case "boolean":
        return `typeof ${value} === "boolean"`;
      case "string": {
        const { minLength = 0, maxLength } = type;
        if (minLength <= 0 && maxLength === undefined) return `typeof ${value} === "string"`;
        const has = file.importValue("hasCharacters", runtime);
        return allOf(
          `typeof ${value} === "string"`,
          `${has}(${value}, ${minLength}, ${maxLength ?? "Infinity"})`,
        );
      }
      case "integer":
        return integerCondition(value, type.minimum ?? -Infinity, type.maximum ?? Infinity);
      case "number":
        return allOf(
          `typeof ${value} === "number"`,
          type.minimum === undefined || type.maximum === undefined
            ? `Number.isFinite(${value})`
            : undefined,
          type.minimum === undefined ? undefined : `${value} >= ${type.minimum}`,
          type.maximum === undefined ? undefined : `${value} <= ${type.maximum}`,
        );
      case "literal":
        return `${value} === ${literal(type.value)}`;
      case "enum":
        return enumCondition(type, value);
      case "union":
        return type.members.length === 0
          ? `${value} === undefined`
          : anyOf(...type.members.map((each) => conditionOf(each, value, place)));
      case "reference":
        if (!order.isRecursive(type.name)) return `${names.check(type.name)}(${value})`;
        return `${inner(type.name)}(${value}, ${depthBelow(type.name, place)})`;
      case "array":
      case "map":
      case "object":
        return partCondition(type, value, place);
    }
  }

  function enumCondition(type: EnumType, value: string): Condition {
    if (type.open) {
      const kinds = [...new Set(type.values.map((each) => typeof each.value))];
      return anyOf(...kinds.map((kind) => `typeof ${value} === "${kind}"`))!;
    }
    if (type.values.length < manyValues)
      return anyOf(...type.values.map((each) => `${value} === ${literal(each.value)}`))!;
    const set = part(
      `enum ${JSON.stringify(type.values.map((each) => each.value))}`,
      "values",
      (name) => {
        const values = type.values.map((each) => literal(each.value));
        file.list(`const ${name}: ReadonlySet<unknown> = /* @__PURE__ */ new Set([`, values, "]);");
      },
    );
    return `${set}.has(${value})`;
  }

  /** Checks that need a loop, or a scope of their own, become functions, one for all that check the same. */
  function partCondition(
    type: Type & { readonly kind: "array" | "map" | "object" },
    value: string,
    place: Place,
  ): Condition {
    if (type.kind === "array") {
      const size = allOf(
        type.minItems === undefined ? undefined : `${value}.length >= ${type.minItems}`,
        type.maxItems === undefined ? undefined : `${value}.length <= ${type.maxItems}`,
      );
      if (type.items.kind === "any") return allOf(`Array.isArray(${value})`, size)!;
      if (size !== undefined) {
        return allOf(
          `Array.isArray(${value})`,
          size,
          partCondition({ kind: "array", items: type.items }, value, place),
        )!;
      }
    }
    return partCall(type, value, place);
  }

  /** A call of the function that checks a type, for all places that check the same. */
  function partCall(type: Type, value: string, place: Place): string {
    const isInCycle = referencesCycle(type, place);
    const label =
      type.kind === "array"
        ? `isListOf${labelOf(type.items)}`
        : type.kind === "map"
          ? `isMapOf${labelOf(type.values)}`
          : type.kind === "object"
            ? "isObjectWith"
            : `isEither${labelOf(type)}`;
    const inside: Place = { owner: isInCycle ? place.owner : "" };
    const name = part(`${structureOf(type)} ${inside.owner}`, label, (own) => {
      const parameters = ["value: unknown", ...(isInCycle ? ["depth: number"] : [])];
      file.declare(`function ${own}`, parameters, "): boolean {", () => {
        if (type.kind === "object") {
          emitObject(type, "Record<string, unknown>", inside);
        } else if (type.kind === "array") {
          file.line("if (!Array.isArray(value)) return false;");
          emitLoop("const item of value as readonly unknown[]", "item", type.items, inside);
        } else if (type.kind === "map") {
          file.line(`if (!${file.importValue("isObject", runtime)}(value)) return false;`);
          emitLoop("const each of Object.values(value)", "each", type.values, inside);
        } else {
          file.line(printReturn(conditionOf(type, "value", inside)!, file.indent));
        }
      });
    });
    return `${name}(${value}${isInCycle ? ", depth" : ""})`;
  }

  function emitLoop(head: string, item: string, type: Type, place: Place): void {
    const condition = conditionOf(type, item, place);
    if (condition !== undefined) {
      const simple = typeof condition === "string" ? condition : undefined;
      const failed =
        simple?.endsWith(")") === true
          ? `!${simple}`
          : simple?.startsWith("typeof ") === true
            ? simple.replace("===", "!==")
            : `!${partCall(type, item, place)}`;
      file.under(`for (${head})`, `if (${failed}) return false;`);
    }
    file.line("return true;");
  }

  /** The name of a part, which is printed behind the definitions the first time it is asked for. */
  function part(key: string, label: string, print: (name: string) => void): string {
    const known = parts.get(key);
    if (known !== undefined) return known;
    let name = label;
    for (let count = 2; partNames.has(name); count++) name = `${label}${count}`;
    partNames.add(name);
    parts.set(key, name);
    partPrinters.push(() => print(name));
    return name;
  }

  function onlyFields(owner: string, properties: readonly Property[]): Condition {
    const own = properties.map((property) => property.name);
    const set = part(`fields ${JSON.stringify(own)}`, `fieldsOf${owner}`, (name) => {
      file.list(
        `const ${name}: ReadonlySet<string> = /* @__PURE__ */ new Set([`,
        own.map(quote),
        "]);",
      );
    });
    return `${file.importValue("hasOnlyFields", runtime)}(value, ${set})`;
  }

  function inner(name: string): string {
    return `matches${name}`;
  }

  function depthBelow(target: string, place: Place): string {
    return order.isSameCycle(place.owner, target) ? "depth + 1" : "0";
  }

  function referencesCycle(type: Type, place: Place): boolean {
    switch (type.kind) {
      case "reference":
        return order.isSameCycle(place.owner, type.name);
      case "array":
        return referencesCycle(type.items, place);
      case "map":
        return referencesCycle(type.values, place);
      case "union":
        return type.members.some((each) => referencesCycle(each, place));
      case "object":
        return flattenProperties(definitions, type).some((each) =>
          referencesCycle(each.type, place),
        );
      default:
        return false;
    }
  }
}

/** Where a condition stands: in the check of which definition, or in one that belongs to none. */
interface Place {
  readonly owner: string;
}

function integerCondition(value: string, minimum: number, maximum: number): Condition {
  const isNumber = `typeof ${value} === "number"`;
  const isInt32 = minimum >= -(2 ** 31) && maximum <= 2 ** 31 - 1;
  const isSafe = minimum >= Number.MIN_SAFE_INTEGER && maximum <= Number.MAX_SAFE_INTEGER;
  const test = isInt32
    ? `(${value} | 0) === ${value}`
    : `Number.is${isSafe ? "Safe" : ""}Integer(${value})`;
  const lowest = isInt32 ? -(2 ** 31) : isSafe ? Number.MIN_SAFE_INTEGER : -Infinity;
  const highest = isInt32 ? 2 ** 31 - 1 : isSafe ? Number.MAX_SAFE_INTEGER : Infinity;
  const low = minimum > lowest ? `${value} >= ${minimum}` : undefined;
  const high = maximum < highest ? `${value} <= ${maximum}` : undefined;
  return low === undefined && high === undefined && !isInt32
    ? test
    : allOf(isNumber, test, low, high)!;
}

/** Beginnings of what the module calls its own or imports: no local may hide that. */
const moduleNames =
  /^(isObject|isValid|isListOf|isMapOf|isEither|matches|fieldsOf|values|ownField|hasOnlyFields|hasCharacters|maxNesting)/;

/** A local variable for each property: its own name where that is one. */
function nameLocals(properties: readonly Property[]): ReadonlyMap<string, string> {
  const taken = new Set(["value", "depth", "types", "undefined", "Array", "Number", "Object"]);
  const locals = new Map<string, string>();
  for (const { name } of properties) {
    const isFree =
      /^[a-z_$][\w$]*$/.test(name) &&
      isIdentifier(name) &&
      !isReservedWord(name) &&
      !moduleNames.test(name) &&
      !taken.has(name) &&
      !isInherited(name);
    const stem = isFree ? name : `${name.replaceAll(/[^\w$]/g, "").replace(/^(\d|$)/, "_$1")}Field`;
    let local = stem;
    for (let count = 2; taken.has(local); count++) local = `${stem}${count}`;
    taken.add(local);
    locals.set(name, local);
  }
  return locals;
}

/** Whether every object inherits a property of that name. */
function isInherited(name: string): boolean {
  return name in Object.prototype;
}

function labelOf(type: Type): string {
  switch (type.kind) {
    case "reference":
      return type.name;
    case "array":
      return `ListOf${labelOf(type.items)}`;
    case "integer":
    case "number":
      return pascalCase(type.format ?? type.kind) || "Number";
    case "union":
      return type.members.map(labelOf).join("Or");
    default:
      return pascalCase(type.kind);
  }
}

function article(name: string): string {
  return /^[AEIOU]/.test(name) ? "an" : "a";
}

/** A type as text, without what does not matter for checking. */
function structureOf(type: Type): string {
  const silent = ["docs", "deprecated", "default", "gate", "at"];
  return JSON.stringify(type, (key, value: unknown) => (silent.includes(key) ? undefined : value));
}

function literal(value: string | number | boolean): string {
  return typeof value === "string" ? quote(value) : String(value);
}
