import { failureType, successType } from "../../model/checked-types.js";
import type { Protocol } from "../../model/protocol.js";
import {
  definitionsByName,
  messageArms,
  requestsByResponse,
  responsesOf,
  type MessageArm,
  type Responses,
} from "../../model/queries.js";
import { orderByReference, type ReferenceOrder } from "../../model/reference-order.js";
import { checkedProperties } from "../../model/properties.js";
import { takesAllTexts } from "../../model/type-checks.js";
import type { Definition, Definitions, ObjectType } from "../../model/types.js";
import {
  allOf,
  anyOf,
  printFlat,
  printReturn,
  type Condition,
} from "../printer/logical-expression.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { printConditions, printFailure, printSuccess } from "./envelope-conditions.js";
import { type PackageNames, runtime } from "./package-names.js";
import { printByName } from "./print-by-name.js";
import { TypeConditions } from "./type-conditions.js";

/** A message that the protocol defines. */
interface KnownMessage {
  readonly arm: MessageArm;
  readonly name: string;
}

/** Emits the functions that decide whether a value matches a definition, or any message. */
export class CheckEmitter {
  readonly #protocol: Protocol;
  readonly #definitions: Definitions;
  readonly #names: PackageNames;
  readonly #file: SourceFile;
  readonly #types: string;
  readonly #order: ReferenceOrder;
  readonly #conditions: TypeConditions;
  readonly #arms: readonly MessageArm[];
  /** The messages by the names of their definitions. */
  readonly #messages: ReadonlyMap<string, KnownMessage>;
  /** Whether the checks of responses share a function. */
  #sharesResponse = false;

  constructor(protocol: Protocol, names: PackageNames, file: SourceFile) {
    this.#protocol = protocol;
    this.#definitions = definitionsByName(protocol);
    this.#names = names;
    this.#file = file;
    this.#types = file.importTypesAs("types", "./types.js");
    this.#order = orderByReference(protocol.definitions);
    this.#conditions = new TypeConditions(file, this.#definitions, this.#order, names.check);
    this.#arms = messageArms(protocol);
    this.#messages = new Map(
      this.#arms.flatMap((arm) =>
        arm.known.map(([name, definition]) => [definition, { arm, name }] as const),
      ),
    );
  }

  /** Emits `isValid` for any message. */
  emitMessageCheck(target: string): void {
    const file = this.#file;
    file.declare("export function isValid", ["value: unknown"], `): value is ${target} {`, () => {
      file.block("try {", "} catch {", () => {
        file.line(`if (!${file.importValue("isObject", runtime)}(value)) return false;`);
        file.line(`const fields = value as ${file.importType("MessageFields", "./messages.js")};`);
        for (const arm of this.#arms)
          file.block(`if (${printConditions(arm.when).join(" && ")}) {`, "}", () =>
            this.#emitArm(arm),
          );
        file.line("return false;");
      });
      // Reading from a proxy may throw.
      file.line("  return false;");
      file.line("}");
    });
    file.line();
  }

  /** Emits the check of a definition. */
  emitCheck(definition: Definition): void {
    const file = this.#file;
    const { name } = definition;
    const guard = `): value is ${this.#types}.${name} {`;
    const check = this.#names.check(name);
    if (!this.#order.isRecursive(name)) {
      file.declare(`export function ${check}`, ["value: unknown"], guard, () =>
        this.#emitBody(definition),
      );
    } else {
      file.declare(`export function ${check}`, ["value: unknown"], guard, () =>
        file.line(`return matches${name}(value, 0);`),
      );
      file.line();
      const parameters = ["value: unknown", "depth: number"];
      file.declare(`function matches${name}`, parameters, "): boolean {", () => {
        file.line(`if (depth > ${file.importValue("maxNesting", runtime)}) return false;`);
        this.#emitBody(definition);
      });
    }
    file.line();
  }

  /** Emits the functions and constants that several checks share. */
  emitParts(): void {
    if (this.#sharesResponse) this.#emitResponseCheck();
    this.#conditions.printParts();
  }

  #emitBody(definition: Definition): void {
    const { name, type } = definition;
    const file = this.#file;
    const checked = this.#checkedType(definition);
    if (checked === undefined) {
      const condition = this.#conditions.of(type, "value", name) ?? "true";
      if (!/\bvalue\b/.test(printFlat(condition))) file.line("void value;");
      file.line(printReturn(condition, file.indent));
      return;
    }
    const base = this.#baseOf(checked);
    const message = this.#messages.get(name);
    const condition =
      base === undefined || (message === undefined && name !== this.#protocol.bases.error)
        ? undefined
        : this.#ofMessage(message, checked, base, name);
    if (condition !== undefined) {
      file.line(printReturn(condition, file.indent));
      return;
    }
    const isResponse = message?.arm.kind === "response";
    const before = isResponse ? (): void => this.#emitFailedResponse(message) : undefined;
    this.#conditions.printObject(checked, name, before);
  }

  /**
   * Returns the condition for a message whose envelope is checked by its base, or undefined if the
   * base does not check the envelope of its failure.
   */
  #ofMessage(
    message: KnownMessage | undefined,
    type: ObjectType,
    base: string,
    definition: string,
  ): Condition | undefined {
    const conditions = this.#conditions.beyond(type, base, definition);
    if (message?.arm.kind !== "response") return allOf(this.#call(base), ...conditions);
    const named = isNamed(message);
    const error = this.#checkedType(this.#definitions.get(this.#responses.error)!);
    const isShared =
      base === message.arm.other && (named === undefined || conditions.includes(named));
    if (!isShared || error === undefined || this.#baseOf(error) !== base) return undefined;
    this.#sharesResponse = true;
    const call = `isResponse(value${named === undefined ? "" : `, ${quote(message.name)}`})`;
    const contents = allOf(...conditions.filter((each) => each !== named));
    return allOf(call, anyOf(printFailure(this.#responses.arm, "value"), contents));
  }

  /** Emits the function that checks a response except for its result. */
  #emitResponseCheck(): void {
    const file = this.#file;
    const { arm, base, error } = this.#responses;
    const parameters = ["value: unknown", ...(arm.name === undefined ? [] : ["name: string"])];
    const named = arm.name === undefined ? undefined : `${member("value", arm.name)} === name`;
    const outcome = anyOf(printSuccess(arm, "value"), this.#call(error));
    file.declare("function isResponse", parameters, `): value is ${this.#types}.${base} {`, () =>
      file.line(printReturn(allOf(this.#call(base), named, outcome)!, file.indent)),
    );
    file.line();
  }

  #call(definition: string): string {
    return `${this.#names.check(definition)}(value)`;
  }

  get #responses(): Responses {
    return responsesOf(this.#protocol)!;
  }

  /** Returns the base that checks the envelope of a message. */
  #baseOf(type: ObjectType): string | undefined {
    const [base, ...others] = type.bases;
    const { request, event, response } = this.#protocol.bases;
    const isEnvelope = base !== undefined && [request, event, response].includes(base);
    return isEnvelope && others.length === 0 && this.#conditions.canTest(base, type)
      ? base
      : undefined;
  }

  /** Emits the statement that checks a failed response as a failure. */
  #emitFailedResponse({ name }: KnownMessage): void {
    const file = this.#file;
    const { arm, error } = this.#responses;
    file.line(`const fields = value as ${file.importType("MessageFields", "./messages.js")};`);
    const isOfRequest =
      arm.success === undefined || arm.name === undefined
        ? ""
        : `${member("fields", arm.name)} === ${quote(name)} && `;
    file.under(`if (${printFailure(arm)})`, `return ${isOfRequest}${this.#call(error)};`);
  }

  /** Emits the check of one kind of message, by name. */
  #emitArm(arm: MessageArm): void {
    const file = this.#file;
    const isResponse = arm.kind === "response";
    if (isResponse)
      file.line(
        `if (${printFailure(this.#responses.arm)}) return ${this.#call(this.#responses.error)};`,
      );
    const contents = this.#contentsByName(arm);
    if (contents !== undefined) {
      file.line(`if (!${this.#call(arm.other)}) return false;`);
      if (contents.length > 0) {
        file.line(`const name = ${member("value", arm.name!)};`);
        printByName(file, contents);
      }
      file.line("return true;");
      return;
    }
    if (arm.name !== undefined && arm.known.length > 0) {
      file.line(`const name = ${member("fields", arm.name)};`);
      file.line(`if (typeof name !== "string") return false;`);
      printByName(
        file,
        arm.known.map(([name, definition]) => [name, `return ${this.#call(definition)};`]),
      );
    }
    const isSuccess =
      isResponse && this.#responses.arm.success === undefined
        ? `${member("fields", this.#responses.arm.result)} !== undefined && `
        : "";
    file.line(`return ${isSuccess}${this.#call(arm.other)};`);
  }

  /**
   * Returns the statements that check the contents of one kind of message, by name, after the check
   * of the base, or undefined if a message does not extend the base.
   */
  #contentsByName(
    arm: MessageArm,
  ): readonly (readonly [name: string, statement: string])[] | undefined {
    if (arm.name === undefined || !isText(arm.name, arm.other, this.#definitions)) return undefined;
    const contents: [string, string][] = [];
    for (const [name, definition] of arm.known) {
      const type = this.#checkedType(this.#definitions.get(definition)!);
      if (type === undefined || this.#baseOf(type) !== arm.other) return undefined;
      if (this.#order.isRecursive(definition)) return undefined;
      const named = isNamed({ arm, name });
      const conditions = this.#conditions.beyond(type, arm.other, definition);
      const condition = allOf(...conditions.filter((each) => each !== named));
      if (condition !== undefined) contents.push([name, `return ${printFlat(condition)};`]);
    }
    return contents;
  }

  /**
   * Returns the type that the check of a definition tests, which for a response is that of a success,
   * or undefined if it is not an object.
   */
  #checkedType(definition: Definition): ObjectType | undefined {
    const { name, type } = definition;
    if (type.kind !== "object") return undefined;
    if (name === this.#protocol.bases.error) return failureType(this.#protocol, definition);
    const request = requestsByResponse(this.#protocol).get(name);
    return request === undefined ? type : successType(this.#protocol, definition, request);
  }
}

/** Returns the condition for the name of a message, if messages of its kind have one. */
function isNamed({ arm, name }: KnownMessage): string | undefined {
  return arm.name === undefined ? undefined : `${member("value", arm.name)} === ${quote(name)}`;
}

/** Returns whether a property of a definition is always present, and may be any string. */
function isText(property: string, definition: string, definitions: Definitions): boolean {
  const { type } = definitions.get(definition)!;
  if (type.kind !== "object") return false;
  const declared = checkedProperties(definitions, type).find(({ name }) => name === property);
  return declared?.required === true && takesAllTexts(declared.type);
}
