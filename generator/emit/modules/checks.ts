import { pascalCase } from "../../model/names.js";
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
import { printConditions, printFailure } from "./envelope-conditions.js";
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
  /** The kinds of messages whose checks share a function, and the base that it checks. */
  readonly #shared = new Map<MessageArm, string>();

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
    for (const [arm, base] of this.#shared) this.#emitSharedCheck(arm, base);
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
    const named = message && isNamed(message);
    const contents = allOf(...conditions.filter((each) => each !== named));
    const isShared =
      message !== undefined &&
      base === message.arm.other &&
      (named === undefined || conditions.includes(named));
    if (message?.arm.kind !== "response")
      return isShared && named !== undefined
        ? allOf(this.#callShared(message, base), contents)
        : allOf(this.#call(base), ...conditions);
    const error = this.#checkedType(this.#definitions.get(this.#responses.error)!);
    if (!isShared || error === undefined || this.#baseOf(error) !== base) return undefined;
    const result = member("value", this.#responses.arm.result);
    const isResult = calledWith(result, contents);
    if (isResult !== undefined) return this.#callShared(message, base, isResult);
    return allOf(
      this.#callShared(message, base),
      anyOf(printFailure(this.#responses.arm, "value"), contents),
    );
  }

  /** Returns a call to the function that checks the messages of one kind. */
  #callShared({ arm, name }: KnownMessage, base: string, ...more: readonly string[]): string {
    this.#shared.set(arm, base);
    const named = arm.name === undefined ? [] : [quote(name)];
    return `is${pascalCase(arm.kind)}(${["value", ...named, ...more].join(", ")})`;
  }

  /**
   * Emits the function that checks the envelope and the name of one kind of message. For responses,
   * it also checks the outcome.
   */
  #emitSharedCheck(arm: MessageArm, base: string): void {
    const file = this.#file;
    const isResponse = arm.kind === "response";
    const parameters = [
      "value: unknown",
      ...(arm.name === undefined ? [] : ["name: string"]),
      ...(isResponse ? ["isResult?: (result: unknown) => boolean"] : []),
    ];
    const field = member("value", arm.name ?? "");
    const head = `function is${pascalCase(arm.kind)}`;
    file.declare(head, parameters, `): value is ${this.#types}.${base} {`, () => {
      if (!isResponse) {
        file.line(`return ${this.#call(base)} && ${field} === name;`);
        return;
      }
      const { error, arm: outcome } = this.#responses;
      const isUnnamed = arm.name === undefined ? "" : ` || ${field} !== name`;
      const result = member("value", outcome.result);
      file.line(`if (!${this.#call(base)}${isUnnamed}) return false;`);
      file.line(`if (${printFailure(outcome, "value")}) return ${this.#call(error)};`);
      file.line(`return isResult === undefined || isResult(${result});`);
    });
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

/** Returns the name of the function that a condition calls with nothing but the given value. */
function calledWith(value: string, condition: Condition | undefined): string | undefined {
  const [, name, argument] =
    /^(\w+)\((.*)\)$/.exec(typeof condition === "string" ? condition : "") ?? [];
  return argument === value ? name : undefined;
}

/** Returns whether a property of a definition is always present, and may be any string. */
function isText(property: string, definition: string, definitions: Definitions): boolean {
  const { type } = definitions.get(definition)!;
  if (type.kind !== "object") return false;
  const declared = checkedProperties(definitions, type).find(({ name }) => name === property);
  return declared?.required === true && takesAllTexts(declared.type);
}
