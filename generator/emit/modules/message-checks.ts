import { successType } from "../../model/checked-types.js";
import {
  messageArms,
  type MessageArm,
  definitionsByName,
  requestsByResponse,
  responsesOf,
} from "../../model/queries.js";
import { checkedProperties } from "../../model/properties.js";
import type { Protocol } from "../../model/protocol.js";
import { orderByReference } from "../../model/reference-order.js";
import { hasWholeChecks } from "../../model/type-checks.js";
import type { ObjectType, Property } from "../../model/types.js";
import { nameLocals } from "../printer/local-names.js";
import { allOf, printFlat, type Condition } from "../printer/logical-expression.js";
import { member, type SourceFile } from "../printer/source-file.js";
import { printConditions } from "./envelope-conditions.js";
import type { PackageNames } from "./package-names.js";
import { printByName } from "./print-by-name.js";
import { testedBases } from "./tested-base.js";
import { emitLocals, emitObjectTest } from "./object-opening.js";
import { TypeConditions } from "./type-conditions.js";

/**
 * Emits `message-checks.ts`, which checks any message. This is a hot path, so it tests the envelope
 * once per kind of message, and after that only the message's own properties. The result identifies
 * the definition of an invalid message, so that it does not have to be looked up again.
 */
export function emitMessageChecks(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  new MessageCheckEmitter(protocol, names, file).emit();
}

class MessageCheckEmitter {
  readonly #protocol: Protocol;
  readonly #names: PackageNames;
  readonly #file: SourceFile;
  readonly #conditions: TypeConditions;

  constructor(protocol: Protocol, names: PackageNames, file: SourceFile) {
    this.#protocol = protocol;
    this.#names = names;
    this.#file = file;
    this.#conditions = new TypeConditions(
      file,
      definitionsByName(protocol),
      orderByReference(protocol.definitions),
      (name) => file.importValue(name, "./faults.js"),
    );
  }

  emit(): void {
    const file = this.#file;
    file.doc(
      "Returns 0 for a message that the schema allows. For any other message, returns the number of its definition (negated if the envelope is also invalid), or 1 if the definition has no number. The known names of `messageRule` are numbered from 2. Never throws.",
    );
    file.declare("export function verdictOf", ["value: unknown"], "): number {", () => {
      file.block("try {", "} catch {", () => {
        emitObjectTest(file, "1");
        file.line(`const fields = value as ${file.importType("MessageFields", "./messages.js")};`);
        let number = 2;
        for (const arm of messageArms(this.#protocol)) {
          file.block(`if (${printConditions(arm.when).join(" && ")}) {`, "}", () =>
            this.#emitArm(arm, number),
          );
          number += arm.known.length;
        }
      });
      file.line("  return 1;");
      file.line("}");
      file.line("return 1;");
    });
    file.line();
    this.#conditions.printParts();
  }

  /**
   * Emits the checks for one kind of message.
   *
   * @param number Number of the first known message of this kind.
   */
  #emitArm(arm: MessageArm, number: number): void {
    const file = this.#file;
    const responses = responsesOf(this.#protocol);
    const isResponse = responses !== undefined && arm.other === responses.base;
    if (isResponse) {
      const { success, error } = responses.arm;
      const failed =
        success === undefined
          ? `${member("fields", error)} !== undefined`
          : `${member("fields", success)} === false`;
      file.line(`if (${failed}) return ${this.#check(responses.error)}(value) ? 0 : 1;`);
    }
    if (arm.name !== undefined && arm.known.length > 0) this.#emitNames(arm, arm.name, number);
    const present =
      isResponse && responses.arm.success === undefined
        ? `${member("fields", responses.arm.result)} !== undefined && `
        : "";
    file.line(`return ${present}${this.#check(arm.other)}(value) ? 0 : 1;`);
  }

  /** Emits the checks for the known messages of a kind, by name. */
  #emitNames(arm: MessageArm, nameField: string, first: number): void {
    const file = this.#file;
    const payloads = this.#payloadsOf(arm, nameField);
    const envelope = payloads.size === 0 ? [] : this.#envelopeOf(arm, nameField);
    const all = [...envelope, ...[...payloads.values()].flat()];
    const locals = nameLocals(
      [...new Map(all.map((each) => [each.name, each])).values()],
      ["name"],
    );
    const read = new Map<string, Property>();
    const test = (property: Property, owner: string): Condition | undefined => {
      const condition = this.#conditions.ofProperty(property, locals.get(property.name)!, owner);
      if (condition !== undefined) read.set(property.name, property);
      return condition;
    };
    const shared = allOf(...envelope.map((property) => test(property, arm.other)));
    // The rules are properties of an object, in which JavaScript lists integer-like keys first.
    // Number the messages in that order.
    const numbered = Object.keys(Object.fromEntries(arm.known));
    const results = arm.known.map(([name, definition]): [name: string, statement: string] => {
      const number = first + numbered.indexOf(name);
      const payload = payloads.get(definition);
      if (payload === undefined)
        return [name, `return ${this.#check(definition)}(value) ? 0 : -${number};`];
      const condition = allOf(...payload.map((property) => test(property, definition)));
      const wrong = shared === undefined ? "" : `!isEnveloped ? -${number} : `;
      const result = condition === undefined ? "0" : `${printFlat(condition)} ? 0 : ${number}`;
      return [name, `return ${wrong}${result};`];
    });
    file.line(`const name = ${member("fields", nameField)};`);
    file.line(`if (typeof name !== "string") return 1;`);
    emitLocals(this.#file, [...read.values()], locals, "Record<string, unknown>");
    if (shared !== undefined) file.line(`const isEnveloped = ${printFlat(shared)};`);
    printByName(file, results);
  }

  /**
   * Returns, for each message definition, the properties to test in addition to the envelope of its
   * kind. Messages that do not extend the base of the kind are left out.
   */
  #payloadsOf(
    { known, other }: MessageArm,
    nameField: string,
  ): ReadonlyMap<string, readonly Property[]> {
    const definitions = definitionsByName(this.#protocol);
    const requestOf = requestsByResponse(this.#protocol);
    const { isRecursive } = orderByReference(this.#protocol.definitions);
    const baseOf = testedBases(this.#protocol);
    const payloads = new Map<string, readonly Property[]>();
    for (const [name, definitionName] of known) {
      const definition = definitions.get(definitionName)!;
      if (definition.type.kind !== "object" || hasWholeChecks(definition.type)) continue;
      const request = requestOf.get(definitionName);
      const type =
        request === undefined ? definition.type : successType(this.#protocol, definition, request);
      const base = baseOf(type);
      if (base?.name !== other || isRecursive(definitionName)) continue;
      const properties = checkedProperties(definitions, type).filter(
        (property, index) =>
          !base.tested.includes(index) &&
          !(property.name === nameField && hasValue(property, name)),
      );
      payloads.set(definitionName, properties);
    }
    return payloads;
  }

  /**
   * Returns the properties that all messages of a kind have in common, apart from the kind and the
   * name.
   */
  #envelopeOf({ when, other }: MessageArm, nameField: string): readonly Property[] {
    const definitions = definitionsByName(this.#protocol);
    const { type } = definitions.get(other)!;
    return checkedProperties(definitions, type as ObjectType).filter((property) => {
      const kind = when[property.name];
      return property.name !== nameField && !(typeof kind === "string" && hasValue(property, kind));
    });
  }

  #check(definition: string): string {
    return this.#file.importValue(this.#names.check(definition), "./checks.js");
  }
}

/** Returns whether a property can only have the given value. */
function hasValue({ type }: Property, value: string): boolean {
  return type.kind === "literal" && type.value === value;
}
