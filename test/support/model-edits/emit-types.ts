import { emitMessages } from "../../../generator/emit/modules/messages.js";
import { namePackage } from "../../../generator/emit/modules/package-names.js";
import { emitTypes } from "../../../generator/emit/modules/types.js";
import { SourceFile } from "../../../generator/emit/printer/source-file.js";
import { renameBases } from "../../../generator/emit/rename-bases.js";
import type { Protocol } from "../../../generator/model/protocol.js";

/** The runtime module that declares the types used by packages. */
export const runtimeTypes = "runtime/protocol/type-shapes.ts";

/**
 * Returns the modules of a package that contain types, by name. They import the runtime from
 * `runtime.ts`, two folders up.
 */
export function typeModulesOf(protocol: Protocol): Readonly<Record<"types" | "messages", string>> {
  const named = renameBases(protocol);
  const names = namePackage(named);
  const print = (emit: typeof emitTypes): string => {
    const file = new SourceFile("Types only.");
    emit(named, names, file);
    return file.toString().replaceAll('"./runtime/index.js"', '"../../runtime.js"');
  };
  return { types: print(emitTypes), messages: print(emitMessages) };
}
