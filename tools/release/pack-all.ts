import { join } from "node:path";
import { root } from "../../test/support/paths.js";
import { packAll } from "./packages.js";

/** Packs every published package into `build/packages`. */
for (const { tarball } of await packAll(join(root, "build/packages"))) console.log(tarball);
