export * from "../../generated/ruby-debug-ide/node.js";
export * from "./dispatcher.js";
