import { pascalCase } from "../../model/names.js";
import type { Protocol } from "../../model/protocol.js";
import { eventsOf, requestsOf } from "../../model/queries.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { describeKinds, printConditions } from "./envelope-conditions.js";
import type { NamedKind } from "./message-kinds.js";
import { withArticle } from "./package-names.js";

/** Emits `classify`, which classifies values as known, custom or malformed messages. */
export function emitClassify(
  protocol: Protocol,
  kinds: readonly NamedKind[],
  file: SourceFile,
): void {
  file.code`
    /** Why a value is not a message. */
    export type MalformedCode = "ERR_NOT_OBJECT" | "ERR_KIND" | "ERR_NAME" | "ERR_UNREADABLE";
  `;
  emitClassified(kinds, file);
  for (const [map, messages] of [
    ["Requests", requestsOf(protocol)],
    [kinds[1]!.map, eventsOf(protocol)],
  ] as const)
    // If the code used the tables in `maps.ts` instead, bundles would contain them in full.
    if (kinds.some((kind) => kind.map === map && kind.name !== undefined)) {
      const names = messages.map(({ name }) => quote(name));
      const head = `const ${setOf(map)}: ReadonlySet<string> = /* @__PURE__ */ new Set([`;
      file.list(head, names, "]);");
      file.line();
    }
  file.doc("Classifies a value by kind and name. Never throws.");
  file.block("export function classify(value: unknown): Classified {", "}", () => {
    file.block("try {", "} catch {", () => {
      const isNone = `typeof value !== "object" || value === null || Array.isArray(value)`;
      file.block(`if (${isNone}) {`, "}", () =>
        returnMalformed("ERR_NOT_OBJECT", "a message must be an object", file),
      );
      file.line(`const fields = value as ${messageType("MessageFields", file)};`);
      for (const kind of kinds)
        file.block(`if (${printConditions(kind.when).join(" && ")}) {`, "}", () =>
          emitKind(kind, file),
        );
      returnMalformed("ERR_KIND", describeKinds(protocol), file);
    });
    file.line(`  return malformed("ERR_UNREADABLE", "reading a field failed", value);`);
    file.line("}");
  });
  file.line();
  file.code`
    function malformed(code: MalformedCode, reason: string, value: unknown): Classified {
      return { status: "malformed", code, reason, value };
    }
  `;
}

function emitClassified(kinds: readonly NamedKind[], file: SourceFile): void {
  for (const { kind, name, key, type, map } of kinds)
    if (name !== undefined)
      file.code`
        /** ${withArticle(kind).replace(/^a/, "A")} that the protocol defines, as \`classify\` returns it. */
        export interface Classified${type}<Name extends ${file.importType(key, "./maps.js")}> {
          readonly status: "known";
          readonly kind: ${quote(kind)};
          readonly name: Name;
          readonly message: ${file.importType(map, "./maps.js")}[Name][${quote(kind)}];
        }
      `;
  const members = kinds.map(({ kind, name, key, type }) => {
    const [status, nameType, message] =
      name === undefined
        ? ["known", "name?: undefined", `Known${type}`]
        : ["custom", "name: string", `Custom${type}`];
    const known = `| { [Name in ${key}]: Classified${type}<Name> }[${key}]\n`;
    return `${name === undefined ? "" : known}| {
    readonly status: ${quote(status!)};
    readonly kind: ${quote(kind)};
    readonly ${nameType};
    readonly message: ${messageType(message!, file)};
  }`;
  });
  file.doc(
    "A classified value: a message that the protocol defines, a message that it does not define, or something that is not a message.",
    "Only the kind and the name are checked; the rest of a known message is not.",
  );
  file.code`
    export type Classified =
      ${members.join("\n")}
      | {
          readonly status: "malformed";
          readonly kind?: undefined;
          readonly name?: undefined;
          readonly message?: undefined;
          readonly code: MalformedCode;
          readonly reason: string;
          readonly value: unknown;
        };
  `;
}

/** Returns the name of the set of the names in a map. */
function setOf(map: string): string {
  return `namesOf${pascalCase(map)}`;
}

function emitKind({ kind, name, map, type }: NamedKind, file: SourceFile): void {
  if (name === undefined) {
    const message = `message: value as ${messageType(`Known${type}`, file)}`;
    file.list("return {", ['status: "known"', `kind: ${quote(kind)}`, message], "};", " ");
    return;
  }
  file.line(`const name = ${member("fields", name)};`);
  file.block(`if (typeof name !== "string") {`, "}", () =>
    returnMalformed("ERR_NAME", `the ${name} of a message must be a string`, file),
  );
  const status = `status: ${setOf(map)}.has(name) ? "known" : "custom"`;
  const fields = [status, `kind: ${quote(kind)}`, "name", "message: value"];
  file.list("return {", fields, "} as Classified;", " ");
}

function returnMalformed(code: string, reason: string, file: SourceFile): void {
  file.list("return malformed(", [quote(code), quote(reason), "value"], ");");
}

function messageType(name: string, file: SourceFile): string {
  return file.importType(name, "./messages.js");
}
