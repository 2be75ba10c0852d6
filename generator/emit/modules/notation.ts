import { camelCase } from "../../model/names.js";
import { creationOf, tableOf } from "../../model/notation-table.js";
import type { Dialect, Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { printConstant, toLiteral } from "../printer/literal.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";

/** Emits `notation.ts`: how each role spells non-JSON messages. */
export function emitNotation(protocol: Protocol, file: SourceFile): void {
  const { notations = {} } = protocol;
  const dialects = spellingDialects(protocol);
  const elementRole = Object.keys(notations).find(
    (role) => notations[role]!.kind === "xml-element",
  );
  for (const [role, notation] of Object.entries(notations)) {
    const [type, table] = tableOf(protocol, role, notation);
    printConstant(
      `const ${tableName(role)}`,
      file.importType(type, runtime),
      toLiteral(table),
      file,
    );
  }
  for (const { name, elements } of dialects) {
    const type = `${file.importType("ElementTable", runtime)}["spellings"]`;
    printConstant(`const ${tableName(name)}`, type, toLiteral(elements), file);
  }
  emitNotations(protocol, file);
  if (elementRole !== undefined && dialects.length > 0)
    emitSpellings(protocol, elementRole, dialects, file);
  emitFramingOf(protocol, elementRole, file);
}

function emitNotations(protocol: Protocol, file: SourceFile): void {
  const { notations = {} } = protocol;
  file.doc(
    "How each role spells its messages. Pass one of these as the `framing` option of a decoder or an encoder.",
  );
  const creations = Object.entries(notations).map(([role, notation]) => {
    const [name, ...options] = creationOf(protocol, role, notation);
    return { role, create: file.importValue(name, runtime), options };
  });
  file.line("export const notations: {");
  for (const { role, create } of creations) file.line(`  readonly ${literalKey(role)}: ${create};`);
  file.block("} = {", "};", () => {
    for (const { role, create, options } of creations) {
      const [fields, ...others] = options.filter((each) => typeof each === "object").reverse();
      const texts = options.filter((each) => typeof each === "string").map(quote);
      if (others.length === 0) {
        const head = [tableName(role), ...texts].join(", ");
        file.block(`${literalKey(role)}: /* @__PURE__ */ new ${create}(${head}, {`, "}),", () =>
          emitEntries(fields!, file),
        );
      } else
        file.block(`${literalKey(role)}: /* @__PURE__ */ new ${create}(`, "),", () => {
          for (const text of [tableName(role), ...texts]) file.line(`${text},`);
          for (const each of [...others.reverse(), fields!])
            file.line(
              `{ ${Object.entries(each)
                .map(([key, value]) => `${key}: ${quote(String(value))}`)
                .join(", ")} },`,
            );
        });
    }
  });
  file.line();
}

function emitEntries(fields: object, file: SourceFile): void {
  for (const [key, value] of Object.entries(fields)) file.line(`${key}: ${quote(String(value))},`);
}

/** Emits the notations of those dialects that spell elements in their own way. */
function emitSpellings(
  { envelope }: Protocol,
  role: string,
  dialects: readonly Dialect[],
  file: SourceFile,
): void {
  const base = tableName(role);
  const create = file.importValue("ElementNotation", runtime);
  const { name: nameField, payload } = envelope.event;
  const spellings = dialects.map(
    ({ name }) => `${literalKey(name)}: /* @__PURE__ */ new ${create}(
  {
    ...${base},
    spellings: { ...${base}.spellings, ...${tableName(name)} },
  },
  { name: ${quote(nameField)}, payload: ${quote(payload)} },
),`,
  );
  file.code`
    /** Dialects that spell elements in their own way. \`protocol.dialects\` describes them. */
    export type SpellingName = ${dialects.map(({ name }) => quote(name)).join(" | ")};

    const spellings: { readonly [Name in SpellingName]: ${create} } = {
      ${spellings.join("\n")}
    };
  `;
}

function emitFramingOf(
  protocol: Protocol,
  elementRole: string | undefined,
  file: SourceFile,
): void {
  const { notations = {}, roles, framing } = protocol;
  const json = [...new Set(roles.filter((role) => notations[role] === undefined))];
  const isSpelled = hasSpellings(protocol);
  const results = [
    file.importType("Notation", runtime),
    ...new Set(json.map((role) => quote(framing[role]!))),
  ];
  file.doc(
    "Returns the `framing` option for a decoder or an encoder.",
    isSpelled ? docTag("param", "spelling The dialect whose spelling is used.") : undefined,
  );
  const parameters = [
    `role: ${roles.map(quote).join(" | ")}`,
    ...(isSpelled ? ["spelling?: SpellingName"] : []),
  ];
  const tests = json.map((role) => `if (role === ${quote(role)}) return ${quote(framing[role]!)};`);
  const spelled = `if (spelling !== undefined && role === ${quote(elementRole ?? "")}) return spellings[spelling];`;
  file.code`
    ${file.signature("export function framingOf", parameters, `): ${results.join(" | ")} {`)}
      ${tests.join("\n")}
      ${isSpelled && spelled}
      return notations[role];
    }
  `;
}

/** Returns whether any dialect spells elements in its own way. */
export function hasSpellings(protocol: Protocol): boolean {
  return spellingDialects(protocol).length > 0;
}

function spellingDialects({ dialects }: Protocol): readonly Dialect[] {
  return dialects.filter(({ elements }) => elements !== undefined);
}

function tableName(name: string): string {
  return `${camelCase(name)}Table`;
}
