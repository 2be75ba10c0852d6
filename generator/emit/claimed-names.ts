import { InputError } from "../base/input-error.js";
import { isIdentifier, isReservedWord } from "../model/names.js";
import type { Protocol } from "../model/protocol.js";
import { answeredRequests } from "../model/queries.js";
import { emittedModules } from "./emitted-modules.js";
import { wireDefinitions, type PackageNames } from "./modules/package-names.js";
import { packageEntries } from "./package-entries.js";

/**
 * Checks that a package exports each name only once, and that all names are valid identifiers.
 *
 * @throws InputError `ERR_NAME_COLLISION`, which names both exports, or `ERR_NAME`.
 */
export function claimNames(protocol: Protocol, names: PackageNames): void {
  const taken = new Map<string, string>();
  const claim = (name: string, what: string, pointer?: string): void => {
    const place = pointer === undefined ? {} : { pointer };
    const other = taken.get(name);
    if (other !== undefined) {
      throw new InputError(
        "ERR_NAME_COLLISION",
        `Cannot export "${name}" twice: as ${other} and as ${what}`,
        place,
        "Rename the definition or the message",
      );
    }
    if (!isIdentifier(name) || isReservedWord(name)) {
      throw new InputError(
        "ERR_NAME",
        `Cannot export "${name}", ${what}: it is not an identifier`,
        place,
        "Rename the definition or the message",
      );
    }
    taken.set(name, what);
  };
  for (const { file, exports } of emittedModules(protocol))
    for (const name of exports?.(protocol, names) ?? []) claim(name, `a name of ${file}`);
  const runtime = packageEntries(protocol).flatMap(({ types, values }) => [...types, ...values]);
  for (const name of new Set([...runtime, "NoProperties"])) claim(name, "a name of the runtime");
  for (const definition of protocol.definitions) {
    claim(
      definition.name,
      definition.pointer === undefined
        ? "a wire type of the envelope"
        : `the definition at ${definition.pointer}`,
      definition.pointer,
    );
    claim(names.check(definition.name), `the check of "${definition.name}"`, definition.pointer);
    claim(
      names.validator(definition.name),
      `the validator of "${definition.name}"`,
      definition.pointer,
    );
  }
  for (const message of protocol.messages) {
    for (const definition of wireDefinitions(protocol, message))
      claim(names.guard(definition), `the guard of "${definition}"`, message.pointer);
  }
  for (const request of answeredRequests(protocol))
    claim(names.success(request), `the success response of "${request.name}"`, request.pointer);
}
