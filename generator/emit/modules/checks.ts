import type { Protocol } from "../../model/protocol.js";
import {
  definitionsByName,
  requestsByResponse,
  responsesOf,
  type AnsweredRequest,
} from "../../model/queries.js";
import { orderByReference } from "../../model/reference-order.js";
import { hasWholeChecks } from "../../model/type-checks.js";
import type { Definition } from "../../model/types.js";
import { type PackageNames, runtime } from "./package-names.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { hasMask } from "./type-conditions.js";

/**
 * Emits `checks.ts`. For each definition, it contains a function that checks whether a value
 * matches the definition.
 */
export function emitChecks(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const definitions = definitionsByName(protocol);
  const order = orderByReference(protocol.definitions);
  const requestOf = requestsByResponse(protocol);
  const responses = responsesOf(protocol);

  for (const definition of protocol.definitions) {
    const { name } = definition;
    const after = `): value is ${types}.${name} {`;
    file.declare(`export function ${names.check(name)}`, ["value: unknown"], after, () => {
      const request = requestOf.get(name);
      if (request === undefined)
        file.line(`try { return ${checkOf(definition)}; } catch { return false; }`);
      else {
        file.block("try {", "} catch { return false; }", () =>
          emitResponseCheck(definition, request),
        );
      }
    });
  }

  function checkOf({ name, type }: Definition): string {
    const isClosed = type.kind === "object" && hasWholeChecks(type);
    if (order.isRecursive(name)) {
      return `${fromFaults(`matches${name}`)}(value, 0)`;
    } else if (isClosed || !(hasMask(definitions, name) || name === responses?.error)) {
      return `${fromFaults(`matches${name}`)}(value)`;
    } else {
      const isObject = file.importValue("isObject", runtime);
      return `${isObject}(value) && ${fromFaults(`faultsOf${name}`)}(value) === 0`;
    }
  }

  /**
   * Emits the check for a response. A failed response is checked as a failure, and any other
   * response as a success.
   */
  function emitResponseCheck(definition: Definition, request: AnsweredRequest): void {
    const { arm: response, error: failure } = responses!;
    file.line(`if (!${file.importValue("isObject", runtime)}(value)) return false;`);
    file.line(`const fields = value as ${file.importType("MessageFields", "./messages.js")};`);
    const error = `${fromFaults(`faultsOf${failure}`)}(value) === 0`;
    if (response.success === undefined) {
      file.under(`if (${member("fields", response.error)} !== undefined)`, `return ${error};`);
    } else {
      const isItsOwn =
        response.name === undefined
          ? ""
          : `${member("fields", response.name)} === ${quote(request.name)} && `;
      file.under(
        `if (${member("fields", response.success)} === false)`,
        `return ${isItsOwn}${error};`,
      );
    }
    file.line(`return ${fromFaults(`faultsOf${definition.name}`)}(value) === 0;`);
  }

  function fromFaults(name: string): string {
    return file.importFromAll("masks", name, "./faults.js");
  }
}
