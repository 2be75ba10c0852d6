export * from "./path-mapper.js";
export * from "./session-recorder.js";
