import type { Property } from "../../model/types.js";
import { propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";

/**
 * Emits the statement that rejects values that are not objects. Message checks contain it inline,
 * because a call would take 5% of the time needed to check a small message, even if the engine
 * inlines the call.
 */
export function emitObjectTest(file: SourceFile, result = "false"): void {
  file.under(
    `if (typeof value !== "object" || value === null || Array.isArray(value))`,
    `return ${result};`,
  );
}

/** Emits local constants for an object's properties. */
export function emitLocals(
  file: SourceFile,
  properties: readonly Property[],
  locals: ReadonlyMap<string, string>,
  shape: string,
): void {
  const plain = properties.filter(({ name }) => !(name in Object.prototype));
  if (plain.length > 0) {
    const bindings = plain.map(({ name }) =>
      name === locals.get(name) ? name : `${propertyKey(name)}: ${locals.get(name)}`,
    );
    const source = `value as ${file.importType("Fields", runtime)}<${shape}>;`;
    file.list("const {", bindings, `} = ${source}`, " ");
  }
  for (const { name } of properties) {
    if (!(name in Object.prototype)) continue;
    const own = file.importValue("ownField", runtime);
    file.line(`const ${locals.get(name)} = ${own}(value, ${quote(name)});`);
  }
}
