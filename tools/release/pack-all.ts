import { packAll } from "./packages.js";

/** Packs every published package into `build/packages`. */
for (const { tarball } of await packAll()) console.log(tarball);
