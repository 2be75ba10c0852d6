import type { Protocol, When } from "../../model/protocol.js";
import { responsesOf, type Responses } from "../../model/queries.js";
import { printReturn } from "../printer/logical-expression.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { printConditions } from "./envelope-conditions.js";
import { wireDefinitions, type PackageNames } from "./package-names.js";

/** Prints `guards.ts`: type guards per kind and per message. */
export function emitGuards(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const { Event, Events, event, withArticle } = names;
  const { envelope } = protocol;
  const responses = responsesOf(protocol);
  emitKindGuards(file, {
    kind: "Request",
    what: "a request",
    key: "RequestName",
    arm: envelope.request,
    known: `${mapType("Requests", file)}[Name]["request"]`,
  });
  emitKindGuards(file, {
    kind: Event,
    what: withArticle,
    key: `${Event}Name`,
    arm: envelope.event,
    known: `${mapType(Events, file)}[Name][${quote(event)}]`,
  });
  if (responses !== undefined) emitResponseGuards(responses, file);
  emitMessageGuards(protocol, names, file);
}

/** A kind of message whose messages carry a name. */
interface NamedKind {
  readonly kind: string;
  /** The noun with its article. */
  readonly what: string;
  /** The type of its names. */
  readonly key: string;
  readonly arm: { readonly when: When; readonly name: string };
  /** The type of the message called `Name`. */
  readonly known: string;
}

/** Prints the guards of a kind: for any message, for a known name, and for a custom name. */
function emitKindGuards(file: SourceFile, { kind, what, key, arm, known }: NamedKind): void {
  const custom = messageType(`Custom${kind}`, file);
  const overload = (parameter: string, target: string): void =>
    file.line(
      `export function is${kind}<Name extends ${parameter}>(\n  value: unknown,\n  name: Name,\n): value is ${target};`,
    );
  file.doc(
    `Whether a value is ${what}, with any name or with the given one.`,
    "Checks only the kind and the name. Never throws.",
  );
  file.line(
    `export function is${kind}(value: unknown): value is ${messageType(`Known${kind}`, file)} | ${custom};`,
  );
  overload(mapType(key, file), known);
  overload("string", `${custom}<Name>`);
  const field = member("fields", arm.name);
  emitGuard(file, `is${kind}`, ["name?: string"], "boolean", [
    ...printConditions(arm.when),
    `(name === undefined ? typeof ${field} === "string" : ${field} === name)`,
  ]);
}

/** Prints the guards of responses and of failed responses. */
function emitResponseGuards({ arm, base, error }: Responses, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const { when, name } = arm;
  if (name === undefined) {
    file.doc(
      "Whether a value is a response. Only its id tells which request it answers. Never throws.",
    );
    emitGuard(file, "isResponse", [], `value is ${types}.${base}`, printConditions(when));
  } else {
    emitKindGuards(file, {
      kind: "Response",
      what: "a response",
      key: "RequestName",
      arm: { when, name },
      known: `${mapType("Requests", file)}[Name]["response"]`,
    });
  }
  const failed =
    arm.success === undefined
      ? `${member("fields", arm.error)} !== undefined`
      : `${member("fields", arm.success)} === false`;
  file.doc("Whether a value is the response to a request that failed. Never throws.");
  emitGuard(file, "isErrorResponse", [], `value is ${types}.${error}`, [
    ...printConditions(when),
    failed,
  ]);
}

/** Prints one guard per message. */
function emitMessageGuards(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  for (const message of protocol.messages) {
    for (const definition of wireDefinitions(protocol, message)) {
      const isResponse = definition !== message.definition;
      const own = message.kind === "event" ? names.Event : "Request";
      const kind = isResponse ? "Response" : own;
      const what = isResponse ? "a response to" : `the ${own.toLowerCase()}`;
      file.doc(`Whether a value is ${what} \`${message.name}\`.`);
      const after = `): value is ${types}.${definition} {`;
      file.declare(`export function ${names.guard(definition)}`, ["value: unknown"], after, () => {
        file.line(`return is${kind}(value, ${quote(message.name)});`);
      });
      file.line();
    }
  }
}

/** Prints a function that returns whether the fields of a value pass all tests. */
function emitGuard(
  file: SourceFile,
  name: string,
  more: readonly string[],
  result: string,
  tests: readonly string[],
): void {
  file.declare(`export function ${name}`, ["value: unknown", ...more], `): ${result} {`, () => {
    file.block("try {", "} catch {", () => {
      file.line(`if (typeof value !== "object" || value === null) return false;`);
      file.line(`const fields = value as ${messageType("MessageFields", file)};`);
      file.line(printReturn({ operator: "&&", parts: tests }, file.indent));
    });
    file.line("  return false;");
    file.line("}");
  });
  file.line();
}

function messageType(name: string, file: SourceFile): string {
  return file.importType(name, "./messages.js");
}

function mapType(name: string, file: SourceFile): string {
  return file.importType(name, "./maps.js");
}
