// Re-exports the runtime instead of including a copy.

export * from "../../../runtime/index.js";
