import { sharedBit } from "../../../runtime/validation/fault-mask.js";
import { failureType, successType } from "../../model/checked-types.js";
import { checkedProperties } from "../../model/properties.js";
import type { Protocol } from "../../model/protocol.js";
import { definitionsByName, requestsByResponse } from "../../model/queries.js";
import { orderByReference } from "../../model/reference-order.js";
import type { Definition, ObjectType } from "../../model/types.js";
import { nameLocals } from "../printer/local-names.js";
import { allOf, printFlat, printReturn } from "../printer/logical-expression.js";
import type { PackageNames } from "./package-names.js";
import { lineWidth, type SourceFile } from "../printer/source-file.js";
import { hasMask, TypeConditions } from "./type-conditions.js";

/**
 * Prints `faults.ts`: per definition, straight-line code that says which properties are wrong, a bit each.
 * Definitions that are no objects, or have too many properties, or contain themselves get a yes or no.
 */
export function emitFaults(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const definitions = definitionsByName(protocol);
  const order = orderByReference(protocol.definitions);
  const conditions = new TypeConditions(file, definitions, order);
  const requestOf = requestsByResponse(protocol);

  for (const definition of protocol.definitions) {
    const { name, type } = definition;
    const request = requestOf.get(name);
    if (request !== undefined) {
      const success = successType(protocol, definition, request);
      emitMask(definition, success, `${types}.${names.success(request)}`);
    } else if (name === protocol.bases.error) {
      emitMask(definition, failureType(protocol, definition), `${types}.${name}`);
    } else if (hasMask(definitions, name)) {
      emitMask(definition, type as ObjectType, `${types}.${name}`);
      if (order.isRecursive(name) || (type as ObjectType).extras === "closed")
        emitMatches(definition, true);
    } else emitMatches(definition, false);
  }
  conditions.printParts();

  function emitMask({ name }: Definition, type: ObjectType, shape: string): void {
    const isRecursive = order.isRecursive(name);
    const properties = checkedProperties(definitions, type);
    const locals = nameLocals(properties);
    const tests = properties.map((property) =>
      conditions.ofProperty(property, locals.get(property.name)!, name),
    );
    const shared = allOf(...tests.slice(sharedBit));
    const bits = [...tests.slice(0, sharedBit), shared].flatMap((test, index) =>
      test === undefined ? [] : [`(${printFlat(test)} ? 0 : ${2 ** index})`],
    );
    const parameters = [
      `${bits.length === 0 ? "_" : ""}value: object`,
      ...(isRecursive ? ["depth: number"] : []),
    ];
    file.declare(`export function faultsOf${name}`, parameters, "): number {", () => {
      if (bits.length === 0) {
        file.line("return 0;");
        return;
      }
      conditions.printLocals(
        properties.filter((_, index) => tests[index] !== undefined),
        locals,
        shape,
      );
      printMask(bits);
    });
    file.line();
  }

  function printMask(bits: readonly string[]): void {
    const only = bits.length === 1 ? bits[0]!.slice(1, -1) : undefined;
    const flat = only ?? bits.join(" | ");
    if (file.indent + flat.length + "return ;".length <= lineWidth) {
      file.line(`return ${flat};`);
      return;
    }
    if (only === undefined && file.indent + 2 + flat.length <= lineWidth) {
      file.line(`return (\n  ${flat}\n);`);
      return;
    }
    // A condition that does not fit would be spread over many lines.
    const longest = Math.max(...bits.map((bit) => bit.length));
    if (only !== undefined || file.indent + 4 + longest > lineWidth)
      file.line("// prettier-ignore");
    file.line(`return (\n  ${bits.join(" |\n  ")}\n);`);
  }

  function emitMatches({ name, type }: Definition, byMask: boolean): void {
    const isRecursive = order.isRecursive(name);
    // Where anything goes, nothing is looked at.
    const value = type.kind === "any" ? "_value" : "value";
    const parameters = [`${value}: unknown`, ...(isRecursive ? ["depth: number"] : [])];
    file.declare(`export function matches${name}`, parameters, "): boolean {", () => {
      if (isRecursive) {
        const most = file.importValue("maxNesting", "./runtime/index.js");
        file.line(`if (depth > ${most}) return false;`);
      }
      if (byMask) {
        const isObject = file.importValue("isObject", "./runtime/index.js");
        const only = conditions.onlyFields(type as ObjectType, name);
        const parts = [
          `${isObject}(value)`,
          `faultsOf${name}(value${isRecursive ? ", depth" : ""}) === 0`,
          ...(only === undefined ? [] : [only]),
        ];
        file.line(printReturn({ operator: "&&", parts }, file.indent));
      } else if (type.kind === "object") {
        conditions.printObject(type, `${types}.${name}`, name);
      } else {
        file.line(printReturn(conditions.of(type, "value", name) ?? "true", file.indent));
      }
    });
    file.line();
  }
}
