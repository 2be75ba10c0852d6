export * from "../../generated/dap/connection.js";
export * from "./middleware/index.js";
export type { ConfiguredArguments } from "./configured-arguments.js";
