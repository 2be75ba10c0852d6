/**
 * Packages that Node loads on demand, as parts of the bundle: replaces generator/base/packages.ts.
 */
import * as ajv from "ajv";
import * as jsonc from "jsonc-parser";

export const loadAjv = () => ajv;
export const loadJsoncParser = () => jsonc;
export const packageFolders = (name) => [`/tool/node_modules/${name}`];
/** There is no limit in a page: the visitor can close it. */
export const runWithin = (milliseconds, run) => run();
