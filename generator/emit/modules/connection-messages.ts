import type { Protocol } from "../../model/protocol.js";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { flattenProperties } from "../../model/properties.js";
import { definitionsByName, responsesOf } from "../../model/queries.js";
import { propertyKey, quote, type SourceFile } from "../printer/source-file.js";
import type { PackageNames } from "./package-names.js";

/** Names that `emitConnectionMessages` exports. */
export const connectionMessageNames = [
  "MessageFrom",
  "Middleware",
  "RequestError",
  "Refusal",
  "RefusalOptions",
];

/** Emits the types of whole messages, for use by middleware, and the class of request errors. */
export function emitConnectionMessages(
  protocol: Protocol,
  names: PackageNames,
  file: SourceFile,
): void {
  emitMessageFrom(protocol, names, file);
  emitMiddleware(file);
  emitRequestError(protocol, file);
  emitRefusal(protocol, file);
}

function emitMessageFrom(
  { roles: [first, second] }: Protocol,
  { sentBy }: PackageNames,
  file: SourceFile,
): void {
  const [fromFirst, fromSecond] = [first, second].map((role) =>
    file.importType(sentBy(role), "./messages.js"),
  );
  const custom = file.importType("CustomMessage", "./messages.js");
  file.doc(
    "A message from one side, which may be one that the protocol does not define. Only its kind has been checked.",
  );
  file.line("export type MessageFrom<Which extends Side> = MessagesFrom[Which];\n");
  file.block("interface MessagesFrom {", "}", () => {
    file.line(`readonly ${propertyKey(first)}: ${fromFirst}<${custom}>;`);
    file.line(`readonly ${propertyKey(second)}: ${fromSecond}<${custom}>;`);
  });
  file.line();
}

function emitMiddleware(file: SourceFile): void {
  file.doc(
    "Inspects or changes messages. A hook returns a message to use instead of the one it receives, `null` to drop it, or nothing to keep it. Hooks are synchronous: a promise is not a message.",
  );
  file.block("export interface Middleware<Which extends Side = Side> {", "}", () => {
    file.doc("Called with each outgoing message. If a request is dropped, it is rejected.");
    file.line("beforeSend?(message: MessageFrom<Which>): object | null | void;");
    file.doc("Called after a message has been written. The bytes are valid only during the call.");
    file.line("afterSend?(message: MessageFrom<Which>, bytes: Uint8Array): void;");
    file.doc(
      "Called with each incoming message and the bytes of its frame. If a request is dropped, it is answered with a failure; if a response is dropped, its request is rejected.",
    );
    file.line(
      "afterReceive?(message: MessageFrom<PeerOf<Which>>, bytes: Uint8Array): object | null | void;",
    );
  });
  file.line();
}

function emitRequestError(protocol: Protocol, file: SourceFile): void {
  const core = file.importValue("AnyRequestError", "./runtime/index.js");
  const responses = responsesOf(protocol);
  const types = file.importTypesAs("types", "./types.js");
  const failure = responses === undefined ? "object" : `${types}.${responses.error}`;
  file.doc("Indicates that a request failed. Match on `code`.");
  file.block(`export interface RequestError extends ${core} {`, "}", () => {
    file.doc("The failure response, as received.");
    file.line(`readonly response: ${failure} | undefined;`);
  });
  file.line();
  file.line(
    `export const RequestError: new (
  ...parameters: ConstructorParameters<typeof ${core}>
) => RequestError = ${core} as never;\n`,
  );
}

function emitRefusal(protocol: Protocol, file: SourceFile): void {
  const core = file.importValue("AnyRefusal", "./runtime/index.js");
  const options = file.importType("AnyRefusalOptions", "./runtime/index.js");
  file.doc("Options for a `Refusal`.");
  const fields = errorFields(protocol, file);
  const oneLine = `export type RefusalOptions = ${options}<${fields}>;`;
  if (oneLine.length <= 100) file.line(oneLine);
  else file.block(`export type RefusalOptions = ${options}<`, ">;", () => file.line(fields));
  file.line();
  file.doc(
    "Throw this in a request handler to refuse the request. `{name}` in the message is replaced with the variable of that name in the `error`.",
  );
  file.line(`export interface Refusal extends ${core} {}\n`);
  file.line(
    `export const Refusal: new (message: string, options?: RefusalOptions) => Refusal = ${core};\n`,
  );
}

/**
 * Returns the type of the object in a failure response that contains the error message, or `object`
 * if the model has no type for it.
 */
function errorFields(protocol: Protocol, file: SourceFile): string {
  const [pointer] = protocol.conversation?.failures.text ?? [];
  const responses = responsesOf(protocol);
  if (pointer === undefined || responses === undefined) return "object";
  const steps = parsePointer(pointer).slice(0, -1);
  if (!hasProperties(protocol, responses.error, steps)) return "object";
  const types = file.importTypesAs("types", "./types.js");
  const found = steps.reduce(
    (type, step) => `NonNullable<${type}[${quote(step)}]>`,
    `${types}.${responses.error}`,
  );
  return `Partial<${found}>`;
}

/**
 * Returns whether a path leads from a definition to a property. Each step must name a property of
 * the previous step's value.
 */
function hasProperties(protocol: Protocol, definition: string, steps: readonly string[]): boolean {
  const definitions = definitionsByName(protocol);
  let type = definitions.get(definition)?.type;
  for (const step of steps) {
    while (type?.kind === "reference") type = definitions.get(type.name)?.type;
    if (type?.kind !== "object") return false;
    type = flattenProperties(definitions, type).find(({ name }) => name === step)?.type;
  }
  return type !== undefined;
}
