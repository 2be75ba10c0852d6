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
  const results = answeredRequests(protocol)
    .filter(({ result }) => result !== undefined)
    .map(
      (request) => `${literalKey(request.name)}: ${names.validator(request.responseDefinition)},`,
    );
  file.code`
    /** The rules by which dialects read values. */
    export const ${rulesName} = (): ${file.importType("DialectRules", runtime)} => ({
      message: messageRule(),
      results: {
        ${results.join("\n")}
      },
    });
  `;
}

/** Emits `dialects.ts`: connections to peers that use a dialect. */
export function emitDialects({ dialects }: Protocol, file: SourceFile): void {
  const table = file.importValue("protocol", "./protocol.js");
  const connection = file.importValue("DialectConnection", runtime);
  const rules = file.importValue(rulesName, "./validators.js");
  const find = file.importValue("dialectNamed", runtime);
  file.doc("The dialects' names. `protocol.dialects` describes them.");
  file.union(
    "DialectName",
    dialects.map(({ name }) => quote(name)),
  );
  file.line();
  const hasNames = dialects.some(({ names }) => names !== undefined);
  file.doc(
    "Creates the dialect for a single connection. Pass it to that connection's decoder and encoder.",
    "The dialect remembers requests until they are answered, because it needs their names to read their results.",
    hasNames
      ? docTag("param", "names Message names that override those in the dialect.")
      : undefined,
    docTag("throws", "TypeError if there is no such dialect."),
  );
  const names = hasNames ? ["names?: { readonly [name: string]: string }"] : [];
  file.code`
    ${file.signature("export function createDialect", ["name: DialectName", ...names], `): ${connection} {`)}
      const table = ${find}(${table}.dialects, name);
      ${hasNames && "const spoken = names === undefined ? table : { ...table, names };"}
      return new ${connection}(${table}.envelope, ${hasNames ? "spoken" : "table"}, ${rules}());
    }
  `;
}
