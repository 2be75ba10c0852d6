import {
  messageArms,
  type MessageArm,
  definitionsByName,
  responsesOf,
} from "../../model/queries.js";
import { checkedProperties } from "../../model/properties.js";
import type { Protocol } from "../../model/protocol.js";
import { itemTypes, unnamedTypes } from "../../model/type-checks.js";
import type { Definition, ObjectType, Type } from "../../model/types.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { CheckedTypes, isAnything } from "./checked-types.js";
import { printConditions } from "./envelope-conditions.js";
import { printByName } from "./print-by-name.js";
import { labelOf, structureOf } from "./type-label.js";
import { runtime } from "./package-names.js";

/**
 * Emits `known-fields.ts`, which checks that a valid message has only the fields of its definition.
 * The `wire` profile does this for every message. The emitted code compares a field with each name
 * in the definition, which is faster than looking up the field in a table.
 */
export function emitKnownFields(protocol: Protocol, file: SourceFile): void {
  new KnownFieldsEmitter(protocol, file).emit();
}

/**
 * A condition for a value that is either valid or absent. Undefined if the condition always holds.
 */
type Condition = string | undefined;

class KnownFieldsEmitter {
  readonly #protocol: Protocol;
  readonly #file: SourceFile;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #checked: CheckedTypes;
  /** Function names, by the type that the function checks. */
  readonly #functions = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #printers: (() => void)[] = [];

  constructor(protocol: Protocol, file: SourceFile) {
    this.#protocol = protocol;
    this.#file = file;
    this.#definitions = definitionsByName(protocol);
    this.#checked = new CheckedTypes(this.#definitions);
  }

  emit(): void {
    const file = this.#file;
    file.doc(
      "Returns whether it is certain that a valid message has only known fields. If not, the validator has to check them. Never throws.",
    );
    file.declare("export function hasOnlyKnownFields", ["value: unknown"], "): boolean {", () => {
      file.block("try {", "} catch {", () => {
        file.line(`const fields = value as ${file.importType("AnyFields", runtime)};`);
        for (const arm of messageArms(this.#protocol))
          file.block(`if (${printConditions(arm.when, quoted).join(" && ")}) {`, "}", () =>
            this.#emitArm(arm),
          );
      });
      file.line("  return false;");
      file.line("}");
      file.line("return false;");
    });
    file.line();
    // Emitting a function may require more functions to be emitted.
    for (let print = this.#printers.shift(); print !== undefined; print = this.#printers.shift()) {
      print();
      file.line();
    }
  }

  #emitArm({ name: nameField, known, other }: MessageArm): void {
    const file = this.#file;
    const responses = responsesOf(this.#protocol);
    if (responses !== undefined && other === responses.base) {
      const { success, error } = responses.arm;
      const failed =
        success === undefined ? `${quoted(error)} !== undefined` : `${quoted(success)} === false`;
      file.line(`if (${failed}) return ${this.#ofDefinition(responses.error, "value") ?? "true"};`);
    }
    const whole = this.#ofDefinition(other, "value") ?? "true";
    if (nameField === undefined || known.length === 0) {
      file.line(`return ${whole};`);
      return;
    }
    const parts = known.map(([, definition]) => this.#ownParts(definition, other));
    const haveSame = parts.every((each) => each !== undefined);
    const conditions = known.flatMap(([name, definition], index) => {
      const own = parts[index];
      if (!haveSame || own === undefined)
        return [[name, `return ${this.#ofDefinition(definition, "value") ?? "true"};`] as const];
      return own.size === 0 ? [] : [[name, `return ${[...own.values()].join(" && ")};`] as const];
    });
    const rest = haveSame ? "true" : whole;
    if (haveSame && whole !== "true") file.line(`if (!${whole}) return false;`);
    if (conditions.length === 0) {
      file.line(`return ${rest};`);
      return;
    }
    const payload = [...new Set(parts.flatMap((own) => [...(own?.keys() ?? [])]))];
    // A message without a payload passes, regardless of its name.
    const isAbsent = haveSame
      ? `(${payload.map((name) => `${quoted(name)} === undefined`).join(" && ")}) || `
      : "";
    // To let the engine inline the function, keep it short: it only distinguishes the kinds.
    const byName = this.#call(`by name ${other}`, `Named${other}`, "value", () => {
      file.line(`const fields = value as ${file.importType("AnyFields", runtime)};`);
      file.line(`const name = ${quoted(nameField)} as string;`);
      printByName(file, conditions);
      file.line(`return ${rest};`);
    });
    file.line(`return ${isAbsent}${byName};`);
  }

  /**
   * Returns the conditions on those fields of a message whose types differ from its base, by field.
   * Returns undefined if the message does not have the same fields as its base.
   */
  #ownParts(definition: string, other: string): ReadonlyMap<string, string> | undefined {
    const base = this.#fieldsOf(other);
    const fields = this.#fieldsOf(definition);
    if (fields.size === 0 || [...fields.keys()].join() !== [...base.keys()].join())
      return undefined;
    const parts = new Map<string, string>();
    for (const [name, type] of fields) {
      if (structureOf(type) === structureOf(base.get(name)!)) continue;
      const condition = this.#of(type, quoted(name));
      if (condition !== undefined) parts.set(name, condition);
    }
    return parts;
  }

  /**
   * Returns a definition's fields, sorted by name. The result is empty if the definition is not an
   * object, or if it may have other fields.
   */
  #fieldsOf(name: string): ReadonlyMap<string, Type> {
    const { type, extensible } = this.#definitions.get(name)!;
    return type.kind !== "object" || extensible
      ? new Map()
      : new Map(
          checkedProperties(this.#definitions, type)
            .map((property) => [property.name, property.type] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        );
  }

  #of(type: Type, value: string): Condition {
    switch (type.kind) {
      case "reference":
        return this.#ofDefinition(type.name, value);
      case "array":
        return type.first === undefined
          ? this.#ofItems(type, type.items, value)
          : itemTypes(type).some((each) => this.#checked.has(each))
            ? `typeof ${value} !== "object"`
            : undefined;
      case "map":
        return this.#ofItems(type, type.values, value);
      case "object":
        return this.#ofObject(type, false, structureOf(type), labelOf(type), value);
      case "union":
        return this.#ofUnion(type.members, value);
      default:
        return undefined;
    }
  }

  #ofDefinition(name: string, value: string): Condition {
    const { type, extensible } = this.#definitions.get(name)!;
    return type.kind === "object"
      ? this.#ofObject(type, extensible, name, name, value)
      : this.#of(type, value);
  }

  #ofUnion(members: readonly Type[], value: string): Condition {
    const own = members.filter((each) => this.#checked.has(each));
    if (own.length === 0) return undefined;
    // Values of these kinds have no fields.
    const areOthersPlain = members.every(
      (each) => own.includes(each) || ["null", "boolean", "integer", "number"].includes(each.kind),
    );
    // If several members of the union need checking, only a full check can tell which of them the
    // value belongs to.
    return own.length === 1 && areOthersPlain
      ? this.#of(own[0]!, value)
      : `typeof ${value} !== "object"`;
  }

  #ofItems(type: Type, part: Type, value: string): Condition {
    if (!this.#checked.has(part)) return undefined;
    const file = this.#file;
    return this.#call(structureOf(type), labelOf(type), value, () => {
      const condition = this.#of(part, "part")!;
      const isMap = type.kind === "map";
      if (isMap) file.line(`const parts = value as ${file.importType("AnyFields", runtime)};`);
      else
        file.line(
          "if (!Array.isArray(value)) return true;\nconst parts: readonly unknown[] = value;",
        );
      const head = isMap
        ? "for (const name in parts) {"
        : "for (let index = 0; index < parts.length; index++) {";
      file.block(head, "}", () => {
        file.line(`const part = parts[${isMap ? "name" : "index"}];`);
        file.line(`if (${not(condition)}) return false;`);
      });
      file.line("return true;");
    });
  }

  #ofObject(
    type: ObjectType,
    isFree: boolean,
    key: string,
    label: string,
    value: string,
  ): Condition {
    const file = this.#file;
    const properties = checkedProperties(this.#definitions, type);
    const mayHaveOthers = isFree || isAnything(type, properties);
    if (!this.#checked.hasObject(type, isFree)) return undefined;
    // Fields in unnamed properties are not checked here.
    if (unnamedTypes(type).some((each) => this.#checked.has(each)))
      return `typeof ${value} !== "object"`;
    return this.#call(key, label, value, () => {
      const plain: string[] = [];
      const parts: (readonly [name: string, condition: string])[] = [];
      for (const { name, type: each } of properties) {
        const condition = this.#of(each, quoted(name));
        if (condition !== undefined) parts.push([name, condition]);
        else if (!mayHaveOthers) plain.push(name);
      }
      if (parts.length === 0 && plain.length > 0) {
        const others = plain.map((name) => `name !== ${quote(name)}`).join(" && ");
        file.line(`for (const name in value as object) if (${others}) return false;`);
        file.line("return true;");
        return;
      }
      if (parts.length > 0)
        file.line(`const fields = value as ${file.importType("AnyFields", runtime)};`);
      file.block("for (const name in value as object) {", "}", () => {
        file.block("switch (name) {", "}", () => {
          const cases = plain.map((name) => `case ${quote(name)}: `).join("");
          if (cases !== "") file.line(`${cases}break;`);
          for (const [name, condition] of parts)
            file.line(`case ${quote(name)}: if (${not(condition)}) return false; break;`);
          if (!mayHaveOthers) file.line("default: return false;");
        });
      });
      file.line("return true;");
    });
  }

  /**
   * Returns a call to a function that will be emitted later. Calls with the same key share a
   * function.
   */
  #call(key: string, label: string, value: string, print: () => void): string {
    let name = this.#functions.get(key);
    if (name === undefined) {
      const stem = `isKnown${label}`;
      name = stem;
      for (let count = 2; this.#taken.has(name); count++) name = `${stem}${count}`;
      this.#taken.add(name);
      this.#functions.set(key, name);
      const declared = name;
      this.#printers.push(() =>
        this.#file.declare(`function ${declared}`, ["value: unknown"], "): boolean {", print),
      );
    }
    return `${name}(${value})`;
  }
}

/**
 * Returns the code that reads a field of `fields`. It uses brackets, because the type of `fields`
 * has no named properties.
 */
function quoted(name: string): string {
  return `fields[${quote(name)}]`;
}

/** Negates a condition, which must be a call or a comparison. */
function not(condition: string): string {
  return condition.endsWith(")") ? `!${condition}` : condition.replace("!==", "===");
}
