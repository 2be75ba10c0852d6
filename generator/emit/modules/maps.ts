import { isIdentifier, pascalCase } from "../../model/names.js";
import type {
  EventMessage,
  Message,
  Payload,
  Protocol,
  RequestMessage,
} from "../../model/protocol.js";
import {
  definitionsByName,
  eventsOf,
  isUnanswered,
  receiverOf,
  requestsOf,
} from "../../model/queries.js";
import {
  lineWidth,
  propertyKey,
  quote,
  type SourceFile,
  literalKey,
} from "../printer/source-file.js";
import { answerText } from "./lanes.js";
import { type PackageNames, runtime } from "./package-names.js";
import { deprecationDocs } from "../printer/property-docs.js";
import { printType } from "../printer/type-expression.js";
import { usualCapability } from "../../../runtime/protocol/protocol-description.js";

/**
 * Emits `maps.ts`, which contains the types and facts of each message by name, both as types and as
 * constant tables.
 */
export function emitMaps(protocol: Protocol, names: PackageNames, file: SourceFile): void {
  const { event, events } = names;
  emitRequestMap(protocol, file);
  emitEventMap(protocol, names, file);
  if (protocol.messages.length > 0) emitDirections(protocol, file);
  emitNameTypes(protocol, names, file);
  emitUnanswered(protocol, file);
  emitParts(protocol, file);
  emitTable(protocol, ["requests", "request", "Requests"], requestsOf(protocol), file);
  emitTable(protocol, [events, event, names.Events], eventsOf(protocol), file);
  emitSupports(protocol, names, file);
  emitMerge(protocol, names, file);
}

/** Returns the type of a definition, which a package without messages does not import. */
function typeOf(file: SourceFile, definition: string): string {
  return `${file.importTypesAs("types", "./types.js")}.${definition}`;
}

function emitRequestMap(protocol: Protocol, file: SourceFile): void {
  const payloads = new PayloadTypes(protocol, file);
  const { payload: field } = protocol.envelope.request;
  const eventTypes = new Map(
    eventsOf(protocol).map(({ name, definition }) => [name, typeOf(file, definition)]),
  );
  const answer = ({ responseDefinition, result, answers }: RequestMessage): readonly string[] =>
    responseDefinition !== undefined
      ? [typeOf(file, responseDefinition), payloads.value(result)]
      : answers === undefined
        ? ["undefined", "undefined"]
        : [answerText(answers, (name) => eventTypes.get(name)!), quote(answers.lane)];
  file.doc(
    "Every request by name, with its wire messages, its parameters and result, its sender, and the capability that it requires.",
    "`parameters` is a tuple, so that `send(name, ...parameters)` requires arguments exactly where the protocol does.",
  );
  const entry = "RequestEntry";
  emitMap("Requests", requestsOf(protocol), file, (request) => [
    entry,
    typeOf(file, request.definition),
    payloads.parameters(field, request.payload),
    ...answer(request),
    ...factsOf(request),
  ]);
  const answers = protocol.lanes === undefined ? ["response", "result"] : ["answer", "lane"];
  if (requestsOf(protocol).length > 0)
    emitEntry(protocol, entry, ["request", "arguments", ...answers], file);
}

function emitEventMap(
  protocol: Protocol,
  { Events, Event, event }: PackageNames,
  file: SourceFile,
): void {
  const payloads = new PayloadTypes(protocol, file);
  const { payload: field } = protocol.envelope.event;
  file.doc(
    `Every ${event} by name, with its wire message, its payload, its sender, and the capability that it requires.`,
  );
  const entry = `${Event}Entry`;
  emitMap(Events, eventsOf(protocol), file, (each: EventMessage) => [
    entry,
    typeOf(file, each.definition),
    payloads.parameters(field, each.payload),
    ...factsOf(each),
  ]);
  if (eventsOf(protocol).length > 0) emitEntry(protocol, entry, [event, "body"], file);
}

/**
 * Emits a type with one entry per message.
 *
 * @param entryOf Returns the type of a message's entry and this type's arguments.
 */
function emitMap<Each extends Message>(
  name: string,
  messages: readonly Each[],
  file: SourceFile,
  entryOf: (message: Each) => readonly string[],
): void {
  if (messages.length === 0) {
    file.line(`export interface ${name} {}\n`);
    return;
  }
  file.block(`export interface ${name} {`, "}", () => {
    for (const message of messages) {
      file.doc(...deprecationDocs(message.deprecated));
      const [type, ...typeArguments] = entryOf(message);
      file.typeArguments(`${propertyKey(message.name)}: ${type}`, typeArguments);
    }
  });
  file.line();
}

/** Emits the type of a map's entries. Its second field is the type of the only parameter. */
function emitEntry(
  protocol: Protocol,
  name: string,
  [message, payload, ...others]: readonly [string, string, ...string[]],
  file: SourceFile,
): void {
  const typeParameters = [
    pascalCase(message),
    "Parameters extends readonly unknown[]",
    ...others.map(pascalCase),
    "Sender extends keyof Directions",
    "Capability = undefined",
  ];
  file.declare(`interface ${name}`, typeParameters, " {", () => {
    file.line(`${message}: ${pascalCase(message)};`);
    file.line(`${payload}: Parameters[0];`);
    for (const field of ["parameters", ...others, "sender", "capability"])
      file.line(`${field}: ${pascalCase(field)};`);
    file.line("direction: Directions[Sender];");
  });
  file.line();
}

function emitDirections(protocol: Protocol, file: SourceFile): void {
  file.block("interface Directions {", "}", () => {
    for (const role of protocol.roles)
      file.line(`${propertyKey(role)}: ${quote(`${role}-to-${receiverOf(protocol, role)}`)};`);
    file.line('both: "both";');
  });
  file.line();
}

/** Formats the types of message payloads. */
class PayloadTypes {
  readonly #nameOf: (definition: string) => string;

  constructor(protocol: Protocol, file: SourceFile) {
    const definitions = definitionsByName(protocol);
    this.#nameOf = (name) =>
      definitions.get(name)?.extensible === true
        ? `${file.importType("Extensible", runtime)}<${typeOf(file, name)}>`
        : typeOf(file, name);
  }

  value(payload: Payload | undefined): string {
    if (payload === undefined) return "undefined";
    return payload.required ? this.#type(payload) : `${this.#type(payload)} | undefined`;
  }

  parameters(field: string, payload: Payload | undefined): string {
    if (payload === undefined) return "[]";
    const label = isIdentifier(field) ? field : "payload";
    return `[${label}${payload.required ? "" : "?"}: ${this.#type(payload)}]`;
  }

  #type({ type }: Payload): string {
    return printType(type, this.#nameOf, 0, 0, 0);
  }
}

/** Returns the facts about a message that appear both in its type and in the constant table. */
function factsOf({ sender, gate }: Message): readonly string[] {
  return [quote(sender), ...(gate === undefined ? [] : [quote(gate.capability)])];
}

/**
 * Emits the types for names: one for all messages, and one for the messages that each role sends.
 * The types list the names explicitly, so that the compiler can complete a name without resolving
 * every message. If a type were derived by indexing, the compiler would also show its name instead
 * of the list.
 */
function emitNameTypes(
  protocol: Protocol,
  { Event, Events, withArticle }: PackageNames,
  file: SourceFile,
): void {
  const { roles } = protocol;
  emitAlias("RequestName", "Name of a request.", "keyof Requests", file);
  emitAlias(`${Event}Name`, `Name of ${withArticle}.`, `keyof ${Events}`, file);
  for (const [key, messages] of [
    ["RequestName", requestsOf(protocol)],
    [`${Event}Name`, eventsOf(protocol)],
  ] as const) {
    file.doc(`Names of the messages that a role sends.`);
    const head = `export type ${key}From<Role extends ${roles.map(quote).join(" | ")}> = {`;
    file.line(`${head}\n  [Name in ${key}]: Name;`);
    file.block("}[{", "}[Role]];", () => {
      for (const role of roles) {
        const isSent = ({ sender }: Message): boolean => sender === role || sender === "both";
        const sent = messages.filter(isSent);
        const received = messages.filter((each) => !isSent(each));
        file.unionUnder(`${propertyKey(role)}:`, namesFrom(key, sent, received));
      }
    });
    file.line();
  }
}

/**
 * Returns a type for the names of the given messages. It lists either these names or, if that is
 * shorter, the names to exclude.
 */
function namesFrom(
  all: string,
  own: readonly Message[],
  others: readonly Message[],
): readonly string[] {
  const [ownNames, otherNames] = [own, others].map((each) => each.map(({ name }) => quote(name)));
  if (others.length === 0) return [all];
  if (own.length === 0) return ["never"];
  const except = `Exclude<${all}, ${otherNames!.join(" | ")}>`;
  return except.length < Math.min(lineWidth * 0.75, ownNames!.join(" | ").length)
    ? [except]
    : ownNames!;
}

/** Emits the names of requests that have no response, if there are any. */
function emitUnanswered(protocol: Protocol, file: SourceFile): void {
  const names = requestsOf(protocol).filter(isUnanswered);
  if (names.length === 0) return;
  file.doc("Name of a request that has no response. Send it with `notify`.");
  file.union(
    "UnansweredName",
    names.map(({ name }) => quote(name)),
  );
  file.line();
}

/** Emits types for the parts of a request, such as its parameters, by request name. */
function emitParts({ lanes }: Protocol, file: SourceFile): void {
  emitAlias(
    "ParametersOf<Name extends RequestName>",
    "The parameters to pass along with a request, which may be required, optional or absent.",
    `Requests[Name]["parameters"]`,
    file,
  );
  if (lanes === undefined)
    emitAlias(
      "ResultOf<Name extends RequestName>",
      "The result in a successful response to a request.",
      `Requests[Name]["result"]`,
      file,
    );
  else
    emitAlias(
      "AnswerOf<Name extends RequestName>",
      "The answer to a successful command.",
      `Requests[Name]["answer"]`,
      file,
    );
}

function emitAlias(name: string, docs: string, text: string, file: SourceFile): void {
  file.doc(docs);
  file.line(`export type ${name} = ${text};\n`);
}

/**
 * Emits the function `supports`. If both roles announce capabilities, the message name determines
 * which role's capabilities the caller has to pass. The function has a single signature, because
 * compiler messages about overloads are harder to read.
 */
function emitSupports(protocol: Protocol, { Event, events }: PackageNames, file: SourceFile): void {
  if (protocol.capabilities.length === 0) return;
  const needs = protocol.capabilities.map(({ role, definition }) => {
    const sender = quote(receiverOf(protocol, role));
    return [
      `RequestNameFrom<${sender}> | ${Event}NameFrom<${sender}>`,
      typeOf(file, definition),
    ] as const;
  });
  const [[only, definition] = ["", ""]] = needs;
  const isOne = needs.length === 1;
  if (!isOne) {
    file.doc(
      "The capabilities of a message's receiver, which determine whether the message may be sent.",
    );
    file.line(`export type CapabilitiesFor<Name extends RequestName | ${Event}Name> =`);
    const arms = needs.map(([names, type]) => {
      const flat = `  | (Name extends ${names} ? ${type} : never)`;
      return flat.length < lineWidth
        ? flat
        : `  | (Name extends ${names}\n      ? ${type}\n      : never)`;
    });
    file.line(`${arms.join("\n")};\n`);
  }
  file.doc(
    "Returns whether a message may be sent to a peer with these capabilities.",
    "The result is true for messages that require no capability, and false for names that the protocol does not define.",
  );
  file.declare(
    `export function supports${isOne ? "" : `<Name extends RequestName | ${Event}Name>`}`,
    [
      `announced: ${isOne ? definition : "CapabilitiesFor<Name>"} | null | undefined`,
      `name: ${isOne ? only : "Name"}`,
    ],
    "): boolean {",
    () => {
      const isSupported = file.importValue("isSupported", runtime);
      file.line(`return ${isSupported}(announced, name, requests, ${events});`);
    },
  );
  file.line();
}

/**
 * Emits a function for each event that updates capabilities, which merges the update into the
 * capabilities announced so far.
 */
function emitMerge({ capabilities }: Protocol, { event }: PackageNames, file: SourceFile): void {
  for (const { definition, update } of capabilities) {
    if (update === undefined) continue;
    file.doc(
      `Returns the announced capabilities after a \`${update}\` ${event}: the flags that it lists get their new values, and all others keep theirs.`,
    );
    const flags = typeOf(file, definition);
    const parameters = [`current: ${flags} | undefined`, `changed: ${flags}`];
    file.declare(`export function merge${definition}`, parameters, `): ${flags} {`, () => {
      file.line(`return ${file.importValue("mergeFlags", runtime)}(current, changed);`);
    });
    file.line();
  }
}

/** Emits the table of facts about messages. */
function emitTable(
  protocol: Protocol,
  [name, noun, map]: readonly [name: string, noun: string, map: string],
  messages: readonly Message[],
  file: SourceFile,
): void {
  if (messages.length === 0) {
    file.doc(`Run-time information about each ${noun}.`);
    file.line(`export const ${name} = {} as const;\n`);
    return;
  }
  const read = file.importValue("readMessageTable", runtime);
  const roles = protocol.roles.map(quote).join(", ");
  const rows = `${name.slice(0, -1)}Rows`;
  const rowsType = `${file.importType("MessageRows", runtime)}<${map}>`;
  const senders = [...protocol.roles, "both"].map((role, index) => `${index} ${role}`).join(", ");
  file.line(`// Sender (${senders}), payload (0 none, 1 optional, 2 required), capability`);
  file.line("// (1: `supports`, the name, `Request`), a request's result (like the payload).");
  file.block(`const ${rows}: ${rowsType} = {`, "};", () => {
    for (const message of messages)
      file.list(`${literalKey(message.name)}: [`, rowOf(protocol, message), "],");
  });
  file.line();
  file.doc(`Run-time information about each ${noun}.`);
  const type = `${file.importType("MessageTable", runtime)}<${map}>`;
  const head = `export const ${name}: ${type} = /* @__PURE__ */ ${read}(`;
  file.list(head, [`[${roles}]`, rows], ");");
  file.line();
}

/**
 * Returns the facts about a message in the form that `readMessageTable` reads. Absent facts at the
 * end are left out.
 */
function rowOf({ roles }: Protocol, message: Message): readonly string[] {
  const { sender, payload, gate, set, kind } = message;
  const row = [
    String(sender === "both" ? 2 : roles.indexOf(sender)),
    presence(payload),
    gate === undefined ? undefined : capability(message.name, gate.capability),
    kind === "request" ? presence(message.result) : undefined,
    set === undefined ? undefined : quote(set),
    kind === "request" && isUnanswered(message) ? "true" : undefined,
  ];
  while (row.at(-1) === undefined) row.pop();
  return row.map((each, index) => each ?? (index === 2 ? "0" : "undefined"));
}

function capability(name: string, own: string): string {
  return own === usualCapability(name) ? "1" : quote(own);
}

function presence(payload: Payload | undefined): string {
  return payload === undefined ? "0" : payload.required ? "2" : "1";
}
