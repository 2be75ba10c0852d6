import type { Protocol, When } from "../../model/protocol.js";
import { responsesOf, type Responses } from "../../model/queries.js";
import { printReturn } from "../printer/logical-expression.js";
import { lineWidth, member, quote, type SourceFile } from "../printer/source-file.js";
import { emitClassify } from "./classify.js";
import { printConditions, printFailure } from "./envelope-conditions.js";
import { wireDefinitions, type PackageNames } from "./package-names.js";

/**
 * Emits `guards.ts`: `classify`, and type guards for each kind of message and for each individual
 * message.
 */
export function emitGuards(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const { Event, Events, event, withArticle } = names;
  const { envelope } = protocol;
  const responses = responsesOf(protocol);
  const messages = ["KnownMessage", "CustomMessage"].map((name) => messageType(name, file));
  file.doc("A message, which may be one that the protocol does not define.");
  file.line(`type AnyMessage = ${messages.join(" | ")};\n`);
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
  file.line();
  emitClassify(protocol, names, file);
}

/** A kind of message that has names, such as requests. */
interface NamedKind {
  readonly kind: string;
  /** The noun for such a message, including the article. */
  readonly what: string;
  /** The type of these messages' names. */
  readonly key: string;
  readonly arm: { readonly when: When; readonly name: string };
  /** The type of a message whose name has the type `Name`. */
  readonly known: string;
}

/**
 * Emits the guards for a kind of message: for any message, for a known name, and for a custom name.
 */
function emitKindGuards(file: SourceFile, { kind, what, key, arm, known }: NamedKind): void {
  const custom = messageType(`Custom${kind}`, file);
  const any = "AnyMessage";
  const overload = (parameter: string, taken: string, target: string): void =>
    file.line(
      `export function is${kind}<Name extends ${parameter}>(\n  message: ${taken},\n  name: Name,\n): message is ${target};`,
    );
  file.doc(
    `Returns whether a message is ${what}, either with any name or with the given one.`,
    "Checks only the kind and the name. For values that may not be messages, use `classify` or a validator. Never throws.",
  );
  const result = `): message is ${messageType(`Known${kind}`, file)} | ${custom};`;
  const flat = `export function is${kind}(message: ${any}${result}`;
  file.line(
    flat.length <= lineWidth ? flat : `export function is${kind}(\n  message: ${any},\n${result}`,
  );
  overload(mapType(key, file), any, known);
  overload("string", `${any} | ${custom}<Name>`, `${custom} | ${custom}<Name>`);
  const field = member("fields", arm.name);
  emitGuard(file, `is${kind}`, ["value: unknown", "name?: string"], "boolean", [
    ...printConditions(arm.when),
    `(name === undefined ? typeof ${field} === "string" : ${field} === name)`,
  ]);
}

/** Emits the guards for responses and for failed responses. */
function emitResponseGuards({ arm, base, error }: Responses, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const { when, name } = arm;
  if (name === undefined) {
    file.doc(
      "Returns whether a message is a response. A response identifies its request only by id. Never throws.",
    );
    emitGuard(
      file,
      "isResponse",
      [`value: AnyMessage | ${types}.${base}`],
      `value is ${types}.${base}`,
      printConditions(when),
    );
  } else {
    emitKindGuards(file, {
      kind: "Response",
      what: "a response",
      key: "RequestName",
      arm: { when, name },
      known: `${mapType("Requests", file)}[Name]["response"]`,
    });
  }
  file.doc("Returns whether a message is the response to a request that failed. Never throws.");
  emitGuard(
    file,
    "isErrorResponse",
    [`value: AnyMessage | ${types}.${error}`],
    `value is ${types}.${error}`,
    [...printConditions(when), printFailure(arm)],
  );
}

/** Emits a guard for each message. */
function emitMessageGuards(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  for (const message of protocol.messages) {
    for (const definition of wireDefinitions(protocol, message)) {
      const isResponse = definition !== message.definition;
      const sentKind = message.kind === "event" ? names.Event : "Request";
      const kind = isResponse ? "Response" : sentKind;
      const after = `): message is ${types}.${definition} {`;
      const parameters = [`message: AnyMessage`];
      file.declare(`export function ${names.guard(definition)}`, parameters, after, () => {
        file.line(`return is${kind}(message, ${quote(message.name)});`);
      });
      file.line();
    }
  }
}

/** Emits a function that checks whether a value's fields pass all tests. */
function emitGuard(
  file: SourceFile,
  name: string,
  parameters: readonly string[],
  result: string,
  tests: readonly string[],
): void {
  file.declare(`export function ${name}`, parameters, `): ${result} {`, () => {
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
