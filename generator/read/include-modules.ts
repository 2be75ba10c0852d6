import { basename } from "node:path";
import type { Module, Protocol } from "../model/protocol.js";
import { beside, type OpenedDescription } from "./open-description.js";
import { readTextFile } from "./source/input-source.js";

/** Adds the hand-written modules of a package. @throws InputError if one cannot be read. */
export async function includeModules(
  protocol: Protocol,
  { file, description, extension }: OpenedDescription,
): Promise<Protocol> {
  const paths = (key: "include" | "entries"): readonly string[] => [
    ...(description[key] ?? []).map((name) => beside(file, name)),
    ...(extension?.value[key]?.map((name) => beside(extension.file, name)) ?? []),
  ];
  const read = async (path: string): Promise<Module> => ({
    name: basename(path, ".ts"),
    // Git on Windows may have converted line ends to CRLF.
    text: (await readTextFile(path)).replaceAll("\r\n", "\n"),
  });
  const modules = await Promise.all([
    ...paths("include").map(read),
    ...paths("entries").map(async (path) => ({ ...(await read(path)), isEntry: true as const })),
  ]);
  return modules.length === 0 ? protocol : { ...protocol, modules };
}
