import { pascalCase } from "../../model/names.js";
import type { Message, Protocol, When } from "../../model/protocol.js";
import { eventsOf, requestsOf } from "../../model/queries.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { describeKinds, printConditions } from "./envelope-conditions.js";
import type { PackageNames } from "./package-names.js";

/** A kind of message: how to recognise it, and the names of its constants and types. */
interface Arm {
  readonly kind: string;
  readonly when: When;
  /** Field that carries the name; undefined for responses that carry no name. */
  readonly nameField: string | undefined;
  readonly table: string;
  readonly key: string;
  readonly type: string;
}

/** Prints `classify.ts`: classifies values as known, custom or malformed messages. */
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

function armsOf({ envelope }: Protocol, { Event, event, events }: PackageNames): readonly Arm[] {
  const arm = (
    kind: string,
    { when, name }: { readonly when: When; readonly name?: string },
    [table, key, type]: readonly [table: string, key: string, type: string],
  ): Arm => ({ kind, when, nameField: name, table, key, type });
  const { response } = envelope;
  return [
    arm("request", envelope.request, ["requests", "RequestName", "Request"]),
    arm(event, envelope.event, [events, `${Event}Name`, Event]),
    ...(response === undefined
      ? []
      : [arm("response", response, ["requests", "RequestName", "Response"])]),
  ];
}

function emitClassified(arms: readonly Arm[], file: SourceFile): void {
  const fields = (
    status: string,
    kind: string,
    name: string | undefined,
    type: string,
  ): readonly string[] => [
    `readonly status: ${quote(status)}`,
    `readonly kind: ${quote(kind)}`,
    ...(name === undefined ? [] : [`readonly name: ${name}`]),
    `readonly message: ${messageType(type, file)}`,
  ];
  file.doc(
    "A classified value: a message that the protocol defines, a message that it does not define, or not a message.",
    "Only the kind and the name are checked. The rest of a known message is as the peer sent it.",
  );
  file.unionOfObjects("Classified", [
    ...arms.flatMap(({ kind, nameField, key, type }) =>
      nameField === undefined
        ? [fields("known", kind, undefined, `Known${type}`)]
        : [
            fields("known", kind, file.importType(key, "./maps.js"), `Known${type}`),
            fields("custom", kind, "string", `Custom${type}`),
          ],
    ),
    [
      `readonly status: "malformed"`,
      "readonly code: MalformedCode",
      "readonly reason: string",
      "readonly value: unknown",
    ],
  ]);
  file.line();
}

/** Prints the names of messages. The tables of the maps would bring more than names into a bundle. */
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

function emitArm({ kind, nameField, table, key, type }: Arm, file: SourceFile): void {
  const known = messageType(`Known${type}`, file);
  if (nameField === undefined) {
    returnMessage("known", kind, [], known, file);
    return;
  }
  file.line(`const name = ${member("fields", nameField)};`);
  file.block(`if (typeof name !== "string") {`, "}", () =>
    returnMalformed("ERR_NAME", `the ${nameField} of a message must be a text`, file),
  );
  file.block(`if (${namesOf(table)}.has(name)) {`, "}", () =>
    returnMessage(
      "known",
      kind,
      [`name: name as ${file.importType(key, "./maps.js")}`],
      known,
      file,
    ),
  );
  returnMessage("custom", kind, ["name"], messageType(`Custom${type}`, file), file);
}

function returnMessage(
  status: string,
  kind: string,
  name: readonly string[],
  type: string,
  file: SourceFile,
): void {
  const fields = [
    `status: ${quote(status)}`,
    `kind: ${quote(kind)}`,
    ...name,
    `message: value as ${type}`,
  ];
  file.list("return {", fields, "};", " ");
}

function returnMalformed(code: string, reason: string, file: SourceFile): void {
  file.list("return malformed(", [quote(code), quote(reason), "value"], ");");
}

function messageType(name: string, file: SourceFile): string {
  return file.importType(name, "./messages.js");
}
