import { fileURLToPath } from "node:url";
import { bundledProtocols } from "../generator/base/bundled.js";
import { readProjectFile } from "../generator/cli/project-file.js";
import { packPackage } from "./pack-package.js";

/** Packs every package of a bundled protocol that the project file lists, into `build/packages`. */
const root = fileURLToPath(new URL("../../", import.meta.url));
for (const { protocol } of await readProjectFile(`${root}wirewright.config.json`)) {
  if (!bundledProtocols().includes(protocol)) continue;
  const { tarball } = await packPackage(protocol, `${root}build/packages/${protocol}`);
  console.log(tarball);
}
