import { checkOptions, oneOf } from "../base/check-options.js";
import type { DialectTable } from "../protocol/protocol-description.js";

/**
 * Finds a dialect by its name.
 *
 * @throws TypeError suggesting the closest name if there is no such dialect.
 */
export function dialectNamed(
  dialects: { readonly [name: string]: DialectTable },
  name: string,
): DialectTable {
  checkOptions("createDialect", { name }, { name: oneOf(...Object.keys(dialects)) });
  return dialects[name]!;
}
