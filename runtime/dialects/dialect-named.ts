import { checkOptions, oneOf } from "../base/check-options.js";
import type { DialectTable } from "../protocol/protocol-description.js";

/** One of the dialects of a protocol. @throws TypeError that names the nearest one, if there is no such dialect. */
export function dialectNamed(
  dialects: { readonly [name: string]: DialectTable },
  name: string,
): DialectTable {
  checkOptions("createDialect", { name }, { name: oneOf(...Object.keys(dialects)) });
  return dialects[name]!;
}
