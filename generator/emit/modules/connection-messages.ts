import type { Protocol } from "../../model/protocol.js";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { responsesOf } from "../../model/queries.js";
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

/** Prints the types of whole messages: what middleware sees, and the error of a request. */
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
    "A message that a side sends, one that the protocol does not define among them. Nothing has checked more of it than its kind.",
  );
  file.line("export type MessageFrom<Which extends Side> = MessagesFrom[Which];\n");
  file.block("interface MessagesFrom {", "}", () => {
    file.line(`readonly ${propertyKey(first)}: ${fromFirst}<${custom}>;`);
    file.line(`readonly ${propertyKey(second)}: ${fromSecond}<${custom}>;`);
  });
  file.line();
}

function emitMiddleware(file: SourceFile): void {
  file.doc("Inspects or changes messages. Hooks are synchronous: a promise is not a message.");
  file.block("export interface Middleware<Which extends Side = Side> {", "}", () => {
    file.doc(
      "Called with an outgoing message. Returns the message to send, or undefined to hold it back. A request that is held back is rejected.",
    );
    file.line("beforeSend?(message: MessageFrom<Which>): object | undefined;");
    file.doc("Called after a message was written. The bytes are valid only during the call.");
    file.line("afterSend?(message: MessageFrom<Which>, bytes: Uint8Array): void;");
    file.doc(
      "Called with an incoming message and the bytes of its frame. Returns the message to process, or undefined to drop it. A dropped request is answered with a failure; a dropped response rejects its request.",
    );
    file.line(
      "afterReceive?(message: MessageFrom<PeerOf<Which>>, bytes: Uint8Array): object | undefined;",
    );
  });
  file.line();
}

function emitRequestError(protocol: Protocol, file: SourceFile): void {
  const core = file.importValue("AnyRequestError", "./runtime/index.js");
  const responses = responsesOf(protocol);
  const types = file.importTypesAs("types", "./types.js");
  const failure = responses === undefined ? "object" : `${types}.${responses.error}`;
  file.doc("A request failed. Match on `code`.");
  file.block(`export interface RequestError extends ${core} {`, "}", () => {
    file.doc("The failure response, as it arrived.");
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
  file.doc("What a `Refusal` has besides its message.");
  file.line(`export type RefusalOptions = ${options}<${errorFields(protocol, file)}>;\n`);
  file.doc(
    "Throw this in a request handler to refuse the request. `{name}` in the message stands for a variable of the `error`.",
  );
  file.line(`export interface Refusal extends ${core} {}\n`);
  file.line(
    `export const Refusal: new (message: string, options?: RefusalOptions) => Refusal = ${core};\n`,
  );
}

/** The type of the error object in a failure response. */
function errorFields(protocol: Protocol, file: SourceFile): string {
  const [pointer] = protocol.conversation?.failures.text ?? [];
  const responses = responsesOf(protocol);
  if (pointer === undefined || responses === undefined) return "object";
  const types = file.importTypesAs("types", "./types.js");
  const steps = parsePointer(pointer).slice(0, -1);
  const found = steps.reduce(
    (type, step) => `NonNullable<${type}[${quote(step)}]>`,
    `${types}.${responses.error}`,
  );
  return `Partial<${found}>`;
}
