import { InputError } from "../../generator/base/input-error.js";
import type {
  ArrayType,
  Definition,
  Gate,
  Json,
  ObjectType,
  Property,
  Type,
  UnionType,
} from "../../generator/model/types.js";
import { failureType, successType } from "../../generator/model/checked-types.js";
import type { Message, Protocol, RequestMessage } from "../../generator/model/protocol.js";
import { once, oncePer, oncePerText } from "../../generator/model/once.js";
import { withInherited } from "../../generator/model/properties.js";
import { definitionsByName, requestsByResponse } from "../../generator/model/queries.js";
import { orderByReference, referencesOf } from "../../generator/model/reference-order.js";
import { typesIn } from "../../generator/model/type-checks.js";
import { setField } from "../../runtime/base/own-fields.js";
import { smallestText } from "./sample-texts.js";
import { readForm, type Alternative, type Resolved, type TypeForm } from "./type-form.js";

/**
 * A property of an object. `owner` is the base that declares the property; it is absent if the
 * object declares the property itself.
 */
export interface OwnedProperty extends Property {
  readonly owner?: string;
}

/** The type of an object's unnamed properties, and the base that states it, if another one does. */
interface UnnamedPart {
  readonly type: Type;
  readonly owner?: string;
}

/** The two versions being compared. */
export interface Versions {
  readonly before: Side;
  readonly after: Side;
}

/** One of the two versions being compared. */
export type Version = keyof Versions;

/**
 * Returns a version's index. The same index is used in all comparisons of that version, because it
 * contains nothing but cached lookups.
 */
export const sideOf = oncePer((protocol: Protocol) => new Side(protocol));

/** An index of one of the two versions being compared, with cached lookups. */
export class Side {
  readonly protocol: Protocol;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Messages by kind and name, such as `event stopped`. */
  readonly messages: ReadonlyMap<string, Message>;
  readonly #requests: ReadonlyMap<string, RequestMessage>;
  /** The first definition at each location in the schema. */
  readonly #namesByPointer: ReadonlyMap<string | undefined, string>;
  readonly #forms = new Map<Type, TypeForm>();

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.definitions = definitionsByName(protocol);
    this.#requests = requestsByResponse(protocol);
    this.#namesByPointer = new Map(
      protocol.definitions.map((each) => [each.pointer, each.name] as const).reverse(),
    );
    this.messages = new Map(protocol.messages.map((each) => [`${each.kind} ${each.name}`, each]));
  }

  /** Returns whether this version allows a role to announce a capability. */
  canAnnounce({ role, capability }: Gate): boolean {
    const source = this.protocol.capabilities.find((each) => each.role === role);
    if (source === undefined || !this.definitions.has(source.definition)) return false;
    return this.#hasProperty({ kind: "reference", name: source.definition }, capability);
  }

  /** @param path Names of nested properties, separated by dots. A name may itself contain dots. */
  #hasProperty(type: Type, path: string): boolean {
    return this.alternativesOf(type).some(
      (object) =>
        object.kind === "object" &&
        this.propertiesOf(object).some(
          ({ name, type: inner }) =>
            name === path ||
            (path.startsWith(`${name}.`) && this.#hasProperty(inner, path.slice(name.length + 1))),
        ),
    );
  }

  /** Returns a definition's type. For a response, this is the type of a successful response. */
  readonly typeOf = oncePerText((name): Type => {
    const definition = this.definitions.get(name)!;
    const request = this.#requests.get(name);
    if (request !== undefined)
      return succeeding(this.protocol, successType(this.protocol, definition, request));
    return name === this.protocol.bases.error
      ? failureType(this.protocol, definition)
      : definition.type;
  });

  /** Returns the smallest values of this version's types. */
  readonly smallestValues = once(() => new SmallestValues(this));

  /** Returns the names of definitions that no message contains. Packages still export them. */
  readonly unsent = once((): readonly string[] => {
    const sent = reachedFrom(this.definitions, messageDefinitions(this.protocol));
    return [...this.definitions.keys()].filter(
      (name) => !sent.has(name) && !this.containsMessage(name),
    );
  });

  readonly #messageNames = once(() => new Set(messageDefinitions(this.protocol)));

  /** Returns whether a definition is a message or a base of messages, or refers to a message. */
  containsMessage(name: string): boolean {
    const messages = this.#messageNames();
    return [...reachedFrom(this.definitions, [name])].some((each) => messages.has(each));
  }

  readonly #ofCapabilities = once(() => definitionsOfCapabilities(this.protocol, this.definitions));

  /** Returns whether a definition describes capabilities, or occurs only in definitions that do. */
  isOfCapabilities(definition: string): boolean {
    return this.#ofCapabilities().has(definition);
  }

  readonly #namesByType = once(
    (): ReadonlyMap<Type, string> =>
      new Map([...this.definitions.values()].map((each) => [each.type, each.name])),
  );

  /**
   * Returns the name of the definition that a reference leads to, or that declares this type.
   * Returns undefined for an inline type.
   */
  nameOf(type: Type): string | undefined {
    return type.kind === "reference" ? type.name : this.#namesByType().get(type);
  }

  /** Follows references until it reaches a type that is not a reference. */
  resolve(type: Type): Resolved {
    let resolved = type;
    while (resolved.kind === "reference") resolved = this.typeOf(resolved.name);
    return resolved;
  }

  /**
   * Returns a type's alternatives, including those of nested unions, without duplicates. A type
   * that is not a union is its own only alternative.
   */
  membersOf(type: Type): readonly Alternative[] {
    const resolved = this.resolve(type);
    return resolved.kind === "union" ? this.#membersOfUnion(resolved) : [{ type, resolved }];
  }

  readonly #membersOfUnion = oncePer((whole: UnionType): readonly Alternative[] => {
    const unions = new Set([whole]);
    const others = new Map<Resolved, Alternative>();
    for (const union of unions)
      for (const member of union.members) {
        const target = this.resolve(member);
        if (target.kind === "union") unions.add(target);
        else if (!others.has(target)) others.set(target, { type: member, resolved: target });
      }
    // Leave out alternatives that have no values, because they make no difference. Ignore array
    // lengths here, because some readers do not enforce them.
    return [...others.values()].filter((each) => this.#unbounded().isInhabited(each.type));
  });

  /** Returns a type's alternatives, with references resolved. */
  alternativesOf(type: Type): readonly Resolved[] {
    return this.membersOf(type).map(({ resolved }) => resolved);
  }

  /** Returns the form of a type, which describes its values by kind. */
  formOf(type: Type): TypeForm {
    const resolved = this.resolve(type);
    let form = this.#forms.get(resolved);
    if (form === undefined) this.#forms.set(resolved, (form = readForm(this.membersOf(type))));
    return form;
  }

  /**
   * Returns whether a type has any values. It has none if each value would have to contain another
   * one of the same type.
   */
  isInhabited(type: Type): boolean {
    return this.smallestValues().isInhabited(type);
  }

  /**
   * Returns the smallest values of the types when minimum array lengths are ignored. If the version
   * defines no such lengths, these are the same as `smallestValues`.
   */
  readonly #unbounded = once((): SmallestValues => {
    const hasLengths = this.#written().some(
      (type) => type.kind === "array" && (type.minItems ?? 0) > 0,
    );
    return hasLengths ? new SmallestValues(this, false) : this.smallestValues();
  });

  /**
   * Returns the property that readers use to distinguish the objects in a union, or undefined if
   * there is none.
   */
  discriminatorOf(type: Type): Discriminator | undefined {
    const resolved = this.resolve(type);
    return resolved.kind === "union" ? this.#discriminator(resolved).found : undefined;
  }

  readonly #discriminator = oncePer((union: UnionType) => ({
    found: findDiscriminator(this, union),
  }));

  /** Returns the names of all properties that this version declares. */
  readonly names = once(
    (): ReadonlySet<string> =>
      new Set(
        this.#written().flatMap((type) =>
          type.kind === "object" ? type.properties.map(({ name }) => name) : [],
        ),
      ),
  );

  readonly #written = once((): readonly Type[] =>
    [...this.definitions.values()].flatMap(({ type }) => typesIn(type)),
  );

  /**
   * Returns all properties of an object. Inherited ones carry the name of the base that declares
   * them.
   */
  readonly propertiesOf = oncePer((type: ObjectType): readonly OwnedProperty[] =>
    withInherited(type.bases, this.#inheritedFrom, type.properties),
  );

  /**
   * Returns the types of an object's unnamed properties by pattern, as `unnamedParts` does.
   * Inherited ones carry the name of the base that states them.
   */
  readonly unnamedPartsOf = oncePer((object: ObjectType): ReadonlyMap<string, UnnamedPart> => {
    const inherited = object.bases.flatMap((base): (readonly [string, UnnamedPart])[] => {
      const target = this.resolve({ kind: "reference", name: base });
      return target.kind === "object"
        ? [...this.unnamedPartsOf(target)].map(([pattern, part]) => [
            pattern,
            { owner: base, ...part },
          ])
        : [];
    });
    const stated = [...unnamedParts(object)];
    return new Map([
      ...inherited,
      ...stated.map(([pattern, type]) => [pattern, { type }] as const),
    ]);
  });

  /**
   * Returns the definition in whose schema a property is, or undefined if the property is in a part
   * of that schema. Alternatives have properties of the definition that they extend.
   */
  declarerOf({ pointer }: Property): string | undefined {
    return this.#namesByPointer.get(pointer.replace(ownProperty, ""));
  }

  /** Returns whether a definition's schema declares a property. */
  declares(definition: string, name: string): boolean {
    return this.#declared().has(`${definition} ${name}`);
  }

  readonly #declared = once(
    () =>
      new Set(
        this.#written().flatMap((type) =>
          type.kind === "object"
            ? type.properties.map((each) => `${this.declarerOf(each)} ${each.name}`)
            : [],
        ),
      ),
  );

  /** Returns whether a definition is an alternative that is part of another definition's schema. */
  isAlternative({ name, pointer }: Definition): boolean {
    return pointer !== undefined && this.#namesByPointer.get(pointer) !== name;
  }

  /**
   * Returns the properties that objects inherit from a base. The array is shared by all derived
   * objects.
   */
  readonly #inheritedFrom = oncePerText((base): readonly OwnedProperty[] => {
    const target = this.resolve({ kind: "reference", name: base });
    return target.kind === "object"
      ? this.propertiesOf(target).map((each) =>
          each.owner === undefined ? { ...each, owner: base } : each,
        )
      : [];
  });
}

/**
 * Returns the types of an object's unnamed properties by pattern. The type of those that match no
 * pattern has the key `""`.
 */
export function unnamedParts({ matching = [], others }: ObjectType): ReadonlyMap<string, Type> {
  return new Map([
    ...matching.map(({ pattern, type }) => [pattern, type] as const),
    ...(others === undefined ? [] : [["", others] as const]),
  ]);
}

function definitionsOfCapabilities(
  protocol: Protocol,
  definitions: ReadonlyMap<string, Definition>,
): ReadonlySet<string> {
  const announced = new Set(protocol.capabilities.map(({ definition }) => definition));
  const elsewhere = reachedFrom(definitions, messageDefinitions(protocol), announced);
  const below = reachedFrom(definitions, announced);
  return new Set([...below].filter((name) => announced.has(name) || !elsewhere.has(name)));
}

/**
 * Returns the given definition names, plus the names of all definitions that those definitions
 * contain, directly or indirectly.
 * @param apart Names of definitions to leave out unless they are in `names`.
 */
export function reachedFrom(
  definitions: ReadonlyMap<string, Definition>,
  names: Iterable<string>,
  apart: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const all = new Set(names);
  for (const name of all) {
    const definition = definitions.get(name);
    if (definition === undefined) continue;
    for (const each of referencesOf(definition.type)) if (!apart.has(each)) all.add(each);
  }
  return all;
}

function messageDefinitions({ messages, bases }: Protocol): readonly string[] {
  return [
    ...Object.values(bases),
    ...messages.flatMap((message) => [
      message.definition,
      message.registration?.options,
      ...(message.kind === "request"
        ? [message.responseDefinition, message.partialResult, message.errorData]
        : []),
    ]),
  ].filter((name): name is string => name !== undefined);
}

/** The end of a pointer to a property that a schema declares itself or in one of its alternatives. */
const ownProperty = /(\/(allOf|anyOf|oneOf)\/\d+)*\/properties\/[^/]+$/;

/** A required property that has a fixed value in every object of a union. */
interface Discriminator {
  readonly name: string;
  /** The objects of the union, by the value of the discriminator. */
  readonly objects: ReadonlyMap<unknown, readonly ObjectType[]>;
}

/**
 * Finds a union's discriminator, or returns undefined if no property qualifies. If several do, the one
 * with the most values wins, followed by the first in alphabetical order.
 */
function findDiscriminator(side: Side, union: Type): Discriminator | undefined {
  const alternatives = side.alternativesOf(union);
  const objects = alternatives.filter((each) => each.kind === "object" || each.kind === "map");
  if (objects.length < 2 || alternatives.some((each) => each.kind === "any")) return undefined;
  const candidates = new Map<string, Map<unknown, ObjectType[]>>();
  for (const object of objects) {
    if (object.kind === "map") return undefined;
    for (const { name, required, type } of side.propertiesOf(object)) {
      const target = side.resolve(type);
      if (!required || target.kind !== "literal") continue;
      const values = candidates.get(name) ?? new Map<unknown, ObjectType[]>();
      values.set(target.value, [...(values.get(target.value) ?? []), object]);
      candidates.set(name, values);
    }
  }
  const [first] = [...candidates]
    .filter(
      ([, values]) => values.size > 1 && [...values.values()].flat().length === objects.length,
    )
    .sort(([a, one], [b, other]) => other.size - one.size || (a < b ? -1 : 1));
  return first === undefined ? undefined : { name: first[0], objects: first[1] };
}

/** Narrows a response type to responses that report success. */
function succeeding({ envelope }: Protocol, type: ObjectType): ObjectType {
  const properties = type.properties.map((property): Property =>
    property.name === envelope.response?.success
      ? { ...property, type: { kind: "literal", value: true } }
      : property,
  );
  return { ...type, properties };
}

/** Maximum length of an example's JSON, in characters. Nobody could read a longer one. */
const maxLength = 1_000_000;

/**
 * Returns the value with the shortest JSON that a type accepts, without optional properties, or
 * undefined if the type has no values.
 *
 * @throws InputError `ERR_TOO_LARGE` if the JSON is longer than 1,000,000 characters.
 */
export function smallestValue(side: Side, type: Type): Json | undefined {
  return side.smallestValues().of(type);
}

/**
 * Returns the smallest object of a type, or `{}` if the type has no values. The caller may modify
 * the object.
 */
export function smallestObject(side: Side, type: ObjectType): { [name: string]: Json } {
  return (smallestValue(side, type) ?? {}) as { [name: string]: Json };
}

/** Returns the value with the shortest JSON. If there is a tie, the first one wins. */
export function leastJson(values: readonly Json[]): Json | undefined {
  let least: Json | undefined;
  let length = Infinity;
  for (const value of values) {
    const size = jsonLength(value);
    if (size < length) [least, length] = [value, size];
  }
  return least;
}

/**
 * Builds the smallest values of types. Lengths are determined first, because values can get huge:
 * they double in size with each level if each definition requires the next one twice.
 */
class SmallestValues {
  readonly #side: Side;
  /**
   * Length of each definition's smallest value as JSON, or infinity if the definition has no
   * values.
   */
  readonly #lengths: ReadonlyMap<string, number>;

  readonly #hasBounds: boolean;
  /**
   * Whether a length was needed before it was known, in which case the lengths must be computed
   * again.
   */
  #hasGuessed = false;

  /** @param hasBounds Whether to respect minimum array lengths. Default: true. */
  constructor(side: Side, hasBounds = true) {
    this.#side = side;
    this.#hasBounds = hasBounds;
    const lengths = new Map<string, number>();
    this.#lengths = lengths;
    const types = [...side.definitions.values()].map((each) => ({
      ...each,
      type: side.typeOf(each.name),
    }));
    const { names } = orderByReference(types);
    const settle = (): boolean => {
      let isSettled = true;
      for (const name of names) {
        const length = this.#length(side.typeOf(name));
        if (length >= (lengths.get(name) ?? Infinity)) continue;
        lengths.set(name, length);
        isSettled = false;
      }
      return isSettled;
    };
    settle();
    // A recursive type has values only if one of its alternatives ends the recursion. Repeat until
    // the lengths stop getting shorter.
    if (this.#hasGuessed) while (!settle());
  }

  isInhabited(type: Type): boolean {
    return this.#length(type) !== Infinity;
  }

  of(type: Type): Json | undefined {
    const length = this.#length(type);
    if (length === Infinity) return undefined;
    if (length > maxLength)
      throw new InputError(
        "ERR_TOO_LARGE",
        `Cannot show an example that is ${length} characters long: the limit is ${maxLength}`,
        {},
        "Check for definitions that require each other in several properties, or for a large minimum length",
      );
    return this.#build(type);
  }

  #length(type: Type): number {
    switch (type.kind) {
      case "string":
        return type.pattern === undefined
          ? (type.minLength ?? 0) + 2
          : jsonLength(smallestText(type));
      case "array": {
        const least = this.#hasBounds ? (type.minItems ?? 0) : 0;
        if (least === 0) return 2;
        const { first = [] } = type;
        const others = Math.max(0, least - first.length);
        const lengths = first.slice(0, least).map((item) => this.#length(item) + 1);
        if (others > 0) lengths.push(others * (this.#length(type.items) + 1));
        return lengths.reduce((sum, length) => sum + length, 1);
      }
      case "object": {
        let length = 2;
        for (const { name, type: part, required } of this.#side.propertiesOf(type))
          if (required) length += (length > 2 ? 1 : 0) + jsonLength(name) + 1 + this.#length(part);
        return length;
      }
      case "union":
        return Math.min(...type.members.map((member) => this.#length(member)));
      case "reference":
        return this.#lengthOf(type.name);
      default: {
        const value = plainValue(type);
        return value === undefined ? Infinity : jsonLength(value);
      }
    }
  }

  #lengthOf(name: string): number {
    const length = this.#lengths.get(name);
    if (length === undefined) this.#hasGuessed = true;
    return length ?? Infinity;
  }

  #buildList({ minItems = 0, first = [], items }: ArrayType): Json {
    const list = first.slice(0, minItems).map((item) => this.#build(item));
    const others = minItems - list.length;
    return others === 0 ? list : [...list, ...Array<Json>(others).fill(this.#build(items))];
  }

  #build(type: Type): Json {
    switch (type.kind) {
      case "string":
        return smallestText(type);
      case "array":
        return this.#buildList(type);
      case "object": {
        const value: { [name: string]: Json } = {};
        for (const { name, type: part } of this.#required(type))
          setField(value, name, this.#build(part));
        return value;
      }
      case "union":
      case "reference":
        return this.#build(this.#alternative(type, new Set())!);
      default:
        return plainValue(type)!;
    }
  }

  /**
   * Returns the first alternative whose smallest value is as short as the whole type's. Unions that
   * have already been visited are skipped, so that the recursion ends.
   */
  #alternative(type: Type, passed: Set<Type>): Type | undefined {
    if (type.kind !== "union" && type.kind !== "reference") return type;
    const resolved = this.#side.resolve(type);
    if (resolved.kind !== "union") return resolved;
    if (passed.has(resolved)) return undefined;
    passed.add(resolved);
    const length = this.#length(resolved);
    for (const member of resolved.members) {
      if (this.#length(member) !== length) continue;
      const found = this.#alternative(member, passed);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #required(type: ObjectType): readonly { readonly name: string; readonly type: Type }[] {
    return this.#side.propertiesOf(type).filter(({ required }) => required);
  }
}

/** Returns the smallest value of a type without parts. */
function plainValue(type: Type): Json | undefined {
  switch (type.kind) {
    case "boolean":
      return false;
    case "integer":
    case "number": {
      const { minimum = -Infinity, maximum = Infinity } = type;
      return minimum <= 0 && maximum >= 0 ? 0 : minimum > 0 ? minimum : maximum;
    }
    case "literal":
      return type.value;
    case "enum":
      return type.values[0]?.value;
    case "map":
      return {};
    default:
      return null;
  }
}

function jsonLength(value: Json): number {
  return JSON.stringify(value).length;
}
