/**
 * Packages that Node loads on demand, as parts of the bundle: replaces generator/base/packages.ts.
 */
import * as ajv from "ajv";
import * as jsonc from "jsonc-parser";

export const loadAjv = () => ajv;
export const loadJsoncParser = () => jsonc;
export const packageFolders = (name) => [`/tool/node_modules/${name}`];
/** Nothing limits it here but the reader, who closes the page. */
export const runWithin = (milliseconds, run) => run();
