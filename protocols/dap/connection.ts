export * from "../../generated/dap/connection.js";
export * from "./middleware/index.js";
