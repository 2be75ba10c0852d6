import type { Protocol, When } from "../../model/protocol.js";
import { responsesOf, type Responses } from "../../model/queries.js";
import { printConditions } from "./envelope-conditions.js";
import { wireDefinitions, type PackageNames } from "./package-names.js";
import { lineWidth, member, quote, type SourceFile } from "../printer/source-file.js";

/** Prints `guards.ts`: type guards per kind and per message. */
export function emitGuards(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const { Event, Events, event, withArticle } = names;
  const { request, event: eventArm } = protocol.envelope;
  const responses = responsesOf(protocol);
  const messageType = (name: string): string => file.importType(name, "./messages.js");
  const mapType = (name: string): string => file.importType(name, "./maps.js");

  kindGuard(
    "Request",
    "a request",
    request.when,
    request.name,
    `${mapType("Requests")}[Name]["request"]`,
  );
  kindGuard(
    Event,
    withArticle,
    eventArm.when,
    eventArm.name,
    `${mapType(Events)}[Name][${quote(event)}]`,
  );
  if (responses !== undefined) emitResponseGuards(responses);

  for (const message of protocol.messages) {
    for (const definition of wireDefinitions(protocol, message)) {
      const kind =
        message.kind === "event"
          ? Event
          : definition === message.definition
            ? "Request"
            : "Response";
      const what = kind === "Response" ? "a response to" : `the ${kind.toLowerCase()}`;
      file.doc(`Whether a value is ${what} \`${message.name}\`.`);
      const after = `): value is ${types}.${definition} {`;
      file.declare(`export function ${names.guard(definition)}`, ["value: unknown"], after, () => {
        file.line(`return is${kind}(value, ${quote(message.name)});`);
      });
      file.line();
    }
  }

  /** Guards of responses, and of those to requests that failed. */
  function emitResponseGuards({ arm: response, base, error }: Responses): void {
    if (response.name === undefined) {
      file.doc("Whether a value is a response; what it answers only its id tells. Never throws.");
      guardFunction("isResponse", [], `${types}.${base}`, printConditions(response.when));
    } else {
      kindGuard(
        "Response",
        "a response",
        response.when,
        response.name,
        `${mapType("Requests")}[Name]["response"]`,
      );
    }
    const failed =
      response.success === undefined
        ? `${member("fields", response.error)} !== undefined`
        : `${member("fields", response.success)} === false`;
    file.doc("Whether a value is the response to a request that failed. Never throws.");
    guardFunction("isErrorResponse", [], `${types}.${error}`, [
      ...printConditions(response.when),
      failed,
    ]);
  }

  /** Guards of a kind: any message of it, one by name, or one of the user's own by name. */
  function kindGuard(kind: string, what: string, when: When, nameField: string, one: string): void {
    const custom = messageType(`Custom${kind}`);
    const key = mapType(kind === Event ? `${Event}Name` : "RequestName");
    const overload = (parameter: string, target: string): void =>
      file.line(
        `export function is${kind}<Name extends ${parameter}>(\n  value: unknown,\n  name: Name,\n): value is ${target};`,
      );
    file.doc(
      `Whether a value is ${what}: any one, or the one with a name.`,
      "Looks at nothing but kind and name, and never throws.",
    );
    file.line(
      `export function is${kind}(value: unknown): value is ${messageType(`Known${kind}`)} | ${custom};`,
    );
    overload(key, one);
    overload("string", `${custom}<Name>`);
    const field = member("fields", nameField);
    guardFunction(`is${kind}`, ["name?: string"], undefined, [
      ...printConditions(when),
      `(name === undefined ? typeof ${field} === "string" : ${field} === name)`,
    ]);
  }

  function guardFunction(
    name: string,
    more: readonly string[],
    target: string | undefined,
    tests: readonly string[],
  ): void {
    const result = target === undefined ? "boolean" : `value is ${target}`;
    file.declare(`export function ${name}`, ["value: unknown", ...more], `): ${result} {`, () => {
      file.block("try {", "} catch {", () => {
        file.line(`if (typeof value !== "object" || value === null) return false;`);
        file.line(`const fields = value as ${messageType("MessageFields")};`);
        const flat = `return ${tests.join(" && ")};`;
        file.line(
          flat.length + file.indent <= lineWidth
            ? flat
            : `return (\n  ${tests.join(" &&\n  ")}\n);`,
        );
      });
      file.line("  return false;");
      file.line("}");
    });
    file.line();
  }
}
