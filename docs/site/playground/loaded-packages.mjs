/**
 * Replaces generator/base/packages.ts: the packages that Node loads on demand are part of this
 * bundle.
 */
import * as ajv from "ajv";
import * as jsonc from "jsonc-parser";

export const loadAjv = () => ajv;
export const loadJsoncParser = () => jsonc;
export const packageFolders = (name) => [`/tool/node_modules/${name}`];
/** The page does not need a time limit, because the visitor can close it. */
export const runWithin = (milliseconds, run) => run();
