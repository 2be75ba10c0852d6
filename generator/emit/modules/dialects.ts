import type { Protocol } from "../../model/protocol.js";
import { answeredRequests } from "../../model/queries.js";
import { docTag } from "../printer/doc-comment.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";
import { type PackageNames, runtime } from "./package-names.js";

/** Returns whether any dialect changes messages on the wire, so that they need to be translated. */
export function hasWireDialects(protocol: Protocol): boolean {
  return protocol.dialects.some(
    ({ reads, writes, envelope, names }) =>
      reads.length + writes.length > 0 || envelope !== undefined || names !== undefined,
  );
}

/** Name of the function that returns the rules by which dialects read values. */
const rulesName = "dialectRules";

/** Emits the rules by which dialects read values, next to those that they consist of. */
export function emitDialectRules(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  file.doc("The rules by which dialects read values.");
  const type = file.importType("DialectRules", runtime);
  file.block(`export const ${rulesName} = (): ${type} => ({`, "});", () => {
    file.line("message: messageRule(),");
    file.block("results: {", "},", () => {
      for (const { name, responseDefinition, result } of answeredRequests(protocol))
        if (result !== undefined)
          file.line(`${literalKey(name)}: ${names.validator(responseDefinition)},`);
    });
  });
  file.line();
}

/** Emits `dialects.ts`: connections to peers that use a dialect. */
export function emitDialects(protocol: Protocol, file: SourceFile): void {
  const table = file.importValue("protocol", "./protocol.js");
  const connection = file.importValue("DialectConnection", runtime);
  file.doc("The dialects' names. `protocol.dialects` describes them.");
  file.union(
    "DialectName",
    protocol.dialects.map(({ name }) => quote(name)),
  );
  file.line();
  const hasNames = protocol.dialects.some(({ names }) => names !== undefined);
  file.doc(
    "Creates the dialect for a single connection. Pass it to that connection's decoder and encoder.",
    "The dialect remembers requests until they are answered, because it needs their names to read their results.",
    ...(hasNames
      ? [docTag("param", "names Message names that override those in the dialect.")]
      : []),
    docTag("throws", "TypeError if there is no such dialect."),
  );
  file.declare(
    "export function createDialect",
    ["name: DialectName", ...(hasNames ? ["names?: { readonly [name: string]: string }"] : [])],
    `): ${connection} {`,
    () => {
      const rules = file.importValue(rulesName, "./validators.js");
      const find = file.importValue("dialectNamed", runtime);
      file.line(`const table = ${find}(${table}.dialects, name);`);
      if (hasNames) file.line("const spoken = names === undefined ? table : { ...table, names };");
      const spoken = hasNames ? "spoken" : "table";
      file.line(`return new ${connection}(${table}.envelope, ${spoken}, ${rules}());`);
    },
  );
}
