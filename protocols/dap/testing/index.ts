export * from "./golden-recorder.js";
export * from "./in-process.js";
export type { AnyMessage } from "./played-adapter.js";
export type { RecordedMessage, Recording } from "./recorded-exchanges.js";
export * from "./replay.js";
export * from "./script-adapter.js";
export * from "./session-assertion.js";
export type {
  EventOptions,
  HitOptions,
  TestBreakpoint,
  TestClientOptions,
} from "./test-client-options.js";
export type { ExpectedStop } from "./expected-stop.js";
export type { TestClient, TestClientMembers } from "./test-client.js";
export * from "./testing.js";
export * from "./transport-faults.js";
