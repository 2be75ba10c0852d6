import { failureType, successType } from "../../model/checked-types.js";
import type { Protocol } from "../../model/protocol.js";
import {
  definitionsByName,
  messageArms,
  requestsByResponse,
  responsesOf,
  type AnsweredRequest,
  type MessageArm,
} from "../../model/queries.js";
import { orderByReference, type ReferenceOrder } from "../../model/reference-order.js";
import { checkedProperties } from "../../model/properties.js";
import { takesAllTexts } from "../../model/type-checks.js";
import type { Definition, Definitions, ObjectType } from "../../model/types.js";
import { printFlat, printReturn } from "../printer/logical-expression.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { printConditions, printFailure } from "./envelope-conditions.js";
import { type PackageNames, runtime } from "./package-names.js";
import { printByName } from "./print-by-name.js";
import { TypeConditions } from "./type-conditions.js";

/** Emits the functions that decide whether a value matches a definition, or any message. */
export class CheckEmitter {
  readonly #protocol: Protocol;
  readonly #names: PackageNames;
  readonly #file: SourceFile;
  readonly #types: string;
  readonly #order: ReferenceOrder;
  readonly #conditions: TypeConditions;
  readonly #requestOf: ReadonlyMap<string, AnsweredRequest>;

  constructor(protocol: Protocol, names: PackageNames, file: SourceFile) {
    this.#protocol = protocol;
    this.#names = names;
    this.#file = file;
    this.#types = file.importTypesAs("types", "./types.js");
    this.#order = orderByReference(protocol.definitions);
    this.#requestOf = requestsByResponse(protocol);
    this.#conditions = new TypeConditions(
      file,
      definitionsByName(protocol),
      this.#order,
      names.check,
    );
  }

  /** Emits `isValid` for any message. */
  emitMessageCheck(target: string): void {
    const file = this.#file;
    file.declare("export function isValid", ["value: unknown"], `): value is ${target} {`, () => {
      file.block("try {", "} catch {", () => {
        file.line(`if (!${file.importValue("isObject", runtime)}(value)) return false;`);
        file.line(`const fields = value as ${file.importType("MessageFields", "./messages.js")};`);
        for (const arm of messageArms(this.#protocol))
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
    this.#conditions.printParts();
  }

  #emitBody(definition: Definition): void {
    const { name, type } = definition;
    const file = this.#file;
    const request = this.#requestOf.get(name);
    if (request !== undefined) {
      this.#emitResponse(definition, request);
    } else if (type.kind === "object") {
      const { messages, bases } = this.#protocol;
      const isError = name === bases.error;
      const checked = isError ? failureType(this.#protocol, definition) : type;
      const isMessage = isError || messages.some((message) => message.definition === name);
      const base = isMessage ? this.#baseOf(checked) : undefined;
      if (base === undefined) this.#conditions.printObject(checked, name);
      else this.#conditions.printMessage(checked, base, name);
    } else {
      const condition = this.#conditions.of(type, "value", name) ?? "true";
      if (!/\bvalue\b/.test(printFlat(condition))) file.line("void value;");
      file.line(printReturn(condition, file.indent));
    }
  }

  /** Emits the body of a function that checks a response, which may be that of a failed request. */
  #emitResponse(definition: Definition, request: AnsweredRequest): void {
    const type = successType(this.#protocol, definition, request);
    const base = this.#baseOf(type);
    const { arm, error } = responsesOf(this.#protocol)!;
    const failure = failureType(this.#protocol, definitionsByName(this.#protocol).get(error)!);
    if (base === undefined || arm.success === undefined || this.#baseOf(failure) !== base) {
      this.#conditions.printObject(type, definition.name, () => this.#emitFailedResponse(request));
    } else {
      const { success, name } = arm;
      const condition = `${this.#names.check(error)}(value)`;
      const fields = { success, ...(name === undefined ? {} : { name }), condition };
      this.#conditions.printMessage(type, base, definition.name, fields);
    }
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
  #emitFailedResponse(request: AnsweredRequest): void {
    const file = this.#file;
    const { arm, error } = responsesOf(this.#protocol)!;
    file.line(`const fields = value as ${file.importType("MessageFields", "./messages.js")};`);
    const failure = `${this.#names.check(error)}(value)`;
    const isOfRequest =
      arm.success === undefined || arm.name === undefined
        ? ""
        : `${member("fields", arm.name)} === ${quote(request.name)} && `;
    file.under(`if (${printFailure(arm)})`, `return ${isOfRequest}${failure};`);
  }

  /** Emits the check of one kind of message, by name. */
  #emitArm(arm: MessageArm): void {
    const file = this.#file;
    const responses = responsesOf(this.#protocol);
    const call = (definition: string): string => `${this.#names.check(definition)}(value)`;
    const isResponse = responses !== undefined && arm.other === responses.base;
    if (isResponse)
      file.line(`if (${printFailure(responses.arm)}) return ${call(responses.error)};`);
    const contents = this.#contentsOf(arm);
    if (contents !== undefined) {
      file.line(`if (!${call(arm.other)}) return false;`);
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
        arm.known.map(([name, definition]) => [name, `return ${call(definition)};`]),
      );
    }
    const isSuccess =
      isResponse && responses.arm.success === undefined
        ? `${member("fields", responses.arm.result)} !== undefined && `
        : "";
    file.line(`return ${isSuccess}${call(arm.other)};`);
  }

  /**
   * Returns the statements that check the contents of one kind of message, by name, after the check
   * of the base, or undefined if a message does not extend the base.
   */
  #contentsOf({
    name: nameField,
    known,
    other: base,
  }: MessageArm): readonly (readonly [name: string, statement: string])[] | undefined {
    const definitions = definitionsByName(this.#protocol);
    if (nameField === undefined || !isText(nameField, base, definitions)) return undefined;
    const contents: [string, string][] = [];
    for (const [name, definition] of known) {
      const type = this.#successType(definitions.get(definition)!);
      if (type === undefined || this.#baseOf(type) !== base) return undefined;
      if (this.#order.isRecursive(definition)) return undefined;
      const isNamed = `${member("value", nameField)} === ${quote(name)}`;
      const condition = this.#conditions.ofContents(type, base, definition, isNamed);
      if (condition !== undefined) contents.push([name, `return ${printFlat(condition)};`]);
    }
    return contents;
  }

  /** Returns the type of a message that is not a failure, or undefined if it is not an object. */
  #successType(definition: Definition): ObjectType | undefined {
    const request = this.#requestOf.get(definition.name);
    if (request !== undefined) return successType(this.#protocol, definition, request);
    return definition.type.kind === "object" ? definition.type : undefined;
  }
}

/** Returns whether a property of a definition is always present, and may be any string. */
function isText(property: string, definition: string, definitions: Definitions): boolean {
  const { type } = definitions.get(definition)!;
  if (type.kind !== "object") return false;
  const declared = checkedProperties(definitions, type).find(({ name }) => name === property);
  return declared?.required === true && takesAllTexts(declared.type);
}
