import { sharedBit } from "../../../runtime/validation/fault-mask.js";
import { failureType, successType } from "../../model/checked-types.js";
import { checkedProperties } from "../../model/properties.js";
import type { Protocol } from "../../model/protocol.js";
import { definitionsByName, requestsByResponse } from "../../model/queries.js";
import { orderByReference, type ReferenceOrder } from "../../model/reference-order.js";
import { hasWholeChecks } from "../../model/type-checks.js";
import type { Definition, ObjectType } from "../../model/types.js";
import { nameLocals } from "../printer/local-names.js";
import { allOf, printFlat, printReturn } from "../printer/logical-expression.js";
import { type PackageNames, runtime } from "./package-names.js";
import type { SourceFile } from "../printer/source-file.js";
import { messageDefinitions, testedBases, type TestedBase } from "./tested-base.js";
import { emitLocals } from "./object-opening.js";
import { hasMask, TypeConditions } from "./type-conditions.js";

/**
 * Emits `faults.ts`. For each definition, it contains a function that returns a mask with one bit
 * for each invalid property. If the definition is not an object, is closed, contains itself or has
 * too many properties, the function returns a boolean instead.
 */
export function emitFaults(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const emitter = new FaultEmitter(protocol, names, file);
  for (const definition of protocol.definitions) emitter.emit(definition);
  emitter.printParts();
}

class FaultEmitter {
  readonly #protocol: Protocol;
  readonly #names: PackageNames;
  readonly #file: SourceFile;
  readonly #types: string;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #order: ReferenceOrder;
  readonly #conditions: TypeConditions;
  /**
   * Names of the definitions of messages. Their functions call those of their bases to test the
   * envelope.
   */
  readonly #messages: ReadonlySet<string>;
  readonly #baseOf: (type: ObjectType) => TestedBase | undefined;

  constructor(protocol: Protocol, names: PackageNames, file: SourceFile) {
    this.#protocol = protocol;
    this.#names = names;
    this.#file = file;
    this.#types = file.importTypesAs("types", "./types.js");
    this.#definitions = definitionsByName(protocol);
    this.#order = orderByReference(protocol.definitions);
    this.#conditions = new TypeConditions(file, this.#definitions, this.#order);
    this.#messages = messageDefinitions(protocol);
    this.#baseOf = testedBases(protocol);
  }

  emit(definition: Definition): void {
    const { name, type } = definition;
    const shape = `${this.#types}.${name}`;
    const request = requestsByResponse(this.#protocol).get(name);
    if (request !== undefined) {
      const success = successType(this.#protocol, definition, request);
      this.#mask(name, success, `${this.#types}.${this.#names.success(request)}`);
    } else if (name === this.#protocol.bases.error) {
      this.#mask(name, failureType(this.#protocol, definition), shape);
    } else if (type.kind === "object" && hasMask(this.#definitions, name)) {
      this.#mask(name, type, shape);
      if (this.#order.isRecursive(name) || hasWholeChecks(type))
        this.#matches(name, () => this.#printByMask(name, type));
    } else if (type.kind === "object") {
      this.#matches(name, () => this.#conditions.printObject(type, shape, name));
    } else {
      const condition = this.#conditions.of(type, "value", name) ?? "true";
      const isUsed = /\bvalue\b/.test(printFlat(condition));
      this.#matches(
        name,
        () => this.#file.line(printReturn(condition, this.#file.indent)),
        isUsed ? "value" : "_value",
      );
    }
  }

  /** Emits the helper functions called by the functions that have been emitted so far. */
  printParts(): void {
    this.#conditions.printParts();
  }

  #mask(name: string, type: ObjectType, shape: string): void {
    const file = this.#file;
    const properties = checkedProperties(this.#definitions, type);
    const locals = nameLocals(properties);
    const tests = properties.map((property) =>
      this.#conditions.ofProperty(property, locals.get(property.name)!, name),
    );
    const found = this.#messages.has(name) ? this.#baseOf(type) : undefined;
    // Call the base's function only if doing so saves at least two tests.
    const base = (found?.tested.length ?? 0) < 2 ? undefined : found;
    if (base !== undefined) for (const index of base.tested) tests[index] = undefined;
    const shared = allOf(...tests.slice(sharedBit));
    const bits = [...tests.slice(0, sharedBit), shared].flatMap((test, index) =>
      test === undefined ? [] : [`(${printFlat(test)} ? 0 : ${2 ** index})`],
    );
    if (base !== undefined) bits.unshift(`faultsOf${base.name}(value)`);
    const parameters = [
      `${bits.length === 0 ? "_" : ""}value: object`,
      ...(this.#order.isRecursive(name) ? ["depth: number"] : []),
    ];
    file.declare(`export function faultsOf${name}`, parameters, "): number {", () => {
      if (bits.length === 0) {
        file.line("return 0;");
        return;
      }
      const tested = properties.filter((_, index) => tests[index] !== undefined);
      emitLocals(this.#file, tested, locals, shape);
      file.line(
        bits.length === 1 ? `return ${bits[0]};` : `return (\n  ${bits.join(" |\n  ")}\n);`,
      );
    });
    file.line();
  }

  /**
   * Emits a function that tests a value.
   *
   * @param print Emits the body of the function.
   * @param value Name of the function's parameter. Conditions must not use this name.
   */
  #matches(name: string, print: () => void, value = "value"): void {
    const file = this.#file;
    const isRecursive = this.#order.isRecursive(name);
    const parameters = [`${value}: unknown`, ...(isRecursive ? ["depth: number"] : [])];
    file.declare(`export function matches${name}`, parameters, "): boolean {", () => {
      if (isRecursive)
        file.line(`if (depth > ${file.importValue("maxNesting", runtime)}) return false;`);
      print();
    });
    file.line();
  }

  #printByMask(name: string, type: ObjectType): void {
    const file = this.#file;
    const only = this.#conditions.ofWhole(type, name);
    const depth = this.#order.isRecursive(name) ? ", depth" : "";
    const parts = [
      `${file.importValue("isObject", runtime)}(value)`,
      `faultsOf${name}(value${depth}) === 0`,
      ...(only === undefined ? [] : [only]),
    ];
    file.line(printReturn({ operator: "&&", parts }, file.indent));
  }
}
