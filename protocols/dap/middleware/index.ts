export * from "./path-mapper.js";
export { recordingHead, recordMessages } from "./session-recorder.js";
