import type { Protocol } from "../../model/protocol.js";
import { describeKinds, printConditions } from "./envelope-conditions.js";
import type { PackageNames } from "./package-names.js";
import { lineWidth, member, quote, type SourceFile } from "../printer/source-file.js";

/** Prints `classify.ts`: sorts any value into known, custom and malformed messages. */
export function emitClassify(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const { Event, event, events } = names;
  const { request, event: eventArm, response } = protocol.envelope;
  const messageType = (name: string): string => file.importType(name, "./messages.js");
  const arms = [
    {
      kind: "request",
      when: request.when,
      nameField: request.name,
      table: "requests",
      key: "RequestName",
      type: "Request",
    },
    {
      kind: event,
      when: eventArm.when,
      nameField: eventArm.name,
      table: events,
      key: `${Event}Name`,
      type: Event,
    },
    ...(response === undefined
      ? []
      : [
          {
            kind: "response",
            when: response.when,
            nameField: response.name,
            table: "requests",
            key: "RequestName",
            type: "Response",
          },
        ]),
  ];

  file.doc("Why a value is no message.");
  file.union(
    "MalformedCode",
    ["ERR_NOT_OBJECT", "ERR_KIND", "ERR_NAME", "ERR_UNREADABLE"].map(quote),
  );
  file.line();
  file.doc(
    "A value sorted: a message that the protocol defines, one that it does not define, or no message at all.",
    "Only kind and name are looked at: the rest of a known message is as the peer sent it.",
  );
  file.line("export type Classified =");
  for (const { kind, nameField, key, type } of arms) {
    const shape = (
      status: string,
      name: string | undefined,
      message: string,
    ): readonly string[] => [
      `readonly status: ${quote(status)}`,
      `readonly kind: ${quote(kind)}`,
      ...(name === undefined ? [] : [`readonly name: ${name}`]),
      `readonly message: ${messageType(message)}`,
    ];
    if (nameField === undefined) armType(shape("known", undefined, `Known${type}`));
    else {
      armType(shape("known", file.importType(key, "./maps.js"), `Known${type}`));
      armType(shape("custom", "string", `Custom${type}`));
    }
  }
  armType(
    [
      `readonly status: "malformed"`,
      "readonly code: MalformedCode",
      "readonly reason: string",
      "readonly value: unknown",
    ],
    ";",
  );
  file.line();

  file.doc("Sorts a value by kind and name. Never throws, whatever it is given.");
  file.block("export function classify(value: unknown): Classified {", "}", () => {
    file.block("try {", "} catch {", () => {
      file.block(
        `if (typeof value !== "object" || value === null || Array.isArray(value)) {`,
        "}",
        () => {
          malformed("ERR_NOT_OBJECT", "a message must be an object");
        },
      );
      file.line(`const fields = value as ${messageType("MessageFields")};`);
      for (const arm of arms)
        file.block(`if (${printConditions(arm.when).join(" && ")}) {`, "}", () => emitArm(arm));
      malformed("ERR_KIND", describeKinds(protocol));
    });
    file.line(`  return malformed("ERR_UNREADABLE", "reading a field failed", value);`);
    file.line("}");
  });
  file.line();
  const parameters = ["code: MalformedCode", "reason: string", "value: unknown"];
  file.declare("function malformed", parameters, "): Classified {", () => {
    file.line(`return { status: "malformed", code, reason, value };`);
  });

  function emitArm({ kind, nameField, table, type }: (typeof arms)[number]): void {
    const known = messageType(`Known${type}`);
    if (nameField === undefined) {
      result("known", kind, [], known);
      return;
    }
    file.line(`const name = ${member("fields", nameField)};`);
    file.block(`if (typeof name !== "string") {`, "}", () =>
      malformed("ERR_NAME", `the ${nameField} of a message must be a text`),
    );
    file.importValue(table, "./maps.js");
    file.block(`if (Object.hasOwn(${table}, name)) {`, "}", () => {
      result("known", kind, [`name: name as keyof typeof ${table}`], known);
    });
    result("custom", kind, ["name"], messageType(`Custom${type}`));
  }

  function result(status: string, kind: string, name: readonly string[], type: string): void {
    const fields = [
      `status: ${quote(status)}`,
      `kind: ${quote(kind)}`,
      ...name,
      `message: value as ${type}`,
    ];
    file.list("return {", fields, "};", " ");
  }

  function malformed(code: string, reason: string): void {
    file.list("return malformed(", [quote(code), quote(reason), "value"], ");");
  }

  function armType(fields: readonly string[], end = ""): void {
    const flat = `  | { ${fields.join("; ")} }${end}`;
    file.line(
      flat.length <= lineWidth ? flat : `  | {\n      ${fields.join(";\n      ")};\n    }${end}`,
    );
  }
}
