// Re-exports the runtime instead of carrying it.

export * from "../../../runtime/node.js";
