import { pascalCase } from "../../model/names.js";
import type { Protocol } from "../../model/protocol.js";
import { entryExporting, receiverOf } from "../../model/queries.js";
import { literalKey, quote, type SourceFile } from "../printer/source-file.js";

const runtime = "./runtime/index.js";
const maps = "./maps.js";

/**
 * Prints the function that defines a role: its capabilities, and the handlers that they require. A hand-written module
 * that exports the function takes its place.
 */
export function emitDefinition(protocol: Protocol, role: string, file: SourceFile): void {
  emitFlags(protocol, role, file);
  if (entryExporting(protocol, `define${pascalCase(role)}`) !== undefined) return;
  emitNeededHandlers(protocol, role, file);
  emitDefinitionType(role, file);
  emitDefine(protocol, role, file);
}

function emitFlags({ capabilities }: Protocol, role: string, file: SourceFile): void {
  const types = file.importTypesAs("types", "./types.js");
  const source = capabilities.find((each) => each.role === role)!;
  file.line();
  file.doc(`The capabilities that ${withArticle(role)} can announce.`);
  file.line(`export type Flags${pascalCase(role)} = ${types}.${source.definition};\n`);
}

function emitNeededHandlers(protocol: Protocol, role: string, file: SourceFile): void {
  const requestNameFrom = file.importType("RequestNameFrom", maps);
  const requests = file.importType("Requests", maps);
  const peer = receiverOf(protocol, role);
  file.doc("Handlers of the requests that the capabilities announce.");
  file.line(
    `export type Needed${pascalCase(role)}Handlers<Flags> = {
  readonly [
    Name in ${requestNameFrom}<${quote(peer)}> as ${requests}[Name]["capability"] extends infer Flag extends
      keyof Flags
      ? [Flags[Flag]] extends [false | undefined]
        ? never
        : Name
      : never
  ]: RequestHandler<Name, ${quote(role)}>;
};\n`,
  );
}

function emitDefinitionType(role: string, file: SourceFile): void {
  const Role = pascalCase(role);
  file.doc(
    `Capabilities, and a handler for every request that they announce. Handlers of other requests are optional.`,
  );
  file.block(`export interface ${Role}Definition<Flags extends Flags${Role}> {`, "}", () => {
    file.line("readonly capabilities: Flags;");
    file.line(`readonly handlers: Needed${Role}Handlers<Flags> & Handlers<${quote(role)}>;`);
  });
  file.line();
}

function emitDefine(protocol: Protocol, role: string, file: SourceFile): void {
  const Role = pascalCase(role);
  const transport = file.importType("Transport", runtime);
  const announcement = announcedBy(protocol, role);
  file.doc(
    `Defines ${withArticle(role)}. Returns a function that connects it.`,
    announcement === undefined
      ? undefined
      : `The request \`${announcement}\` is answered with the capabilities unless a handler is given.`,
  );
  const all =
    announcement === undefined
      ? "handlers"
      : `{ ${literalKey(announcement)}: () => capabilities, ...handlers }`;
  const parts = announcement === undefined ? "handlers" : "capabilities, handlers";
  const head = `export function define${Role}<const Flags extends Flags${Role}>(
  definition: ${Role}Definition<Flags>,
): (
  transport: ${transport},
  options?: Omit<ConnectOptions<${quote(role)}>, "handlers">,
) => Connection<${quote(role)}> {`;
  file.block(head, "}", () => {
    file.line(`const { ${parts} } = definition;`);
    file.line(`const all: Handlers<${quote(role)}> = ${all};`);
    file.under(
      "return (transport, options = {}) =>",
      `connect(${quote(role)}, transport, { ...options, handlers: all });`,
    );
  });
}

/** The request whose result announces the capabilities of a role. */
function announcedBy(protocol: Protocol, role: string): string | undefined {
  const definition = protocol.capabilities.find((each) => each.role === role)?.definition;
  return protocol.messages.find(
    (message) =>
      message.kind === "request" &&
      message.sender !== role &&
      message.result?.type.kind === "reference" &&
      message.result.type.name === definition,
  )?.name;
}

function withArticle(role: string): string {
  return `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
}
