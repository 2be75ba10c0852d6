/** The module of the runtime that generated files import. */
export const runtime = "./runtime/index.js";
