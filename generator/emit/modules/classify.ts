import { pascalCase } from "../../model/names.js";
import type { Message, Protocol, When } from "../../model/protocol.js";
import { eventsOf, requestsOf } from "../../model/queries.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { describeKinds, printConditions } from "./envelope-conditions.js";
import { withArticle, type PackageNames } from "./package-names.js";

/** A kind of message: how to recognise it, and the names of the constants and types used for it. */
interface Arm {
  readonly kind: string;
  readonly when: When;
  /** The field that contains the message name. Undefined for responses without a name. */
  readonly nameField: string | undefined;
  readonly table: string;
  /**
   * Name of the type that lists the names of these messages. `map` is the name of the type that
   * maps these names to messages.
   */
  readonly key: string;
  readonly map: string;
  readonly type: string;
}

/** Emits `classify`, which classifies values as known, custom or malformed messages. */
export function emitClassify(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const arms = armsOf(protocol, names);
  file.doc("Why a value is not a message.");
  file.union(
    "MalformedCode",
    ["ERR_NOT_OBJECT", "ERR_KIND", "ERR_NAME", "ERR_UNREADABLE"].map(quote),
  );
  file.line();
  emitClassified(arms, file);
  for (const [table, messages] of [
    ["requests", requestsOf(protocol)],
    [names.events, eventsOf(protocol)],
  ] as const)
    if (arms.some((arm) => arm.table === table && arm.nameField !== undefined))
      emitNames(table, messages, file);
  emitFunction(protocol, arms, file);
  const parameters = ["code: MalformedCode", "reason: string", "value: unknown"];
  file.declare("function malformed", parameters, "): Classified {", () => {
    file.line(`return { status: "malformed", code, reason, value };`);
  });
}

function armsOf(
  { envelope }: Protocol,
  { Event, Events, event, events }: PackageNames,
): readonly Arm[] {
  const arm = (
    kind: string,
    { when, name }: { readonly when: When; readonly name?: string },
    [table, map, type]: readonly [table: string, map: string, type: string],
    key: string,
  ): Arm => ({ kind, when, nameField: name, table, key, map, type });
  const { response } = envelope;
  return [
    arm("request", envelope.request, ["requests", "Requests", "Request"], "RequestName"),
    arm(event, envelope.event, [events, Events, Event], `${Event}Name`),
    ...(response === undefined
      ? []
      : [arm("response", response, ["requests", "Requests", "Response"], "RequestName")]),
  ];
}

function emitClassified(arms: readonly Arm[], file: SourceFile): void {
  for (const { kind, nameField, key, type, map } of arms) {
    if (nameField === undefined) continue;
    file.doc(
      `${withArticle(kind).replace(/^a/, "A")} that the protocol defines, as \`classify\` returns it.`,
    );
    const names = file.importType(key, "./maps.js");
    file.block(`export interface Classified${type}<Name extends ${names}> {`, "}", () => {
      file.line('readonly status: "known";');
      file.line(`readonly kind: ${quote(kind)};`);
      file.line("readonly name: Name;");
      file.line(`readonly message: ${file.importType(map, "./maps.js")}[Name][${quote(kind)}];`);
    });
    file.line();
  }
  file.doc(
    "A classified value: a message that the protocol defines, a message that it does not define, or something that is not a message.",
    "Only the kind and the name are checked; the rest of a known message is not.",
  );
  file.line("export type Classified =");
  const member = (fields: readonly string[], end = ""): void =>
    file.line(
      `  | {\n      ${fields.map((field) => `readonly ${field}`).join(";\n      ")};\n    }${end}`,
    );
  for (const { kind, nameField, key, type } of arms) {
    const fields = (status: string): readonly string[] => [
      `status: ${quote(status)}`,
      `kind: ${quote(kind)}`,
    ];
    if (nameField === undefined) {
      const message = `message: ${messageType(`Known${type}`, file)}`;
      member([...fields("known"), "name?: undefined", message]);
      continue;
    }
    const name = file.importType(key, "./maps.js");
    file.line(`  | { [Name in ${name}]: Classified${type}<Name> }[${name}]`);
    const message = `message: ${messageType(`Custom${type}`, file)}`;
    member([...fields("custom"), "name: string", message]);
  }
  const none = ["kind?: undefined", "name?: undefined", "message?: undefined"];
  const malformed = ['status: "malformed"', ...none, "code: MalformedCode", "reason: string"];
  member([...malformed, "value: unknown"], ";\n");
}

/**
 * Emits message names as a set. If the code used the tables in `maps.ts` instead, bundles would
 * contain those tables in full.
 */
function emitNames(table: string, messages: readonly Message[], file: SourceFile): void {
  file.list(
    `const ${namesOf(table)}: ReadonlySet<string> = /* @__PURE__ */ new Set([`,
    messages.map(({ name }) => quote(name)),
    "]);",
  );
  file.line();
}

function namesOf(table: string): string {
  return `namesOf${pascalCase(table)}`;
}

function emitFunction(protocol: Protocol, arms: readonly Arm[], file: SourceFile): void {
  file.doc("Classifies a value by kind and name. Never throws.");
  file.block("export function classify(value: unknown): Classified {", "}", () => {
    file.block("try {", "} catch {", () => {
      const isNone = `typeof value !== "object" || value === null || Array.isArray(value)`;
      file.block(`if (${isNone}) {`, "}", () =>
        returnMalformed("ERR_NOT_OBJECT", "a message must be an object", file),
      );
      file.line(`const fields = value as ${messageType("MessageFields", file)};`);
      for (const arm of arms)
        file.block(`if (${printConditions(arm.when).join(" && ")}) {`, "}", () =>
          emitArm(arm, file),
        );
      returnMalformed("ERR_KIND", describeKinds(protocol), file);
    });
    file.line(`  return malformed("ERR_UNREADABLE", "reading a field failed", value);`);
    file.line("}");
  });
  file.line();
}

function emitArm({ kind, nameField, table, type }: Arm, file: SourceFile): void {
  if (nameField === undefined) {
    const message = `message: value as ${messageType(`Known${type}`, file)}`;
    returnMessage(['status: "known"', `kind: ${quote(kind)}`, message], "", file);
    return;
  }
  file.line(`const name = ${member("fields", nameField)};`);
  file.block(`if (typeof name !== "string") {`, "}", () =>
    returnMalformed("ERR_NAME", `the ${nameField} of a message must be a string`, file),
  );
  const status = `status: ${namesOf(table)}.has(name) ? "known" : "custom"`;
  const fields = [status, `kind: ${quote(kind)}`, "name", "message: value"];
  returnMessage(fields, " as Classified", file);
}

function returnMessage(fields: readonly string[], type: string, file: SourceFile): void {
  file.list("return {", fields, `}${type};`, " ");
}

function returnMalformed(code: string, reason: string, file: SourceFile): void {
  file.list("return malformed(", [quote(code), quote(reason), "value"], ");");
}

function messageType(name: string, file: SourceFile): string {
  return file.importType(name, "./messages.js");
}
