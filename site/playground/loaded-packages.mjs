/**
 * Replaces generator/base/packages.ts: packages that Node loads on demand are parts of this bundle.
 */
import * as ajv from "ajv";
import * as jsonc from "jsonc-parser";

export const loadAjv = () => ajv;
export const loadJsoncParser = () => jsonc;
export const packageFolders = (name) => [`/tool/node_modules/${name}`];
/** A page needs no time limit, because the visitor can close it. */
export const runWithin = (milliseconds, run) => run();
