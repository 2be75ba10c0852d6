import { pascalCase } from "../../model/names.js";
import { checkedProperties } from "../../model/properties.js";
import {
  acceptsAbsence,
  hasWholeChecks,
  isAnything,
  isClosed,
  itemTypes,
  typesOfCheck,
  unnamedTypes,
} from "../../model/type-checks.js";
import type { ReferenceOrder } from "../../model/reference-order.js";
import type {
  ArrayType,
  Definition,
  EnumType,
  MapType,
  NumericType,
  ObjectType,
  Property,
  Type,
} from "../../model/types.js";
import { nameLocals } from "../printer/local-names.js";
import { allOf, anyOf, printReturn, type Condition } from "../printer/logical-expression.js";
import { member, printValue, propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import { checksCondition } from "./check-conditions.js";
import { integerLabel, labelOf, structureOf } from "./type-label.js";
import { runtime } from "./package-names.js";

/** Enums with at least this many values are checked using a set instead of comparisons. */
const manyValues = 12;

/**
 * Maximum number of properties in a single expression. TypeScript cannot check expressions that are
 * much longer, so longer checks are split.
 */
const manyProperties = 400;

/**
 * Number of inherited properties that are tested by calling the base's check. Testing them again in
 * each extension is faster, but a chain of extensions would grow with the square of its length.
 */
const manyInherited = 50;

/**
 * Name of the definition that contains a condition, or an empty string if several definitions share
 * the condition.
 */
type Owner = string;

/**
 * Creates the conditions that a type's values must satisfy, and emits the functions that these
 * conditions call.
 */
export class TypeConditions {
  readonly #file: SourceFile;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #order: ReferenceOrder;
  readonly #parts: SharedParts;
  readonly #checkName: (definition: string) => string;

  /** @param checkName Returns the name of the function that checks a definition. */
  constructor(
    file: SourceFile,
    definitions: ReadonlyMap<string, Definition>,
    order: ReferenceOrder,
    checkName: (definition: string) => string,
  ) {
    this.#checkName = checkName;
    this.#file = file;
    this.#parts = new SharedParts(file);
    this.#definitions = definitions;
    this.#order = order;
  }

  /** Emits the functions and constants used by the conditions that have been created so far. */
  printParts(): void {
    this.#parts.print();
  }

  /**
   * Returns the condition for a property, or undefined if the property may be absent and may have
   * any value.
   */
  #ofProperty(property: Property, local: string, owner: Owner): Condition | undefined {
    const { type, required } = property;
    const condition = this.of(type, local, owner);
    if (required) {
      const mayBeAbsent = acceptsAbsence(type, this.#definitions);
      return allOf(mayBeAbsent ? `${local} !== undefined` : undefined, condition);
    }
    if (condition === undefined || condition === `${local} === undefined`) return condition;
    const kind = ["string", "boolean"].find(
      (each) => condition === `typeof ${local} === "${each}"`,
    );
    return kind === undefined
      ? anyOf(`${local} === undefined`, condition)
      : `${this.#optional(kind)}(${local})`;
  }

  /**
   * Optional texts and flags share functions, because they occur often. Integers do not: a call
   * within a call is not inlined, which takes 5 % longer.
   */
  #optional(kind: string): string {
    return this.#parts.name(`optional ${kind}`, `isOptional${pascalCase(kind)}`, (name) =>
      this.#file.declare(`function ${name}`, ["value: unknown"], "): boolean {", () =>
        this.#file.line(`return value === undefined || typeof value === "${kind}";`),
      ),
    );
  }

  /**
   * Returns the condition under which a value matches a type, or undefined if any value is valid.
   */
  of(type: Type, value: string, owner: Owner): Condition | undefined {
    const structure = this.#ofStructure(type, value, owner);
    // For an object, the condition already includes the checks, because it calls a function that
    // applies them.
    return type.kind === "object" ? structure : allOf(structure, this.#checks(type, value, owner));
  }

  /**
   * Returns the condition under which a value satisfies a type's checks, which are conditions that
   * the type itself cannot express.
   */
  #checks(type: Type, value: string, owner: Owner): Condition | undefined {
    return checksCondition(type, value, {
      file: this.#file,
      of: (each, name) => this.of(each, name, owner),
      call: (each, name) => this.#callWhole(each, name, owner),
      part: (key, label, print) => this.#parts.name(key, label, print),
    });
  }

  #ofStructure(type: Type, value: string, owner: Owner): Condition | undefined {
    switch (type.kind) {
      case "enum":
        return this.#ofEnum(type, value);
      case "union":
        return type.members.length === 0
          ? `${value} === undefined`
          : anyOf(...type.members.map((each) => this.of(each, value, owner)));
      case "reference":
        return this.#ofReference(type.name, value, owner);
      case "array":
        return this.#ofArray(type, value, owner);
      case "map":
        return isAnything(type.values)
          ? `${this.#file.importValue("isObject", runtime)}(${value})`
          : this.#call(type, value, owner);
      case "object":
        return this.#call(type, value, owner);
      case "integer":
        return this.#ofInteger(type, value);
      default:
        return primitiveCondition(type, value, this.#file);
    }
  }

  /** Integers within bounds share a function, because the test is long and occurs often. */
  #ofInteger({ minimum = -Infinity, maximum = Infinity }: NumericType, value: string): Condition {
    if (minimum === -Infinity && maximum === Infinity) return `Number.isInteger(${value})`;
    const file = this.#file;
    const key = `integer ${minimum} ${maximum}`;
    const name = this.#parts.name(key, `is${integerLabel(minimum, maximum)}`, (name) =>
      file.declare(`function ${name}`, ["value: unknown"], "): boolean {", () => {
        const exact = (): string => file.importValue("isExactUnsigned", runtime);
        file.line(printReturn(integerCondition("value", minimum, maximum, exact), file.indent));
      }),
    );
    return `${name}(${value})`;
  }

  /**
   * Emits the body of a function that checks whether `value` is an object of the type.
   *
   * @param before Emits the statements to run before any property is tested.
   */
  printObject(type: ObjectType, owner: Owner, before?: () => void): void {
    const file = this.#file;
    const isObject = (): string => `${file.importValue("isObject", runtime)}(value)`;
    const all = checkedProperties(this.#definitions, type);
    const base = all.length > manyInherited ? this.#testedBase(type, all) : undefined;
    const tested = base === undefined ? undefined : this.#propertiesOf(base);
    const properties = all.filter(({ name }) => tested?.has(name) !== true);
    const inherited = base === undefined ? undefined : `${this.#checkName(base)}(value)`;
    const only = allOf(inherited, this.#ofWhole(type, owner));
    if (properties.length > manyProperties) {
      const calls: Condition[] = [];
      for (let start = 0; start < properties.length; start += manyProperties) {
        const chunk = properties.slice(start, start + manyProperties);
        const part: ObjectType = { kind: "object", bases: [], properties: chunk, extras: "open" };
        calls.push(this.#call(part, "value", owner));
      }
      file.line(printReturn(allOf(isObject(), only, ...calls)!, file.indent));
      return;
    }
    const locals = nameLocals(properties);
    const tests = properties.flatMap((property) => {
      const condition = this.#ofProperty(property, locals.get(property.name)!, owner);
      return condition === undefined ? [] : [{ property, condition }];
    });
    if (tests.length === 0 && before === undefined) {
      file.line(printReturn(allOf(isObject(), only)!, file.indent));
      return;
    }
    file.line(`if (!${isObject()}) return false;`);
    before?.();
    const read = tests.map(({ property }) => property);
    if (tests.length > 0) emitLocals(file, read, locals);
    const conditions = tests.map(({ condition }) => condition);
    file.line(printReturn(allOf(...conditions, only) ?? "true", file.indent));
  }

  /** Returns the conditions for a message in addition to those that its base has checked. */
  beyond(type: ObjectType, base: string, owner: Owner): readonly Condition[] {
    const inherited = this.#propertiesOf(base);
    const conditions = checkedProperties(this.#definitions, type)
      .filter((property) => !hasSameTest(property, inherited.get(property.name)))
      .map((property) => this.#ofProperty(property, member("value", property.name), owner));
    return [...conditions, this.#ofWhole(type, owner)].filter((each) => each !== undefined);
  }

  /**
   * Returns whether the check of a definition can test the envelope of a message that extends it:
   * it accepts every value that the message's type allows, and declares all of its properties.
   */
  canTest(base: string, type: ObjectType): boolean {
    if (!this.#isOpen(base)) return false;
    const declared = this.#propertiesOf(base);
    const properties = checkedProperties(this.#definitions, type);
    return (
      properties.length === declared.size &&
      properties.every((property) => {
        const inherited = declared.get(property.name);
        return (
          inherited !== undefined &&
          !(property.name in Object.prototype) &&
          (hasSameTest(property, inherited) || isNarrower(property, inherited))
        );
      })
    );
  }

  /** Returns a base with many properties whose check includes the tests of all of them. */
  #testedBase(type: ObjectType, properties: readonly Property[]): string | undefined {
    return type.bases.find((name) => {
      if (!this.#isOpen(name)) return false;
      const declared = this.#propertiesOf(name);
      return (
        declared.size >= manyInherited &&
        properties.every(
          (property) =>
            !declared.has(property.name) || hasSameTest(property, declared.get(property.name)),
        )
      );
    });
  }

  /** Returns whether a definition is an object that is checked by its properties alone. */
  #isOpen(name: string): boolean {
    const type = this.#definitions.get(name)?.type;
    return type?.kind === "object" && !this.#order.isRecursive(name) && !hasWholeChecks(type);
  }

  /** Returns an object's properties by name. */
  #propertiesOf(definition: string): ReadonlyMap<string, Property> {
    const type = this.#definitions.get(definition)!.type as ObjectType;
    const properties = checkedProperties(this.#definitions, type);
    return new Map(properties.map((property) => [property.name, property]));
  }

  /** Returns the condition for an object as a whole, without those for its properties. */
  #ofWhole(type: ObjectType, owner: Owner): Condition | undefined {
    return allOf(this.#onlyFields(type, owner), this.#checks(type, "value", owner));
  }

  /**
   * Returns the condition under which a closed object has only its named properties, or undefined
   * for open objects.
   */
  #onlyFields(type: ObjectType, owner: Owner): Condition | undefined {
    if (!isClosed(type)) return undefined;
    const names = checkedProperties(this.#definitions, type).map(({ name }) => quote(name));
    const set = this.#parts.name(`fields ${names.join()}`, `fieldsOf${owner}`, (name) =>
      this.#file.list(
        `const ${name}: ReadonlySet<string> = /* @__PURE__ */ new Set([`,
        names,
        "]);",
      ),
    );
    return `${this.#file.importValue("hasOnlyFields", runtime)}(value, ${set})`;
  }

  #ofReference(name: string, value: string, owner: Owner): Condition {
    const { isRecursive, isSameCycle } = this.#order;
    return isRecursive(name)
      ? `matches${name}(${value}, ${isSameCycle(owner, name) ? "depth + 1" : "0"})`
      : `${this.#checkName(name)}(${value})`;
  }

  #ofEnum(type: EnumType, value: string): Condition {
    if (type.open) {
      const kinds = [...new Set(type.values.map((each) => typeof each.value))];
      return anyOf(...kinds.map((kind) => `typeof ${value} === "${kind}"`))!;
    }
    const values = type.values.map((each) => printValue(each.value));
    if (values.length < manyValues) return anyOf(...values.map((each) => `${value} === ${each}`))!;
    const set = this.#parts.name(`enum ${values.join()}`, "values", (name) =>
      this.#file.list(
        `const ${name}: ReadonlySet<unknown> = /* @__PURE__ */ new Set([`,
        values,
        "]);",
      ),
    );
    return `${set}.has(${value})`;
  }

  #ofArray(type: Type & { readonly kind: "array" }, value: string, owner: Owner): Condition {
    const size = allOf(
      type.minItems === undefined ? undefined : `${value}.length >= ${type.minItems}`,
      type.maxItems === undefined ? undefined : `${value}.length <= ${type.maxItems}`,
    );
    const isArray = `Array.isArray(${value})`;
    if (type.first !== undefined || isAnything(type.items)) return allOf(isArray, size)!;
    const items = this.#call({ kind: "array", items: testedType(type.items) }, value, owner);
    return size === undefined ? items : allOf(isArray, size, items)!;
  }

  /**
   * Returns a call to the function that checks a type. Types with the same structure share a
   * function.
   */
  #call(type: ArrayType | MapType | ObjectType, value: string, owner: Owner): string {
    const file = this.#file;
    const label =
      type.kind === "array"
        ? `isListOf${labelOf(type.items)}`
        : type.kind === "map"
          ? `isMapOf${labelOf(type.values)}`
          : "isObjectWith";
    return this.#callOf(type, "", label, value, owner, (inside) => {
      if (type.kind === "object") {
        this.printObject(type, inside);
        return;
      }
      if (type.kind === "array") {
        file.line("if (!Array.isArray(value)) return false;");
        const failed = this.#failed("value[index]", type.items, inside);
        // Loop over indices, because iterators are slower and an array may have a custom one.
        if (failed !== undefined)
          file.under(
            "for (let index = 0; index < value.length; index++)",
            `if (${failed}) return false;`,
          );
      } else {
        file.line(`if (!${file.importValue("isObject", runtime)}(value)) return false;`);
        const failed = this.#failed("each", type.values, inside);
        if (failed !== undefined)
          file.under("for (const each of Object.values(value))", `if (${failed}) return false;`);
      }
      file.line("return true;");
    });
  }

  /**
   * Returns the condition under which an item or entry does not match a type, or undefined if all
   * values match it.
   */
  #failed(part: string, type: Type, owner: Owner): string | undefined {
    const condition = this.of(type, part, owner);
    if (condition === undefined) return undefined;
    const isTypeof = /^typeof ([\w[\]]+) === ("\w+")$/.exec(String(condition));
    if (isTypeof !== null) return `typeof ${isTypeof[1]} !== ${isTypeof[2]}`;
    return typeof condition === "string" && /^[\w.]+\(.*\)$/.test(condition)
      ? `!${condition}`
      : `!${this.#callWhole(type, part, owner)}`;
  }

  /**
   * Returns a call to a function that checks a value against a type as a whole, including the
   * type's checks.
   */
  #callWhole(type: Type, value: string, owner: Owner): string {
    return this.#callOf(type, "whole ", `isEither${labelOf(type)}`, value, owner, (inside) =>
      this.#file.line(printReturn(this.of(type, "value", inside)!, this.#file.indent)),
    );
  }

  /**
   * Returns a call to a function, which is emitted only once. If the type is part of a cycle of
   * definitions, the function takes a `depth` parameter as well.
   */
  #callOf(
    type: Type,
    scope: "" | "whole ",
    label: string,
    value: string,
    owner: Owner,
    print: (inside: Owner) => void,
  ): string {
    const isInCycle = this.#reaches(type, owner);
    const inside = isInCycle ? owner : "";
    const name = this.#parts.name(`${scope}${structureOf(type)} ${inside}`, label, (own) => {
      const parameters = ["value: unknown", ...(isInCycle ? ["depth: number"] : [])];
      this.#file.declare(`function ${own}`, parameters, "): boolean {", () => print(inside));
    });
    return `${name}(${value}${isInCycle ? ", depth" : ""})`;
  }

  /** Returns whether a type refers back to the definition that contains it. */
  #reaches(type: Type, owner: Owner): boolean {
    return refersTo(type, this.#definitions, (name) => this.#order.isSameCycle(owner, name));
  }
}

/** Returns a type that is tested in the same way, so that both share a function. */
function testedType(type: Type): Type {
  const isText =
    type.kind === "enum" &&
    type.open &&
    type.values.every(({ value }) => typeof value === "string");
  return isText ? { kind: "string" } : type;
}

/** Returns whether a redefined property has the same test as the base's property. */
function hasSameTest(property: Property, inherited: Property | undefined): boolean {
  return (
    property === inherited ||
    (property.required === inherited?.required &&
      structureOf(property.type) === structureOf(inherited.type))
  );
}

/** Returns whether a redefined property is certain to be narrower than the base's property. */
function isNarrower({ type, required }: Property, { type: base, ...inherited }: Property): boolean {
  if (inherited.required && !required) return false;
  if (isAnything(base)) return true;
  if (type.kind !== "literal" || typeof type.value !== base.kind) return false;
  return base.kind !== "string" || (base.minLength === undefined && base.maxLength === undefined);
}

/** Emits local constants for an object's properties. */
function emitLocals(
  file: SourceFile,
  properties: readonly Property[],
  locals: ReadonlyMap<string, string>,
): void {
  const plain = properties.filter(({ name }) => !(name in Object.prototype));
  if (plain.length > 0) {
    const bindings = plain.map(({ name }) =>
      name === locals.get(name) ? name : `${propertyKey(name)}: ${locals.get(name)}`,
    );
    file.list("const {", bindings, "} = value;", " ");
  }
  for (const { name } of properties) {
    if (!(name in Object.prototype)) continue;
    const own = file.importValue("ownField", runtime);
    file.line(`const ${locals.get(name)} = ${own}(value, ${quote(name)});`);
  }
}

/** A type that can be tested without calling another function of the emitted module. */
type PrimitiveType = Exclude<
  Type,
  { readonly kind: "array" | "enum" | "integer" | "map" | "object" | "reference" | "union" }
>;

/**
 * Returns the condition under which a value matches a primitive type, or undefined if any value is
 * valid.
 */
function primitiveCondition(
  type: PrimitiveType,
  value: string,
  file: SourceFile,
): Condition | undefined {
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
      return `${value} === ${printValue(type.value)}`;
  }
}

/**
 * Creates the condition for an integer. For a range of machine integers, it uses an operator, which
 * is faster than a call.
 */
function integerCondition(
  value: string,
  minimum: number,
  maximum: number,
  exact: () => string,
): Condition {
  const isNumber = `typeof ${value} === "number"`;
  const isUnsigned = `${value} >>> 0 === ${value}`;
  const within = (lowest: number, highest: number): Condition | undefined =>
    allOf(
      minimum > lowest ? `${value} >= ${minimum}` : undefined,
      maximum < highest ? `${value} <= ${maximum}` : undefined,
    );
  if (minimum >= -(2 ** 31) && maximum <= 2 ** 31 - 1)
    return allOf(isNumber, `(${value} | 0) === ${value}`, within(-(2 ** 31), 2 ** 31 - 1))!;
  if (minimum >= 0 && maximum <= 2 ** 32 - 1)
    return allOf(isNumber, isUnsigned, within(0, 2 ** 32 - 1))!;
  const isSafe = minimum >= Number.MIN_SAFE_INTEGER && maximum <= Number.MAX_SAFE_INTEGER;
  const test = `Number.is${isSafe ? "Safe" : ""}Integer(${value})`;
  const bounds = isSafe
    ? within(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    : within(-Infinity, Infinity);
  if (bounds === undefined) return test;
  if (minimum !== 0 || maximum < 2 ** 32 - 1) return allOf(isNumber, test, bounds)!;
  const isLarger =
    maximum === Number.MAX_SAFE_INTEGER ? `${exact()}(${value})` : allOf(test, bounds);
  return allOf(isNumber, anyOf(isUnsigned, isLarger))!;
}

/**
 * Functions and constants that the conditions in a module share. Equal functions and constants are
 * emitted only once.
 */
class SharedParts {
  readonly #file: SourceFile;
  /** Names of the functions and constants in the module, by the type that they check. */
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #printers: (() => void)[] = [];

  constructor(file: SourceFile) {
    this.#file = file;
  }

  /**
   * Returns the name of a function or constant, choosing it on first use. `print` emits the
   * function or constant later.
   *
   * @param key The type that the function or constant checks.
   */
  name(key: string, label: string, print: (name: string) => void): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    let name = label;
    for (let count = 2; this.#taken.has(name); count++) name = `${label}${count}`;
    this.#taken.add(name);
    this.#names.set(key, name);
    this.#printers.push(() => print(name));
    return name;
  }

  /** Emits the functions and constants that have been named since the last call. */
  print(): void {
    // Emitting a function may require more functions to be emitted.
    for (let print = this.#printers.shift(); print !== undefined; print = this.#printers.shift()) {
      print();
      this.#file.line();
    }
  }
}

/** Returns whether a type, or any type inside it, refers to a definition that `isMeant` accepts. */
function refersTo(
  type: Type,
  definitions: ReadonlyMap<string, Definition>,
  isMeant: (name: string) => boolean,
): boolean {
  if (type.kind === "reference" && isMeant(type.name)) return true;
  const inside = [...(type.checks ?? []).flatMap(typesOfCheck), ...partsOf(type, definitions)];
  return inside.some((each) => refersTo(each, definitions, isMeant));
}

function partsOf(type: Type, definitions: ReadonlyMap<string, Definition>): readonly Type[] {
  switch (type.kind) {
    case "array":
      return itemTypes(type);
    case "map":
      return [type.values];
    case "union":
      return type.members;
    case "object":
      return [
        ...checkedProperties(definitions, type).map((each) => each.type),
        ...unnamedTypes(type),
      ];
    default:
      return [];
  }
}
