import type { Protocol } from "../../model/protocol.js";
import { camelCase } from "../../model/names.js";
import { tableOf } from "../../model/notation-table.js";
import { docTag } from "../printer/doc-comment.js";
import { printLiteral, toLiteral } from "../printer/literal.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";

const runtime = "./runtime/index.js";

/** Prints `notation.ts`: how each role spells its messages, where that is not JSON. */
export function emitNotation(protocol: Protocol, file: SourceFile): void {
  const { envelope, notations = {}, roles, framing } = protocol;
  const dialects = protocol.dialects.filter(({ elements }) => elements !== undefined);
  const constant = (name: string, type: string, value: object): void => {
    const head = `const ${name}: ${file.importType(type, runtime)} = `;
    file.line(`${head}${printLiteral(toLiteral(value), head.length, 1, 0)};\n`);
  };
  const create = (role: string, table: string): string => {
    const isLine = notations[role]!.kind === "command-line";
    const constructor = file.importValue(isLine ? "CommandNotation" : "ElementNotation", runtime);
    const { name, payload } = isLine ? envelope.request : envelope.event;
    return `new ${constructor}(${table}, {\n  name: ${quote(name)},\n  payload: ${quote(payload)},\n})`;
  };

  for (const [role, notation] of Object.entries(notations)) {
    const [type, value] = tableOf(protocol, role, notation);
    constant(tableName(role), type, value);
  }
  const elementRole = Object.keys(notations).find(
    (role) => notations[role]!.kind === "xml-element",
  );
  for (const { name, elements } of dialects) {
    const type = file.importType("ElementTable", runtime);
    const head = `const ${tableName(name)}: ${type}["spellings"] = `;
    file.line(`${head}${printLiteral(toLiteral(elements), head.length, 1, 0)};\n`);
  }

  file.doc("How a role spells its messages: give it to a decoder or an encoder as `framing`.");
  file.block("export const notations = {", "};", () => {
    for (const role of Object.keys(notations))
      file.line(`${literalKey(role)}: /* @__PURE__ */ ${create(role, tableName(role))},`);
  });
  file.line();
  if (dialects.length > 0 && elementRole !== undefined) {
    const base = tableName(elementRole);
    file.block("const spellings = {", "};", () => {
      for (const { name } of dialects) {
        const table = `{\n  ...${base},\n  spellings: { ...${base}.spellings, ...${tableName(name)} },\n}`;
        const value = create(elementRole, "TABLE").replace(
          /\(TABLE, \{\n([^]*)\}\)$/,
          (_, fields: string) =>
            `(\n  ${table.replaceAll("\n", "\n  ")},\n  { ${fields
              .trim()
              .replaceAll(/,?\s*\n\s*/g, ", ")
              .replace(/,$/, "")} },\n)`,
        );
        file.line(`${literalKey(name)}: /* @__PURE__ */ ${value},`);
      }
    });
    file.line();
    file.doc(
      "Dialects that spell elements otherwise: see `protocol.dialects` for what each is about.",
    );
    file.line("export type SpellingName = keyof typeof spellings;\n");
  }
  const type = file.importType("Notation", runtime);
  const json = [...new Set(roles.filter((role) => notations[role] === undefined))];
  const spelled = hasSpellings(protocol);
  file.doc(
    "What to give to a decoder or an encoder as `framing`.",
    spelled ? docTag("param", "spelling Dialect whose spelling is used.") : undefined,
  );
  file.declare(
    "export function framingOf",
    [`role: ${roles.map(quote).join(" | ")}`, ...(spelled ? ["spelling?: SpellingName"] : [])],
    `): ${[type, ...new Set(json.map((role) => quote(framing[role]!)))].join(" | ")} {`,
    () => {
      for (const role of json)
        file.line(`if (role === ${quote(role)}) return ${quote(framing[role]!)};`);
      if (spelled)
        file.line(
          `if (spelling !== undefined && role === ${quote(elementRole!)}) return spellings[spelling];`,
        );
      file.line("return notations[role];");
    },
  );
}

/** Whether dialects spell elements differently. */
export function hasSpellings(protocol: Protocol): boolean {
  return protocol.dialects.some(({ elements }) => elements !== undefined);
}

function tableName(name: string): string {
  return `${camelCase(name)}Table`;
}
