export * from "./adapter.js";
export * from "./adapter-definition.js";
export * from "./client-positions.js";
export * from "./handles.js";
export * from "./inline-adapter.js";
export * from "./progress.js";
