import { checksOf } from "../../model/type-checks.js";
import type { Definition } from "../../model/types.js";
import type { SchemaFile } from "./schema-file.js";

/**
 * Warns about conditions on whole responses, which are ignored. Each response is checked either as
 * a success or as a failure, so only conditions on its parts take effect.
 */
export function warnOfResponseConditions(
  schema: SchemaFile,
  definitions: readonly Definition[],
  responses: ReadonlySet<string>,
): void {
  for (const { name, type, pointer } of definitions)
    if (responses.has(name) && checksOf(type).length > 0)
      schema.warn(
        "ERR_KEYWORD",
        `Ignored the conditions on response "${name}": conditions on a whole response cannot be checked`,
        pointer ?? "",
        "Apply them to its result",
      );
}
