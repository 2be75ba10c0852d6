import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundledProtocols } from "../../generator/base/bundled.js";
import { readProjectFile } from "../../cli/project-file.js";
import { readProtocol } from "../../cli/index.js";
import { writeJsrPackage } from "./jsr-package.js";
import {
  packDeclarations,
  packPackage,
  packSuite,
  packTool,
  type PackedPackage,
} from "./pack-package.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Packs everything that is published into `build/packages`:
 *
 * - the tool
 * - the package for each bundled protocol in the project file
 * - the declarations that replace a published package
 * - the conformance suite
 *
 * Also writes the protocol packages for JSR into `build/jsr`.
 */
export async function packAll(): Promise<readonly PackedPackage[]> {
  const folder = join(root, "build/packages");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = [await packTool(join(folder, "wirewright"))];
  const { packages } = await readProjectFile(join(root, "wirewright.config.json"));
  for (const { protocol } of packages) {
    if (!bundledProtocols().includes(protocol)) continue;
    packed.push(await packPackage(protocol, join(folder, protocol)));
    const readme = readFileSync(join(folder, protocol, "README.md"), "utf8");
    writeJsrPackage(protocol, readme, join(root, "build/jsr", protocol));
    const model = await readProtocol(protocol);
    const declarations = packDeclarations(model, join(folder, `${protocol}-declarations`));
    if (declarations !== undefined) packed.push(declarations);
  }
  packed.push(await packSuite(join(folder, "conformance")));
  return packed;
}
