import { basename } from "node:path";
import type { Module, Protocol } from "../model/protocol.js";
import { beside, type OpenedDescription } from "./open-description.js";
import { readTextFile } from "./source/input-source.js";

/** Adds the hand-written modules of a package. @throws InputError if one cannot be read. */
export async function includeModules(
  protocol: Protocol,
  { file, description, extension }: OpenedDescription,
): Promise<Protocol> {
  const sources = [
    { file, value: description },
    ...(extension === undefined ? [] : [{ file: extension.file, value: extension.value }]),
  ];
  const read = async (path: string): Promise<Module> => ({
    name: basename(path, ".ts"),
    // Git on Windows may have converted line ends to CRLF.
    text: (await readTextFile(path)).replaceAll("\r\n", "\n"),
  });
  const modules: readonly Module[] = await Promise.all(
    sources.flatMap(({ file, value: { include = [], entries = {}, internal = [] } }) => [
      ...include.map((name) => read(beside(file, name))),
      ...Object.entries(entries).flatMap(([entry, names]) =>
        names.map(async (name) => ({ ...(await read(beside(file, name))), entry })),
      ),
      ...internal.map(async (name) => ({ ...(await read(beside(file, name))), isInternal: true })),
    ]),
  );
  return modules.length === 0 ? protocol : { ...protocol, modules };
}
