import type { Protocol } from "../../model/protocol.js";
import { responsesOf } from "../../model/queries.js";
import { printReturn } from "../printer/logical-expression.js";
import { member, quote, type SourceFile } from "../printer/source-file.js";
import { emitClassify } from "./classify.js";
import { printConditions, printFailure } from "./envelope-conditions.js";
import { messageKinds, type NamedKind } from "./message-kinds.js";
import { wireDefinitions, withArticle, type PackageNames } from "./package-names.js";

/**
 * Emits `guards.ts`: `classify`, and type guards for each kind of message and for each individual
 * message.
 */
export function emitGuards(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const messages = ["KnownMessage", "CustomMessage"].map((name) => messageType(name, file));
  const kinds = messageKinds(protocol, names);
  file.doc("A message, which may be one that the protocol does not define.");
  file.line(`type AnyMessage = ${messages.join(" | ")};\n`);
  for (const kind of kinds) if (kind.name !== undefined) emitKindGuards(kind, kind.name, file);
  const responses = responsesOf(protocol);
  if (responses !== undefined) {
    const { arm, base, error } = responses;
    const isResponse = printConditions(arm.when);
    if (arm.name === undefined) {
      file.doc(
        "Returns whether a message is a response. A response identifies its request only by id. Never throws.",
      );
      emitGuard("isResponse", `${types}.${base}`, isResponse, file);
    }
    file.doc("Returns whether a message is the response to a request that failed. Never throws.");
    const isFailure = [...isResponse, printFailure(arm)];
    emitGuard("isErrorResponse", `${types}.${error}`, isFailure, file);
  }
  emitMessageGuards(protocol, names, file);
  emitClassify(protocol, kinds, file);
}

/**
 * Emits the guards for a kind of message: for any message, for a known name, and for a custom name.
 */
function emitKindGuards(message: NamedKind, name: string, file: SourceFile): void {
  const { kind, type, key, map } = message;
  const custom = messageType(`Custom${type}`, file);
  const field = member("fields", name);
  const tests = [
    ...printConditions(message.when),
    `(name === undefined ? typeof ${field} === "string" : ${field} === name)`,
  ];
  const result = `): message is ${messageType(`Known${type}`, file)} | ${custom};`;
  file.doc(
    `Returns whether a message is ${withArticle(kind)}, either with any name or with the given one.`,
    "Checks only the kind and the name. For values that may not be messages, use `classify` or a validator. Never throws.",
  );
  file.code`
    ${file.signature(`export function is${type}`, ["message: AnyMessage"], result)}
    export function is${type}<Name extends ${mapType(key, file)}>(
      message: AnyMessage,
      name: Name,
    ): message is ${mapType(map, file)}[Name][${quote(kind)}];
    export function is${type}<Name extends string>(
      message: AnyMessage | ${custom}<Name>,
      name: Name,
    ): message is ${custom} | ${custom}<Name>;
    export function is${type}(value: unknown, name?: string): boolean {
      ${guardBody(tests, file)}
    }
  `;
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

/** Emits a guard that passes all tests of a message's fields. */
function emitGuard(name: string, type: string, tests: readonly string[], file: SourceFile): void {
  const head = `export function ${name}`;
  file.code`
    ${file.signature(head, [`value: AnyMessage | ${type}`], `): value is ${type} {`)}
      ${guardBody(tests, file)}
    }
  `;
}

/** Returns the body of a function that tests a message's fields. */
function guardBody(tests: readonly string[], file: SourceFile): string {
  return `try {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as ${messageType("MessageFields", file)};
  ${printReturn({ operator: "&&", parts: tests }, 4).replaceAll("\n", "\n  ")}
} catch {
  return false;
}`;
}

function messageType(name: string, file: SourceFile): string {
  return file.importType(name, "./messages.js");
}

function mapType(name: string, file: SourceFile): string {
  return file.importType(name, "./maps.js");
}
