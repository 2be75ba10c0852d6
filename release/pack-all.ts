import { fileURLToPath } from "node:url";
import { bundledProtocols } from "../generator/base/bundled.js";
import { readProjectFile } from "../generator/cli/project-file.js";
import { readProtocol } from "../generator/index.js";
import { packDeclarations, packPackage } from "./pack-package.js";

/** Packs every package of a bundled protocol that the project file lists, into `build/packages`. */
const root = fileURLToPath(new URL("../../", import.meta.url));
for (const { protocol } of await readProjectFile(`${root}wirewright.config.json`)) {
  if (!bundledProtocols().includes(protocol)) continue;
  const { tarball } = await packPackage(protocol, `${root}build/packages/${protocol}`);
  console.log(tarball);
  const model = await readProtocol(protocol);
  const declarations = packDeclarations(model, `${root}build/packages/${protocol}-declarations`);
  if (declarations !== undefined) console.log(declarations.tarball);
}
