export * from "./adapter.js";
export * from "./adapter-definition.js";
export { ClientPositions } from "./client-positions.js";
export * from "./handles.js";
export type { HostCheck, HostJudge } from "./host-checks.js";
export * from "./inline-adapter.js";
export * from "./progress.js";
