import type { Protocol } from "../../model/protocol.js";
import { answeredRequests } from "../../model/queries.js";
import { docTag } from "../printer/doc-comment.js";
import { ruleName } from "./rules.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";

/** Returns whether any dialect changes messages on the wire, so that they need to be translated. */
export function hasWireDialects(protocol: Protocol): boolean {
  return protocol.dialects.some(
    ({ reads, writes, envelope, names }) =>
      reads.length + writes.length > 0 || envelope !== undefined || names !== undefined,
  );
}

/** Emits `dialects.ts`: connections to peers that use a dialect. */
export function emitDialects(protocol: Protocol, file: SourceFile): void {
  const table = file.importValue("protocol", "./protocol.js");
  const connection = file.importValue("DialectConnection", runtime);
  const messageRule = file.importValue("messageRule", "./message-rule.js");
  file.doc("The dialects' names. `protocol.dialects` describes them.");
  file.union(
    "DialectName",
    protocol.dialects.map(({ name }) => quote(name)),
  );
  file.line();
  const hasNames = protocol.dialects.some(({ names }) => names !== undefined);
  file.block("const results = {", "};", () => {
    for (const { name, responseDefinition, result } of answeredRequests(protocol)) {
      if (result === undefined) continue;
      const rule = file.importValue(ruleName(responseDefinition), "./rules.js");
      file.line(`${literalKey(name)}: ${rule},`);
    }
  });
  file.line();
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
      file.line(`const rules = { message: ${messageRule}(), results };`);
      const find = file.importValue("dialectNamed", runtime);
      file.line(`const table = ${find}(${table}.dialects, name);`);
      if (hasNames) file.line("const spoken = names === undefined ? table : { ...table, names };");
      const spoken = hasNames ? "spoken" : "table";
      file.line(`return new ${connection}(${table}.envelope, ${spoken}, rules);`);
    },
  );
}
