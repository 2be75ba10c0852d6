/** The runtime module that generated files import. */
export const runtime = "./runtime/index.js";
