/** The types of the model, which the library exports as the namespace `Model`. */
export type * from "./protocol.js";
export type * from "./types.js";
