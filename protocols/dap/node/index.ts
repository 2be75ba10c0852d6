export * from "./adapter-process.js";
export * from "./terminal-processes.js";
