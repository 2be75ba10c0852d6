import { basename } from "node:path";
import type { Protocol } from "../model/protocol.js";
import { beside, type OpenedDescription } from "./open-description.js";
import { readTextFile } from "./source/input-source.js";

/** Adds the hand-written modules of a package. @throws InputError if one cannot be read. */
export async function includeModules(
  protocol: Protocol,
  { file, description, extension }: OpenedDescription,
): Promise<Protocol> {
  const own = description.include?.map((name) => beside(file, name)) ?? [];
  const added = extension?.value.include?.map((name) => beside(extension.file, name)) ?? [];
  const modules = await Promise.all(
    [...own, ...added].map(async (path) => ({
      name: basename(path, ".ts"),
      // Git on Windows may have converted line ends to CRLF.
      text: (await readTextFile(path)).replaceAll("\r\n", "\n"),
    })),
  );
  return modules.length === 0 ? protocol : { ...protocol, modules };
}
