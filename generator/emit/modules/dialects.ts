import type { Protocol } from "../../model/protocol.js";
import { answeredRequests } from "../../model/queries.js";
import { docTag } from "../printer/doc-comment.js";
import { ruleName } from "./rules.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./runtime-module.js";

/** Whether any dialect changes messages on the wire, which requires translation. */
export function hasWireDialects(protocol: Protocol): boolean {
  return protocol.dialects.some(
    ({ reads, writes, envelope, names }) =>
      reads.length + writes.length > 0 || envelope !== undefined || names !== undefined,
  );
}

/** Prints `dialects.ts`: connections to peers that use a dialect. */
export function emitDialects(protocol: Protocol, file: SourceFile): void {
  const table = file.importValue("protocol", "./protocol.js");
  const connection = file.importValue("DialectConnection", runtime);
  const messageRule = file.importValue("messageRule", "./message-rule.js");
  file.doc("Names of the dialects. `protocol.dialects` describes them.");
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
    "The dialect of one connection. Pass it to the decoder and the encoder of that connection.",
    "It remembers requests until they are answered, because it needs their names to read the results.",
    ...(hasNames
      ? [docTag("param", "names Names of messages, which replace the names in the dialect.")]
      : []),
    docTag("throws", "TypeError for a dialect that does not exist."),
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
