export * from "../../generated/dap/node.js";
export * from "./node/index.js";
