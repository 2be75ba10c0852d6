import type { Protocol } from "../../model/protocol.js";
import { receiverOf } from "../../model/queries.js";
import { lineWidth, quote, type SourceFile } from "../printer/source-file.js";
import type { PackageNames } from "./package-names.js";
import { runtime } from "./runtime-module.js";

/**
 * Emits the function `supports`. If both roles announce capabilities, the message name determines
 * which role's capabilities the caller has to pass. The function has a single signature, because
 * compiler messages about overloads are harder to read.
 */
export function emitSupports(
  protocol: Protocol,
  { Event, events }: PackageNames,
  file: SourceFile,
): void {
  if (protocol.capabilities.length === 0) return;
  const types = file.importTypesAs("types", "./types.js");
  const needs = protocol.capabilities.map(({ role, definition }) => {
    const sender = quote(receiverOf(protocol, role));
    return [
      `RequestNameFrom<${sender}> | ${Event}NameFrom<${sender}>`,
      `${types}.${definition}`,
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
      const isAnnounced = file.importValue("isAnnounced", runtime);
      for (const table of ["requests", events]) {
        file.block(`if (Object.hasOwn(${table}, name)) {`, "}", () => {
          const facts = `${table}[name as keyof typeof ${table}]`;
          file.line(`return ${isAnnounced}(announced, ${facts}.capability);`);
        });
      }
      file.line("return false;");
    },
  );
  file.line();
}

/**
 * Emits a function for each event that updates capabilities, which merges the update into the
 * capabilities announced so far.
 */
export function emitMerge(
  { capabilities }: Protocol,
  { event }: PackageNames,
  file: SourceFile,
): void {
  for (const { definition, update } of capabilities) {
    if (update === undefined) continue;
    file.doc(
      `Returns the announced capabilities after a \`${update}\` ${event}: the flags that it lists get their new values, and all others keep theirs.`,
    );
    const flags = `${file.importTypesAs("types", "./types.js")}.${definition}`;
    const parameters = [`current: ${flags} | undefined`, `changed: ${flags}`];
    file.declare(`export function merge${definition}`, parameters, `): ${flags} {`, () => {
      file.line(`return ${file.importValue("mergeFlags", runtime)}(current, changed);`);
    });
    file.line();
  }
}
